//! The options of a search, the concepts it lists and its outcome.

use super::Digest;
use std::sync::atomic::AtomicU64;

/// A concept as a [`Visitor`] sees it; it is borrowed for the call.
#[derive(Clone, Copy, Debug)]
pub struct ConceptView<'a> {
    /// The attributes, as [`words`](pellucid_bits::words) in the relation's own numbering.
    pub intent: &'a [u64],
    /// How many objects have all of them.
    pub support: u64,
    /// Those objects, as words, if the [`Terms`] asked for them; otherwise empty.
    pub extent: &'a [u64],
}

/// Receives every concept. Each worker of a search has a visitor of its own.
pub trait Visitor: Send {
    /// Whether it reads the concepts. Counting does not, and is faster.
    const LOOKS: bool = true;

    /// A concept was found.
    fn visit(&mut self, concept: &ConceptView<'_>);
}

impl<F: FnMut(&ConceptView<'_>) + Send> Visitor for F {
    fn visit(&mut self, concept: &ConceptView<'_>) {
        self(concept);
    }
}

/// Reads nothing: for counting.
impl Visitor for () {
    const LOOKS: bool = false;

    fn visit(&mut self, _: &ConceptView<'_>) {}
}

/// One of several shares of a search, for as many processes: every concept is in exactly one of them. Which
/// one depends on how the tree is walked, so all shares must be searched on CPUs, and either all or none by
/// the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The number of the share, from 0.
    pub number: usize,
    /// The number of shares, at least 1.
    pub of: usize,
}

impl Share {
    /// Whether a branch from the root of the tree belongs to it.
    pub(crate) fn has(self, branch: usize) -> bool {
        branch % self.of.max(1) == self.number
    }

    /// Whether what is no branch belongs to it: the root itself.
    pub(crate) fn has_root(self) -> bool {
        self.number == 0
    }
}

/// The options of a search.
#[derive(Clone, Copy, Default)]
pub struct Terms<'a> {
    /// The minimum support: the fewest objects of a listed concept (an *iceberg* of concepts); 0 for all
    /// concepts.
    pub min_support: u64,
    /// Only this share of the concepts.
    pub share: Option<Share>,
    /// The maximum number of concepts. If there are more, exactly that many are listed, in no particular
    /// order.
    pub most: Option<u64>,
    /// Whether visitors see extents.
    pub extents: bool,
    /// Called regularly from any thread; the search stops when it returns true.
    pub stop: Option<&'a (dyn Fn() -> bool + Sync)>,
    /// Holds the approximate number of concepts listed so far, for a progress display.
    pub progress: Option<&'a AtomicU64>,
    /// Adds up the nanoseconds that devices computed, where they can tell.
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

/// Why a search ended.
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
    /// How many concepts were listed.
    pub concepts: u64,
    /// The digest of their intents.
    pub digest: Digest,
    /// Why it ended.
    pub stop: SearchStop,
}
