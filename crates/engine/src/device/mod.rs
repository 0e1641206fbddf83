//! Devices: what can evaluate a batch.
//!
//! A [`Device`] takes a table once ([`Device::load`]) and the [`Resident`] it gives back then answers [`Batch`]es against
//! it. The processor is one device ([`Cpu`]), a GPU another; [`devices`] finds what there is. A learner sees none of them, it
//! talks to a [`Session`](crate::Session).

mod batch;
mod cpu;
mod discover;
mod fault;
mod order;
mod probe;
mod threads;
mod workers;

pub use batch::Batch;
pub(crate) use batch::{Planners, Roots};
pub use cpu::Cpu;
pub use discover::{Discovered, devices};
pub use fault::{FAULT_VARIABLE, FailAt, Failing, Rehearsal, RehearsalError};
pub(crate) use order::in_row_order;
pub use probe::{Probe, probe};
pub use threads::Threads;

use crate::bits::BitRows;
use crate::close::{Frontier, Ordered};
use crate::table::Table;
use crate::world::{Inhabited, World};
use std::fmt::{self, Debug, Display, Formatter};
use std::sync::Arc;
use std::time::Duration;
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

/// What can evaluate a batch.
pub trait Device: Debug + Send + Sync {
    /// The name by which it is chosen: `cpu`, `cuda:0`.
    fn id(&self) -> &str;

    /// What sort of device it is.
    fn kind(&self) -> DeviceKind;

    /// What it is, for people: its name and then its size, as in `NVIDIA H200, 132 multiprocessors, 139 GiB`.
    fn description(&self) -> String;

    /// What its maker calls it: the description up to the first comma, unless the device says otherwise.
    fn name(&self) -> String {
        let description = self.description();
        description.split(',').next().unwrap_or_default().to_owned()
    }

    /// Takes a table, to keep it where the device computes.
    ///
    /// # Errors
    /// When the device cannot hold or reach it.
    fn load(&self, table: &Arc<Table>) -> Result<Box<dyn Resident>, DeviceError>;

    /// Opens a search for concepts with some minimum support. It begins with the whole tree, or with nothing; records of
    /// concepts are kept where somebody looks at them. The processor has its own way ([`crate::close`]).
    ///
    /// # Errors
    /// When the device does not search, or not a context of this size, or fails.
    fn frontier(
        &self,
        context: &Ordered,
        min_support: u64,
        looks: bool,
        whole: bool,
    ) -> Result<Box<dyn Frontier>, DeviceError> {
        let _ = (context, min_support, looks, whole);
        Err(DeviceError {
            device: self.id().to_owned(),
            reason: "does not search for concepts".into(),
        })
    }

    /// Takes a world, to answer what its roles lead to.
    ///
    /// # Errors
    /// When the device does not follow roles, or cannot hold the world.
    fn inhabit(&self, world: &Arc<World>) -> Result<Box<dyn Inhabited>, DeviceError> {
        let _ = world;
        let reason = "does not follow roles".into();
        Err(DeviceError { device: self.id().to_owned(), reason })
    }
}

/// A table on a device.
pub trait Resident: Debug + Send {
    /// Counts, for each root of the batch, the examples of each class for which it holds, and adds them to
    /// `counts[root * classes + class]`.
    ///
    /// # Errors
    /// When the device fails; what is in `counts` is then worthless.
    fn tally(&mut self, batch: &Batch<'_>, counts: &mut [u64]) -> Result<(), DeviceError>;

    /// The rows, in the order of the table, that each root covers.
    ///
    /// # Errors
    /// When the device fails.
    fn cover(&mut self, batch: &Batch<'_>) -> Result<BitRows, DeviceError>;

    /// How long the device itself computed since this was last asked, transfers and planning not among it, where it
    /// can tell.
    fn take_time(&mut self, _go_on: bool) -> Option<Duration> {
        None
    }
}

/// Why a device did not do its work.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("device {device}: {reason}")]
pub struct DeviceError {
    /// The device's id.
    pub device: String,
    /// What went wrong.
    pub reason: String,
}
