//! How a batch is split over several devices.
//!
//! Every device holds the whole table; a batch is split by its roots, and the counts of a root come from one device
//! alone, so the result is the same whatever the split. A device that fails is left out from then on, its share goes to
//! the others, and one [`Fault`] tells of it.

mod split;
mod work;

pub use split::Schedule;
pub(crate) use work::run;

use crate::device::{DeviceError, Resident};

/// A device with a table on it, as the schedule sees it.
#[derive(Debug)]
pub(crate) struct Member {
    /// Nothing, once the device has failed.
    pub(crate) resident: Option<Box<dyn Resident>>,
}

/// A device that failed, to be told to the user once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What went wrong.
    pub error: DeviceError,
    /// How many devices are left.
    pub left: usize,
}
