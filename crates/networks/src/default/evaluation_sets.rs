//! The row subsets of an island: for training, for selection, and for the final confirmation.

use super::MIN_FOLDS;
use crate::error::NetworkError;
use crate::evaluator::{LabeledRows, RowSubset};
use crate::params::Params;
use crate::training_table::TrainingTable;
use pellucid_bits::as_u32;
use pellucid_learn::rng::Streams;
use pellucid_learn::split::Folds;
use std::collections::HashMap;

/// Returns the fold of each row and the number of folds, which is 1 if there are too few rows.
pub(super) fn folds(examples: &TrainingTable<'_>, params: &Params) -> (Vec<u32>, usize) {
    let most = params.islands.max(MIN_FOLDS).min(examples.smaller_class());
    let groups = examples.data.groups.as_deref();
    // Groups may allow fewer folds than classes do.
    for count in (2..=most).rev() {
        if let Ok(folds) = Folds::grouped(&examples.codes, groups, count, 1, params.seed) {
            let mut fold = vec![0; examples.codes.len()];
            for split in folds.iter() {
                split.test.iter().for_each(|&row| fold[row as usize] = as_u32(split.fold));
            }
            return (fold, count);
        }
    }
    (vec![0; examples.codes.len()], 1)
}

/// The row subsets by which the networks of an island are evaluated.
pub(super) struct EvaluationSets {
    pub(super) train: RowSubset,
    /// Random halves of the held-out rows by which the best network is selected.
    pub(super) halves: Vec<RowSubset>,
    /// Random halves of the other held-out rows, which confirm the selection.
    pub(super) confirmation: Vec<RowSubset>,
}

impl EvaluationSets {
    pub(super) fn new(
        rows: &mut LabeledRows,
        (fold, folds): (&[u32], usize),
        groups: Option<&[u32]>,
        island: u32,
        streams: Streams,
    ) -> Result<EvaluationSets, NetworkError> {
        let of = |part| RowSubset { inputs: 0, part };
        if folds < 2 {
            let all: Vec<u32> = (0..as_u32(fold.len())).collect();
            let halves: Vec<RowSubset> =
                rows.add_halves(&all, streams)?.into_iter().map(of).collect();
            return Ok(EvaluationSets { train: of(0), confirmation: halves.clone(), halves });
        }
        let train = rows.add(fold.iter().map(|&fold| fold != island).collect())?;
        // Every second row of each class, or every second group, is kept for confirmation.
        let own = (0..fold.len()).filter(|&row| fold[row] == island).map(as_u32).collect();
        let (chosen_by, confirmation) = split_in_halves(own, groups, |row| rows.is_positive(row));
        let halves = rows.add_halves(&chosen_by, streams)?.into_iter().map(of).collect();
        let confirmation = rows.add_halves(&confirmation, streams.at("last word"))?;
        let confirmation = confirmation.into_iter().map(of).collect();
        Ok(EvaluationSets { train: of(train), halves, confirmation })
    }
}

/// Splits rows into halves, stratified by class. Rows of one group stay together: a group follows
/// its first row.
fn split_in_halves(
    rows: Vec<u32>,
    groups: Option<&[u32]>,
    is_positive: impl Fn(usize) -> bool,
) -> (Vec<u32>, Vec<u32>) {
    let mut seen = [0_usize; 2];
    let mut half_of_group: HashMap<u32, bool> = HashMap::new();
    rows.into_iter().partition(|&row| {
        let mut next = || {
            let class = usize::from(is_positive(row as usize));
            seen[class] += 1;
            seen[class] % 2 == 1
        };
        match groups {
            Some(groups) => *half_of_group.entry(groups[row as usize]).or_insert_with(next),
            None => next(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn halves_do_not_split_groups(rows in prop::collection::vec((any::<bool>(), 0_u32..20), 1..100)) {
            let groups: Vec<u32> = rows.iter().map(|row| row.1).collect();
            let all: Vec<u32> = (0..as_u32(rows.len())).collect();
            let (one, other) = split_in_halves(all.clone(), Some(&groups), |row| rows[row].0);
            prop_assert_eq!(one.len() + other.len(), rows.len());
            let same_group = |a: u32, b: u32| groups[a as usize] == groups[b as usize];
            prop_assert!(!one.iter().any(|&a| other.iter().any(|&b| same_group(a, b))));
            let (one, other) = split_in_halves(all, None, |row| rows[row].0);
            for class in [false, true] {
                let count = |half: &[u32]| half.iter().filter(|&&row| rows[row as usize].0 == class).count();
                prop_assert!(count(&one) - count(&other) <= 1);
            }
        }
    }
}
