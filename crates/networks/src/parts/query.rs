//! What is asked of those who have the rows.
//!
//! A question says all that is needed to answer it, beside the plans: who was started again since the last one, and has forgotten everything,
//! is told the plans again and answers as before.

use crate::evaluator::HALVES;
use crate::prepare::from_counts::OutOfFold;
use pellucid_forward::Shape;
use pellucid_forward::elsewhere::Around;
use serde::{Deserialize, Serialize};

/// The number of the inputs that networks are bred on; the next are those that the best are looked at on.
pub(super) const TRAINING: usize = 0;
/// The number that stands for all rows, written as new ones are.
pub(super) const ALL: usize = 2;

/// How many values a digit has by which numbers are looked for, and how many bits it is.
pub(super) const DIGITS: usize = 1 << DIGIT;
pub(super) const DIGIT: u32 = 8;

/// A question. Answers are words; counts add up over all who answer, others are put one behind the other.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Query {
    /// The class of each row, packed.
    Labels,
    /// The sum of digests of rows.
    Print,
    /// What is in the columns of the training rows. Of numbers how many are finite and how many infinite; of truth values how many are false and how many true; of
    /// words by code, and last where it is missing, then by fold, how many rows are positive and how many not.
    Counts,
    /// Of numbers in the training rows that begin so, how many go on with each digit.
    Digits(Vec<DigitPrefix>),
    /// Of training rows by number, the inputs of each, packed.
    Sample(Vec<u32>),
    /// Scores of networks around thresholds.
    Around(Around),
    /// The scores of a network for some inputs, packed.
    Scores(usize, Shape, Vec<f32>),
    /// Rows by number, each column a word.
    Values(Vec<u32>),
}

/// Finite numbers of a column that begin with so many digits, as words that grow with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct DigitPrefix {
    pub(super) column: usize,
    pub(super) digits: u32,
    pub(super) with: u64,
}

impl DigitPrefix {
    /// The same, unless there is no digit left.
    pub(super) fn checked(self) -> Option<DigitPrefix> {
        (self.digits < u64::BITS / DIGIT).then_some(self)
    }

    /// The next digit of a number that begins so.
    pub(super) fn next(&self, number: f64) -> Option<usize> {
        let word = ascending(number);
        let known = DIGIT * self.digits;
        let begins = word.checked_shr(u64::BITS - known).unwrap_or(0);
        let next = (word << known) >> (u64::BITS - DIGIT);
        (begins == self.with).then_some(usize::try_from(next).ok()?)
    }
}

/// A number as a word that grows with it.
pub(super) fn ascending(number: f64) -> u64 {
    let bits = number.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// The number of such a word.
pub(super) fn number(word: u64) -> f64 {
    f64::from_bits(if word >> 63 == 1 { word & !(1 << 63) } else { !word })
}

/// What all who answer know from a certain time on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Plan {
    /// What becomes of rows.
    Split {
        /// By answerer its first row among all.
        starts: Vec<usize>,
        /// By row.
        roles: Vec<RowRole>,
        /// How many folds there are.
        folds: usize,
    },
    /// How rows are written.
    Prepared {
        /// As in a model file.
        preparation: String,
        /// By input how training rows are written.
        training: Vec<OutOfFold>,
    },
}

/// What becomes of a row: its fold, if networks are bred on it; whether it is held out, and in which halves it is then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RowRole(u32);

const FOLD: u32 = 24;
const IS_HELD_OUT: u32 = 1 << 23;
const _: () = assert!(HALVES <= 23, "a bit for each half");

impl RowRole {
    pub(super) fn train(&mut self, fold: u32) {
        self.0 |= (fold + 1) << FOLD;
    }

    pub(super) fn hold_out(&mut self) {
        self.0 |= IS_HELD_OUT;
    }

    pub(super) fn put_in_half(&mut self, half: usize) {
        self.0 |= 1 << half;
    }

    pub(super) fn fold(self) -> Option<usize> {
        ((self.0 >> FOLD) as usize).checked_sub(1)
    }

    pub(super) fn is_held_out(self) -> bool {
        self.0 & IS_HELD_OUT != 0
    }

    pub(super) fn is_in_half(self, half: usize) -> bool {
        self.0 >> half & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn digits_lead_to_the_number(number in prop::num::f64::ANY) {
            prop_assume!(!number.is_nan());
            let mut found = 0;
            for digits in 0..u64::BITS / DIGIT {
                let next = DigitPrefix { column: 0, digits, with: found }.next(number);
                found = found << DIGIT | next.expect("it begins so") as u64;
            }
            prop_assert_eq!(super::number(found).to_bits(), number.to_bits());
        }

        #[test]
        fn marks_are_read_back(fold in prop::option::of(0_u32..5), held_out: bool, half in 0..HALVES) {
            let mut role = RowRole::default();
            if let Some(fold) = fold {
                role.train(fold);
            }
            if held_out {
                role.hold_out();
                role.put_in_half(half);
            }
            prop_assert_eq!(role.fold(), fold.map(|fold| fold as usize));
            prop_assert_eq!(role.is_held_out(), held_out);
            for other in 0..HALVES {
                prop_assert_eq!(role.is_in_half(other), held_out && other == half);
            }
        }
    }
}
