//! The interface to a GPU: memory, copies, launches.
//!
//! The CUDA driver is one [`Card`]; the emulator, which runs the same kernels on the CPU, is
//! another. All other code is the same for both and is tested with the emulator.

use super::budget::{Budget, Reservation};
use super::error::CardError;
use super::kernel::{GpuKernel, Module};
use std::fmt::Debug;
use std::ops::{DerefMut, Range};
use std::sync::Arc;
use std::time::Duration;

/// A queue. Its operations run in order; the two queues run concurrently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    /// Programs to the GPU, kernels, counts from the GPU.
    Work,
    /// Planes to the GPU, records of a search from the GPU.
    Copy,
}

/// The properties of a GPU.
#[derive(Clone, Debug)]
pub struct GpuLimits {
    /// The name that its manufacturer gives it.
    pub name: String,
    /// The number of multiprocessors: at least this many blocks of threads run in parallel.
    pub multiprocessors: usize,
    /// The largest shared memory of a block, in bytes.
    pub shared_bytes: usize,
    /// Threads in a block: the maximum of the hardware, or fewer if they are expensive.
    pub threads: usize,
    /// The total memory, in bytes.
    pub total_bytes: usize,
    /// Whether the GPU is emulated. Its threads take turns, and work is cut into small pieces so
    /// that tests reach every boundary.
    pub is_emulated: bool,
}

/// A kernel with its launch configuration.
#[derive(Clone, Copy, Debug)]
pub struct Launch {
    /// The kernel.
    pub kernel: GpuKernel,
    /// The number of blocks.
    pub blocks: usize,
    /// Threads in a block.
    pub threads: usize,
    /// Shared memory of a block in bytes, if the module needs it at launch.
    pub shared_bytes: usize,
}

/// A GPU with its own queues. Memory is counted in words of 32 bits.
///
/// When a call that queues or waits fails, it first waits for everything queued earlier, so that
/// both queues of this card are empty when it returns the error. It does not wait for other cards,
/// even of the same GPU.
pub trait Card: Debug + Send + Sync + Sized + 'static {
    /// GPU memory.
    type Memory: Debug + Send + Sync;
    /// Host memory that the GPU can copy from and to.
    type Staging: Debug + Send + DerefMut<Target = [u32]>;

    /// Returns the properties of the GPU.
    fn limits(&self) -> &GpuLimits;

    /// Returns the same GPU with new queues, so that two users do not wait for each other.
    ///
    /// # Errors
    /// When the GPU fails.
    fn with_own_queues(&self) -> Result<Self, CardError>;

    /// Returns the free memory, in bytes.
    ///
    /// # Errors
    /// When the GPU fails.
    fn free_bytes(&self) -> Result<usize, CardError>;

    /// Loads the kernels of a module. The first launch then does not wait, and a module that this
    /// GPU cannot run is reported early.
    ///
    /// # Errors
    /// When the GPU cannot run them.
    fn load(&self, module: &'static Module) -> Result<(), CardError>;

    /// Returns the memory budget of this process on the GPU. All cards of a GPU share it.
    fn budget(&self) -> &Arc<Budget>;

    /// Allocates `words` words of GPU memory, for which `bytes` are reserved.
    ///
    /// # Errors
    /// When the GPU has too little memory.
    fn allocate_reserved(
        &self,
        words: usize,
        bytes: Reservation,
    ) -> Result<Self::Memory, CardError>;

    /// Allocates `words` words of GPU memory.
    ///
    /// # Errors
    /// When the GPU or its budget has too little memory.
    fn allocate(&self, words: usize) -> Result<Self::Memory, CardError> {
        let bytes = self.budget().reserve("the work", words.saturating_mul(4))?;
        self.allocate_reserved(words, bytes)
    }

    /// Allocates `words` words of host memory that the GPU can access.
    ///
    /// # Errors
    /// When there is not enough memory.
    fn stage(&self, words: usize) -> Result<Self::Staging, CardError>;

    /// Returns the address that kernels use.
    fn address(memory: &Self::Memory) -> u64;

    /// Returns the number of words.
    fn words(memory: &Self::Memory) -> usize;

    /// Queues a copy of words to the GPU.
    ///
    /// # Errors
    /// When one side has fewer words, or the GPU fails.
    ///
    /// # Safety
    /// Neither side may be accessed or dropped before the queue is [finished](Card::finish).
    unsafe fn copy_in(
        &self,
        queue: Queue,
        from: &Self::Staging,
        words: Range<usize>,
        to: &Self::Memory,
        at: usize,
    ) -> Result<(), CardError>;

    /// Queues a copy of words from the GPU.
    ///
    /// # Errors
    /// When one side has fewer words, or the GPU fails.
    ///
    /// # Safety
    /// Neither side may be accessed or dropped before the queue is [finished](Card::finish).
    unsafe fn copy_out(
        &self,
        queue: Queue,
        from: &Self::Memory,
        at: usize,
        to: &mut Self::Staging,
        words: usize,
    ) -> Result<(), CardError>;

    /// Queues an operation on the work queue that sets the first words to zero.
    ///
    /// # Errors
    /// When the memory has fewer words, or the GPU fails.
    ///
    /// # Safety
    /// The memory may not be dropped before the work queue is [finished](Card::finish).
    unsafe fn clear(&self, memory: &Self::Memory, words: usize) -> Result<(), CardError>;

    /// Queues a kernel on the work queue. `uses` lists all memory that it accesses.
    ///
    /// # Errors
    /// When the GPU fails.
    ///
    /// # Safety
    /// `argument` must have the type and layout that the kernel declares. All memory that it points
    /// to must be listed in `uses` and must not be accessed until the work queue is
    /// [finished](Card::finish).
    unsafe fn launch(
        &self,
        launch: Launch,
        argument: Vec<u64>,
        uses: &[&Self::Memory],
    ) -> Result<(), CardError>;

    /// Makes everything queued in `then` from now on wait for everything that `first` contains now.
    ///
    /// # Errors
    /// When the GPU fails.
    fn order(&self, first: Queue, then: Queue) -> Result<(), CardError>;

    /// Waits until a queue is empty.
    ///
    /// # Errors
    /// When the GPU or a queued operation fails.
    fn finish(&self, queue: Queue) -> Result<(), CardError>;

    /// Returns how long kernels ran since the last call, if the GPU can measure it, and starts or
    /// stops the measurement.
    fn take_time(&self, go_on: bool) -> Option<Duration>;
}

/// Returns an error if a range exceeds the memory.
pub(super) fn check_reach(
    what: &str,
    at: usize,
    words: usize,
    available: usize,
) -> Result<(), CardError> {
    match at.checked_add(words) {
        Some(end) if end <= available => Ok(()),
        _ => Err(CardError::Refused(format!(
            "{what} of {words} words at word {at} exceeds the memory of {available} words"
        ))),
    }
}
