//! A growing path of either kind: rules with scores, or a list.

use super::FeatureTable;
use super::list_path::ListPath;
use super::many::ManyPath;
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
    Many(ManyPath),
}

impl GrowingPath {
    /// Creates an empty path for some training examples, given the classes to separate from the rest and the
    /// number of outputs.
    pub(crate) fn new(
        table: &FeatureTable,
        (classes, outputs): (&[u32], usize),
        cuts: Cuts,
        examples: Vec<u32>,
        params: &Params,
    ) -> GrowingPath {
        match params.mode {
            Mode::List => GrowingPath::List(ListPath::new(table, classes, cuts, examples, params)),
            _ if outputs > 2 => GrowingPath::Many(ManyPath::new(table, outputs, cuts, examples)),
            _ => GrowingPath::Scores(ScorePath::new(table, outputs, cuts, examples, params)),
        }
    }

    /// Creates an empty path for remote examples, given the number of each class and the held-out
    /// fold.
    pub(crate) fn remote(cuts: Cuts, fold: Option<usize>, examples: &[u64]) -> GrowingPath {
        match examples.len() {
            3.. => GrowingPath::Many(ManyPath::remote(cuts, fold, examples)),
            _ => GrowingPath::Scores(ScorePath::remote(cuts, fold, examples)),
        }
    }

    /// Returns the number of rules.
    pub(crate) fn size(&self) -> usize {
        match self {
            GrowingPath::Scores(path) => path.size(),
            GrowingPath::List(path) => path.size(),
            GrowingPath::Many(path) => path.size(),
        }
    }

    /// Returns whether no further rule can be found.
    pub(crate) fn is_done(&self) -> bool {
        match self {
            GrowingPath::Scores(path) => path.is_done(),
            GrowingPath::List(path) => path.is_done(),
            GrowingPath::Many(path) => path.is_done(),
        }
    }

    /// Returns whether a model may end with the newest rule. The last rule of a list must predict
    /// something else than what follows it.
    pub(crate) fn may_end(&self) -> bool {
        match self {
            GrowingPath::Scores(_) | GrowingPath::Many(_) => true,
            GrowingPath::List(path) => path.ends_well(),
        }
    }

    /// Adds the rule with the largest gain, for any class.
    pub(crate) fn grow(&mut self, table: &FeatureTable, params: &Params, threads: &Threads) {
        match self {
            GrowingPath::Scores(path) => path.grow(table, params, threads),
            GrowingPath::List(path) => path.grow(table, params, threads),
            GrowingPath::Many(path) => path.grow(table, params, threads),
        }
    }

    /// Returns the newest rule.
    pub(crate) fn newest(&self, table: &FeatureTable) -> Option<Rule> {
        match self {
            GrowingPath::Scores(path) => path.newest(table),
            GrowingPath::List(path) => path.newest(table),
            GrowingPath::Many(path) => path.newest(table),
        }
    }

    /// Returns the factor for the whole points of a scorecard.
    pub(crate) fn whole_factor(&self) -> f64 {
        match self {
            GrowingPath::Scores(path) => path.whole_factor(),
            GrowingPath::List(_) | GrowingPath::Many(_) => 1.0,
        }
    }

    /// Returns the model so far, given the factor for whole points if they are wanted.
    pub(crate) fn sized_model(&self, outputs: usize, factor: Option<f64>) -> SizedModel {
        match self {
            GrowingPath::Scores(path) => path.sized_model(outputs, factor),
            GrowingPath::List(path) => path.sized_model(outputs),
            GrowingPath::Many(path) => path.sized_model(),
        }
    }

    /// Returns the scores of each class, or the number, for some examples, given the factor for whole
    /// points if they are wanted.
    pub(crate) fn scores(
        &self,
        table: &FeatureTable,
        examples: &[u32],
        (outputs, factor): (usize, Option<f64>),
    ) -> ScoreMatrix {
        match self {
            GrowingPath::Scores(path) => path.scores(table, examples, (outputs, factor)),
            GrowingPath::List(path) => path.scores(examples, outputs),
            GrowingPath::Many(path) => path.scores(table, examples),
        }
    }

    /// Returns the state, from which the path can be restored.
    pub(crate) fn save(&self) -> SavedPath {
        match self {
            GrowingPath::Scores(path) => path.save(),
            GrowingPath::List(path) => path.save(),
            GrowingPath::Many(path) => path.save(),
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
            GrowingPath::Many(path) => path.restore(saved, table, threads),
        }
    }
}
