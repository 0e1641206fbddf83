//! The relate contract: how many objects of every subject are in a set.
//!
//! A [`Question`] asks along some edges for at least so many objects that are in a set, or outside of it. All restrictions
//! come down to such questions. There are four ways to answer some of them on the processor, and what each costs is known
//! well enough to choose:
//!
//! - `wide`: up to 512 sets are laid side by side, and every edge is followed once for all of them;
//! - `narrow`: one set; the objects of 64 edges are looked up at once;
//! - `few`: only the subjects that are asked about, one by one; or, for a small set, from its objects back.

mod few;
mod lanes;
mod narrow;
mod processor;
mod wide;

pub(crate) use processor::Processor;
pub(crate) use wide::Subjects;

use super::Edges;
use crate::bits::Bits;
use std::sync::Arc;

/// At least so many objects in a set, or outside of it.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) set: Arc<Bits>,
    pub(crate) outside: bool,
    /// Not 0.
    pub(crate) at_least: u32,
}

/// The edges that questions are asked along, and back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way<'a> {
    pub(crate) edges: &'a Edges,
    pub(crate) inverse: &'a Edges,
}
