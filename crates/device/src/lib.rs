//! Devices: the processor's threads and the GPUs of this machine, and how work is shared between them.
//!
//! Picture a workshop before it is known what will be made in it. There are hands ([`Threads`], with the instruction
//! [`Level`] they know) and there are machines ([`gpu`]: memory, copies, launches). A [`Device`]
//! is one or the other, with a name by which it is chosen. It knows nothing of tables, contexts or worlds: each
//! **shape of work** is a crate that opens a device by itself, keeps on it what it works with, and hands the
//! [`Executor`] pieces of work, which are split over all devices by what each was seen to do ([`schedule`]).
//!
//! A device that fails, or panics, is left out from then on and its work goes to the others; whoever listens
//! ([`FaultListener`]) hears of it once. Failures can be rehearsed ([`Rehearsal`]), in the one place where all work
//! passes: [`Device::attempt`].
//!
//! ```
//! use pellucid_device::{Device, Executor, Machine, Work};
//!
//! // Squares, on two devices. What they hold is what the work needs: here nothing.
//! let mut machine = Machine::processor(None)?;
//! machine.devices.push(Device::processor(None)?);
//! let mut executor = Executor::new(&machine, |_device| Ok(Box::new(())))?;
//! let mut squares = vec![0; 100];
//! executor.run(Work {
//!     items: 100,
//!     width: 1,
//!     unit: 1.0,
//!     out: &mut squares,
//!     work: |(): &mut (), items, out: &mut [usize]| {
//!         out.iter_mut().zip(items).for_each(|(square, item)| *square = item * item);
//!         Ok(())
//!     },
//! })?;
//! assert_eq!(squares[9], 81);
//! # Ok::<(), pellucid_device::DeviceError>(())
//! ```
//!
//! `unsafe` is found where a GPU's driver is called, where passes queue work and where the emulator runs kernels, nowhere
//! else here.

#![deny(unsafe_code)]

mod discover;
pub mod gpu;
mod machine;
mod name;
mod processor;
mod rehearsal;
pub mod schedule;
mod threads;
mod workers;

pub use discover::{Discovered, devices};
pub use gpu::Gpu;
pub use machine::Machine;
pub use processor::Processor;
pub use rehearsal::{FAULT_VARIABLE, FailAt, Rehearsal, RehearsalError};
pub use schedule::{Executor, Fault, FaultListener, LoadError, Schedule, Work};
pub use threads::Threads;
pub use workers::Workers;

use pellucid_bits::Level;
use rehearsal::Failing;
use std::fmt::{self, Display, Formatter};
use std::num::NonZeroUsize;
use std::sync::Arc;
use thiserror::Error;

/// What sort of device it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeviceKind {
    /// Cores of this machine; it prints as `cpu`.
    Processor,
    /// A graphics processor with memory of its own; it prints as `gpu`.
    Gpu,
}

impl Display for DeviceKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DeviceKind::Processor => "cpu",
            DeviceKind::Gpu => "gpu",
        })
    }
}

/// What can do work: the processor, or one GPU. A clone is the same device.
#[derive(Clone, Debug)]
pub struct Device {
    hardware: Hardware,
    /// Where it is not called as its hardware is.
    name: Option<Arc<str>>,
    failing: Option<Arc<Failing>>,
}

/// What a device is made of, for shapes of work to open.
#[derive(Clone, Debug)]
pub enum Hardware {
    /// Threads of the processor, and the instructions they use.
    Processor(Processor),
    /// A GPU.
    Gpu(Gpu),
}

impl Device {
    /// The processor with so many threads (all there are, if none is said) and the level that [`Level::chosen`] gives.
    ///
    /// # Errors
    /// When the level asked for is not there, or the system gives no threads.
    pub fn processor(threads: Option<NonZeroUsize>) -> Result<Device, DeviceError> {
        Device::on_threads(Arc::new(Threads::new(threads)?))
    }

    /// The processor on threads that others use too, with the level that [`Level::chosen`] gives.
    ///
    /// # Errors
    /// When the level asked for is not there.
    pub fn on_threads(threads: Arc<Threads>) -> Result<Device, DeviceError> {
        let failed = |error: pellucid_bits::LevelError| DeviceError::new("cpu", error.to_string());
        Device::with_level(threads, Level::chosen().map_err(failed)?)
    }

    /// The processor with a given level.
    ///
    /// # Errors
    /// When the processor lacks the level.
    pub fn with_level(threads: Arc<Threads>, level: Level) -> Result<Device, DeviceError> {
        Processor::new(threads, level).map(|processor| Hardware::Processor(processor).into())
    }

    /// What it is made of.
    #[must_use]
    pub fn hardware(&self) -> &Hardware {
        &self.hardware
    }

    /// The name by which it is chosen: `cpu`, `cuda:0`.
    #[must_use]
    pub fn id(&self) -> &str {
        match (&self.name, &self.hardware) {
            (Some(name), _) => name,
            (None, Hardware::Processor(_)) => "cpu",
            (None, Hardware::Gpu(gpu)) => gpu.id(),
        }
    }

    /// What sort of device it is.
    #[must_use]
    pub fn kind(&self) -> DeviceKind {
        match &self.hardware {
            Hardware::Processor(_) => DeviceKind::Processor,
            Hardware::Gpu(_) => DeviceKind::Gpu,
        }
    }

    /// What its maker calls it.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.hardware {
            Hardware::Processor(_) => name::processor_name().to_owned(),
            Hardware::Gpu(gpu) => gpu.name().to_owned(),
        }
    }

    /// What it is, for people: its name and then its size, as in `NVIDIA H200, 132 multiprocessors, 139 GiB`.
    #[must_use]
    pub fn description(&self) -> String {
        match &self.hardware {
            Hardware::Processor(processor) => processor.description(),
            Hardware::Gpu(gpu) => gpu.description(),
        }
    }

    /// The same device under another id, where one is there twice and they must be told apart.
    #[must_use]
    pub fn with_id(mut self, id: &str) -> Device {
        self.name = Some(id.into());
        self
    }

    /// The same device, which fails at some time. All who hold this one or a clone of it count together.
    #[must_use]
    pub fn failing(mut self, at: FailAt) -> Device {
        self.failing = Some(Arc::new(Failing::new(at)));
        self
    }

    /// Opens the device for a shape of work, by what `open` makes of it.
    ///
    /// # Errors
    /// When it cannot be opened, or a failure is rehearsed.
    pub fn open<T>(
        &self,
        open: impl FnOnce(&Hardware) -> Result<T, DeviceError>,
    ) -> Result<T, DeviceError> {
        if let Some(failing) = &self.failing {
            failing.open(self.id())?;
        }
        open(&self.hardware)
    }

    /// Has the device do something that counts as one call. Every call of every shape passes here, so that failures are
    /// rehearsed in one place.
    ///
    /// # Errors
    /// When the work fails, or a failure is rehearsed.
    pub fn attempt<T>(
        &self,
        work: impl FnOnce() -> Result<T, DeviceError>,
    ) -> Result<T, DeviceError> {
        let done = work()?;
        if let Some(failing) = &self.failing {
            // Only now: a device that is lost leaves half of its work behind.
            failing.call(self.id())?;
        }
        Ok(done)
    }

    /// Runs a shape's code on this device, for shapes that have no [`Executor`]: that it panics is a failure of the device
    /// and of nothing else. What it may have left half done is not to be used again.
    ///
    /// # Errors
    /// When the work fails or panics.
    pub fn caught<T>(
        &self,
        work: impl FnOnce() -> Result<T, DeviceError>,
    ) -> Result<T, DeviceError> {
        schedule::caught(self.id(), work)
    }
}

impl From<Hardware> for Device {
    fn from(hardware: Hardware) -> Device {
        Device { hardware, name: None, failing: None }
    }
}

/// Why a device did not do its work.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub struct DeviceError {
    /// The device's id.
    pub device: String,
    /// What went wrong.
    pub reason: String,
    /// What sort of failure it is.
    pub kind: DeviceErrorKind,
}

/// What sort of failure it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeviceErrorKind {
    /// The device failed, or cannot do this work.
    #[default]
    Failed,
    /// The work needs more memory than the device has, or than is allowed.
    TooSmall,
    /// A setting of the user is wrong, such as an environment variable.
    Setting,
}

impl DeviceError {
    /// A failure of a device.
    pub fn new(device: impl Into<String>, reason: impl Into<String>) -> DeviceError {
        let kind = DeviceErrorKind::default();
        DeviceError { device: device.into(), reason: reason.into(), kind }
    }
}

impl Display for DeviceError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.kind {
            // The sentence names the setting.
            DeviceErrorKind::Setting => f.write_str(&self.reason),
            _ => write!(f, "device {}: {}", self.device, self.reason),
        }
    }
}
