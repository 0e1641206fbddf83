//! Which rows an island is trained on, looked at by, and judged by at last.

use super::LEAST_FOLDS;
use crate::error::NetworkError;
use crate::examples::Examples;
use crate::ground::{Place, Rows};
use crate::params::Params;
use pellucid_bits::as_u32;
use pellucid_learn::rng::Streams;
use pellucid_learn::split::Folds;

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
        fold: &[u32],
        folds: usize,
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
        // Every other row of each class has the last word.
        let (mut chosen_by, mut last_word) = (Vec::new(), Vec::new());
        let mut seen = [0_usize; 2];
        for row in (0..fold.len()).filter(|&row| fold[row] == island) {
            let class = usize::from(rows.is_positive(row));
            seen[class] += 1;
            let half = if seen[class] % 2 == 0 { &mut last_word } else { &mut chosen_by };
            half.push(as_u32(row));
        }
        let halves = rows.add_halves(&chosen_by, streams)?.into_iter().map(of).collect();
        let last_word = rows.add_halves(&last_word, streams.at("last word"))?;
        let last_word = last_word.into_iter().map(of).collect();
        Ok(Places { train: of(train), halves, last_word })
    }
}
