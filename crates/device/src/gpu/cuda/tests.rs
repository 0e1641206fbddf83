//! Tests that need a GPU. Without one they pass without a check.

use super::CudaCard;
use crate::gpu::card::{Card, Launch, Queue};
use crate::gpu::kernel::{GpuKernel, Module};
use cudarc::driver::sys;

/// A kernel that runs for the number of nanoseconds in its argument.
const SPIN: &str = "
.version 6.4
.target sm_75
.address_size 64
.visible .entry spin(.param .u64 nanoseconds)
{
    .reg .pred %go_on;
    .reg .u64 %long, %start, %now, %spent;
    ld.param.u64 %long, [nanoseconds];
    mov.u64 %start, %globaltimer;
LOOP:
    mov.u64 %now, %globaltimer;
    sub.u64 %spent, %now, %start;
    setp.lt.u64 %go_on, %spent, %long;
    @%go_on bra LOOP;
    ret;
}
";

#[cfg(feature = "emulator")]
unsafe extern "C" fn not_emulated(
    _: *const std::ffi::c_char,
    _: u32,
    _: u32,
    _: usize,
    _: *const std::ffi::c_void,
) -> std::ffi::c_int {
    1
}

static MODULE: Module = Module {
    name: "spin",
    ptx: SPIN,
    kernels: &["spin"],
    arguments: &["u64"],
    shared_on_demand: false,
    #[cfg(feature = "emulator")]
    emulate: not_emulated,
};

/// Returns the first GPU of this machine.
fn card() -> Option<CudaCard> {
    super::cards(None).ok()?.into_iter().find_map(Result::ok)
}

/// Queues half a second of work.
fn spin(card: &CudaCard) {
    let launch = Launch {
        kernel: GpuKernel { module: &MODULE, number: 0 },
        blocks: 1,
        threads: 1,
        shared_bytes: 0,
    };
    // SAFETY: the kernel takes a 64-bit number and accesses no memory.
    unsafe { card.launch(launch, vec![500_000_000], &[]) }.unwrap();
}

fn is_working(card: &CudaCard) -> bool {
    card.gpu.enter().unwrap();
    // SAFETY: the queue belongs to the card.
    unsafe { sys::cuStreamQuery(card.work) }.result().is_err()
}

#[test]
fn freeing_memory_does_not_wait_for_other_sessions() {
    let Some(card) = card() else { return };
    card.load(&MODULE).unwrap();
    let other = card.with_own_queues().unwrap();
    let (memory, stage) = (other.allocate(1 << 20).unwrap(), other.stage(1 << 20).unwrap());
    spin(&card);
    drop((memory, stage));
    drop((other.allocate(1 << 20).unwrap(), other.stage(1 << 20).unwrap()));
    assert!(is_working(&card), "freeing memory waited for the work of another session");
    card.finish(Queue::Work).unwrap();
    assert!(!is_working(&card));
}

#[test]
fn after_an_error_nothing_is_pending() {
    let Some(card) = card() else { return };
    let (memory, stage) = (card.allocate(4).unwrap(), card.stage(4).unwrap());
    spin(&card);
    assert!(is_working(&card));
    // SAFETY: nothing is queued.
    unsafe { card.copy_in(Queue::Copy, &stage, 0..4, &memory, 1) }.unwrap_err();
    assert!(!is_working(&card));
}
