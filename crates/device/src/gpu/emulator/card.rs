//! A card that is not there: its memory is the processor's, and its kernels run through the shim.

use crate::gpu::card::{Card, CardError, Launch, Limits, Module, Queue};
use pellucid_bits::Block;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// What an emulated GPU is like.
#[derive(Clone, Copy, Debug)]
pub struct Emulation {
    /// Multiprocessors that work is spread over; they take turns.
    pub multiprocessors: usize,
    /// Shared memory of a block, in bytes: few bytes, many plans.
    pub shared_bytes: usize,
    /// Threads of a block.
    pub threads: usize,
    /// Bytes that a table may take: fewer than it needs, and its tiles take turns.
    pub memory: Option<usize>,
    /// The number of the operation on the card that fails, and all later ones with it.
    pub fails_at: Option<usize>,
}

impl Default for Emulation {
    fn default() -> Emulation {
        Emulation {
            multiprocessors: 3,
            shared_bytes: 48 << 10,
            threads: 64,
            memory: None,
            fails_at: None,
        }
    }
}

#[derive(Debug)]
pub(crate) struct EmulatedCard {
    limits: Limits,
    fails_at: Option<usize>,
    operations: Arc<AtomicUsize>,
}

impl EmulatedCard {
    pub(crate) fn new(emulation: &Emulation) -> EmulatedCard {
        let limits = Limits {
            name: "emulated GPU".to_owned(),
            multiprocessors: emulation.multiprocessors,
            shared_bytes: emulation.shared_bytes,
            threads: emulation.threads,
            total_bytes: 1 << 30,
            // Interrupted and cut as often as possible, because that is where errors hide.
            slice: 7,
            crowd: 0,
            patience: 64,
        };
        EmulatedCard { limits, fails_at: emulation.fails_at, operations: Arc::default() }
    }

    /// Counts an operation, and fails when its time has come.
    fn operate(&self, what: &str) -> Result<(), CardError> {
        let number = self.operations.fetch_add(1, Ordering::Relaxed);
        match self.fails_at {
            Some(at) if number >= at => Err(CardError(format!("{what} failed, as was wished"))),
            _ => Ok(()),
        }
    }
}

/// What stands in fresh memory, and behind its end.
const FILLING: u32 = 0xA5A5_A5A5;
const FILLING_BLOCK: Block = Block([(FILLING as u64) << 32 | FILLING as u64; 8]);
/// Words of a block.
const BLOCK_WORDS: usize = 16;

/// Memory of the emulated card; writing past its end is noticed.
#[derive(Debug)]
pub(crate) struct Memory {
    start: NonNull<u32>,
    words: usize,
}

// SAFETY: it is plain memory with one owner; who works on it when is the card's business.
unsafe impl Send for Memory {}
// SAFETY: as above: a shared reference gives nothing but the address.
unsafe impl Sync for Memory {}

/// The blocks that hold so many words, and one more that nobody may write.
fn blocks(words: usize) -> usize {
    words.div_ceil(BLOCK_WORDS) + 1
}

impl Memory {
    fn new(words: usize) -> Memory {
        // Leaked here and taken back on drop, because kernels write through the bare address.
        let leaked = Box::leak(vec![FILLING_BLOCK; blocks(words)].into_boxed_slice());
        Memory { start: NonNull::from(leaked).cast(), words }
    }
}

impl Drop for Memory {
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

impl Card for EmulatedCard {
    type Memory = Memory;
    type Staging = Vec<u32>;

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn with_own_queues(&self) -> Result<EmulatedCard, CardError> {
        let (limits, operations) = (self.limits.clone(), Arc::clone(&self.operations));
        Ok(EmulatedCard { limits, fails_at: self.fails_at, operations })
    }

    fn free_bytes(&self) -> Result<usize, CardError> {
        Ok(self.limits.total_bytes)
    }

    fn load(&self, _: &'static Module) -> Result<(), CardError> {
        Ok(())
    }

    fn allocate(&self, words: usize) -> Result<Memory, CardError> {
        self.operate("an allocation")?;
        Ok(Memory::new(words))
    }

    fn stage(&self, words: usize) -> Result<Vec<u32>, CardError> {
        Ok(vec![FILLING; words])
    }

    fn address(memory: &Memory) -> u64 {
        memory.start.as_ptr() as u64
    }

    unsafe fn copy_in(
        &self,
        _: Queue,
        from: &Vec<u32>,
        words: Range<usize>,
        to: &Memory,
        at: usize,
    ) -> Result<(), CardError> {
        self.operate("a copy")?;
        let from = &from[words];
        assert!(at + from.len() <= to.words, "a copy past the end");
        // SAFETY: the words lie within the memory, as was just checked.
        let target = unsafe { to.start.as_ptr().add(at) };
        // SAFETY: as above, and the two never overlap.
        unsafe { target.copy_from_nonoverlapping(from.as_ptr(), from.len()) };
        Ok(())
    }

    unsafe fn copy_out(
        &self,
        _: Queue,
        from: &Memory,
        at: usize,
        to: &mut Vec<u32>,
        words: usize,
    ) -> Result<(), CardError> {
        self.operate("a copy")?;
        assert!(at + words <= from.words, "a copy past the end");
        // SAFETY: the words lie within the memory, as was just checked.
        let source = unsafe { from.start.as_ptr().add(at) };
        // SAFETY: as above, and the two never overlap.
        unsafe { source.copy_to_nonoverlapping(to[..words].as_mut_ptr(), words) };
        Ok(())
    }

    unsafe fn clear(&self, memory: &Memory, words: usize) -> Result<(), CardError> {
        self.operate("clearing")?;
        assert!(words <= memory.words, "clearing past the end");
        // SAFETY: the words lie within the memory, as was just checked.
        unsafe { memory.start.as_ptr().write_bytes(0, words) };
        Ok(())
    }

    unsafe fn launch<W: Copy>(&self, launch: Launch, work: &W) -> Result<(), CardError> {
        self.operate("a kernel")?;
        let size = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        // SAFETY: the caller answers for `work` and what it points to.
        let launched = unsafe {
            super::launch(
                launch.kernel,
                size(launch.blocks),
                size(launch.threads),
                launch.shared_bytes,
                std::ptr::from_ref(work).cast(),
            )
        };
        launched.map_err(CardError)
    }

    fn order(&self, _: Queue, _: Queue) -> Result<(), CardError> {
        Ok(())
    }

    fn finish(&self, _: Queue) -> Result<(), CardError> {
        Ok(())
    }

    fn take_time(&self, _: bool) -> Option<Duration> {
        None
    }
}
