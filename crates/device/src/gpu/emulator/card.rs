//! An emulated GPU: its memory is host memory, and its kernels run on the CPU.

use super::memory::{Memory, Region, Staging};
use super::queues::{Queues, Task};
use crate::gpu::card::{Card, GpuLimits, Launch, Queue, check_reach};
use crate::gpu::kernel::Module;
use crate::gpu::{Budget, CardError, Reservation};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The properties of an emulated GPU.
#[derive(Clone, Copy, Debug)]
pub struct Emulation {
    /// The number of multiprocessors that share the work; they take turns.
    pub multiprocessors: usize,
    /// Shared memory of a block in bytes. A small value tests several plans.
    pub shared_bytes: usize,
    /// Threads in a block.
    pub threads: usize,
    /// The bytes that data may take. If a table needs more, its tiles take turns.
    pub memory: Option<usize>,
    /// The memory budget of the GPU, in bytes.
    pub budget: Option<usize>,
    /// The first operation that fails. All later ones fail too.
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
    limits: GpuLimits,
    fails_at: Option<usize>,
    operations: Arc<AtomicUsize>,
    budget: Arc<Budget>,
    queues: Mutex<Queues>,
}

impl EmulatedCard {
    pub(crate) fn new(emulation: &Emulation) -> EmulatedCard {
        let limits = GpuLimits {
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

    /// Counts an operation, and fails if its failure is due.
    fn operate(&self, what: &str) -> Result<(), CardError> {
        let number = self.operations.fetch_add(1, Ordering::Relaxed);
        match self.fails_at {
            Some(at) if number >= at => {
                self.queues().clear();
                Err(CardError::Lost(format!("{what} failed (simulated failure)")))
            }
            _ => Ok(()),
        }
    }

    /// Returns the number of queued copies and kernels.
    #[cfg(test)]
    pub(super) fn pending(&self) -> usize {
        self.queues().len()
    }

    /// Passes a result through. After an error, finishes both queues, so that no operation is
    /// pending.
    fn drain_on_error(&self, outcome: Result<(), CardError>) -> Result<(), CardError> {
        outcome.inspect_err(|_| self.queues().drain())
    }

    /// Queues a copy of `words` words. Both positions must have this many words.
    fn copy(
        &self,
        queue: Queue,
        (from, first): Position<'_>,
        (to, at): Position<'_>,
        words: usize,
    ) {
        let (from, to) = (Arc::clone(from), Arc::clone(to));
        let uses = vec![Arc::clone(&from), Arc::clone(&to)];
        let work = Box::new(move || {
            // SAFETY: the words lie within the memory; this was checked when the copy was queued.
            let source = unsafe { from.start().add(first) };
            // SAFETY: as above.
            let target = unsafe { to.start().add(at) };
            // SAFETY: as above; GPU memory and host memory never overlap.
            unsafe { target.copy_from_nonoverlapping(source, words) };
            Ok(())
        });
        self.queues().push(queue, Task { name: "a copy", uses, work });
    }
}

/// A word in a memory region.
type Position<'a> = (&'a Arc<Region>, usize);

impl Card for EmulatedCard {
    type Memory = Memory;
    type Staging = Staging;

    fn limits(&self) -> &GpuLimits {
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
        let on_gpu = check_reach("a copy", at, words.len(), to.0.words());
        let on_host = check_reach("a copy", words.start, words.len(), from.len());
        self.drain_on_error(on_gpu.and(on_host))?;
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
        let on_gpu = check_reach("a copy", at, words, from.0.words());
        self.drain_on_error(on_gpu.and(check_reach("a copy", 0, words, to.len())))?;
        self.operate("a copy")?;
        self.copy(queue, (&from.0, at), (&to.0, 0), words);
        Ok(())
    }

    unsafe fn clear(&self, memory: &Memory, words: usize) -> Result<(), CardError> {
        self.drain_on_error(check_reach("clearing", 0, words, memory.0.words()))?;
        self.operate("clearing")?;
        let region = Arc::clone(&memory.0);
        let uses = vec![Arc::clone(&region)];
        let work = Box::new(move || {
            // SAFETY: the words lie within the memory, as checked above.
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
            // SAFETY: the caller ensures that the argument is valid. All memory that it points to
            // is alive, because it is listed in `uses`.
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
        self.operate("finishing a queue")?;
        let done = self.queues().finish(queue);
        self.drain_on_error(done)
    }

    fn take_time(&self, _: bool) -> Option<Duration> {
        None
    }
}
