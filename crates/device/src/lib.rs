//! Devices: the CPU threads and the GPUs of this machine, and how they share work.
//!
//! A [`Device`] is either the CPU ([`Threads`] with an instruction [`Level`]) or a GPU ([`gpu`]:
//! memory, copies, launches). Users select it by its id. A device is independent of tables,
//! contexts and ontologies: each **shape of work** is a crate that opens a device, keeps its data
//! on it, and passes pieces of work to the [`Executor`]. The executor splits the work over all
//! devices according to their measured speed ([`schedule`]).
//!
//! A device that fails or panics is not used again, and its work goes to the other devices. A
//! [`FaultListener`] receives each failure once. Failures can be simulated ([`Rehearsal`]) in the
//! one function that all work passes through: [`Device::attempt`].
//!
//! ```
//! use pellucid_device::{Device, Executor, Machine, Work};
//!
//! // Computes squares on two devices. This work needs no data on a device, so the data is `()`.
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
//! This crate uses `unsafe` only where it calls a GPU driver, where passes queue work, and where
//! the emulator runs kernels.

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

use pellucid_bits::{Level, LevelError};
use rehearsal::FailurePlan;
use std::fmt::{self, Display, Formatter};
use std::num::NonZeroUsize;
use std::sync::Arc;
use thiserror::Error;

/// The kind of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeviceKind {
    /// The CPU cores of this machine; displayed as `cpu`.
    Processor,
    /// A GPU; displayed as `gpu`.
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

/// A device that can do work: the CPU, or one GPU. A clone refers to the same device.
#[derive(Clone, Debug)]
pub struct Device {
    hardware: Hardware,
    /// The id, if it differs from the id of the hardware.
    name: Option<Arc<str>>,
    failure: Option<Arc<FailurePlan>>,
}

/// The hardware of a device, which shapes of work open.
#[derive(Clone, Debug)]
pub enum Hardware {
    /// CPU threads and the instructions that they use.
    Processor(Processor),
    /// A GPU.
    Gpu(Gpu),
}

impl Device {
    /// Returns the CPU with the given number of threads (default: one per core) and the level that
    /// [`Level::chosen`] returns.
    ///
    /// # Errors
    /// When the CPU lacks the requested level, or the threads cannot be started.
    pub fn processor(threads: Option<NonZeroUsize>) -> Result<Device, DeviceError> {
        Device::on_threads(Arc::new(Threads::new(threads)?))
    }

    /// Returns the CPU on threads that may be shared with other users, with the level that
    /// [`Level::chosen`] returns.
    ///
    /// # Errors
    /// When the CPU lacks the requested level.
    pub fn on_threads(threads: Arc<Threads>) -> Result<Device, DeviceError> {
        Device::with_level(threads, Level::chosen()?)
    }

    /// Returns the CPU with the given level.
    ///
    /// # Errors
    /// When the CPU lacks the level.
    pub fn with_level(threads: Arc<Threads>, level: Level) -> Result<Device, DeviceError> {
        Processor::new(threads, level).map(|processor| Hardware::Processor(processor).into())
    }

    /// Returns the hardware of the device.
    #[must_use]
    pub fn hardware(&self) -> &Hardware {
        &self.hardware
    }

    /// Returns the id by which users select the device: `cpu`, `cuda:0`.
    #[must_use]
    pub fn id(&self) -> &str {
        match (&self.name, &self.hardware) {
            (Some(name), _) => name,
            (None, Hardware::Processor(_)) => "cpu",
            (None, Hardware::Gpu(gpu)) => gpu.id(),
        }
    }

    /// The kind of a device.
    #[must_use]
    pub fn kind(&self) -> DeviceKind {
        match &self.hardware {
            Hardware::Processor(_) => DeviceKind::Processor,
            Hardware::Gpu(_) => DeviceKind::Gpu,
        }
    }

    /// Returns the manufacturer's name for the device.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.hardware {
            Hardware::Processor(_) => name::processor_name().to_owned(),
            Hardware::Gpu(gpu) => gpu.name().to_owned(),
        }
    }

    /// Returns a description for users: the name, then the size, as in `NVIDIA H200, 132
    /// multiprocessors, 139 GiB`.
    #[must_use]
    pub fn description(&self) -> String {
        match &self.hardware {
            Hardware::Processor(processor) => processor.description(),
            Hardware::Gpu(gpu) => gpu.description(),
        }
    }

    /// Returns the same device with another id, to distinguish two uses of one device.
    #[must_use]
    pub fn with_id(mut self, id: &str) -> Device {
        self.name = Some(id.into());
        self
    }

    /// Returns the same device with a simulated failure. This device and its clones count their
    /// calls together.
    #[must_use]
    pub fn failing(mut self, at: FailAt) -> Device {
        self.failure = Some(Arc::new(FailurePlan::new(at)));
        self
    }

    /// Opens the device for a shape of work with the function `open`.
    ///
    /// # Errors
    /// When the device cannot be opened, or a failure is simulated.
    pub fn open<T>(
        &self,
        open: impl FnOnce(&Hardware) -> Result<T, DeviceError>,
    ) -> Result<T, DeviceError> {
        if let Some(failure) = &self.failure {
            failure.open(self.id())?;
        }
        open(&self.hardware)
    }

    /// Runs work that counts as one call of the device. All calls of all shapes pass through this
    /// function, so that failures are simulated in one place.
    ///
    /// # Errors
    /// When the work fails, or a failure is simulated.
    pub fn attempt<T>(
        &self,
        work: impl FnOnce() -> Result<T, DeviceError>,
    ) -> Result<T, DeviceError> {
        let done = work()?;
        if let Some(failure) = &self.failure {
            // Fail after the work: a device that is lost leaves partial results behind.
            failure.call(self.id())?;
        }
        Ok(done)
    }

    /// Runs the work of a shape that does not use an [`Executor`]. A panic becomes a failure of the
    /// device. Do not use data that the work may have left incomplete.
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
        Device { hardware, name: None, failure: None }
    }
}

/// The error of a device that could not do its work.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub struct DeviceError {
    /// The id of the device.
    pub device: String,
    /// The reason.
    pub reason: String,
    /// The kind of the failure.
    pub kind: DeviceErrorKind,
}

/// The kind of the failure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeviceErrorKind {
    /// The device failed, or cannot do this work.
    #[default]
    Failed,
    /// The work needs more memory than the device has or may use.
    TooSmall,
    /// A user setting is invalid, for example an environment variable.
    Setting,
}

impl DeviceError {
    /// Creates an error of kind [`DeviceErrorKind::Failed`].
    pub fn new(device: impl Into<String>, reason: impl Into<String>) -> DeviceError {
        let kind = DeviceErrorKind::default();
        DeviceError { device: device.into(), reason: reason.into(), kind }
    }
}

impl From<LevelError> for DeviceError {
    fn from(error: LevelError) -> DeviceError {
        let kind = DeviceErrorKind::Setting;
        DeviceError { device: "cpu".into(), reason: error.to_string(), kind }
    }
}

impl Display for DeviceError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.kind {
            // The reason names the setting, so the device is not repeated.
            DeviceErrorKind::Setting => f.write_str(&self.reason),
            _ => write!(f, "device {}: {}", self.device, self.reason),
        }
    }
}
