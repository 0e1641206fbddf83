//! Which rows an island is trained on, looked at by, and judged by at last.

use super::LEAST_FOLDS;
use crate::error::NetworkError;
use crate::examples::Examples;
use crate::ground::{Place, Rows};
use crate::params::Params;
use pellucid_bits::as_u32;
use pellucid_learn::rng::Streams;
use pellucid_learn::split::Folds;
use std::collections::HashMap;

/// The fold of each row, and how many folds there are; one where rows are too few.
pub(super) fn folds(examples: &Examples<'_>, params: &Params) -> (Vec<u32>, usize) {
    let wanted = params.islands.max(LEAST_FOLDS).min(examples.smaller_class());
    let groups = examples.data.groups.as_deref();
    // Groups may allow fewer folds than classes do.
    for count in (2..=wanted).rev() {
        if let Ok(folds) = Folds::planned(&examples.codes, groups, count, 1, params.seed) {
            let mut fold = vec![0; examples.codes.len()];
            for split in folds.iter() {
                split.test.iter().for_each(|&row| fold[row as usize] = as_u32(split.fold));
            }
            return (fold, count);
        }
    }
    (vec![0; examples.codes.len()], 1)
}

/// What an island judges by.
pub(super) struct Places {
    pub(super) train: Place,
    /// Random halves of those held-out rows by which the best network is chosen.
    pub(super) halves: Vec<Place>,
    /// Random halves of the others, which have the last word.
    pub(super) last_word: Vec<Place>,
}

impl Places {
    pub(super) fn new(
        rows: &mut Rows,
        (fold, folds): (&[u32], usize),
        groups: Option<&[u32]>,
        island: u32,
        streams: Streams,
    ) -> Result<Places, NetworkError> {
        let of = |part| Place { inputs: 0, part };
        if folds < 2 {
            let all: Vec<u32> = (0..as_u32(fold.len())).collect();
            let halves: Vec<Place> = rows.add_halves(&all, streams)?.into_iter().map(of).collect();
            return Ok(Places { train: of(0), last_word: halves.clone(), halves });
        }
        let train = rows.add(fold.iter().map(|&fold| fold != island).collect())?;
        // Every other row of each class has the last word, or every other group.
        let own = (0..fold.len()).filter(|&row| fold[row] == island).map(as_u32).collect();
        let (chosen_by, last_word) = in_halves(own, groups, |row| rows.is_positive(row));
        let halves = rows.add_halves(&chosen_by, streams)?.into_iter().map(of).collect();
        let last_word = rows.add_halves(&last_word, streams.at("last word"))?;
        let last_word = last_word.into_iter().map(of).collect();
        Ok(Places { train: of(train), halves, last_word })
    }
}

/// Splits rows in two, each class in equal parts. Rows of one group stay together: a group goes where its first row does.
fn in_halves(
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
        fn halves_part_no_group(rows in prop::collection::vec((any::<bool>(), 0_u32..20), 1..100)) {
            let groups: Vec<u32> = rows.iter().map(|row| row.1).collect();
            let all: Vec<u32> = (0..as_u32(rows.len())).collect();
            let (one, other) = in_halves(all.clone(), Some(&groups), |row| rows[row].0);
            prop_assert_eq!(one.len() + other.len(), rows.len());
            prop_assert!(one.iter().all(|&a| other.iter().all(|&b| groups[a as usize] != groups[b as usize])));
            let (one, other) = in_halves(all, None, |row| rows[row].0);
            for class in [false, true] {
                let count = |half: &[u32]| half.iter().filter(|&&row| rows[row as usize].0 == class).count();
                prop_assert!(count(&one) - count(&other) <= 1);
            }
        }
    }
}
