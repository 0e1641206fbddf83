//! GPU memory, and host memory that the GPU can copy from and to.
//!
//! Freeing either does not wait for other sessions. `cuMemFree` and `cuMemFreeHost` would wait
//! until the whole GPU is idle, so every session that ends would stall all others. No queued
//! operation uses the memory of a session that ends, because a [`Card`](crate::gpu::Card) leaves no
//! operation pending.

use super::{CardError, Gpu};
use crate::gpu::Reservation;
use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, PoisonError};

/// The largest number of words of pinned host memory to keep for reuse.
const MAX_SPARE_WORDS: usize = 64 << 20;

/// Returns the size of `words` words in bytes.
fn bytes(words: usize) -> Result<usize, CardError> {
    words.checked_mul(4).ok_or_else(|| CardError::Refused(format!("cannot allocate {words} words")))
}

/// GPU memory.
#[derive(Debug)]
pub(crate) struct Memory {
    gpu: Arc<Gpu>,
    pub(super) address: sys::CUdeviceptr,
    pub(super) words: usize,
    #[expect(dead_code, reason = "dropping it returns the bytes to the budget")]
    reservation: Reservation,
}

impl Memory {
    pub(super) fn new(
        gpu: &Arc<Gpu>,
        words: usize,
        reservation: Reservation,
    ) -> Result<Memory, CardError> {
        gpu.enter()?;
        let needed = bytes(words)?;
        let address = allocate(gpu, needed).map_err(|error| match error.0 {
            sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => {
                let available = result::mem_get_info().map_or(0, |(free, _)| free);
                CardError::TooSmall { what: "the work".to_owned(), needed, available }
            }
            _ => error.into(),
        })?;
        Ok(Memory { gpu: Arc::clone(gpu), address, words, reservation })
    }
}

fn allocate(gpu: &Gpu, bytes: usize) -> Result<sys::CUdeviceptr, DriverError> {
    if !gpu.has_pool {
        // SAFETY: the memory is written before any kernel reads it.
        return unsafe { result::malloc_sync(bytes) };
    }
    // SAFETY: as above; the queue belongs to the GPU.
    let address = unsafe { result::malloc_async(gpu.housekeeping, bytes) }?;
    // Synchronize so that other queues may use the memory.
    // SAFETY: the queue belongs to the GPU.
    unsafe { result::stream::synchronize(gpu.housekeeping) }?;
    Ok(address)
}

impl Drop for Memory {
    fn drop(&mut self) {
        if self.gpu.enter().is_err() {
            return;
        }
        // No pending operation uses the memory: callers that queue work wait for it, and after an
        // error the card has waited.
        let _ = if self.gpu.has_pool {
            // SAFETY: it was allocated from the pool once, and there is no other reference to it.
            unsafe { result::free_async(self.address, self.gpu.housekeeping) }
        } else {
            // SAFETY: it was allocated once, and there is no other reference to it.
            unsafe { result::free_sync(self.address) }
        };
    }
}

/// Pinned host memory that the GPU can read and write.
#[derive(Debug)]
pub(crate) struct Staging {
    gpu: Arc<Gpu>,
    block: Pinned,
    len: usize,
}

/// A block of pinned memory and its length in words.
#[derive(Clone, Copy, Debug)]
struct Pinned {
    words: *mut u32,
    len: usize,
}

// SAFETY: it is plain memory with one owner.
unsafe impl Send for Pinned {}

/// Pinned memory that is kept for reuse.
#[derive(Debug, Default)]
pub(super) struct SpareBlocks {
    blocks: Vec<Pinned>,
    words: usize,
}

impl SpareBlocks {
    /// Takes the smallest block of at least `words` words, unless it is more than four times as
    /// large.
    fn take(&mut self, words: usize) -> Option<Pinned> {
        let fits = |block: &Pinned| (words..=words.saturating_mul(4)).contains(&block.len);
        let blocks = self.blocks.iter().enumerate().filter(|(_, block)| fits(block));
        let (index, _) = blocks.min_by_key(|(_, block)| block.len)?;
        let block = self.blocks.swap_remove(index);
        self.words -= block.len;
        Some(block)
    }

    /// Keeps a block, or returns it if the kept blocks would exceed the limit.
    fn keep(&mut self, block: Pinned) -> Option<Pinned> {
        if self.words + block.len > MAX_SPARE_WORDS {
            return Some(block);
        }
        self.words += block.len;
        self.blocks.push(block);
        None
    }

    /// Frees all blocks.
    pub(super) fn free(&mut self) {
        self.words = 0;
        self.blocks.drain(..).for_each(free);
    }
}

fn free(block: Pinned) {
    // SAFETY: it was allocated once, and its owner gives it up here.
    let _ = unsafe { result::free_host(block.words.cast()) };
}

impl Staging {
    pub(super) fn new(gpu: &Arc<Gpu>, len: usize) -> Result<Staging, CardError> {
        gpu.enter()?;
        let spare = gpu.spare.lock().unwrap_or_else(PoisonError::into_inner).take(len);
        let block = match spare {
            Some(block) => block,
            // SAFETY: it is cleared below.
            None => Pinned { words: unsafe { result::malloc_host(bytes(len)?, 0) }?.cast(), len },
        };
        // SAFETY: the block has at least `len` words and is aligned for any type.
        unsafe { block.words.write_bytes(0, len) };
        Ok(Staging { gpu: Arc::clone(gpu), block, len })
    }
}

impl Deref for Staging {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        // SAFETY: `len` words were allocated and cleared, and belong to `self`.
        unsafe { std::slice::from_raw_parts(self.block.words, self.len) }
    }
}

impl DerefMut for Staging {
    fn deref_mut(&mut self) -> &mut [u32] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.block.words, self.len) }
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        let mut spare = self.gpu.spare.lock().unwrap_or_else(PoisonError::into_inner);
        let surplus = spare.keep(self.block);
        drop(spare);
        if let Some(block) = surplus
            && self.gpu.enter().is_ok()
        {
            free(block);
        }
    }
}
