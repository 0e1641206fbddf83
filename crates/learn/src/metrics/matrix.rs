//! The confusion matrix of any number of classes.

use super::{Confusion, share};
use serde::{Deserialize, Serialize};

/// The maximum number of classes; the matrix has the square of it.
pub const MAX_CLASSES: usize = 4096;

/// The number of examples by actual and predicted class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Vec<u64>>", into = "Vec<Vec<u64>>")]
pub struct ConfusionMatrix {
    classes: usize,
    /// Row by row: the actual class is the row, the predicted class the column.
    counts: Vec<u64>,
}

/// Why a confusion matrix could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MatrixError {
    /// Too many classes.
    #[error("found {0} classes; expected at most {MAX_CLASSES}")]
    TooManyClasses(usize),
    /// An invalid class code.
    #[error("found class code {code}; expected a code less than {classes}")]
    UnknownClass {
        /// The code found.
        code: u32,
        /// The number of classes.
        classes: usize,
    },
    /// Lists of different lengths.
    #[error(
        "found {actual} actual and {predicted} predicted classes; expected the same number of each"
    )]
    Lengths {
        /// The number of actual classes.
        actual: usize,
        /// The number of predicted classes.
        predicted: usize,
    },
    /// A stored matrix that is not square.
    #[error("a row of the confusion matrix has {found} counts; expected {classes}")]
    NotSquare {
        /// The number of counts in the row.
        found: usize,
        /// The number of rows.
        classes: usize,
    },
}

/// The metrics of one class of a [`ConfusionMatrix`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassScore {
    /// The share of the examples predicted as this class that have it (0 if there are none).
    pub precision: f64,
    /// The share of the examples of this class that are predicted as it (0 if there are none).
    pub recall: f64,
    /// 2 tp / (2 tp + fp + fn), 0 if all are 0.
    pub f1: f64,
    /// The number of examples of this class.
    pub support: u64,
}

impl ConfusionMatrix {
    /// Returns an empty matrix.
    ///
    /// # Errors
    /// If there are more classes than [`MAX_CLASSES`].
    pub fn new(classes: usize) -> Result<Self, MatrixError> {
        if classes > MAX_CLASSES {
            return Err(MatrixError::TooManyClasses(classes));
        }
        Ok(Self { classes, counts: vec![0; classes * classes] })
    }

    /// Returns the matrix with these counts, row by row; rows are actual classes.
    ///
    /// # Errors
    /// If there are too many classes, or the number of counts is not their square.
    pub fn from_counts(classes: usize, counts: Vec<u64>) -> Result<Self, MatrixError> {
        let empty = Self::new(classes)?;
        if counts.len() != empty.counts.len() {
            return Err(MatrixError::NotSquare { found: counts.len() / classes.max(1), classes });
        }
        Ok(Self { counts, ..empty })
    }

    /// Returns the matrix of two lists of class codes, with one entry per example.
    ///
    /// # Errors
    /// If the lists differ in length or have an invalid code.
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
    /// If a code is invalid.
    pub fn record(&mut self, actual: u32, predicted: u32) -> Result<(), MatrixError> {
        for code in [actual, predicted] {
            if code as usize >= self.classes {
                return Err(MatrixError::UnknownClass { code, classes: self.classes });
            }
        }
        self.counts[actual as usize * self.classes + predicted as usize] += 1;
        Ok(())
    }

    /// Returns the number of classes.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// Returns the number of examples of `actual` predicted as `predicted`; 0 for invalid codes.
    #[must_use]
    pub fn count(&self, actual: usize, predicted: usize) -> u64 {
        if actual < self.classes && predicted < self.classes {
            self.counts[actual * self.classes + predicted]
        } else {
            0
        }
    }

    /// Returns the number of examples.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the two-class counts of one class against the rest.
    #[must_use]
    pub fn against_rest(&self, class: usize) -> Confusion {
        let tp = self.count(class, class);
        let actual: u64 = (0..self.classes).map(|other| self.count(class, other)).sum();
        let predicted: u64 = (0..self.classes).map(|other| self.count(other, class)).sum();
        let (fp, fn_) = (predicted - tp, actual - tp);
        Confusion { tp, fp, tn: self.total() - tp - fp - fn_, fn_ }
    }

    /// Returns precision, recall and F1 of each class, by code.
    #[must_use]
    pub fn per_class(&self) -> Vec<ClassScore> {
        // Compute row and column sums once to avoid cubic time.
        let mut support = vec![0; self.classes];
        let mut predicted = vec![0; self.classes];
        for (cell, &count) in self.counts.iter().enumerate() {
            support[cell / self.classes] += count;
            predicted[cell % self.classes] += count;
        }
        (0..self.classes)
            .map(|class| {
                let hits = self.count(class, class) as f64;
                ClassScore {
                    precision: share(hits, predicted[class] as f64),
                    recall: share(hits, support[class] as f64),
                    f1: share(2.0 * hits, support[class] as f64 + predicted[class] as f64),
                    support: support[class],
                }
            })
            .collect()
    }

    /// Returns the accuracy; 0 without examples.
    #[must_use]
    pub fn accuracy(&self) -> f64 {
        let correct: u64 = (0..self.classes).map(|class| self.count(class, class)).sum();
        share(correct as f64, self.total() as f64)
    }

    /// Returns the baseline: the share of the largest class.
    #[must_use]
    pub fn baseline(&self) -> f64 {
        let largest = self.per_class().iter().map(|class| class.support).max().unwrap_or(0);
        share(largest as f64, self.total() as f64)
    }

    /// Returns the mean recall of the classes that occur.
    #[must_use]
    pub fn balanced_accuracy(&self) -> f64 {
        mean(self.per_class().iter().filter(|class| class.support > 0).map(|class| class.recall))
    }

    /// Returns the mean F1 of the classes that occur or are predicted.
    #[must_use]
    pub fn macro_f1(&self) -> f64 {
        let classes = self.per_class();
        let seen = classes.iter().enumerate().filter(|&(class, score)| {
            score.support > 0 || (0..self.classes).any(|actual| self.count(actual, class) > 0)
        });
        mean(seen.map(|(_, score)| score.f1))
    }

    /// Returns F1 over all decisions, which equals the accuracy for one label per example.
    #[must_use]
    pub fn micro_f1(&self) -> f64 {
        self.accuracy()
    }

    /// Returns the mean F1 of the classes, weighted by their number of examples.
    #[must_use]
    pub fn weighted_f1(&self) -> f64 {
        let sum: f64 = self.per_class().iter().map(|class| class.support as f64 * class.f1).sum();
        share(sum, self.total() as f64)
    }

    /// Returns Cohen's kappa: the agreement beyond chance.
    #[must_use]
    pub fn kappa(&self) -> f64 {
        let n = self.total() as f64;
        let by_chance: f64 = (0..self.classes)
            .map(|class| {
                let predicted: u64 =
                    (0..self.classes).map(|actual| self.count(actual, class)).sum();
                let actual: u64 =
                    (0..self.classes).map(|predicted| self.count(class, predicted)).sum();
                share(actual as f64, n) * share(predicted as f64, n)
            })
            .sum();
        share(self.accuracy() - by_chance, 1.0 - by_chance)
    }
}

/// Returns the mean; 0 for no values.
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
    fn invalid_matrices_are_rejected() {
        assert_eq!(ConfusionMatrix::new(5000), Err(MatrixError::TooManyClasses(5000)));
        let unknown = ConfusionMatrix::from_codes(&[0], &[2], 2).expect_err("no class 2");
        assert_eq!(unknown.to_string(), "found class code 2; expected a code less than 2");
        assert!(ConfusionMatrix::from_codes(&[0], &[], 2).is_err());
        assert!(serde_json::from_str::<ConfusionMatrix>("[[1,2],[3]]").is_err());
        let empty = ConfusionMatrix::new(0).expect("no classes");
        assert_eq!((empty.accuracy(), empty.macro_f1(), empty.kappa()), (0.0, 0.0, 0.0));
    }

    proptest! {
        #[test]
        fn two_classes_agree_with_the_two_class_counts(
            pairs in prop::collection::vec((0_u32..2, 0_u32..2), 1..60),
        ) {
            let (actual, predicted): (Vec<u32>, Vec<u32>) = pairs.into_iter().unzip();
            let matrix = ConfusionMatrix::from_codes(&actual, &predicted, 2).expect("codes below 2");
            let two = matrix.against_rest(1);
            prop_assert!((matrix.accuracy() - two.accuracy()).abs() < 1e-12);
            prop_assert!((matrix.kappa() - two.kappa()).abs() < 1e-9);
            prop_assert!((matrix.per_class()[1].f1 - Metric::F1.of(&two)).abs() < 1e-12);
            if two.positives() > 0.0 && two.negatives() > 0.0 {
                let balanced = Metric::BalancedAccuracy.of(&two);
                prop_assert!((matrix.balanced_accuracy() - balanced).abs() < 1e-12);
            }
        }
    }
}
