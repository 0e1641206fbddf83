//! Assigns training rows to folds.

use crate::params::Params;
use crate::task::NetworkTask;
use crate::training_table::TrainingTable;
use pellucid_bits::as_u32;
use pellucid_learn::split::Folds;

/// The minimum number of folds; fewer would leave too few training rows.
const MIN_FOLDS: usize = 5;

/// Returns the fold of each row and the number of folds, which is 1 if there are too few rows.
pub(super) fn folds(examples: &TrainingTable<'_>, params: &Params) -> (Vec<u32>, usize) {
    let groups = examples.data.groups.as_deref();
    let most = params.islands.max(MIN_FOLDS).min(examples.codes.len() / 2);
    let codes = match examples.task {
        NetworkTask::Number => examples.codes.clone(),
        _ => with_rare_classes_joined(&examples.codes, examples.task.outputs(), most),
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
/// than there are folds. A rare class does not reduce the number of folds.
fn with_rare_classes_joined(codes: &[u32], classes: usize, folds: usize) -> Vec<u32> {
    let mut counts = vec![0_usize; classes];
    codes.iter().for_each(|&code| counts[code as usize] += 1);
    let more = |best: usize, class: usize| if counts[class] > counts[best] { class } else { best };
    let frequent = as_u32((0..classes).reduce(more).unwrap_or(0));
    let stratum = |&code: &u32| if counts[code as usize] < folds { frequent } else { code };
    codes.iter().map(stratum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_classes_join_the_most_frequent_one() {
        let codes = [0, 1, 1, 1, 2, 2, 2, 2, 3];
        assert_eq!(with_rare_classes_joined(&codes, 4, 3), [2, 1, 1, 1, 2, 2, 2, 2, 2]);
    }
}
