//! How many rows make a step down the slope, and how often the rows are gone over.
//!
//! A network needs its steps whatever the size of the table. A large table gives them in a few rounds of large batches; of a
//! small one batches are small, rounds are many, and the patience grows with them.

use crate::gradient::{ROWS, Walk};
use crate::params::Descent;

/// Rows for a step of a large table.
const LARGEST_BATCH: usize = 512;
/// Fewer rows than this say too little about the way down.
const SMALLEST_BATCH: usize = 16;
/// Batches that a round has at least, as far as they are not too small.
const BATCHES: usize = 16;
/// Rounds over a large table.
const ROUNDS: u64 = 25;
/// Steps that are taken at least before the rate has fallen to nothing.
const STEPS: u64 = 1000;
/// Rounds without a smaller loss that are waited for at least.
const PATIENCE: u64 = 6;

impl Walk {
    /// How to walk over so many training rows, where something is not said otherwise.
    pub(super) fn over(rows: usize, descent: &Descent) -> Walk {
        let usual = (rows / BATCHES).clamp(SMALLEST_BATCH, LARGEST_BATCH);
        let batch = descent.batch.unwrap_or(usual);
        let tiles = batch.div_ceil(ROWS);
        let rows_in_tile = batch.div_ceil(tiles);
        let steps = rows.div_ceil(tiles * rows_in_tile).max(1) as u64;
        let rounds = descent.rounds.unwrap_or(STEPS.div_ceil(steps).max(ROUNDS));
        Walk {
            rate: descent.rate,
            rows_in_tile,
            tiles,
            rounds,
            decay: descent.decay,
            patience: descent.patience.unwrap_or((rounds / 4).max(PATIENCE)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_table_gets_its_steps(rows in 1_usize..200_000) {
            let walk = Walk::over(rows, &Descent::default());
            let batch = walk.tiles * walk.rows_in_tile;
            prop_assert!((SMALLEST_BATCH..LARGEST_BATCH + 4).contains(&batch), "{batch} rows for a step");
            prop_assert!(rows.div_ceil(batch) as u64 * walk.rounds >= STEPS);
            prop_assert!(walk.patience < walk.rounds && walk.patience >= PATIENCE);
            prop_assert!(walk.rows_in_tile <= ROWS);
        }
    }

    #[test]
    fn a_large_table_is_gone_over_in_a_few_rounds_of_large_batches() {
        let walk = Walk::over(20_000, &Descent::default());
        assert_eq!((walk.tiles * walk.rows_in_tile, walk.rounds, walk.patience), (512, 25, 6));
    }

    #[test]
    fn what_is_said_is_done() {
        let descent =
            Descent { rounds: Some(3), batch: Some(40), patience: Some(2), ..Descent::default() };
        let walk = Walk::over(100, &descent);
        assert_eq!((walk.tiles, walk.rows_in_tile, walk.rounds, walk.patience), (1, 40, 3, 2));
    }
}
