//! The options of a search, the visitors that receive its concepts, and its outcome.

use super::Digest;
use std::sync::atomic::AtomicU64;

/// A concept as a [`Visitor`] receives it, borrowed for the duration of the call.
#[derive(Clone, Copy, Debug)]
pub struct ConceptView<'a> {
    /// The attributes, as [`words`](pellucid_bits::words), numbered as in the relation.
    pub intent: &'a [u64],
    /// The number of objects that have all these attributes.
    pub support: u64,
    /// The objects, as words, if [`Terms::extents`] is set; otherwise empty.
    pub extent: &'a [u64],
}

/// Receives every concept. Each worker of a search has its own visitor.
pub trait Visitor: Send {
    /// Whether the visitor reads the concepts. Counting does not need them and is faster.
    const READS_CONCEPTS: bool = true;

    /// Called for each concept.
    fn visit(&mut self, concept: &ConceptView<'_>);
}

impl<F: FnMut(&ConceptView<'_>) + Send> Visitor for F {
    fn visit(&mut self, concept: &ConceptView<'_>) {
        self(concept);
    }
}

/// Ignores the concepts; use it to count them.
impl Visitor for () {
    const READS_CONCEPTS: bool = false;

    fn visit(&mut self, _: &ConceptView<'_>) {}
}

/// One of several shares of a search that is split over processes. Every concept belongs to exactly
/// one share. The assignment depends on how the tree is walked, so all shares must be searched on
/// CPUs, and either all of them or none of them by the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The index of the share, starting at 0.
    pub number: usize,
    /// The number of shares, at least 1.
    pub of: usize,
}

impl Share {
    /// Returns whether a branch of the root belongs to this share.
    pub(crate) fn has(self, branch: usize) -> bool {
        branch % self.of.max(1) == self.number
    }

    /// Returns whether the root itself belongs to this share.
    pub(crate) fn has_root(self) -> bool {
        self.number == 0
    }
}

/// The options of a search.
#[derive(Clone, Copy, Default)]
pub struct Terms<'a> {
    /// The minimum support: concepts with fewer objects are not listed (an *iceberg* of concepts).
    /// 0 lists all concepts.
    pub min_support: u64,
    /// If set, only this share of the concepts is listed.
    pub share: Option<Share>,
    /// The maximum number of concepts. If there are more, exactly this number is listed, in no
    /// particular order.
    pub most: Option<u64>,
    /// Whether visitors receive extents.
    pub extents: bool,
    /// Called regularly from any thread. The search stops when it returns true.
    pub stop: Option<&'a (dyn Fn() -> bool + Sync)>,
    /// Receives the approximate number of concepts listed so far, for a progress display.
    pub progress: Option<&'a AtomicU64>,
    /// Accumulates the compute time of the devices in nanoseconds, where they measure it.
    pub device_time: Option<&'a AtomicU64>,
}

impl std::fmt::Debug for Terms<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Terms")
            .field("min_support", &self.min_support)
            .field("share", &self.share)
            .field("most", &self.most)
            .field("extents", &self.extents)
            .finish_non_exhaustive()
    }
}

/// The reason why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchStop {
    /// All concepts were listed.
    Complete,
    /// The maximum number of concepts was listed, and there are more.
    Limit,
    /// The stop function returned true.
    Requested,
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchOutcome {
    /// The number of concepts listed.
    pub concepts: u64,
    /// The digest of their intents.
    pub digest: Digest,
    /// Why the search ended.
    pub stop: SearchStop,
}
