//! GPUs: their interface for shapes of work, and how they are opened.
//!
//! A shape declares its kernels ([`kernels!`](crate::kernels)) and their arguments
//! ([`kernel_structs!`](crate::kernel_structs)), and records a [`Pass`] for every call: copies and
//! kernels that borrow the memory they use and have finished when the pass ends. A [`Card`] does
//! the work. One is the CUDA driver, loaded at run time; another is the emulator, which runs the
//! same kernels on the CPU and tests all code on machines without a GPU. All GPU memory is
//! allocated from the [`Budget`] of the GPU.
//!
//! [`Gpu::open`] passes a card with its own queues to a [`GpuTask`].

#[expect(unsafe_code, reason = "structs are read as raw memory")]
mod argument;
mod budget;
mod buffer;
#[expect(unsafe_code, reason = "the contract of queued work")]
mod card;
#[expect(unsafe_code, reason = "calls to the CUDA driver")]
mod cuda;
#[cfg(feature = "emulator")]
#[expect(unsafe_code, reason = "kernels are C++ functions on raw addresses")]
mod emulator;
mod error;
mod kernel;
#[expect(unsafe_code, reason = "queues copies and kernels and waits for them")]
mod pass;

pub use argument::{
    Float2, KernelHeader, Plain, PlainRecord, Pointer, Reads, Stored, Uint2, Uint4, Writes,
    comments, field, read_record, record_words, write_record,
};
pub use budget::{Budget, MEMORY_VARIABLE, Reservation};
pub use buffer::{Buffer, Stage, sent};
pub use card::{Card, GpuLimits, Launch, Queue};
#[cfg(feature = "emulator")]
pub use emulator::{Emulate, Emulation, emulated};
pub use error::CardError;
pub use kernel::{GpuKernel, Kernel, Module};
pub use pass::{Background, Grid, Parcels, Pass};

use crate::{Device, DeviceError, DeviceErrorKind, Hardware, Threads};
use cuda::CudaCard;
#[cfg(feature = "emulator")]
use emulator::EmulatedCard;
use std::sync::Arc;

/// A GPU.
#[derive(Clone, Debug)]
pub struct Gpu {
    id: Arc<str>,
    card: AnyCard,
    /// The bytes that data may take, if tests limit them.
    data_bytes: Option<usize>,
    threads: Arc<Threads>,
}

#[derive(Clone, Debug)]
enum AnyCard {
    Cuda(Arc<CudaCard>),
    #[cfg(feature = "emulator")]
    Emulated(Arc<EmulatedCard>),
}

/// A GPU with its own queues, for one user.
#[derive(Debug)]
pub struct OpenGpu<C> {
    /// The id of the device, for errors.
    pub id: String,
    /// The interface to the GPU.
    pub card: C,
    /// The bytes that data may take, if tests limit them.
    data_bytes: Option<usize>,
    /// The CPU threads that prepare programs for the GPU.
    pub threads: Arc<Threads>,
}

/// The share of the available memory that data may take, in tenths. The rest is for programs and
/// counters.
const DATA_TENTHS: usize = 8;

impl<C: Card> OpenGpu<C> {
    /// Converts an error of this GPU to the error of a device.
    #[expect(clippy::needless_pass_by_value, reason = "callers map errors with it")]
    pub fn failed(&self, error: CardError) -> DeviceError {
        error.of_device(&self.id)
    }

    /// Returns the address of a word, to be stored as data where a kernel finds it.
    pub fn stored<T>(memory: &C::Memory, word: usize) -> Stored<T> {
        Stored::new(C::address(memory) + 4 * word as u64)
    }

    /// Returns the bytes that can still be allocated: the smaller of the free memory and the
    /// remaining budget.
    ///
    /// # Errors
    /// When the GPU fails.
    pub fn available_bytes(&self) -> Result<usize, CardError> {
        Ok(self.card.free_bytes()?.min(self.card.budget().left()))
    }

    /// Returns the bytes that data which stays on the GPU may take.
    ///
    /// # Errors
    /// When the GPU fails.
    pub fn data_bytes(&self) -> Result<usize, CardError> {
        match self.data_bytes {
            Some(bytes) => Ok(bytes),
            None => Ok(self.available_bytes()? / 10 * DATA_TENTHS),
        }
    }

    /// Returns the total bytes that a session may hold if it holds `held` bytes now.
    ///
    /// # Errors
    /// When the GPU fails.
    pub fn allowed_bytes(&self, held: usize) -> Result<usize, CardError> {
        match self.data_bytes {
            Some(bytes) => Ok(bytes),
            None => Ok(self.available_bytes()?.saturating_add(held)),
        }
    }

    /// Returns an error if data needs more memory than it may take.
    ///
    /// # Errors
    /// When it does, or the GPU fails.
    pub fn check_room(
        &self,
        what: impl FnOnce() -> String,
        needed: usize,
    ) -> Result<(), CardError> {
        let available = self.allowed_bytes(0)?;
        if needed <= available {
            return Ok(());
        }
        Err(CardError::TooSmall { what: what(), needed, available })
    }
}

/// A task on a GPU, generic over the card.
pub trait GpuTask {
    /// The result.
    type Output;

    /// Runs the task.
    ///
    /// # Errors
    /// When the GPU fails.
    fn run<C: Card>(self, gpu: OpenGpu<C>) -> Result<Self::Output, CardError>;
}

impl Gpu {
    /// Returns the id by which users select the GPU: `cuda:0`.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    fn limits(&self) -> &GpuLimits {
        match &self.card {
            AnyCard::Cuda(card) => card.limits(),
            #[cfg(feature = "emulator")]
            AnyCard::Emulated(card) => card.limits(),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.limits().name
    }

    pub(crate) fn description(&self) -> String {
        let GpuLimits { name, multiprocessors, total_bytes, .. } = self.limits();
        format!("{name}, {multiprocessors} multiprocessors, {} GiB", total_bytes >> 30)
    }

    /// Runs a task with new queues, so that two users do not wait for each other.
    ///
    /// # Errors
    /// When the GPU fails.
    pub fn open<W: GpuTask>(&self, work: W) -> Result<W::Output, DeviceError> {
        fn on<W: GpuTask, C: Card>(gpu: &Gpu, card: &C, work: W) -> Result<W::Output, CardError> {
            let card = card.with_own_queues()?;
            let (id, threads) = (gpu.id.to_string(), Arc::clone(&gpu.threads));
            work.run(OpenGpu { id, card, data_bytes: gpu.data_bytes, threads })
        }
        let done = match &self.card {
            AnyCard::Cuda(card) => on(self, &**card, work),
            #[cfg(feature = "emulator")]
            AnyCard::Emulated(card) => on(self, &**card, work),
        };
        done.map_err(|error| error.of_device(&self.id))
    }
}

/// Returns the GPUs of this machine, and a sentence for each GPU that cannot be used, or one that
/// says why there is none. The threads prepare programs for the GPUs.
///
/// # Errors
/// When the memory limit is not a size.
pub(crate) fn discover(threads: &Arc<Threads>) -> Result<(Vec<Device>, Vec<String>), DeviceError> {
    let invalid =
        |reason| DeviceError { kind: DeviceErrorKind::Setting, ..DeviceError::new("cuda", reason) };
    let limit = budget::memory_limit().map_err(invalid)?;
    let (mut devices, mut absent) = (Vec::new(), Vec::new());
    match cuda::cards(limit) {
        Err(reason) => absent.push(format!("no GPU: {reason}")),
        Ok(cards) => {
            for (number, card) in cards.into_iter().enumerate() {
                let id = format!("cuda:{number}");
                match card {
                    Ok(card) => {
                        let card = AnyCard::Cuda(Arc::new(card));
                        let (id, threads) = (id.into(), Arc::clone(threads));
                        let gpu = Gpu { id, card, data_bytes: None, threads };
                        devices.push(Hardware::Gpu(gpu).into());
                    }
                    Err(reason) => absent.push(format!("no {id}: {reason}")),
                }
            }
        }
    }
    Ok((devices, absent))
}
