//! A GPU emulated on the CPU: a C++ compiler compiles the source of the kernels, and each thread of
//! a block is a fiber.
//!
//! It tests kernels on machines without a GPU and is much slower than one. Queued operations run as
//! late as a GPU might run them (`queues`), so that tests detect data that is used too early or
//! after it was freed. Errors in a kernel that a GPU would not report (a barrier that not all
//! threads reach, a write past the shared memory) end the process with a message on standard error.

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

/// Returns an emulated GPU.
#[must_use]
pub fn emulated(id: &str, emulation: Emulation, threads: Arc<Threads>) -> Device {
    let card = AnyCard::Emulated(Arc::new(EmulatedCard::new(&emulation)));
    let gpu = Gpu { id: id.into(), card, data_bytes: emulation.memory, threads };
    Hardware::Gpu(gpu).into()
}

/// The C++ function that runs the kernels of a module. Its arguments are the name of a kernel, the
/// blocks, the threads in a block, the bytes of shared memory and the argument. It returns 0, or 1
/// if the kernel does not exist, or another value if no GPU could launch such blocks.
pub type Emulate = unsafe extern "C" fn(*const c_char, u32, u32, usize, *const c_void) -> c_int;

/// Runs a kernel to its end: `grid` blocks of `threads` threads, each block with `shared` bytes of
/// shared memory. Launches on several threads are independent.
///
/// # Errors
/// When no kernel has this name, or no GPU could launch blocks of this shape.
///
/// # Safety
/// `work` points to the struct that the kernel takes, with the layout that the kernel declares. All
/// memory that the kernel accesses through it is valid, and no other code accesses memory that the
/// kernel writes, until this returns.
pub(super) unsafe fn launch(
    kernel: GpuKernel,
    grid: u32,
    threads: u32,
    shared: usize,
    work: *const c_void,
) -> Result<(), String> {
    // SAFETY: the caller ensures that `work` is valid.
    unsafe { launch_by(kernel.module.emulate, kernel.name(), grid, threads, shared, work) }
}

/// Runs [`launch`] with a kernel of `emulate`.
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
    let name = CString::new(kernel).map_err(|_| format!("kernel {kernel:?} does not exist"))?;
    // SAFETY: the name ends with a NUL byte and outlives the call. The caller ensures the rest.
    match unsafe { emulate(name.as_ptr(), grid, threads, shared, work) } {
        0 => Ok(()),
        1 => Err(format!("kernel {kernel} does not exist")),
        _ => Err(format!(
            "kernel {kernel}: found {threads} threads and {shared} bytes of shared memory in a block; \
             expected at most 1024 threads, a multiple of 32, and at most 227 KiB"
        )),
    }
}
