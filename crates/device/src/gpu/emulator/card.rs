//! A card that is not there: its memory is the processor's, and its kernels run through the shim.

use super::memory::{Memory, Region, Staging};
use super::queues::{Queues, Task};
use crate::gpu::card::{Card, Launch, Limits, Queue, check_reach};
use crate::gpu::kernel::Module;
use crate::gpu::{Budget, CardError, Reservation};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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
    /// Bytes that data may take: fewer than a table needs, and its tiles take turns.
    pub memory: Option<usize>,
    /// Bytes of the GPU's budget, from which everything is taken.
    pub budget: Option<usize>,
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
            budget: None,
            fails_at: None,
        }
    }
}

#[derive(Debug)]
pub(crate) struct EmulatedCard {
    limits: Limits,
    fails_at: Option<usize>,
    operations: Arc<AtomicUsize>,
    budget: Arc<Budget>,
    queues: Mutex<Queues>,
}

impl EmulatedCard {
    pub(crate) fn new(emulation: &Emulation) -> EmulatedCard {
        let limits = Limits {
            name: "emulated GPU".to_owned(),
            multiprocessors: emulation.multiprocessors,
            shared_bytes: emulation.shared_bytes,
            threads: emulation.threads,
            total_bytes: 1 << 30,
            is_emulated: true,
        };
        EmulatedCard {
            limits,
            fails_at: emulation.fails_at,
            operations: Arc::default(),
            budget: Budget::new(emulation.budget),
            queues: Mutex::default(),
        }
    }

    fn queues(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts an operation, and fails when its time has come.
    fn operate(&self, what: &str) -> Result<(), CardError> {
        let number = self.operations.fetch_add(1, Ordering::Relaxed);
        match self.fails_at {
            Some(at) if number >= at => {
                self.queues().clear();
                Err(CardError::Lost(format!("{what} failed (a simulated failure)")))
            }
            _ => Ok(()),
        }
    }

    /// The copies and kernels that are queued.
    #[cfg(test)]
    pub(super) fn under_way(&self) -> usize {
        self.queues().len()
    }

    /// An outcome; after an error nothing is under way.
    fn settled(&self, outcome: Result<(), CardError>) -> Result<(), CardError> {
        outcome.inspect_err(|_| self.queues().drain())
    }

    /// Queues a copy from one place to another; both have so many words there.
    fn copy(&self, queue: Queue, (from, first): Place<'_>, (to, at): Place<'_>, words: usize) {
        let (from, to) = (Arc::clone(from), Arc::clone(to));
        let uses = vec![Arc::clone(&from), Arc::clone(&to)];
        let work = Box::new(move || {
            // SAFETY: the words lie within the memory, as was checked when the copy was queued.
            let source = unsafe { from.start().add(first) };
            // SAFETY: as above.
            let target = unsafe { to.start().add(at) };
            // SAFETY: as above; memory of the card and of the processor never overlap.
            unsafe { target.copy_from_nonoverlapping(source, words) };
            Ok(())
        });
        self.queues().push(queue, Task { name: "a copy", uses, work });
    }
}

/// A word of some memory.
type Place<'a> = (&'a Arc<Region>, usize);

impl Card for EmulatedCard {
    type Memory = Memory;
    type Staging = Staging;

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn with_own_queues(&self) -> Result<EmulatedCard, CardError> {
        Ok(EmulatedCard {
            limits: self.limits.clone(),
            fails_at: self.fails_at,
            operations: Arc::clone(&self.operations),
            budget: Arc::clone(&self.budget),
            queues: Mutex::default(),
        })
    }

    fn free_bytes(&self) -> Result<usize, CardError> {
        Ok(self.limits.total_bytes)
    }

    fn load(&self, _: &'static Module) -> Result<(), CardError> {
        Ok(())
    }

    fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }

    fn allocate_reserved(&self, words: usize, bytes: Reservation) -> Result<Memory, CardError> {
        self.operate("an allocation")?;
        Ok(Memory::new(words, bytes))
    }

    fn stage(&self, words: usize) -> Result<Staging, CardError> {
        Ok(Staging::new(words))
    }

    fn address(memory: &Memory) -> u64 {
        memory.0.start() as u64
    }

    fn words(memory: &Memory) -> usize {
        memory.0.words()
    }

    unsafe fn copy_in(
        &self,
        queue: Queue,
        from: &Staging,
        words: Range<usize>,
        to: &Memory,
        at: usize,
    ) -> Result<(), CardError> {
        let there = check_reach("a copy", at, words.len(), to.0.words());
        let here = check_reach("a copy", words.start, words.len(), from.len());
        self.settled(there.and(here))?;
        self.operate("a copy")?;
        self.copy(queue, (&from.0, words.start), (&to.0, at), words.len());
        Ok(())
    }

    unsafe fn copy_out(
        &self,
        queue: Queue,
        from: &Memory,
        at: usize,
        to: &mut Staging,
        words: usize,
    ) -> Result<(), CardError> {
        let there = check_reach("a copy", at, words, from.0.words());
        self.settled(there.and(check_reach("a copy", 0, words, to.len())))?;
        self.operate("a copy")?;
        self.copy(queue, (&from.0, at), (&to.0, 0), words);
        Ok(())
    }

    unsafe fn clear(&self, memory: &Memory, words: usize) -> Result<(), CardError> {
        self.settled(check_reach("clearing", 0, words, memory.0.words()))?;
        self.operate("clearing")?;
        let region = Arc::clone(&memory.0);
        let uses = vec![Arc::clone(&region)];
        let work = Box::new(move || {
            // SAFETY: the words lie within the memory, as was just checked.
            unsafe { region.start().write_bytes(0, words) };
            Ok(())
        });
        self.queues().push(Queue::Work, Task { name: "clearing", uses, work });
        Ok(())
    }

    unsafe fn launch(
        &self,
        launch: Launch,
        argument: Vec<u64>,
        uses: &[&Memory],
    ) -> Result<(), CardError> {
        self.operate("a kernel")?;
        let size = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let Launch { kernel, blocks, threads, shared_bytes } = launch;
        let (blocks, threads) = (size(blocks), size(threads));
        let run = Box::new(move || {
            // SAFETY: the caller answers for the argument, and all that it points to is alive: it is among what it uses.
            unsafe {
                super::launch(kernel, blocks, threads, shared_bytes, argument.as_ptr().cast())
            }
            .map_err(CardError::Refused)
        });
        let uses = uses.iter().map(|memory| Arc::clone(&memory.0)).collect();
        self.queues().push(Queue::Work, Task { name: kernel.name(), uses, work: run });
        Ok(())
    }

    fn order(&self, first: Queue, then: Queue) -> Result<(), CardError> {
        self.queues().order(first, then);
        Ok(())
    }

    fn finish(&self, queue: Queue) -> Result<(), CardError> {
        self.operate("what was queued")?;
        let done = self.queues().finish(queue);
        self.settled(done)
    }

    fn take_time(&self, _: bool) -> Option<Duration> {
        None
    }
}
