//! Memory on a GPU, and memory of the processor that it copies from and into.
//!
//! Both are given back without waiting for anybody: `cuMemFree` and `cuMemFreeHost` stop until the whole GPU is idle, and
//! so every session that ended would stall all others. What a session gives back is in no queue any more, because a
//! [`Card`](crate::gpu::Card) leaves nothing under way.

use super::{CardError, Gpu};
use crate::gpu::Reservation;
use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, PoisonError};

/// Words of the processor's memory that are kept for the next user at most.
const MOST_SPARE: usize = 64 << 20;

/// So many words in bytes.
fn bytes(words: usize) -> Result<usize, CardError> {
    words.checked_mul(4).ok_or_else(|| CardError::Refused(format!("no memory has {words} words")))
}

/// Memory on a GPU.
#[derive(Debug)]
pub(crate) struct Memory {
    gpu: Arc<Gpu>,
    pub(super) address: sys::CUdeviceptr,
    pub(super) words: usize,
    #[expect(dead_code, reason = "what is held is given back with the memory")]
    held: Reservation,
}

impl Memory {
    pub(super) fn new(
        gpu: &Arc<Gpu>,
        words: usize,
        held: Reservation,
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
        Ok(Memory { gpu: Arc::clone(gpu), address, words, held })
    }
}

fn allocate(gpu: &Gpu, bytes: usize) -> Result<sys::CUdeviceptr, DriverError> {
    if !gpu.has_pool {
        // SAFETY: what is in the memory is written before any kernel reads it.
        return unsafe { result::malloc_sync(bytes) };
    }
    // SAFETY: as above; the queue is the GPU's.
    let address = unsafe { result::malloc_async(gpu.housekeeping, bytes) }?;
    // Other queues may use it from now on.
    // SAFETY: as above.
    unsafe { result::stream::synchronize(gpu.housekeeping) }?;
    Ok(address)
}

impl Drop for Memory {
    fn drop(&mut self) {
        if self.gpu.enter().is_err() {
            return;
        }
        // Nothing is under way that uses it: who queues work waits for it, and after an error the card has waited.
        let _ = if self.gpu.has_pool {
            // SAFETY: it was allocated from the pool once, and is named nowhere else.
            unsafe { result::free_async(self.address, self.gpu.housekeeping) }
        } else {
            // SAFETY: it was allocated once, and is named nowhere else.
            unsafe { result::free_sync(self.address) }
        };
    }
}

/// Memory of the processor that does not move, so that the GPU can read and write it.
#[derive(Debug)]
pub(crate) struct Staging {
    gpu: Arc<Gpu>,
    block: Pinned,
    len: usize,
}

/// Pinned memory, and how many words it has.
#[derive(Clone, Copy, Debug)]
struct Pinned {
    words: *mut u32,
    len: usize,
}

// SAFETY: it is plain memory with one owner.
unsafe impl Send for Pinned {}

/// Pinned memory that is kept for the next user.
#[derive(Debug, Default)]
pub(super) struct Spare {
    blocks: Vec<Pinned>,
    words: usize,
}

impl Spare {
    /// The smallest block of at least so many words, unless it is far too large.
    fn take(&mut self, words: usize) -> Option<Pinned> {
        let fits = |block: &Pinned| (words..=words.saturating_mul(4)).contains(&block.len);
        let blocks = self.blocks.iter().enumerate().filter(|(_, block)| fits(block));
        let (place, _) = blocks.min_by_key(|(_, block)| block.len)?;
        let block = self.blocks.swap_remove(place);
        self.words -= block.len;
        Some(block)
    }

    /// Keeps a block, or gives it back where there are too many.
    fn keep(&mut self, block: Pinned) -> Option<Pinned> {
        if self.words + block.len > MOST_SPARE {
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
    // SAFETY: it was allocated once, and its owner lets go of it here.
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
        // SAFETY: at least so many words were allocated, aligned for anything.
        unsafe { block.words.write_bytes(0, len) };
        Ok(Staging { gpu: Arc::clone(gpu), block, len })
    }
}

impl Deref for Staging {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        // SAFETY: so many words were allocated and cleared, and belong to `self`.
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
        let left = spare.keep(self.block);
        drop(spare);
        if let Some(block) = left
            && self.gpu.enter().is_ok()
        {
            free(block);
        }
    }
}
