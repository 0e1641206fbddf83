//! Counts of actual against predicted classes, for any number of classes.

use super::{Confusion, share};
use serde::{Deserialize, Serialize};

/// The most classes that are counted; the table has the square of this.
pub const MAX_CLASSES: usize = 4096;

/// How often each class was taken for each class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Vec<u64>>", into = "Vec<Vec<u64>>")]
pub struct ConfusionMatrix {
    classes: usize,
    /// Row by row: the actual class is the row, the predicted class the column.
    counts: Vec<u64>,
}

/// Why classes could not be counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MatrixError {
    /// More classes than are counted.
    #[error("found {0} classes, at most {MAX_CLASSES} are counted")]
    TooManyClasses(usize),
    /// A code that is no class.
    #[error("found class code {code}, allowed 0 to below {classes}")]
    UnknownClass {
        /// The code found.
        code: u32,
        /// How many classes there are.
        classes: usize,
    },
    /// Lists of different lengths.
    #[error(
        "found {actual} actual classes and {predicted} predicted ones, allowed as many of each"
    )]
    Lengths {
        /// How many actual classes were given.
        actual: usize,
        /// How many predictions were given.
        predicted: usize,
    },
    /// A stored table that is not square.
    #[error(
        "a row of the confusion matrix has {found} counts, allowed {classes} as there are rows"
    )]
    NotSquare {
        /// How many counts the row has.
        found: usize,
        /// How many rows the table has.
        classes: usize,
    },
}

/// What one class of a [`ConfusionMatrix`] got.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassScore {
    /// Of those called this class, the share that is of this class (0 if none was).
    pub precision: f64,
    /// Of this class, the share that was called so (0 if there is none).
    pub recall: f64,
    /// 2 tp / (2 tp + fp + fn), 0 if all are 0.
    pub f1: f64,
    /// How many examples are of this class.
    pub support: u64,
}

impl ConfusionMatrix {
    /// An empty table.
    ///
    /// # Errors
    /// When there are more classes than [`MAX_CLASSES`].
    pub fn new(classes: usize) -> Result<Self, MatrixError> {
        if classes > MAX_CLASSES {
            return Err(MatrixError::TooManyClasses(classes));
        }
        Ok(Self { classes, counts: vec![0; classes * classes] })
    }

    /// The table of counts: by actual class, how many examples each class was predicted for.
    ///
    /// # Errors
    /// When there are too many classes, or not as many counts as pairs of them.
    pub fn from_counts(classes: usize, counts: Vec<u64>) -> Result<Self, MatrixError> {
        let empty = Self::new(classes)?;
        if counts.len() != empty.counts.len() {
            return Err(MatrixError::NotSquare { found: counts.len() / classes.max(1), classes });
        }
        Ok(Self { counts, ..empty })
    }

    /// The table of two lists of class codes, one entry per example in each.
    ///
    /// # Errors
    /// When the lists differ in length or hold a code that is no class.
    pub fn from_codes(
        actual: &[u32],
        predicted: &[u32],
        classes: usize,
    ) -> Result<Self, MatrixError> {
        if actual.len() != predicted.len() {
            let (actual, predicted) = (actual.len(), predicted.len());
            return Err(MatrixError::Lengths { actual, predicted });
        }
        let mut matrix = Self::new(classes)?;
        for (&actual, &predicted) in actual.iter().zip(predicted) {
            matrix.record(actual, predicted)?;
        }
        Ok(matrix)
    }

    /// Counts one decision.
    ///
    /// # Errors
    /// When a code is no class.
    pub fn record(&mut self, actual: u32, predicted: u32) -> Result<(), MatrixError> {
        for code in [actual, predicted] {
            if code as usize >= self.classes {
                return Err(MatrixError::UnknownClass { code, classes: self.classes });
            }
        }
        self.counts[actual as usize * self.classes + predicted as usize] += 1;
        Ok(())
    }

    /// How many classes there are.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// How often `actual` was called `predicted`; 0 for codes that are no class.
    #[must_use]
    pub fn count(&self, actual: usize, predicted: usize) -> u64 {
        if actual < self.classes && predicted < self.classes {
            self.counts[actual * self.classes + predicted]
        } else {
            0
        }
    }

    /// How many examples were counted.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The two-class table of one class against the rest.
    #[must_use]
    pub fn against_rest(&self, class: usize) -> Confusion {
        let tp = self.count(class, class);
        let actual: u64 = (0..self.classes).map(|other| self.count(class, other)).sum();
        let called: u64 = (0..self.classes).map(|other| self.count(other, class)).sum();
        let (fp, fn_) = (called - tp, actual - tp);
        Confusion { tp, fp, tn: self.total() - tp - fp - fn_, fn_ }
    }

    /// Precision, recall and F1 of each class, by code.
    #[must_use]
    pub fn per_class(&self) -> Vec<ClassScore> {
        // Sums of rows and columns once, so that many classes do not take cubic time.
        let mut support = vec![0; self.classes];
        let mut called = vec![0; self.classes];
        for (cell, &count) in self.counts.iter().enumerate() {
            support[cell / self.classes] += count;
            called[cell % self.classes] += count;
        }
        (0..self.classes)
            .map(|class| {
                let hits = self.count(class, class) as f64;
                ClassScore {
                    precision: share(hits, called[class] as f64),
                    recall: share(hits, support[class] as f64),
                    f1: share(2.0 * hits, support[class] as f64 + called[class] as f64),
                    support: support[class],
                }
            })
            .collect()
    }

    /// The share that was right; 0 of nothing is 0.
    #[must_use]
    pub fn accuracy(&self) -> f64 {
        let right: u64 = (0..self.classes).map(|class| self.count(class, class)).sum();
        share(right as f64, self.total() as f64)
    }

    /// The trivial baseline: the share of the largest class, which saying nothing else would get
    /// right.
    #[must_use]
    pub fn baseline(&self) -> f64 {
        let largest = self.per_class().iter().map(|class| class.support).max().unwrap_or(0);
        share(largest as f64, self.total() as f64)
    }

    /// The mean recall of the classes that occur.
    #[must_use]
    pub fn balanced_accuracy(&self) -> f64 {
        mean(self.per_class().iter().filter(|class| class.support > 0).map(|class| class.recall))
    }

    /// The mean F1 of the classes that occur or were predicted.
    #[must_use]
    pub fn macro_f1(&self) -> f64 {
        let classes = self.per_class();
        let seen = classes.iter().enumerate().filter(|&(class, score)| {
            score.support > 0 || (0..self.classes).any(|actual| self.count(actual, class) > 0)
        });
        mean(seen.map(|(_, score)| score.f1))
    }

    /// F1 of all decisions together, which with one label per example is the accuracy.
    #[must_use]
    pub fn micro_f1(&self) -> f64 {
        self.accuracy()
    }

    /// The mean F1 of the classes, each weighted by how often it occurs.
    #[must_use]
    pub fn weighted_f1(&self) -> f64 {
        let sum: f64 = self.per_class().iter().map(|class| class.support as f64 * class.f1).sum();
        share(sum, self.total() as f64)
    }

    /// Cohen's kappa: how far the accuracy rises above the agreement expected by chance.
    #[must_use]
    pub fn kappa(&self) -> f64 {
        let n = self.total() as f64;
        let by_chance: f64 = (0..self.classes)
            .map(|class| {
                let called: u64 = (0..self.classes).map(|actual| self.count(actual, class)).sum();
                let actual: u64 = (0..self.classes).map(|called| self.count(class, called)).sum();
                share(actual as f64, n) * share(called as f64, n)
            })
            .sum();
        share(self.accuracy() - by_chance, 1.0 - by_chance)
    }
}

/// The mean, 0 of nothing.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    share(sum, count)
}

impl From<ConfusionMatrix> for Vec<Vec<u64>> {
    fn from(matrix: ConfusionMatrix) -> Self {
        matrix.counts.chunks(matrix.classes.max(1)).map(<[u64]>::to_vec).collect()
    }
}

impl TryFrom<Vec<Vec<u64>>> for ConfusionMatrix {
    type Error = MatrixError;

    fn try_from(rows: Vec<Vec<u64>>) -> Result<Self, MatrixError> {
        let classes = rows.len();
        let mut matrix = Self::new(classes)?;
        for (row, into) in rows.iter().zip(matrix.counts.chunks_mut(classes.max(1))) {
            if row.len() != classes {
                return Err(MatrixError::NotSquare { found: row.len(), classes });
            }
            into.copy_from_slice(row);
        }
        Ok(matrix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Metric;
    use proptest::prelude::*;

    #[test]
    fn three_classes_by_hand() {
        let actual = [0, 0, 0, 0, 1, 1, 1, 2, 2, 2];
        let predicted = [0, 0, 0, 1, 1, 1, 0, 2, 2, 0];
        let matrix = ConfusionMatrix::from_codes(&actual, &predicted, 3).expect("codes below 3");
        let close = |found: f64, expected: f64| {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}")
        };
        close(matrix.accuracy(), 0.7);
        close(matrix.baseline(), 0.4);
        close(matrix.balanced_accuracy(), (0.75 + 2.0 / 3.0 + 2.0 / 3.0) / 3.0);
        let f1 = [6.0 / 9.0, 4.0 / 6.0, 4.0 / 5.0];
        close(matrix.macro_f1(), f1.iter().sum::<f64>() / 3.0);
        close(matrix.weighted_f1(), (4.0 * f1[0] + 3.0 * f1[1] + 3.0 * f1[2]) / 10.0);
        close(matrix.kappa(), (0.7 - (20.0 + 9.0 + 6.0) / 100.0) / (1.0 - 0.35));
        assert_eq!(matrix.against_rest(0), Confusion { tp: 3, fp: 2, tn: 4, fn_: 1 });
        let json = serde_json::to_string(&matrix).expect("plain data");
        assert_eq!(json, "[[3,1,0],[1,2,0],[1,0,2]]");
        assert_eq!(
            serde_json::from_str::<ConfusionMatrix>(&json).expect("what was written"),
            matrix
        );
    }

    #[test]
    fn wrong_tables_are_refused() {
        assert_eq!(ConfusionMatrix::new(5000), Err(MatrixError::TooManyClasses(5000)));
        let unknown = ConfusionMatrix::from_codes(&[0], &[2], 2).expect_err("no class 2");
        assert_eq!(unknown.to_string(), "found class code 2, allowed 0 to below 2");
        assert!(ConfusionMatrix::from_codes(&[0], &[], 2).is_err());
        assert!(serde_json::from_str::<ConfusionMatrix>("[[1,2],[3]]").is_err());
        let empty = ConfusionMatrix::new(0).expect("no classes");
        assert_eq!((empty.accuracy(), empty.macro_f1(), empty.kappa()), (0.0, 0.0, 0.0));
    }

    proptest! {
        #[test]
        fn two_classes_agree_with_the_two_class_table(pairs in prop::collection::vec((0_u32..2, 0_u32..2), 1..60)) {
            let (actual, predicted): (Vec<u32>, Vec<u32>) = pairs.into_iter().unzip();
            let matrix = ConfusionMatrix::from_codes(&actual, &predicted, 2).expect("codes below 2");
            let two = matrix.against_rest(1);
            prop_assert!((matrix.accuracy() - two.accuracy()).abs() < 1e-12);
            prop_assert!((matrix.kappa() - two.kappa()).abs() < 1e-9);
            prop_assert!((matrix.per_class()[1].f1 - Metric::F1.of(&two)).abs() < 1e-12);
            if two.positives() > 0.0 && two.negatives() > 0.0 {
                prop_assert!((matrix.balanced_accuracy() - Metric::BalancedAccuracy.of(&two)).abs() < 1e-12);
            }
        }
    }
}
