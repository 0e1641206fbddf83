//! A GPU made of the processor: the kernels' own source, compiled by the C++ compiler, one fiber for each thread of a block.
//!
//! It is there to test kernels where there is no GPU, and far slower than one. What is queued is done as late as a GPU
//! might do it (`queues`), so that tests see what is used before it is there or after it is gone. A kernel
//! that goes wrong in a way a GPU would not tell (a barrier that not all threads reach, a write behind shared memory) ends
//! the process with a sentence on standard error.

mod card;
mod memory;
#[cfg(test)]
mod queue_tests;
mod queues;
#[cfg(test)]
mod tests;

pub(super) use card::EmulatedCard;
pub use card::Emulation;

use super::kernel::GpuKernel;
use super::{AnyCard, Gpu};
use crate::{Device, Hardware, Threads};
use std::ffi::{CString, c_char, c_int, c_void};
use std::sync::Arc;

/// An emulated GPU.
#[must_use]
pub fn emulated(id: &str, emulation: Emulation, threads: Arc<Threads>) -> Device {
    let card = AnyCard::Emulated(Arc::new(EmulatedCard::new(&emulation)));
    let gpu = Gpu { id: id.into(), card, data_bytes: emulation.memory, threads };
    Hardware::Gpu(gpu).into()
}

/// How the C++ side of a module is called: the name of a kernel, blocks, threads in a block, bytes of shared memory, the
/// argument. It answers 0, or 1 where there is no such kernel, or something else where no GPU could launch such blocks.
pub type Emulate = unsafe extern "C" fn(*const c_char, u32, u32, usize, *const c_void) -> c_int;

/// Runs a kernel to its end: `grid` blocks of `threads` threads, each block with `shared` bytes of shared memory. Launches on
/// several threads do not disturb each other.
///
/// # Errors
/// When there is no kernel of that name, or no GPU could launch blocks of that shape.
///
/// # Safety
/// `work` points to the structure that the kernel takes, laid out as the kernel declares it. All that the kernel reads or
/// writes through it is valid for that, and nobody else uses what it writes, until this returns.
pub(super) unsafe fn launch(
    kernel: GpuKernel,
    grid: u32,
    threads: u32,
    shared: usize,
    work: *const c_void,
) -> Result<(), String> {
    // SAFETY: the caller promises what is asked of `work`.
    unsafe { launch_by(kernel.module.emulate, kernel.name(), grid, threads, shared, work) }
}

/// [`launch`], among the kernels that `emulate` knows.
///
/// # Safety
/// As for [`launch`].
unsafe fn launch_by(
    emulate: Emulate,
    kernel: &str,
    grid: u32,
    threads: u32,
    shared: usize,
    work: *const c_void,
) -> Result<(), String> {
    let name = CString::new(kernel).map_err(|_| format!("no kernel has the name {kernel:?}"))?;
    // SAFETY: the name ends with a zero and outlives the call; the rest is the caller's promise.
    match unsafe { emulate(name.as_ptr(), grid, threads, shared, work) } {
        0 => Ok(()),
        1 => Err(format!("there is no kernel {kernel}")),
        _ => Err(format!(
            "{kernel} cannot run with {threads} threads and {shared} bytes of shared memory in a block: at most 1024 threads, \
             in warps of 32, and 227 KiB"
        )),
    }
}
