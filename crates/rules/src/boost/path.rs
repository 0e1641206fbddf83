//! A path of either kind: rules that vote, or a list.

use super::Ground;
use super::growth::{Kept, VoteGrowth};
use super::list::ListGrowth;
use super::search::Cuts;
use crate::model::Rule;
use crate::params::{Mode, Params};
use crate::path::Stop;
use pellucid_device::Threads;
use pellucid_learn::learner::Votes;

/// A path on its way.
#[derive(Debug)]
pub(crate) enum Growth {
    Votes(VoteGrowth),
    List(ListGrowth),
}

impl Growth {
    /// Nothing yet, for some classes against the rest and learned from some examples.
    pub(crate) fn new(
        ground: &Ground,
        classes: &[u32],
        cuts: Cuts,
        examples: Vec<u32>,
        params: &Params,
    ) -> Growth {
        match params.mode {
            Mode::List => Growth::List(ListGrowth::new(ground, classes, cuts, examples, params)),
            _ => Growth::Votes(VoteGrowth::new(ground, classes, cuts, examples, params)),
        }
    }

    /// Nothing yet, learned from examples that lie elsewhere: of each class so many, and those of a fold left out.
    pub(crate) fn elsewhere(
        classes: &[u32],
        cuts: Cuts,
        fold: Option<usize>,
        examples: &[u64],
    ) -> Growth {
        Growth::Votes(VoteGrowth::elsewhere(classes, cuts, fold, examples))
    }

    /// How many rules there are.
    pub(crate) fn size(&self) -> usize {
        match self {
            Growth::Votes(path) => path.size(),
            Growth::List(path) => path.size(),
        }
    }

    /// Whether there is nothing more to find.
    pub(crate) fn is_done(&self) -> bool {
        match self {
            Growth::Votes(path) => path.is_done(),
            Growth::List(path) => path.is_done(),
        }
    }

    /// Whether a model may end with the newest rule: one of a list must say something else than what comes after it.
    pub(crate) fn may_end(&self) -> bool {
        match self {
            Growth::Votes(_) => true,
            Growth::List(path) => path.ends_well(),
        }
    }

    /// Takes in the rule that explains most of what is left, of whatever class.
    pub(crate) fn grow(&mut self, ground: &Ground, params: &Params, threads: &Threads) {
        match self {
            Growth::Votes(path) => path.grow(ground, params, threads),
            Growth::List(path) => path.grow(ground, params, threads),
        }
    }

    /// The newest rule as a person reads it.
    pub(crate) fn newest(&self, ground: &Ground) -> Option<Rule> {
        match self {
            Growth::Votes(path) => path.newest(ground),
            Growth::List(path) => path.newest(ground),
        }
    }

    /// The votes so far.
    pub(crate) fn stop(&self, outputs: usize) -> Stop {
        match self {
            Growth::Votes(path) => path.stop(outputs),
            Growth::List(path) => path.stop(outputs),
        }
    }

    /// By example the votes of each class, or the number.
    pub(crate) fn said(&self, ground: &Ground, examples: &[u32], outputs: usize) -> Votes {
        match self {
            Growth::Votes(path) => path.said(ground, examples, outputs),
            Growth::List(path) => path.said(examples, outputs),
        }
    }

    /// What is needed to go on later.
    pub(crate) fn keep(&self) -> Kept {
        match self {
            Growth::Votes(path) => path.keep(),
            Growth::List(path) => path.keep(),
        }
    }

    /// Takes up what was kept; says whether it is about these data.
    pub(crate) fn restore(
        &mut self,
        kept: Kept,
        ground: &Ground,
        params: &Params,
        threads: &Threads,
    ) -> bool {
        match self {
            Growth::Votes(path) => path.restore(kept, ground, threads),
            Growth::List(path) => path.restore(kept, ground, params, threads),
        }
    }
}
