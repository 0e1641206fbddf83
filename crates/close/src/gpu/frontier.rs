//! The interface to the part of a search that runs on one device, in slices.

use crate::Digest;
use pellucid_device::DeviceError;
use std::time::Duration;

/// A subtree that moves from one device to another, in the words of that kind of device.
#[derive(Clone, Debug)]
pub(crate) struct Subtree(pub(super) Vec<u32>);

/// The result of one slice.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slice {
    /// The number of concepts found.
    pub(crate) concepts: u64,
    /// The digest of those concepts.
    pub(crate) digest: Digest,
    /// Whether work remains.
    pub(crate) unfinished: bool,
    /// The compute time of the device, if it measures it.
    pub(crate) device_time: Option<Duration>,
}

/// The part of a search that runs on one device. An error from any method means that the device has
/// failed.
pub(crate) trait Frontier: Send {
    /// Starts a slice. The device gives away up to `wanted` subtrees.
    fn start(&mut self, wanted: usize) -> Result<(), DeviceError>;

    /// Waits for the end of the slice and appends the subtrees it gave away to `given`.
    fn finish(&mut self, given: &mut Vec<Subtree>) -> Result<Slice, DeviceError>;

    /// Starts to fetch the records of the last finished slice while the next one runs.
    fn fetch(&mut self) -> Result<(), DeviceError>;

    /// Waits until the records have arrived.
    fn arrive(&mut self) -> Result<(), DeviceError>;

    /// Returns the records that arrived last, in several runs. Each record has
    /// [`Frontier::record_words`] words: the intent in the order of
    /// [`OrderedRelation`](crate::ordered::OrderedRelation), and the support.
    fn records(&self) -> Vec<&[u32]>;

    /// Returns the number of words of a record.
    fn record_words(&self) -> usize;

    /// Takes over a subtree. Must be called between slices.
    fn take(&mut self, subtree: Subtree) -> Result<(), DeviceError>;
}
