//! A pass: copies and kernels that are queued in order and have finished when the pass ends.
//!
//! A pass borrows all memory that it uses. It ends when the function that records it returns a
//! result or an error, or panics. By then every queued operation has finished, so no operation uses
//! memory that was freed or changed in the meantime.
//!
//! ```text
//! Pass::record(card, |pass| {
//!     pass.upload(stage, 0..words, memory, 0)?;
//!     let work = Work { rows: pass.all(memory), … };
//!     pass.launch(KERNEL, grid, &work)?;
//!     pass.download(results, 0, returning, words)
//! })
//! ```

use super::argument::{Plain, Pointer, argument_words};
use super::card::{Card, Launch, Queue, check_reach};
use super::error::CardError;
use super::kernel::Kernel;
use std::ops::Range;
use std::sync::Arc;

/// The launch configuration of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The number of blocks.
    pub blocks: usize,
    /// Threads in a block.
    pub threads: usize,
    /// Shared memory of a block in bytes, if the module needs it at launch.
    pub shared_bytes: usize,
}

/// Copies and kernels that have finished when the pass ends. The borrows of memory (`'a`) outlive
/// the pass.
#[derive(Debug)]
pub struct Pass<'a, C: Card> {
    card: &'a C,
    /// All memory that kernels may access.
    uses: Vec<&'a C::Memory>,
    /// Whether operations are queued, by [`Queue`].
    queued: [bool; 2],
}

impl<'a, C: Card> Pass<'a, C> {
    /// Records a pass and waits for it. When this returns or panics, no operation is pending.
    ///
    /// # Errors
    /// When recording or a queued operation fails.
    pub fn record<T>(
        card: &'a C,
        record: impl FnOnce(&mut Pass<'a, C>) -> Result<T, CardError>,
    ) -> Result<T, CardError> {
        let mut pass = Pass::new(card);
        let recorded = record(&mut pass);
        let finished = pass.finish();
        recorded.and_then(|answer| finished.map(|()| answer))
    }

    fn new(card: &'a C) -> Pass<'a, C> {
        Pass { card, uses: Vec::new(), queued: [false; 2] }
    }

    /// Waits for all queued operations.
    fn finish(&mut self) -> Result<(), CardError> {
        let mut finished = Ok(());
        for queue in [Queue::Work, Queue::Copy] {
            if std::mem::take(&mut self.queued[queue as usize]) {
                finished = finished.and(self.card.finish(queue));
            }
        }
        finished
    }

    /// Notes that an operation was queued, so that the pass waits for it. After an error the queues
    /// are empty.
    fn note(&mut self, queue: Queue, queued: Result<(), CardError>) -> Result<(), CardError> {
        match queued.is_ok() {
            true => self.queued[queue as usize] = true,
            false => self.queued = [false; 2],
        }
        queued
    }

    /// Adds memory that the kernels of this pass may access through addresses stored in other
    /// memory, not in their arguments.
    pub fn keep(&mut self, memory: &'a C::Memory) {
        if !self.uses.iter().any(|other| std::ptr::eq(*other, memory)) {
            self.uses.push(memory);
        }
    }

    /// Returns a pointer to memory. The kernel may access all of it.
    pub fn all<P: Pointer<'a>>(&mut self, memory: &'a C::Memory) -> P {
        self.keep(memory);
        P::from_address(C::address(memory))
    }

    /// Returns a pointer to a range of words that the kernel may access.
    ///
    /// # Errors
    /// When the memory has fewer words, or the first word is not aligned for the type.
    pub fn part<P: Pointer<'a>>(
        &mut self,
        memory: &'a C::Memory,
        words: Range<usize>,
    ) -> Result<P, CardError> {
        check_reach("a pointer", words.start, words.len(), C::words(memory))?;
        let address = C::address(memory) + 4 * words.start as u64;
        if !address.is_multiple_of(P::ALIGNMENT as u64) {
            let (word, align) = (words.start, P::ALIGNMENT);
            return Err(CardError::Refused(format!(
                "a pointer to word {word} is not aligned to {align} bytes"
            )));
        }
        self.keep(memory);
        Ok(P::from_address(address))
    }

    /// Returns a pointer that lies `words` words before the memory, for kernels with an index
    /// offset. The kernel must not access these words.
    pub fn before<P: Pointer<'a>>(&mut self, memory: &'a C::Memory, words: usize) -> P {
        self.keep(memory);
        P::from_address(C::address(memory).wrapping_sub(4 * words as u64))
    }

    /// Queues a copy of words to the GPU.
    ///
    /// # Errors
    /// When one side has fewer words, or the GPU fails.
    pub fn upload(
        &mut self,
        from: &'a C::Staging,
        words: Range<usize>,
        to: &'a C::Memory,
        at: usize,
    ) -> Result<(), CardError> {
        // SAFETY: both borrows outlive the pass, and the pass ends after the queue is finished.
        let queued = unsafe { self.card.copy_in(Queue::Work, from, words, to, at) };
        self.note(Queue::Work, queued)
    }

    /// Queues a copy of words from the GPU. The words are available when the pass has ended.
    ///
    /// # Errors
    /// When one side has fewer words, or the GPU fails.
    pub fn download(
        &mut self,
        from: &'a C::Memory,
        at: usize,
        to: &'a mut C::Staging,
        words: usize,
    ) -> Result<(), CardError> {
        self.download_by(Queue::Work, from, at, to, words)
    }

    /// Queues a copy from the GPU that runs concurrently with the queued kernels. They must not
    /// write the copied words.
    ///
    /// # Errors
    /// When one side has fewer words, or the GPU fails.
    pub fn download_beside(
        &mut self,
        from: &'a C::Memory,
        at: usize,
        to: &'a mut C::Staging,
        words: usize,
    ) -> Result<(), CardError> {
        self.download_by(Queue::Copy, from, at, to, words)
    }

    fn download_by(
        &mut self,
        queue: Queue,
        from: &'a C::Memory,
        at: usize,
        to: &'a mut C::Staging,
        words: usize,
    ) -> Result<(), CardError> {
        // SAFETY: both borrows outlive the pass, and the pass ends after the queue is finished.
        let queued = unsafe { self.card.copy_out(queue, from, at, to, words) };
        self.note(queue, queued)
    }

    /// Copies words from the GPU, and waits for the copy and for all earlier work.
    ///
    /// # Errors
    /// When one side has fewer words, or the GPU fails.
    pub fn fetch(
        &mut self,
        from: &'a C::Memory,
        at: usize,
        to: &mut C::Staging,
        words: usize,
    ) -> Result<(), CardError> {
        self.fetch_on(Queue::Work, from, at, to, words)
    }

    /// Lets copies that run concurrently with kernels wait for all kernels that are queued now, if
    /// the copies are queued later.
    ///
    /// # Errors
    /// When the GPU fails.
    pub fn order_copies(&mut self) -> Result<(), CardError> {
        let ordered = self.card.order(Queue::Work, Queue::Copy);
        self.note(Queue::Copy, ordered)
    }

    /// Copies words from the GPU concurrently with the queued kernels, which must not write them,
    /// and waits for the copy and for the kernels before the last [order](Pass::order_copies).
    ///
    /// # Errors
    /// When one side has fewer words, or the GPU fails.
    pub fn fetch_beside(
        &mut self,
        from: &'a C::Memory,
        at: usize,
        to: &mut C::Staging,
        words: usize,
    ) -> Result<(), CardError> {
        self.fetch_on(Queue::Copy, from, at, to, words)
    }

    /// Copies words from the GPU on a queue, and finishes the queue.
    fn fetch_on(
        &mut self,
        queue: Queue,
        from: &'a C::Memory,
        at: usize,
        to: &mut C::Staging,
        words: usize,
    ) -> Result<(), CardError> {
        // SAFETY: the queue is finished before this returns; after an error it is empty.
        let queued = unsafe { self.card.copy_out(queue, from, at, to, words) };
        let done = queued.and_then(|()| self.card.finish(queue));
        self.queued[queue as usize] = false;
        done
    }

    /// Queues an operation that sets the first words to zero.
    ///
    /// # Errors
    /// When the memory has fewer words, or the GPU fails.
    pub fn clear(&mut self, memory: &'a C::Memory, words: usize) -> Result<(), CardError> {
        // SAFETY: the borrow outlives the pass.
        let queued = unsafe { self.card.clear(memory, words) };
        self.note(Queue::Work, queued)
    }

    /// Queues a kernel.
    ///
    /// # Errors
    /// When the GPU fails.
    pub fn launch<A: Plain + 'a>(
        &mut self,
        kernel: Kernel<A>,
        grid: Grid,
        argument: &A,
    ) -> Result<(), CardError> {
        let Grid { blocks, threads, shared_bytes } = grid;
        let launch = Launch { kernel: kernel.id(), blocks, threads, shared_bytes };
        // SAFETY: the argument has the type that the kernel takes. Its pointers were made by a pass
        // from memory that is borrowed for `'a`, which outlives this pass.
        let queued = unsafe { self.card.launch(launch, argument_words(argument), &self.uses) };
        self.note(Queue::Work, queued)
    }
}

impl<C: Card> Drop for Pass<'_, C> {
    fn drop(&mut self) {
        // Operations are pending only after a panic, and the panic is what gets reported.
        let _ = self.finish();
    }
}

/// Words that are sent to a GPU in parcels. While one parcel is copied, the next is packed.
#[derive(Debug)]
pub struct Parcels<'a, C: Card> {
    stages: &'a mut [C::Staging; 2],
    turn: usize,
}

impl<'a, C: Card> Parcels<'a, C> {
    /// Creates parcels that are packed in two stages in turn.
    pub fn new(stages: &'a mut [C::Staging; 2]) -> Parcels<'a, C> {
        Parcels { stages, turn: 0 }
    }

    /// Packs `words` words and queues a copy that runs concurrently with the queued kernels.
    ///
    /// # Errors
    /// When one side has fewer words, or the GPU fails.
    pub fn send(
        &mut self,
        pass: &mut Pass<'a, C>,
        words: usize,
        to: &'a C::Memory,
        at: usize,
        pack: impl FnOnce(&mut [u32]),
    ) -> Result<(), CardError> {
        let stage = self.pack(pass, words, pack)?;
        // SAFETY: the borrow of the stage outlives the pass. The stage is written again two parcels
        // later, after `pack` has waited for this copy.
        let queued = unsafe { pass.card.copy_in(Queue::Copy, stage, 0..words, to, at) };
        pass.note(Queue::Copy, queued)
    }

    /// Packs `words` words and queues a copy between kernels: kernels queued earlier see the old
    /// data, kernels queued later see the parcel.
    ///
    /// # Errors
    /// When one side has fewer words, or the GPU fails.
    pub fn send_between(
        &mut self,
        pass: &mut Pass<'a, C>,
        words: usize,
        to: &'a C::Memory,
        pack: impl FnOnce(&mut [u32]),
    ) -> Result<(), CardError> {
        let stage = self.pack(pass, words, pack)?;
        pass.card.order(Queue::Work, Queue::Copy)?;
        // SAFETY: as in `send`.
        let queued = unsafe { pass.card.copy_in(Queue::Copy, stage, 0..words, to, 0) };
        pass.note(Queue::Copy, queued)?;
        pass.card.order(Queue::Copy, Queue::Work)
    }

    /// Packs a parcel, then waits for the copy of the previous one, so that at most one copy is
    /// pending.
    fn pack(
        &mut self,
        pass: &mut Pass<'a, C>,
        words: usize,
        pack: impl FnOnce(&mut [u32]),
    ) -> Result<&C::Staging, CardError> {
        let stage = &mut self.stages[self.turn % 2];
        check_reach("a parcel", 0, words, stage.len())?;
        pack(&mut stage[..words]);
        self.turn += 1;
        pass.card.finish(Queue::Copy)?;
        pass.queued[Queue::Copy as usize] = false;
        Ok(stage)
    }
}

/// A pass that runs in the background. It owns the memory that it uses, or a share of it, until it
/// is [finished](Background::finish). Dropping it waits.
#[derive(Debug)]
pub struct Background<C: Card, M> {
    card: Arc<C>,
    queued: [bool; 2],
    /// `None` after it is finished.
    memory: Option<Box<M>>,
}

impl<C: Card, M> Background<C, M> {
    /// Records a pass that takes ownership of `memory`, and does not wait for it.
    ///
    /// # Errors
    /// When recording fails; then no operation is pending.
    pub fn start(
        card: &Arc<C>,
        memory: M,
        record: impl for<'b> FnOnce(&'b mut M, &mut Pass<'b, C>) -> Result<(), CardError>,
    ) -> Result<Background<C, M>, CardError> {
        let mut memory = Box::new(memory);
        let mut pass = Pass::new(&**card);
        record(&mut memory, &mut pass)?;
        // The new owner of the memory waits for the queued operations.
        let queued = std::mem::take(&mut pass.queued);
        drop(pass);
        Ok(Background { card: Arc::clone(card), queued, memory: Some(memory) })
    }

    fn wait(&mut self) -> Result<(), CardError> {
        let mut finished = Ok(());
        for queue in [Queue::Work, Queue::Copy] {
            if std::mem::take(&mut self.queued[queue as usize]) {
                finished = finished.and(self.card.finish(queue));
            }
        }
        finished
    }

    /// Waits for the pass and returns the memory that it owned.
    ///
    /// # Errors
    /// When a queued operation fails.
    pub fn finish(mut self) -> Result<M, CardError> {
        self.wait()?;
        let lost = || CardError::Refused("a pass was finished twice".into());
        self.memory.take().map(|memory| *memory).ok_or_else(lost)
    }
}

impl<C: Card, M> Drop for Background<C, M> {
    fn drop(&mut self) {
        // Errors are reported only by `finish`.
        let _ = self.wait();
    }
}
