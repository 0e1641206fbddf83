//! A pass: some copies and kernels, queued one after the other, that are done when it ends.
//!
//! A pass borrows all memory that it uses. It ends when the function that records it returns, with an answer, with an error
//! or by a panic; by then everything that was queued is done, so nothing is ever used that is gone or changed meanwhile.
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

/// How a kernel is spread over a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Blocks of threads.
    pub blocks: usize,
    /// Threads of a block.
    pub threads: usize,
    /// Shared memory of a block, where the module asks for it.
    pub shared_bytes: usize,
}

/// Copies and kernels that are done when the pass ends. What it borrows, it borrows for `'a`, which is longer than it
/// lasts.
#[derive(Debug)]
pub struct Pass<'a, C: Card> {
    card: &'a C,
    /// All memory that kernels were given.
    uses: Vec<&'a C::Memory>,
    /// Whether something is in the queue, by [`Queue`].
    queued: [bool; 2],
}

impl<'a, C: Card> Pass<'a, C> {
    /// Records a pass and waits for it. Whatever happens, nothing is under way when this returns.
    ///
    /// # Errors
    /// When recording fails, or something that was queued does.
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

    /// Waits for all that was queued.
    fn finish(&mut self) -> Result<(), CardError> {
        let mut finished = Ok(());
        for queue in [Queue::Work, Queue::Copy] {
            if std::mem::take(&mut self.queued[queue as usize]) {
                finished = finished.and(self.card.finish(queue));
            }
        }
        finished
    }

    /// Something was queued: the pass ends with it. After an error the card has nothing under way.
    fn note(&mut self, queue: Queue, queued: Result<(), CardError>) -> Result<(), CardError> {
        match queued.is_ok() {
            true => self.queued[queue as usize] = true,
            false => self.queued = [false; 2],
        }
        queued
    }

    /// What the kernels of this pass may use beside what their arguments point to, because they find its address in memory.
    pub fn keep(&mut self, memory: &'a C::Memory) {
        if !self.uses.iter().any(|other| std::ptr::eq(*other, memory)) {
            self.uses.push(memory);
        }
    }

    /// A pointer to memory, all of which the kernel may use.
    pub fn all<P: Pointer<'a>>(&mut self, memory: &'a C::Memory) -> P {
        self.keep(memory);
        P::from_address(C::address(memory))
    }

    /// A pointer to some words of memory, which the kernel may use.
    ///
    /// # Errors
    /// When the memory has fewer words, or the first is not aligned for what they hold.
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
                "a pointer to word {word} is no multiple of {align}"
            )));
        }
        self.keep(memory);
        Ok(P::from_address(address))
    }

    /// A pointer to so many words before some memory, for kernels that count from there and use none of those words.
    pub fn before<P: Pointer<'a>>(&mut self, memory: &'a C::Memory, words: usize) -> P {
        self.keep(memory);
        P::from_address(C::address(memory).wrapping_sub(4 * words as u64))
    }

    /// Queues a copy of some words to the card.
    ///
    /// # Errors
    /// When one side has fewer words, or the card fails.
    pub fn upload(
        &mut self,
        from: &'a C::Staging,
        words: Range<usize>,
        to: &'a C::Memory,
        at: usize,
    ) -> Result<(), CardError> {
        // SAFETY: both are borrowed for longer than the pass lasts, and the pass ends when the queue is finished.
        let queued = unsafe { self.card.copy_in(Queue::Work, from, words, to, at) };
        self.note(Queue::Work, queued)
    }

    /// Queues a copy of some words from the card; they are there when the pass has ended.
    ///
    /// # Errors
    /// When one side has fewer words, or the card fails.
    pub fn download(
        &mut self,
        from: &'a C::Memory,
        at: usize,
        to: &'a mut C::Staging,
        words: usize,
    ) -> Result<(), CardError> {
        self.download_by(Queue::Work, from, at, to, words)
    }

    /// The same beside the kernels that are under way, which must not write what is copied.
    ///
    /// # Errors
    /// When one side has fewer words, or the card fails.
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
        // SAFETY: both are borrowed for longer than the pass lasts, and the pass ends when the queue is finished.
        let queued = unsafe { self.card.copy_out(queue, from, at, to, words) };
        self.note(queue, queued)
    }

    /// Copies some words from the card, and waits for them and for all work before them.
    ///
    /// # Errors
    /// When one side has fewer words, or the card fails.
    pub fn fetch(
        &mut self,
        from: &'a C::Memory,
        at: usize,
        to: &mut C::Staging,
        words: usize,
    ) -> Result<(), CardError> {
        // SAFETY: the queue is finished before this returns; after an error nothing is under way.
        let queued = unsafe { self.card.copy_out(Queue::Work, from, at, to, words) };
        let done = queued.and_then(|()| self.card.finish(Queue::Work));
        self.queued[Queue::Work as usize] = false;
        done
    }

    /// Queues the clearing of the first words.
    ///
    /// # Errors
    /// When the memory has fewer words, or the card fails.
    pub fn clear(&mut self, memory: &'a C::Memory, words: usize) -> Result<(), CardError> {
        // SAFETY: it is borrowed for longer than the pass lasts.
        let queued = unsafe { self.card.clear(memory, words) };
        self.note(Queue::Work, queued)
    }

    /// Queues a kernel.
    ///
    /// # Errors
    /// When the card fails.
    pub fn launch<A: Plain + 'a>(
        &mut self,
        kernel: Kernel<A>,
        grid: Grid,
        argument: &A,
    ) -> Result<(), CardError> {
        let Grid { blocks, threads, shared_bytes } = grid;
        let launch = Launch { kernel: kernel.id(), blocks, threads, shared_bytes };
        // SAFETY: the argument is of the type that the kernel takes. Its pointers were made by a pass, from memory that is
        // borrowed for `'a`, which is longer than this pass lasts.
        let queued = unsafe { self.card.launch(launch, argument_words(argument), &self.uses) };
        self.note(Queue::Work, queued)
    }
}

impl<C: Card> Drop for Pass<'_, C> {
    fn drop(&mut self) {
        // Only a panic leaves something to wait for, and it is what is reported.
        let _ = self.finish();
    }
}

/// Words that travel to a card in parcels: while one travels, the next is packed.
#[derive(Debug)]
pub struct Parcels<'a, C: Card> {
    stages: &'a mut [C::Staging; 2],
    turn: usize,
}

impl<'a, C: Card> Parcels<'a, C> {
    /// Parcels that are packed in two places by turns.
    pub fn new(stages: &'a mut [C::Staging; 2]) -> Parcels<'a, C> {
        Parcels { stages, turn: 0 }
    }

    /// Packs so many words and queues a copy of them beside the kernels that are under way.
    ///
    /// # Errors
    /// When one side has fewer words, or the card fails.
    pub fn send(
        &mut self,
        pass: &mut Pass<'a, C>,
        words: usize,
        to: &'a C::Memory,
        at: usize,
        pack: impl FnOnce(&mut [u32]),
    ) -> Result<(), CardError> {
        let stage = self.pack(pass, words, pack)?;
        // SAFETY: the stage is borrowed for longer than the pass lasts. It is written again two turns later, when `pack` has
        // waited for this copy.
        let queued = unsafe { pass.card.copy_in(Queue::Copy, stage, 0..words, to, at) };
        pass.note(Queue::Copy, queued)
    }

    /// The same between kernels: those that were queued may still use what was there before, those that are queued from now
    /// on find the parcel.
    ///
    /// # Errors
    /// When one side has fewer words, or the card fails.
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

    /// Packs a parcel, and waits until the one before has arrived, so that at most one travels.
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

/// A pass that goes on while its owner does something else. It owns all that it uses, or a share of it, until it is
/// [finished](Background::finish); dropping it waits.
#[derive(Debug)]
pub struct Background<C: Card, M> {
    card: Arc<C>,
    queued: [bool; 2],
    /// There until it is finished.
    memory: Option<Box<M>>,
}

impl<C: Card, M> Background<C, M> {
    /// Records a pass over some memory, which the pass owns from now on, and does not wait for it.
    ///
    /// # Errors
    /// When recording fails; then nothing is under way.
    pub fn start(
        card: &Arc<C>,
        memory: M,
        record: impl for<'b> FnOnce(&'b mut M, &mut Pass<'b, C>) -> Result<(), CardError>,
    ) -> Result<Background<C, M>, CardError> {
        let mut memory = Box::new(memory);
        let mut pass = Pass::new(&**card);
        record(&mut memory, &mut pass)?;
        // What was queued is waited for by the one who owns the memory now.
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

    /// Waits for the pass and gives back what it owned.
    ///
    /// # Errors
    /// When something that was queued fails.
    pub fn finish(mut self) -> Result<M, CardError> {
        self.wait()?;
        let lost = || CardError::Refused("a pass was finished twice".into());
        self.memory.take().map(|memory| *memory).ok_or_else(lost)
    }
}

impl<C: Card, M> Drop for Background<C, M> {
    fn drop(&mut self) {
        // Who wants to know how it ended finishes it.
        let _ = self.wait();
    }
}
