//! What a GPU does for us, and nothing more: memory, copies, launches.
//!
//! The CUDA driver is one [`Card`]; the emulator, which runs the same kernels on the processor, is another. Everything
//! above this line is the same for both, and is tested with the second.

use super::budget::{Budget, Reservation};
use super::error::CardError;
use super::kernel::{GpuKernel, Module};
use std::fmt::Debug;
use std::ops::{DerefMut, Range};
use std::sync::Arc;
use std::time::Duration;

/// What is queued runs in order, one queue beside the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    /// Programs in, kernels, counts out.
    Work,
    /// Planes in, records of a search out.
    Copy,
}

/// What a card has.
#[derive(Clone, Debug)]
pub struct Limits {
    /// What its maker calls it.
    pub name: String,
    /// How many blocks of threads run side by side at least.
    pub multiprocessors: usize,
    /// Shared memory that one block may have.
    pub shared_bytes: usize,
    /// Threads in a block: as many as there are, or fewer where they are expensive.
    pub threads: usize,
    /// All of its memory.
    pub total_bytes: usize,
    /// Whether it is emulated: threads take turns, and work is cut finely so that tests see every seam.
    pub is_emulated: bool,
}

/// How a kernel is spread over the card.
#[derive(Clone, Copy, Debug)]
pub struct Launch {
    /// The kernel.
    pub kernel: GpuKernel,
    /// Blocks of threads.
    pub blocks: usize,
    /// Threads of a block.
    pub threads: usize,
    /// Shared memory of a block, where the module asks for it.
    pub shared_bytes: usize,
}

/// A card with queues of its own. All memory is counted in words of 32 bits.
///
/// When a call that queues or waits fails, nothing is under way any more in either queue of this card: it waits for what
/// was queued before it returns the error. Other cards, also of the same GPU, are not waited for.
pub trait Card: Debug + Send + Sync + Sized + 'static {
    /// Memory on the card.
    type Memory: Debug + Send + Sync;
    /// Memory of the processor from which and into which the card copies by itself.
    type Staging: Debug + Send + DerefMut<Target = [u32]>;

    /// What the card has.
    fn limits(&self) -> &Limits;

    /// The same card with other queues, so that two users do not wait for each other.
    ///
    /// # Errors
    /// When the card fails.
    fn with_own_queues(&self) -> Result<Self, CardError>;

    /// How much memory is free.
    ///
    /// # Errors
    /// When the card fails.
    fn free_bytes(&self) -> Result<usize, CardError>;

    /// Loads the kernels of a module, so that the first launch does not wait and a module that this card cannot run is
    /// noticed early.
    ///
    /// # Errors
    /// When the card cannot run them.
    fn load(&self, module: &'static Module) -> Result<(), CardError>;

    /// How much memory this process may hold on the GPU: one for all cards of the same GPU.
    fn budget(&self) -> &Arc<Budget>;

    /// Takes so many words of the card's memory, which are in a reservation.
    ///
    /// # Errors
    /// When the GPU has no room.
    fn allocate_reserved(
        &self,
        words: usize,
        bytes: Reservation,
    ) -> Result<Self::Memory, CardError>;

    /// Takes so many words of the card's memory.
    ///
    /// # Errors
    /// When there is no room, on the GPU or in its budget.
    fn allocate(&self, words: usize) -> Result<Self::Memory, CardError> {
        let bytes = self.budget().reserve("the work", words.saturating_mul(4))?;
        self.allocate_reserved(words, bytes)
    }

    /// Takes so many words of the processor's memory that the card reaches.
    ///
    /// # Errors
    /// When there is no room.
    fn stage(&self, words: usize) -> Result<Self::Staging, CardError>;

    /// The address that kernels use.
    fn address(memory: &Self::Memory) -> u64;

    /// How many words of memory there are.
    fn words(memory: &Self::Memory) -> usize;

    /// Queues a copy of some words to the card.
    ///
    /// # Errors
    /// When one side has fewer words, or the card fails.
    ///
    /// # Safety
    /// Neither side may be touched or dropped before the queue is [finished](Card::finish).
    unsafe fn copy_in(
        &self,
        queue: Queue,
        from: &Self::Staging,
        words: Range<usize>,
        to: &Self::Memory,
        at: usize,
    ) -> Result<(), CardError>;

    /// Queues a copy of some words from the card.
    ///
    /// # Errors
    /// When one side has fewer words, or the card fails.
    ///
    /// # Safety
    /// Neither side may be touched or dropped before the queue is [finished](Card::finish).
    unsafe fn copy_out(
        &self,
        queue: Queue,
        from: &Self::Memory,
        at: usize,
        to: &mut Self::Staging,
        words: usize,
    ) -> Result<(), CardError>;

    /// Queues the clearing of the first words, behind the work.
    ///
    /// # Errors
    /// When the memory has fewer words, or the card fails.
    ///
    /// # Safety
    /// The memory may not be dropped before the work is [finished](Card::finish).
    unsafe fn clear(&self, memory: &Self::Memory, words: usize) -> Result<(), CardError>;

    /// Queues a kernel behind the work. `uses` lists all memory that it reaches.
    ///
    /// # Errors
    /// When the card fails.
    ///
    /// # Safety
    /// `argument` must be what the kernel takes, laid out as it declares it. All that it points to must be among what it
    /// `uses`, and must stay untouched until the work is [finished](Card::finish).
    unsafe fn launch(
        &self,
        launch: Launch,
        argument: Vec<u64>,
        uses: &[&Self::Memory],
    ) -> Result<(), CardError>;

    /// What comes into `then` from now on waits for what is in `first` by now.
    ///
    /// # Errors
    /// When the card fails.
    fn order(&self, first: Queue, then: Queue) -> Result<(), CardError>;

    /// Waits until a queue is empty.
    ///
    /// # Errors
    /// When the card, or something that was queued, fails.
    fn finish(&self, queue: Queue) -> Result<(), CardError>;

    /// How long kernels ran since this was last asked, where the card can tell, and whether it is to be measured on.
    fn take_time(&self, go_on: bool) -> Option<Duration>;
}

/// Refuses a copy or a clearing that would reach past the end.
pub(super) fn check_reach(
    what: &str,
    at: usize,
    words: usize,
    there: usize,
) -> Result<(), CardError> {
    match at.checked_add(words) {
        Some(end) if end <= there => Ok(()),
        _ => Err(CardError::Refused(format!(
            "{what} of {words} words from word {at} on would leave memory of {there} words"
        ))),
    }
}
