//! The memory of the emulated GPU, and the host memory that it can copy from and to.
//!
//! Both are a [`Region`]: words at a fixed address, which kernels and queued copies use. Queued
//! operations keep their regions alive, so that a region that was freed too early still exists when
//! the operation runs, and the error can be reported.

use crate::gpu::{CardError, Reservation};
use pellucid_bits::Block;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The contents of new memory, and of the block after its end.
const FILLING: u32 = 0xA5A5_A5A5;
const FILLING_BLOCK: Block = Block([(FILLING as u64) << 32 | FILLING as u64; 8]);
/// Words in a block.
const BLOCK_WORDS: usize = 16;

/// Words at a fixed address. Writes past the end are detected.
#[derive(Debug)]
pub(super) struct Region {
    start: NonNull<u32>,
    words: usize,
    freed: AtomicBool,
}

// SAFETY: it is plain memory; the card orders the accesses.
unsafe impl Send for Region {}
// SAFETY: as above; a shared reference only provides the address.
unsafe impl Sync for Region {}

/// Returns the number of blocks for `words` words, with one more that must not be written.
fn blocks(words: usize) -> usize {
    words.div_ceil(BLOCK_WORDS) + 1
}

impl Region {
    fn new(words: usize) -> Arc<Region> {
        // Leaked here and reclaimed on drop, because kernels write through the raw address.
        let leaked = Box::leak(vec![FILLING_BLOCK; blocks(words)].into_boxed_slice());
        let start = NonNull::from(leaked).cast();
        Arc::new(Region { start, words, freed: AtomicBool::new(false) })
    }

    pub(super) fn start(&self) -> *mut u32 {
        self.start.as_ptr()
    }

    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// Returns an error if the owner has freed the memory before a queued operation used it.
    pub(super) fn check_alive(&self, user: &str) -> Result<(), CardError> {
        if !self.freed.load(Ordering::Acquire) {
            return Ok(());
        }
        let words = self.words;
        Err(CardError::Refused(format!(
            "{user} uses {words} words of memory that were freed while it was queued; \
             finish its queue first"
        )))
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        let start = self.start.as_ptr().cast::<Block>();
        let all = std::ptr::slice_from_raw_parts_mut(start, blocks(self.words));
        // SAFETY: it was leaked in `new` as a box of this many blocks.
        let all = unsafe { Box::from_raw(all) };
        let mut behind = all.iter().flat_map(|block| block.0).skip(self.words.div_ceil(2));
        if !std::thread::panicking() {
            assert!(behind.all(|word| word == FILLING_BLOCK.0[0]), "a kernel wrote past the end");
        }
    }
}

/// Memory of the emulated GPU.
#[derive(Debug)]
pub(crate) struct Memory(
    pub(super) Arc<Region>,
    #[expect(dead_code, reason = "returned on drop")] Reservation,
);

impl Memory {
    pub(super) fn new(words: usize, bytes: Reservation) -> Memory {
        Memory(Region::new(words), bytes)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.0.freed.store(true, Ordering::Release);
    }
}

/// Host memory that the emulated GPU can access.
#[derive(Debug)]
pub(crate) struct Staging(pub(super) Arc<Region>);

impl Staging {
    pub(super) fn new(words: usize) -> Staging {
        Staging(Region::new(words))
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        self.0.freed.store(true, Ordering::Release);
    }
}

impl Deref for Staging {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        // SAFETY: all words were initialized in `new`. Copies write them only while a queue is
        // finished, and callers that queued copies hold no reference then.
        unsafe { std::slice::from_raw_parts(self.0.start(), self.0.words) }
    }
}

impl DerefMut for Staging {
    fn deref_mut(&mut self) -> &mut [u32] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.0.start(), self.0.words) }
    }
}
