//! The answers of the methods, and the choice between them.

use super::preferred::{PREFERRED, is_clearly_better};
use crate::learn::{LearningTask, Method};
use pellucid_learn::metrics::{Confusion, Metric};
use pellucid_learn::split::Split;
use serde::{Deserialize, Serialize};

/// The answer of a method, with its cross-validation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Nominee {
    /// The method.
    pub(super) method: Method,
    /// The expression.
    pub(super) text: String,
    /// Its length.
    pub(super) length: u32,
    /// Its quality on all examples.
    pub(super) quality: f64,
    /// For each split, the test examples that the answer from the training fold covers, by number.
    pub(super) covered: Vec<Vec<u32>>,
}

/// What the answers of a method cover of examples that they were not learned from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldOut {
    /// The method.
    pub method: Method,
    /// The number of positive examples covered.
    pub positive: u64,
    /// The number of negative examples covered.
    pub negative: u64,
    /// The number of positive examples.
    pub positives: u64,
    /// The number of negative examples.
    pub negatives: u64,
}

impl HeldOut {
    /// The confusion matrix.
    #[must_use]
    pub fn confusion(&self) -> Confusion {
        Confusion::from_covered(self.positive, self.negative, self.positives, self.negatives)
    }

    /// Whether the numbers are possible.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.positive <= self.positives && self.negative <= self.negatives
    }
}

/// Returns the quality by which methods are compared. If accuracy or F1 is optimized, it is the mean of the
/// two: of answers that are about as accurate, one that covers more positive examples is preferred.
fn quality(held_out: &HeldOut, measure: Metric) -> f64 {
    let counts = held_out.confusion();
    match measure {
        Metric::Accuracy | Metric::F1 => f64::midpoint(counts.accuracy(), Metric::F1.of(&counts)),
        _ => measure.of(&counts),
    }
}

/// The splits on which methods are compared, and the classes of the examples.
#[derive(Debug)]
pub(super) struct Comparison {
    pub(super) splits: Vec<Split>,
    /// The number of positive examples, which come first.
    positives: usize,
}

impl Comparison {
    pub(super) fn new(task: &LearningTask, splits: Vec<Split>) -> Comparison {
        Comparison { splits, positives: task.positive.len() }
    }

    /// Sums the test examples that a nominee covers in some splits.
    fn held_out(&self, nominee: &Nominee, splits: &[usize]) -> HeldOut {
        let HeldOut { mut positive, mut negative, mut positives, mut negatives, method } =
            HeldOut {
                method: nominee.method,
                positive: 0,
                negative: 0,
                positives: 0,
                negatives: 0,
            };
        for &split in splits {
            let count = |examples: &[u32]| {
                let first = examples.iter().filter(|&&one| (one as usize) < self.positives).count();
                [first as u64, (examples.len() - first) as u64]
            };
            let (covered, all) = (count(&nominee.covered[split]), count(&self.splits[split].test));
            (positive, negative) = (positive + covered[0], negative + covered[1]);
            (positives, negatives) = (positives + all[0], negatives + all[1]);
        }
        HeldOut { method, positive, negative, positives, negatives }
    }

    /// Whether a nominee was judged on every split.
    pub(super) fn is_complete(&self, nominee: &Nominee) -> bool {
        !self.splits.is_empty() && nominee.covered.len() == self.splits.len()
    }

    /// Whether a nominee was judged on every split and made no error.
    pub(super) fn is_flawless(&self, nominee: &Nominee) -> bool {
        self.is_complete(nominee) && {
            let all: Vec<usize> = (0..self.splits.len()).collect();
            let found = self.held_out(nominee, &all);
            found.positive == found.positives && found.negative == 0
        }
    }

    /// Returns the nominees in the order of their quality on the test examples of some splits; ties go to the
    /// shorter expression. The preferred method comes first unless the best one is clearly better. Nominees
    /// that were not judged on every split come after those that were, in the order of their quality on all
    /// examples.
    pub(super) fn ranked<'a>(
        &self,
        nominees: &'a [Nominee],
        splits: &[usize],
        measure: Metric,
    ) -> Vec<(&'a Nominee, Option<HeldOut>)> {
        let judge = |nominee: &'a Nominee| {
            (nominee, self.is_complete(nominee).then(|| self.held_out(nominee, splits)))
        };
        let mut judged: Vec<(&Nominee, Option<HeldOut>)> = nominees.iter().map(judge).collect();
        judged.sort_by_key(|(nominee, _)| nominee.length);
        let unjudged = |(nominee, held_out): &(&Nominee, Option<HeldOut>)| match held_out {
            Some(_) => 0.0,
            None => nominee.quality,
        };
        judged.sort_by(|left, right| unjudged(right).total_cmp(&unjudged(left)));
        let value = |held_out: &Option<HeldOut>| {
            held_out.map_or(f64::NEG_INFINITY, |held_out| quality(&held_out, measure))
        };
        judged.sort_by(|left, right| value(&right.1).total_cmp(&value(&left.1)));
        let is_preferred = |(nominee, held_out): &(&Nominee, Option<HeldOut>)| {
            held_out.is_some() && nominee.method == PREFERRED
        };
        if let Some(place) = judged.iter().position(is_preferred)
            && !is_clearly_better(&self.differences(judged[0].0, judged[place].0, splits, measure))
        {
            judged[..=place].rotate_right(1);
        }
        judged
    }

    /// Returns by how much one nominee is better than another on the test examples of each split.
    fn differences(
        &self,
        one: &Nominee,
        other: &Nominee,
        splits: &[usize],
        measure: Metric,
    ) -> Vec<f64> {
        let on = |nominee, split| quality(&self.held_out(nominee, &[split]), measure);
        splits.iter().map(|&split| on(one, split) - on(other, split)).collect()
    }

    /// Returns for each split the nominee that is best on the other splits, so that the choice of the method
    /// is part of what is judged. `None` if the comparison is not complete.
    pub(super) fn choices<'a>(
        &self,
        nominees: &'a [Nominee],
        measure: Metric,
    ) -> Option<Vec<&'a Nominee>> {
        if self.splits.is_empty() || !nominees.iter().all(|nominee| self.is_complete(nominee)) {
            return None;
        }
        let chosen = |split: usize| {
            let others: Vec<usize> =
                (0..self.splits.len()).filter(|&other| other != split).collect();
            self.ranked(nominees, &others, measure).first().map(|&(best, _)| best)
        };
        (0..self.splits.len()).map(chosen).collect()
    }

    /// Whether covered examples, perhaps from a damaged file, are test examples.
    pub(super) fn are_possible(&self, nominee: &Nominee) -> bool {
        nominee.covered.len() <= self.splits.len()
            && nominee.covered.iter().zip(&self.splits).all(|(covered, split)| {
                covered.is_sorted_by(|left, right| left < right)
                    && covered.iter().all(|one| split.test.binary_search(one).is_ok())
            })
    }
}
