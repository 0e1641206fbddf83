//! A path of either kind: rules that vote, or a list.

use super::FeatureTable;
use super::list_path::ListPath;
use super::score_path::{SavedPath, ScorePath};
use super::search::Cuts;
use crate::model::Rule;
use crate::params::{Mode, Params};
use crate::path::SizedModel;
use pellucid_device::Threads;
use pellucid_learn::learner::Votes;

/// A path on its way.
#[derive(Debug)]
pub(crate) enum GrowingPath {
    Votes(ScorePath),
    List(ListPath),
}

impl GrowingPath {
    /// Nothing yet, for some classes against the rest and learned from some examples.
    pub(crate) fn new(
        table: &FeatureTable,
        classes: &[u32],
        cuts: Cuts,
        examples: Vec<u32>,
        params: &Params,
    ) -> GrowingPath {
        match params.mode {
            Mode::List => GrowingPath::List(ListPath::new(table, classes, cuts, examples, params)),
            _ => GrowingPath::Votes(ScorePath::new(table, classes, cuts, examples, params)),
        }
    }

    /// Nothing yet, learned from examples that lie elsewhere: of each class so many, and those of a fold fit out.
    pub(crate) fn elsewhere(
        classes: &[u32],
        cuts: Cuts,
        fold: Option<usize>,
        examples: &[u64],
    ) -> GrowingPath {
        GrowingPath::Votes(ScorePath::elsewhere(classes, cuts, fold, examples))
    }

    /// How many rules there are.
    pub(crate) fn size(&self) -> usize {
        match self {
            GrowingPath::Votes(path) => path.size(),
            GrowingPath::List(path) => path.size(),
        }
    }

    /// Whether there is nothing more to find.
    pub(crate) fn is_done(&self) -> bool {
        match self {
            GrowingPath::Votes(path) => path.is_done(),
            GrowingPath::List(path) => path.is_done(),
        }
    }

    /// Whether a model may end with the newest rule: one of a list must say something else than what comes after it.
    pub(crate) fn may_end(&self) -> bool {
        match self {
            GrowingPath::Votes(_) => true,
            GrowingPath::List(path) => path.ends_well(),
        }
    }

    /// Takes in the rule that explains most of what is fit, of whatever class.
    pub(crate) fn grow(&mut self, table: &FeatureTable, params: &Params, threads: &Threads) {
        match self {
            GrowingPath::Votes(path) => path.grow(table, params, threads),
            GrowingPath::List(path) => path.grow(table, params, threads),
        }
    }

    /// The newest rule as a person reads it.
    pub(crate) fn newest(&self, table: &FeatureTable) -> Option<Rule> {
        match self {
            GrowingPath::Votes(path) => path.newest(table),
            GrowingPath::List(path) => path.newest(table),
        }
    }

    /// The votes so far.
    pub(crate) fn sized_model(&self, outputs: usize) -> SizedModel {
        match self {
            GrowingPath::Votes(path) => path.sized_model(outputs),
            GrowingPath::List(path) => path.sized_model(outputs),
        }
    }

    /// By example the votes of each class, or the number.
    pub(crate) fn scores(&self, table: &FeatureTable, examples: &[u32], outputs: usize) -> Votes {
        match self {
            GrowingPath::Votes(path) => path.scores(table, examples, outputs),
            GrowingPath::List(path) => path.scores(examples, outputs),
        }
    }

    /// What is needed to go on later.
    pub(crate) fn save(&self) -> SavedPath {
        match self {
            GrowingPath::Votes(path) => path.save(),
            GrowingPath::List(path) => path.save(),
        }
    }

    /// Takes up what was saved; says whether it is about these data.
    pub(crate) fn restore(
        &mut self,
        saved: SavedPath,
        table: &FeatureTable,
        params: &Params,
        threads: &Threads,
    ) -> bool {
        match self {
            GrowingPath::Votes(path) => path.restore(saved, table, threads),
            GrowingPath::List(path) => path.restore(saved, table, params, threads),
        }
    }
}
