//! Assigns training rows to folds.

use crate::params::Params;
use crate::task::NetworkTask;
use crate::training_table::TrainingTable;
use pellucid_bits::as_u32;
use pellucid_learn::split::{Folds, with_rare_classes_joined};

/// The minimum number of folds; fewer would leave too few training rows.
const MIN_FOLDS: usize = 5;

/// Returns the fold of each row and the number of folds, which is 1 if there are too few rows.
pub(super) fn folds(examples: &TrainingTable<'_>, params: &Params) -> (Vec<u32>, usize) {
    let groups = examples.data.groups.as_deref();
    let most = params.islands.max(MIN_FOLDS).min(examples.codes.len() / 2);
    let codes = match examples.task {
        NetworkTask::Number => examples.codes.clone(),
        _ => strata(&examples.codes, examples.task.outputs(), most),
    };
    // Groups may allow fewer folds than rows do.
    for count in (2..=most).rev() {
        if let Ok(folds) = Folds::grouped(&codes, groups, count, 1, params.seed) {
            let mut fold = vec![0; codes.len()];
            for split in folds.iter() {
                split.test.iter().for_each(|&row| fold[row as usize] = as_u32(split.fold));
            }
            return (fold, count);
        }
    }
    (vec![0; codes.len()], 1)
}

/// Returns the stratum of each row: its class, or the most frequent class if its own has fewer rows
/// than there are folds.
fn strata(codes: &[u32], classes: usize, folds: usize) -> Vec<u32> {
    let mut counts = vec![0_usize; classes];
    codes.iter().for_each(|&code| counts[code as usize] += 1);
    with_rare_classes_joined(codes, |class| counts[class as usize] < folds)
}
