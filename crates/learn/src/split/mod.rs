//! Splitting examples into a part to learn from and a part to judge by.
//!
//! [`Folds`] is repeated stratified cross-validation, [`holdout`] a single split,
//! [`CrossValidation`] what came of it. An example is whatever is predicted as a whole: a row, or a
//! bag of rows. Examples that belong together (visits of one patient, copies of one row) are groups, which no split cuts.
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
mod in_turn;
mod summary;

pub use folds::Folds;
pub use holdout::holdout;
pub use in_turn::in_turn;
pub use summary::{CrossValidation, FoldScore, Spread};

use std::collections::BTreeMap;

/// The examples to learn from and to judge by, as ascending indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// Which repetition of the cross-validation this belongs to, from 0.
    pub repeat: usize,
    /// Which fold is judged, from 0.
    pub fold: usize,
    /// The examples to learn from.
    pub train: Vec<u32>,
    /// The examples to judge by.
    pub test: Vec<u32>,
}

impl Split {
    /// The trivial baseline of this split: how often the class that is most common among the
    /// training examples is right on the test examples. Of equally common classes the smallest code
    /// counts.
    ///
    /// `codes` is the list the split was made of; examples beyond its end count as wrong.
    #[must_use]
    pub fn baseline(&self, codes: &[u32]) -> f64 {
        let code = |example: &u32| codes.get(*example as usize).copied();
        let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
        for class in self.train.iter().filter_map(code) {
            *counts.entry(class).or_default() += 1;
        }
        let largest = counts.into_iter().rev().max_by_key(|&(_, count)| count);
        let right = self.test.iter().filter(|e| code(e) == largest.map(|(class, _)| class)).count();
        if self.test.is_empty() { 0.0 } else { right as f64 / self.test.len() as f64 }
    }
}

/// Why examples could not be split.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SplitError {
    /// Too few folds to have anything to learn from.
    #[error("folds: found {0}, allowed 2 or more")]
    TooFewFolds(usize),
    /// Some folds would be empty.
    #[error("folds: found {folds}, allowed at most {examples}, as there are only so many examples")]
    TooManyFolds {
        /// The folds asked for.
        folds: usize,
        /// The examples there are.
        examples: usize,
    },
    /// Some folds would have no group.
    #[error("folds: found {folds}, allowed at most {groups}, as there are only so many groups")]
    FewGroups {
        /// The folds asked for.
        folds: usize,
        /// The groups there are.
        groups: usize,
    },
    /// A class that would have nothing to learn from when its only group is judged.
    #[error(
        "class '{class}' occurs in a single group, at least 2 are needed for {folds} folds; it can be learned or judged, not both"
    )]
    LonelyGroup {
        /// The class, by code or name.
        class: String,
        /// The folds asked for.
        folds: usize,
    },
    /// More splits than can be counted.
    #[error("found {folds} folds and {repeats} repeats, allowed at most 4294967295 in all")]
    TooManySplits {
        /// The folds asked for.
        folds: usize,
        /// The repeats asked for.
        repeats: usize,
    },
    /// No repetition at all.
    #[error("repeats: found 0, allowed 1 or more")]
    NoRepeats,
    /// More examples than indices.
    #[error("found {0} examples, allowed at most 4294967295")]
    TooManyExamples(usize),
    /// A class that would have nothing to learn from when it is judged.
    #[error(
        "class '{class}' has 1 example, at least 2 are needed for {folds} folds; add examples of it or leave it out"
    )]
    LonelyClass {
        /// The class, by code or name.
        class: String,
        /// The folds asked for.
        folds: usize,
    },
    /// A share that leaves one side empty.
    #[error("test fraction: found {0}, allowed more than 0, less than 1")]
    Fraction(f64),
    /// Too few examples for two sides.
    #[error("found {0} examples, at least 2 are needed to hold some out")]
    TooFewExamples(usize),
}

impl SplitError {
    /// The same error with the name of the class in place of its code.
    #[must_use]
    pub fn named(self, names: &[impl AsRef<str>]) -> Self {
        let name = |class: String| {
            let name = class.parse::<usize>().ok().and_then(|code| names.get(code));
            name.map_or(class.clone(), |name| name.as_ref().to_owned())
        };
        match self {
            SplitError::LonelyClass { class, folds } => {
                SplitError::LonelyClass { class: name(class), folds }
            }
            SplitError::LonelyGroup { class, folds } => {
                SplitError::LonelyGroup { class: name(class), folds }
            }
            other => other,
        }
    }
}

/// The examples of each class, in order of the class codes.
fn by_class(codes: &[u32]) -> Result<BTreeMap<u32, Vec<u32>>, SplitError> {
    let mut classes: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (example, &code) in codes.iter().enumerate() {
        let example =
            u32::try_from(example).map_err(|_| SplitError::TooManyExamples(codes.len()))?;
        classes.entry(code).or_default().push(example);
    }
    Ok(classes)
}
