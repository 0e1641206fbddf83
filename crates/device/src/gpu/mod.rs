//! GPUs: what they do for a shape of work, and how one is opened.
//!
//! A shape brings its kernels as a [`Module`] (PTX that the driver compiles) and writes its host side once over a
//! [`Card`]: memory, copies, launches. The CUDA driver is one card, loaded at run time; the emulator is another, which
//! runs the very same kernels on the processor and with which everything is tested where there is no GPU.
//!
//! [`Gpu::open`] hands whoever implements [`OnCard`] a card with queues of its own.

mod buffer;
#[expect(unsafe_code, reason = "the contract of queued work")]
mod card;
#[expect(unsafe_code, reason = "calls of the CUDA driver")]
mod cuda;
#[cfg(feature = "emulator")]
#[expect(unsafe_code, reason = "kernels are C++ functions on bare addresses")]
mod emulator;

pub use buffer::{Buffer, Stage, sent};
pub use card::{Card, CardError, GpuKernel, Launch, Limits, Module, Queue, Used};
#[cfg(feature = "emulator")]
pub use emulator::{Emulate, Emulation, emulated};

use crate::{Device, DeviceError, Hardware, Threads};
use cuda::CudaCard;
#[cfg(feature = "emulator")]
use emulator::EmulatedCard;
use std::sync::Arc;

/// The variable that limits what may be kept in a GPU's memory.
const MEMORY_VARIABLE: &str = "PELLUCID_GPU_MEMORY";

/// One GPU.
#[derive(Clone, Debug)]
pub struct Gpu {
    id: Arc<str>,
    card: AnyCard,
    memory_limit: Option<usize>,
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
    /// Bytes that may be kept on the card, where there is a limit.
    pub memory_limit: Option<usize>,
    /// For what the processor does for the GPU: it makes programs for it.
    pub threads: Arc<Threads>,
}

impl<C> OpenGpu<C> {
    /// What went wrong on this card, as a failure of the device.
    pub fn failed(&self, error: CardError) -> DeviceError {
        DeviceError::new(&*self.id, error.0)
    }
}

/// What a shape does with a card, whatever card it is.
pub trait OnCard {
    /// What comes of it.
    type Output;

    /// Does it.
    ///
    /// # Errors
    /// When the card fails.
    fn on<C: Card>(self, gpu: OpenGpu<C>) -> Result<Self::Output, CardError>;
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
    pub fn open<W: OnCard>(&self, work: W) -> Result<W::Output, DeviceError> {
        fn on<W: OnCard, C: Card>(gpu: &Gpu, card: &C, work: W) -> Result<W::Output, CardError> {
            let card = card.with_own_queues()?;
            let (id, threads) = (gpu.id.to_string(), Arc::clone(&gpu.threads));
            work.on(OpenGpu { id, card, memory_limit: gpu.memory_limit, threads })
        }
        let done = match &self.card {
            AnyCard::Cuda(card) => on(self, &**card, work),
            #[cfg(feature = "emulator")]
            AnyCard::Emulated(card) => on(self, &**card, work),
        };
        done.map_err(|error| DeviceError::new(&*self.id, error.0))
    }
}

/// The GPUs of this machine, and a sentence for each that cannot be used, or one that says why there is none. The threads
/// are for what the processor does for them: it makes programs of batches.
pub(crate) fn discover(threads: &Arc<Threads>) -> (Vec<Device>, Vec<String>) {
    let (mut devices, mut absent) = (Vec::new(), Vec::new());
    match memory_limit().and_then(|limit| Ok((limit, cuda::cards()?))) {
        Err(reason) => absent.push(format!("no GPU: {reason}")),
        Ok((memory_limit, cards)) => {
            for (number, card) in cards.into_iter().enumerate() {
                let id = format!("cuda:{number}");
                match card {
                    Ok(card) => {
                        let card = AnyCard::Cuda(Arc::new(card));
                        let (id, threads) = (id.into(), Arc::clone(threads));
                        let gpu = Gpu { id, card, memory_limit, threads };
                        devices.push(Hardware::Gpu(gpu).into());
                    }
                    Err(reason) => absent.push(format!("no {id}: {reason}")),
                }
            }
        }
    }
    (devices, absent)
}

/// The bytes that may be kept on a card, where the user sets a limit.
fn memory_limit() -> Result<Option<usize>, String> {
    let Ok(text) = std::env::var(MEMORY_VARIABLE) else { return Ok(None) };
    let bytes = text.trim().parse();
    bytes
        .map(Some)
        .map_err(|_| format!("{MEMORY_VARIABLE}: found '{text}', needed is a number of bytes"))
}
