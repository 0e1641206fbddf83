//! What a search is asked, what it shows on the way, and what it says in the end.

use super::Digest;
use std::sync::atomic::AtomicU64;

/// A concept, shown to a [`Visitor`] and gone afterwards.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The attributes, as [`words`](pellucid_bits::words) in the relation's own numbering.
    pub intent: &'a [u64],
    /// How many objects have all of them.
    pub support: u64,
    /// Those objects, as words, if the [`Terms`] asked for them; otherwise empty.
    pub extent: &'a [u64],
}

/// Whoever wants to see every concept. Each worker of a search has one of its own.
pub trait Visitor: Send {
    /// Whether it looks at concepts at all; counting goes without it, and faster.
    const LOOKS: bool = true;

    /// A concept was found.
    fn visit(&mut self, found: &Found<'_>);
}

impl<F: FnMut(&Found<'_>) + Send> Visitor for F {
    fn visit(&mut self, found: &Found<'_>) {
        self(found);
    }
}

/// Looks at nothing: for counting.
impl Visitor for () {
    const LOOKS: bool = false;

    fn visit(&mut self, _: &Found<'_>) {}
}

/// One of several shares of a search, for as many processes: every concept is in exactly one of them. In which it is depends on how the
/// tree is walked, so all shares are searched alike: on processors, all of them or none by the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Which one, from 0.
    pub number: usize,
    /// Of how many, at least 1.
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

/// What is asked of a search.
#[derive(Clone, Copy, Default)]
pub struct Terms<'a> {
    /// The fewest objects a concept has (an *iceberg* of concepts); 0 for all of them.
    pub min_support: u64,
    /// Only this share of the concepts.
    pub share: Option<Share>,
    /// How many concepts at most; exactly so many are listed if there are more, whichever came first.
    pub most: Option<u64>,
    /// Whether visitors see extents.
    pub extents: bool,
    /// Asked now and then from any thread: whether to stop.
    pub stop: Option<&'a (dyn Fn() -> bool + Sync)>,
    /// Where the number of concepts so far is kept up to date, more or less, for whoever watches.
    pub progress: Option<&'a AtomicU64>,
    /// Where the nanoseconds that devices themselves took are added up, if they can tell.
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
pub enum Stop {
    /// Everything was listed.
    Complete,
    /// As many as were asked for were listed, and there are more.
    Most,
    /// It was told to stop.
    Told,
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How many concepts were listed.
    pub concepts: u64,
    /// The digest of their intents.
    pub digest: Digest,
    /// Why it ended.
    pub stop: Stop,
}
