//! Which rows are bred on and which are held out, from their classes alone.

use pellucid_bits::as_u32;
use pellucid_learn::split::{Folds, holdout};

/// The share of the rows that is held out.
const HELD_OUT: f64 = 0.3;
/// Folds by which training rows are written.
const FOLDS: usize = 5;

/// Rows by number.
pub(crate) struct Split {
    /// Those that networks are bred on.
    pub(crate) train: Vec<u32>,
    /// Those that the best are looked at on.
    pub(crate) test: Vec<u32>,
}

impl Split {
    /// Holds out some rows, of each class; all rows are both where a class has so few that there is nothing to hold out.
    pub(crate) fn new(codes: &[u32], seed: u64) -> Split {
        let has_both = |rows: &[u32]| {
            let positives = rows.iter().filter(|&&row| codes[row as usize] == 1).count();
            positives > 0 && positives < rows.len()
        };
        match holdout(codes, HELD_OUT, seed) {
            Ok(split) if has_both(&split.train) && has_both(&split.test) => {
                Split { train: split.train, test: split.test }
            }
            _ => {
                let all: Vec<u32> = (0..as_u32(codes.len())).collect();
                Split { train: all.clone(), test: all }
            }
        }
    }
}

/// The fold of each training row, by its class and its group.
pub(crate) fn dealt(codes: &[u32], groups: Option<&[u32]>, seed: u64) -> Vec<u32> {
    let mut fold = vec![0; codes.len()];
    if let Ok(folds) = Folds::planned(codes, groups, FOLDS, 1, seed) {
        for split in folds.iter() {
            split.test.iter().for_each(|&row| fold[row as usize] = as_u32(split.fold));
        }
    }
    fold
}
