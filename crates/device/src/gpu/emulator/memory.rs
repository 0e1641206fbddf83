//! The emulated card's memory, and the processor's memory that it copies from and into.
//!
//! Both are a [`Region`]: words at a fixed address, which kernels and queued copies use through that address. What is
//! queued holds on to the regions it uses, so that a region that was freed too early is still there when its turn comes,
//! and the fault can be told.

use crate::gpu::{CardError, Reservation};
use pellucid_bits::Block;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What stands in fresh memory, and behind its end.
const FILLING: u32 = 0xA5A5_A5A5;
const FILLING_BLOCK: Block = Block([(FILLING as u64) << 32 | FILLING as u64; 8]);
/// Words of a block.
const BLOCK_WORDS: usize = 16;

/// Words at a fixed address; writing past their end is noticed.
#[derive(Debug)]
pub(super) struct Region {
    start: NonNull<u32>,
    words: usize,
    freed: AtomicBool,
}

// SAFETY: it is plain memory; who works on it when is the card's business.
unsafe impl Send for Region {}
// SAFETY: as above: a shared reference gives nothing but the address.
unsafe impl Sync for Region {}

/// The blocks that hold so many words, and one more that nobody may write.
fn blocks(words: usize) -> usize {
    words.div_ceil(BLOCK_WORDS) + 1
}

impl Region {
    fn new(words: usize) -> Arc<Region> {
        // Leaked here and taken back on drop, because kernels write through the bare address.
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

    /// Says that something queued still uses what its owner has given back.
    pub(super) fn check_alive(&self, who: &str) -> Result<(), CardError> {
        if !self.freed.load(Ordering::Acquire) {
            return Ok(());
        }
        let words = self.words;
        Err(CardError::Refused(format!(
            "{who} uses {words} words of memory that were freed while it was queued: its queue must be finished before"
        )))
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        let start = self.start.as_ptr().cast::<Block>();
        let all = std::ptr::slice_from_raw_parts_mut(start, blocks(self.words));
        // SAFETY: it was leaked as a box of so many blocks in `new`.
        let all = unsafe { Box::from_raw(all) };
        let mut behind = all.iter().flat_map(|block| block.0).skip(self.words.div_ceil(2));
        if !std::thread::panicking() {
            assert!(behind.all(|word| word == FILLING_BLOCK.0[0]), "a kernel wrote past the end");
        }
    }
}

/// Memory of the emulated card.
#[derive(Debug)]
pub(crate) struct Memory(pub(super) Arc<Region>, #[expect(dead_code, reason = "held")] Reservation);

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

/// Memory of the processor that the emulated card reaches.
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
        // SAFETY: so many words were filled in `new`; copies write them while a queue is being finished alone, and whoever
        // queued them keeps no reference meanwhile.
        unsafe { std::slice::from_raw_parts(self.0.start(), self.0.words) }
    }
}

impl DerefMut for Staging {
    fn deref_mut(&mut self) -> &mut [u32] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.0.start(), self.0.words) }
    }
}
