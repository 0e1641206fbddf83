//! The messages between the head and the workers.
//!
//! A query contains everything needed to answer it: a worker that was restarted replays the path
//! from its beginning and gives the same answers.

use crate::boost::search::Cuts;
use crate::boost::test::Test;
use serde::{Deserialize, Serialize};

/// The fold of an example that is never held out.
pub(super) const NO_FOLD: u8 = u8::MAX;

/// A query. Answers are words; sums are added over all workers, other answers are concatenated.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Query {
    /// The class of each example, packed.
    Labels,
    /// For each feature, the number of distinct values, then each value with its count; the
    /// argument is the total number of examples.
    Values(usize),
    /// The steps of the examples in the [sample](crate::boost::pairs), feature by feature, packed.
    Sample,
    /// Sums by conjunction, wanted feature and step, with missing values last; over all examples or
    /// a sample. `shares` has the predicted probability of the second class for each pattern, or,
    /// with more than two classes, those of all classes.
    Scan { path: RemotePath, shares: Vec<f64>, beam: Vec<(Vec<Test>, Vec<bool>)>, sampled: bool },
    /// Digests and sums of extended conjunctions.
    Extension { path: RemotePath, shares: Vec<f64>, beam: Vec<Vec<Test>> },
    /// For each pattern with examples that a new rule covers: its index, the first such example,
    /// and the number of training examples of each class.
    Take { path: RemotePath, tests: Vec<Test> },
    /// The pattern of each scored example in the path's held-out fold, packed.
    HeldOut(RemotePath),
}

/// The state of a path, as the workers need it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::boost) struct RemotePath {
    pub(super) way: Cuts,
    /// The held-out fold.
    pub(super) fold: u8,
    /// The number of classes. With two, the second is separated from the first.
    pub(super) classes: usize,
    pub(super) taken: Vec<Step>,
}

impl RemotePath {
    /// Creates an empty path for some classes, with the examples of a fold held out.
    pub(in crate::boost) fn new(way: Cuts, fold: Option<usize>, classes: usize) -> RemotePath {
        let fold = fold.and_then(|fold| u8::try_from(fold).ok()).unwrap_or(NO_FOLD);
        RemotePath { way, fold, classes, taken: Vec::new() }
    }
}

/// A rule of a path, and the pattern that examples of each pattern move to if the rule applies.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Step {
    pub(super) tests: Vec<Test>,
    pub(super) moved: Vec<(u32, u32)>,
}

/// What all workers know from the start.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Plan {
    /// The index of each worker's first example.
    pub(super) starts: Vec<usize>,
    /// The total number of examples.
    pub(super) examples: usize,
    /// Every `scored`-th example is scored, starting with the first.
    pub(super) scored: usize,
    /// The fold of each example, by repetition; folds are numbered across repetitions.
    pub(super) folds: Vec<Vec<u8>>,
    /// The features that are not constant: the index of each among all features, and its steps.
    pub(super) features: Vec<(usize, Steps)>,
}

/// The steps of a feature.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Steps {
    Cuts(Vec<f64>),
    Categories(usize),
}
