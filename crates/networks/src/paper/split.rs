//! Splits rows into training and held-out rows by their classes.

use pellucid_bits::as_u32;
use pellucid_learn::split::{Folds, holdout};

/// The share of held-out rows.
const HELD_OUT: f64 = 0.3;
/// The number of folds for out-of-fold preparation of the training rows.
const FOLDS: usize = 5;

/// A split into training and held-out rows, by row number.
pub(crate) struct Split {
    /// The training rows.
    pub(crate) train: Vec<u32>,
    /// The held-out rows.
    pub(crate) test: Vec<u32>,
}

impl Split {
    /// Holds out some rows of each class, or whole groups of rows. If a class has too few rows or
    /// groups, all rows are used for both.
    pub(crate) fn new(codes: &[u32], groups: Option<&[u32]>, seed: u64) -> Split {
        let has_both = |rows: &[u32]| {
            let positives = rows.iter().filter(|&&row| codes[row as usize] == 1).count();
            positives > 0 && positives < rows.len()
        };
        let split = match groups {
            None => holdout(codes, HELD_OUT, seed).ok().map(|split| (split.train, split.test)),
            Some(groups) => hold_out_groups(codes, groups, seed),
        };
        match split {
            Some((train, test)) if has_both(&train) && has_both(&test) => Split { train, test },
            _ => {
                let all: Vec<u32> = (0..as_u32(codes.len())).collect();
                Split { train: all.clone(), test: all }
            }
        }
    }
}

/// Holds out whole groups: three of ten folds, or one of three or two folds if there are fewer
/// groups. Returns `None` if a class has only one group.
fn hold_out_groups(codes: &[u32], groups: &[u32], seed: u64) -> Option<(Vec<u32>, Vec<u32>)> {
    let plan = |folds: usize| Folds::grouped(codes, Some(groups), folds, 1, seed).ok();
    let (folds, held_out) = [(10, 3), (3, 1), (2, 1)]
        .into_iter()
        .find_map(|(folds, held_out)| Some((plan(folds)?, held_out)))?;
    let mut test: Vec<u32> = (0..held_out).flat_map(|fold| folds.split(fold).test).collect();
    test.sort_unstable();
    let train = (0..as_u32(codes.len())).filter(|row| test.binary_search(row).is_err()).collect();
    Some((train, test))
}

/// Assigns training rows to folds, by class and group.
pub(crate) fn assign_folds(codes: &[u32], groups: Option<&[u32]>, seed: u64) -> Vec<u32> {
    let mut fold = vec![0; codes.len()];
    if let Ok(folds) = Folds::grouped(codes, groups, FOLDS, 1, seed) {
        for split in folds.iter() {
            split.test.iter().for_each(|&row| fold[row as usize] = as_u32(split.fold));
        }
    }
    fold
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    proptest! {
        #[test]
        fn no_group_is_both_trained_on_and_held_out(
            rows in prop::collection::vec((0_u32..2, 0_u32..30), 40..200), seed: u64,
        ) {
            let codes: Vec<u32> = rows.iter().map(|row| row.0).collect();
            let groups: Vec<u32> = rows.iter().map(|row| row.1).collect();
            let Split { train, test } = Split::new(&codes, Some(&groups), seed);
            let groups_of = |rows: &[u32]| -> HashSet<u32> {
                rows.iter().map(|&row| groups[row as usize]).collect()
            };
            prop_assert!(groups_of(&train).is_disjoint(&groups_of(&test)));
            prop_assert_eq!(train.len() + test.len(), rows.len());
            prop_assert!(test.len() * 10 <= rows.len() * 6, "{} of {}", test.len(), rows.len());
        }
    }
}
