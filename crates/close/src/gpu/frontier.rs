//! A device's part of a search that is done in slices: what it is asked to do, and what it brings.

use crate::Digest;
use pellucid_device::DeviceError;
use std::time::Duration;

/// A subtree on its way from one device to another, in the words of that kind of device.
#[derive(Clone, Debug)]
pub(crate) struct Subtree(pub(super) Vec<u32>);

/// What a slice of work brought.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slice {
    /// Concepts that were found, and their digest.
    pub(crate) concepts: u64,
    /// The digest of those concepts.
    pub(crate) digest: Digest,
    /// Whether there is more to do.
    pub(crate) unfinished: bool,
    /// How long the device itself computed, where it can tell.
    pub(crate) device_time: Option<Duration>,
}

/// A device's part of a search. Whatever returns an error means that the device has failed.
pub(crate) trait Frontier: Send {
    /// Begins a slice; `wanted` subtrees are to be given away, if there are so many.
    fn start(&mut self, wanted: usize) -> Result<(), DeviceError>;

    /// Waits for the end of the slice. What it gave away is added to `given`.
    fn finish(&mut self, given: &mut Vec<Subtree>) -> Result<Slice, DeviceError>;

    /// Begins to fetch the records of the slice that was finished last, while the next one is under way.
    fn fetch(&mut self) -> Result<(), DeviceError>;

    /// Waits for the records.
    fn arrive(&mut self) -> Result<(), DeviceError>;

    /// The records that arrived last, some here and some there. Each is [`Frontier::record_words`] words: the intent in the
    /// order of [`Ordered`](crate::ordered::Ordered), and the support.
    fn records(&self) -> Vec<&[u32]>;

    /// Words of a record.
    fn record_words(&self) -> usize;

    /// Takes a subtree over; between slices only.
    fn take(&mut self, subtree: Subtree) -> Result<(), DeviceError>;
}
