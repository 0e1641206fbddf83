//! GPUs: what they do for a shape of work, and how one is opened.
//!
//! A shape declares its kernels ([`kernels!`](crate::kernels)) and what they take
//! ([`kernel_structs!`](crate::kernel_structs)), and records a [`Pass`] for every call: copies and kernels that borrow the
//! memory they use and are done when the pass ends. A [`Card`] does the work: the CUDA driver is one, loaded at run time; the
//! emulator is another, which runs the very same kernels on the processor and with which everything is tested where there is
//! no GPU. All memory is taken from the [`Budget`] of the GPU.
//!
//! [`Gpu::open`] hands a [`GpuTask`] a card with queues of its own.

#[expect(unsafe_code, reason = "structs are read as they lie in memory")]
mod argument;
mod budget;
mod buffer;
#[expect(unsafe_code, reason = "the contract of queued work")]
mod card;
#[expect(unsafe_code, reason = "calls of the CUDA driver")]
mod cuda;
#[cfg(feature = "emulator")]
#[expect(unsafe_code, reason = "kernels are C++ functions on bare addresses")]
mod emulator;
mod error;
mod kernel;
#[expect(unsafe_code, reason = "copies and kernels are queued, which a pass waits for")]
mod pass;

pub use argument::{
    Float2, Header, Plain, Pointer, Reads, Record, Stored, Uint2, Uint4, Writes, comments, field,
    read_record, record_words, write_record,
};
pub use budget::{Budget, MEMORY_VARIABLE, Reservation};
pub use buffer::{Buffer, Stage, sent};
pub use card::{Card, Launch, Limits, Queue};
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

/// One GPU.
#[derive(Clone, Debug)]
pub struct Gpu {
    id: Arc<str>,
    card: AnyCard,
    /// Bytes that data may take, where tests say how many.
    data_bytes: Option<usize>,
    threads: Arc<Threads>,
}

#[derive(Clone, Debug)]
enum AnyCard {
    Cuda(Arc<CudaCard>),
    #[cfg(feature = "emulator")]
    Emulated(Arc<EmulatedCard>),
}

/// A GPU with queues of its own, for one user.
#[derive(Debug)]
pub struct OpenGpu<C> {
    /// The device's id, for errors.
    pub id: String,
    /// Memory, copies, launches.
    pub card: C,
    /// Bytes that data may take, where tests say how many.
    data_bytes: Option<usize>,
    /// For what the processor does for the GPU: it makes programs for it.
    pub threads: Arc<Threads>,
}

/// The share of the memory that is left which data may take, in tenths. The rest is for programs and counters.
const DATA_TENTHS: usize = 8;

impl<C: Card> OpenGpu<C> {
    /// What went wrong on this card, as a failure of the device.
    #[expect(clippy::needless_pass_by_value, reason = "callers map errors with it")]
    pub fn failed(&self, error: CardError) -> DeviceError {
        error.of_device(&self.id)
    }

    /// The address of a word of some memory, to lie as data where a kernel finds it.
    pub fn stored<T>(memory: &C::Memory, word: usize) -> Stored<T> {
        Stored::new(C::address(memory) + 4 * word as u64)
    }

    /// The bytes that can still be allocated: what is free on the GPU and left in its budget.
    ///
    /// # Errors
    /// When the card fails.
    pub fn available_bytes(&self) -> Result<usize, CardError> {
        Ok(self.card.free_bytes()?.min(self.card.budget().left()))
    }

    /// The bytes that data which stays on the GPU may take.
    ///
    /// # Errors
    /// When the card fails.
    pub fn data_bytes(&self) -> Result<usize, CardError> {
        match self.data_bytes {
            Some(bytes) => Ok(bytes),
            None => Ok(self.available_bytes()? / 10 * DATA_TENTHS),
        }
    }

    /// The bytes that a session may hold in all which holds so many now.
    ///
    /// # Errors
    /// When the card fails.
    pub fn allowed_bytes(&self, held: usize) -> Result<usize, CardError> {
        match self.data_bytes {
            Some(bytes) => Ok(bytes),
            None => Ok(self.available_bytes()?.saturating_add(held)),
        }
    }

    /// Refuses data that needs more memory than it may take.
    ///
    /// # Errors
    /// When it does, or the card fails.
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

/// What a shape does with a card, whatever card it is.
pub trait GpuTask {
    /// What comes of it.
    type Output;

    /// Does it.
    ///
    /// # Errors
    /// When the card fails.
    fn run<C: Card>(self, gpu: OpenGpu<C>) -> Result<Self::Output, CardError>;
}

impl Gpu {
    /// The name by which it is chosen: `cuda:0`.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    fn limits(&self) -> &Limits {
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
        let Limits { name, multiprocessors, total_bytes, .. } = self.limits();
        format!("{name}, {multiprocessors} multiprocessors, {} GiB", total_bytes >> 30)
    }

    /// Does something with the card, which gets queues of its own, so that two users do not wait for each other.
    ///
    /// # Errors
    /// When the card fails.
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

/// The GPUs of this machine, and a sentence for each that cannot be used, or one that says why there is none. The threads
/// are for what the processor does for them: it makes programs of batches.
///
/// # Errors
/// When the limit to their memory is set to something else than a size.
pub(crate) fn discover(threads: &Arc<Threads>) -> Result<(Vec<Device>, Vec<String>), DeviceError> {
    let wrong =
        |reason| DeviceError { kind: DeviceErrorKind::Setting, ..DeviceError::new("cuda", reason) };
    let limit = budget::memory_limit().map_err(wrong)?;
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
