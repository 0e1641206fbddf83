//! A growing path of either kind: rules with scores, or a list.

use super::FeatureTable;
use super::list_path::ListPath;
use super::score_path::{SavedPath, ScorePath};
use super::search::Cuts;
use crate::model::Rule;
use crate::params::{Mode, Params};
use crate::path::SizedModel;
use pellucid_device::Threads;
use pellucid_learn::score_matrix::ScoreMatrix;

/// A path that grows.
#[derive(Debug)]
pub(crate) enum GrowingPath {
    Scores(ScorePath),
    List(ListPath),
}

impl GrowingPath {
    /// Creates an empty path for some classes against the rest and some training examples.
    pub(crate) fn new(
        table: &FeatureTable,
        classes: &[u32],
        cuts: Cuts,
        examples: Vec<u32>,
        params: &Params,
    ) -> GrowingPath {
        match params.mode {
            Mode::List => GrowingPath::List(ListPath::new(table, classes, cuts, examples, params)),
            _ => GrowingPath::Scores(ScorePath::new(table, classes, cuts, examples, params)),
        }
    }

    /// Creates an empty path for remote examples, given the number of each class and the held-out
    /// fold.
    pub(crate) fn remote(
        classes: &[u32],
        cuts: Cuts,
        fold: Option<usize>,
        examples: &[u64],
    ) -> GrowingPath {
        GrowingPath::Scores(ScorePath::remote(classes, cuts, fold, examples))
    }

    /// Returns the number of rules.
    pub(crate) fn size(&self) -> usize {
        match self {
            GrowingPath::Scores(path) => path.size(),
            GrowingPath::List(path) => path.size(),
        }
    }

    /// Returns whether no further rule can be found.
    pub(crate) fn is_done(&self) -> bool {
        match self {
            GrowingPath::Scores(path) => path.is_done(),
            GrowingPath::List(path) => path.is_done(),
        }
    }

    /// Returns whether a model may end with the newest rule. The last rule of a list must predict
    /// something else than what follows it.
    pub(crate) fn may_end(&self) -> bool {
        match self {
            GrowingPath::Scores(_) => true,
            GrowingPath::List(path) => path.ends_well(),
        }
    }

    /// Adds the rule with the largest gain, for any class.
    pub(crate) fn grow(&mut self, table: &FeatureTable, params: &Params, threads: &Threads) {
        match self {
            GrowingPath::Scores(path) => path.grow(table, params, threads),
            GrowingPath::List(path) => path.grow(table, params, threads),
        }
    }

    /// Returns the newest rule.
    pub(crate) fn newest(&self, table: &FeatureTable) -> Option<Rule> {
        match self {
            GrowingPath::Scores(path) => path.newest(table),
            GrowingPath::List(path) => path.newest(table),
        }
    }

    /// Returns the model so far.
    pub(crate) fn sized_model(&self, outputs: usize) -> SizedModel {
        match self {
            GrowingPath::Scores(path) => path.sized_model(outputs),
            GrowingPath::List(path) => path.sized_model(outputs),
        }
    }

    /// Returns the scores of each class, or the number, for some examples.
    pub(crate) fn scores(
        &self,
        table: &FeatureTable,
        examples: &[u32],
        outputs: usize,
    ) -> ScoreMatrix {
        match self {
            GrowingPath::Scores(path) => path.scores(table, examples, outputs),
            GrowingPath::List(path) => path.scores(examples, outputs),
        }
    }

    /// Returns the state, from which the path can be restored.
    pub(crate) fn save(&self) -> SavedPath {
        match self {
            GrowingPath::Scores(path) => path.save(),
            GrowingPath::List(path) => path.save(),
        }
    }

    /// Restores a saved path; returns whether it fits the data.
    pub(crate) fn restore(
        &mut self,
        saved: SavedPath,
        table: &FeatureTable,
        params: &Params,
        threads: &Threads,
    ) -> bool {
        match self {
            GrowingPath::Scores(path) => path.restore(saved, table, threads),
            GrowingPath::List(path) => path.restore(saved, table, params, threads),
        }
    }
}
