//! The queries to the parts.
//!
//! A query contains everything that is needed to answer it, apart from the plans. A part that was
//! restarted receives the plans again and then answers as before.

use crate::evaluator::HALVES;
use crate::prepare::from_counts::OutOfFold;
use pellucid_forward::Shape;
use pellucid_forward::elsewhere::Around;
use serde::{Deserialize, Serialize};

/// The inputs with the training rows; those with the held-out rows come next.
pub(super) const TRAINING: usize = 0;
/// Stands for all rows, prepared like new rows.
pub(super) const ALL: usize = 2;

/// The number of values of a digit in the search for quantiles, and the number of its bits.
pub(super) const DIGITS: usize = 1 << DIGIT;
pub(super) const DIGIT: u32 = 8;

/// A query. Answers are lists of words. Counts are summed over the parts; other answers are
/// concatenated.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Query {
    /// The class of each row, packed.
    Labels,
    /// The sum of digests of rows.
    Print,
    /// Counts over the training rows, column by column. For numbers: finite and infinite ones. For
    /// booleans: false and true ones. For categories: positive and negative rows by code (missing
    /// comes last) and fold.
    Counts,
    /// For numbers in the training rows with a given prefix, how many continue with each digit.
    Digits(Vec<DigitPrefix>),
    /// The inputs of training rows given by number, packed.
    Sample(Vec<u32>),
    /// Counts of scores around thresholds.
    Around(Around),
    /// The scores of a network for a set of inputs, packed.
    Scores(usize, Shape, Vec<f32>),
    /// The values of rows given by number, one word per column.
    Values(Vec<u32>),
}

/// A prefix of the digits of finite numbers in a column. Numbers are encoded as words in ascending
/// order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct DigitPrefix {
    pub(super) column: usize,
    pub(super) digits: u32,
    pub(super) with: u64,
}

impl DigitPrefix {
    /// Returns the prefix, or `None` if no digit is left.
    pub(super) fn checked(self) -> Option<DigitPrefix> {
        (self.digits < u64::BITS / DIGIT).then_some(self)
    }

    /// Returns the next digit of a number if it has this prefix.
    pub(super) fn next(&self, number: f64) -> Option<usize> {
        let word = ascending(number);
        let known = DIGIT * self.digits;
        let begins = word.checked_shr(u64::BITS - known).unwrap_or(0);
        let next = (word << known) >> (u64::BITS - DIGIT);
        (begins == self.with).then_some(usize::try_from(next).ok()?)
    }
}

/// Encodes a number as a word; the order is kept.
pub(super) fn ascending(number: f64) -> u64 {
    let bits = number.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// Decodes a word.
pub(super) fn number(word: u64) -> f64 {
    f64::from_bits(if word >> 63 == 1 { word & !(1 << 63) } else { !word })
}

/// A plan that all parts remember.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Plan {
    /// The roles of all rows.
    Split {
        /// The number of the first row of each part.
        starts: Vec<usize>,
        /// The role of each row.
        roles: Vec<RowRole>,
        /// The number of folds.
        folds: usize,
    },
    /// The preparation of the inputs.
    Prepared {
        /// The preparation, as in a model file.
        preparation: String,
        /// The out-of-fold encoding of each input for training rows.
        training: Vec<OutOfFold>,
    },
}

/// The role of a row: its fold if it is a training row, whether it is held out, and the halves that
/// contain it.
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
        fn digits_encode_the_number(number in prop::num::f64::ANY) {
            prop_assume!(!number.is_nan());
            let mut found = 0;
            for digits in 0..u64::BITS / DIGIT {
                let next = DigitPrefix { column: 0, digits, with: found }.next(number);
                found = found << DIGIT | next.expect("a matching prefix") as u64;
            }
            prop_assert_eq!(super::number(found).to_bits(), number.to_bits());
        }

        #[test]
        fn roles_are_read_back(fold in prop::option::of(0_u32..5), held_out: bool, half in 0..HALVES) {
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
