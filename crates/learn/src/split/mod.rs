//! Splits of examples into training and test data.
//!
//! [`Folds`] is repeated stratified cross-validation, [`holdout`] a single split and
//! [`CrossValidation`] the result. An example is a row, or a bag of rows. Examples that belong
//! together (visits of one patient, copies of one row) form groups, which are never split.
//!
//! ```
//! use pellucid_learn::split::Folds;
//!
//! let classes = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1];
//! let folds = Folds::stratified(&classes, 2, 1, 42)?;
//! for split in folds.iter() {
//!     assert_eq!((split.train.len(), split.test.len()), (5, 5));
//!     assert_eq!(split.test.iter().filter(|&&i| classes[i as usize] == 1).count(), 2);
//! }
//! # Ok::<(), pellucid_learn::split::SplitError>(())
//! ```

mod folds;
mod groups;
mod holdout;
mod parallel_map;
mod rare_classes;
mod summary;

pub use folds::Folds;
pub use holdout::holdout;
pub use parallel_map::parallel_map;
pub use rare_classes::with_rare_classes_joined;
pub use summary::{CrossValidation, FoldScore, Spread};

use std::collections::BTreeMap;

/// The training and test examples, as ascending indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The repetition of the cross-validation, from 0.
    pub repeat: usize,
    /// The test fold, from 0.
    pub fold: usize,
    /// The training examples.
    pub train: Vec<u32>,
    /// The test examples.
    pub test: Vec<u32>,
}

impl Split {
    /// Returns the baseline of this split: the accuracy on the test examples of always predicting the
    /// most common class of the training examples (in a tie, the smallest code).
    ///
    /// `codes` are the classes of all examples; examples beyond its end count as wrong.
    #[must_use]
    pub fn baseline(&self, codes: &[u32]) -> f64 {
        let code = |example: &u32| codes.get(*example as usize).copied();
        let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
        for class in self.train.iter().filter_map(code) {
            *counts.entry(class).or_default() += 1;
        }
        let largest = counts.into_iter().rev().max_by_key(|&(_, count)| count);
        let majority = largest.map(|(class, _)| class);
        let correct = self.test.iter().filter(|example| code(example) == majority).count();
        if self.test.is_empty() { 0.0 } else { correct as f64 / self.test.len() as f64 }
    }
}

/// Why examples could not be split.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SplitError {
    /// Fewer than two folds.
    #[error("folds: found {0}; expected at least 2")]
    TooFewFolds(usize),
    /// More folds than examples.
    #[error("folds: found {folds}; expected at most {examples}, the number of examples")]
    TooManyFolds {
        /// The number of folds.
        folds: usize,
        /// The number of examples.
        examples: usize,
    },
    /// More folds than groups.
    #[error("folds: found {folds}; expected at most {groups}, the number of groups")]
    TooFewGroups {
        /// The number of folds.
        folds: usize,
        /// The number of groups.
        groups: usize,
    },
    /// A class whose examples are all in one group.
    #[error(
        "class '{class}' occurs in a single group; {folds} folds need at least 2 groups, so that it \
         occurs in training and test folds"
    )]
    SingleGroup {
        /// The class, by code or name.
        class: String,
        /// The number of folds.
        folds: usize,
    },
    /// Too many splits.
    #[error("found {folds} folds and {repeats} repeats; expected at most 4294967295 in total")]
    TooManySplits {
        /// The number of folds.
        folds: usize,
        /// The number of repeats.
        repeats: usize,
    },
    /// No repeats.
    #[error("repeats: found 0; expected at least 1")]
    NoRepeats,
    /// Too many examples for 32-bit indices.
    #[error("found {0} examples; expected at most 4294967295")]
    TooManyExamples(usize),
    /// A class with a single example.
    #[error(
        "class '{class}' has 1 example; {folds} folds need at least 2; add examples of it or drop it"
    )]
    SingleExample {
        /// The class, by code or name.
        class: String,
        /// The number of folds.
        folds: usize,
    },
    /// A test fraction that leaves one side empty.
    #[error("test fraction: found {0}; expected a number greater than 0 and less than 1")]
    Fraction(f64),
    /// Too few examples to hold some out.
    #[error("found {0} examples; expected at least 2 to hold some out")]
    TooFewExamples(usize),
}

impl SplitError {
    /// Returns the error with the name of the class in place of its code.
    #[must_use]
    pub fn named(self, names: &[impl AsRef<str>]) -> Self {
        let name = |class: String| {
            let name = class.parse::<usize>().ok().and_then(|code| names.get(code));
            name.map_or(class.clone(), |name| name.as_ref().to_owned())
        };
        match self {
            SplitError::SingleExample { class, folds } => {
                SplitError::SingleExample { class: name(class), folds }
            }
            SplitError::SingleGroup { class, folds } => {
                SplitError::SingleGroup { class: name(class), folds }
            }
            other => other,
        }
    }
}

/// Returns the examples of each class, in order of the class codes.
fn by_class(codes: &[u32]) -> Result<BTreeMap<u32, Vec<u32>>, SplitError> {
    let mut classes: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (example, &code) in codes.iter().enumerate() {
        let example =
            u32::try_from(example).map_err(|_| SplitError::TooManyExamples(codes.len()))?;
        classes.entry(code).or_default().push(example);
    }
    Ok(classes)
}
