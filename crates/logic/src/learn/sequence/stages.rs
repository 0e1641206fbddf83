//! The stages of a run: methods on all examples, and on training folds to compare them.

use crate::learn::{LearningTask, Method};
use pellucid_learn::split::{Folds, Split};

/// The number of folds. Repeating them doubles the time and selects no better.
const FOLDS: usize = 5;
/// The seed of these folds differs from that of a cross-validation around them by this mask.
const SEED: u64 = 0x0a75_5eed_1f01_d5c3;

/// A method on all examples or on a training fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stage {
    pub(super) method: Method,
    /// The index of the split; `None` for all examples.
    pub(super) split: Option<usize>,
}

/// Returns the splits that all methods share; none if a class has a single example.
pub(crate) fn shared_splits(task: &LearningTask, seed: u64) -> Vec<Split> {
    let folds = FOLDS.min(task.positive.len()).min(task.negative.len());
    let folds = Folds::stratified(&task.codes(), folds, 1, seed ^ SEED);
    folds.map(|folds| folds.iter().collect()).unwrap_or_default()
}

/// Returns the splits on which methods are compared; none if a class has too few examples.
pub(super) fn comparison_splits(task: &LearningTask, seed: u64) -> Vec<Split> {
    match task.positive.len().min(task.negative.len()) {
        0..FOLDS => Vec::new(),
        _ => shared_splits(task, seed),
    }
}

/// Returns the stages of a method. Method `auto` first runs all methods on all examples, so that a run that
/// is stopped early has an answer of each. `instant` cross-validates itself on the same splits.
pub(super) fn stages(method: Method, splits: usize) -> Vec<Stage> {
    if method != Method::Auto {
        return vec![Stage { method, split: None }];
    }
    let whole = [Method::Instant, Method::Refine, Method::Evolve];
    let mut stages: Vec<Stage> =
        whole.map(|method| Stage { method, split: None }).into_iter().collect();
    for split in 0..splits {
        stages.extend(whole[1..].iter().map(|&method| Stage { method, split: Some(split) }));
    }
    stages
}
