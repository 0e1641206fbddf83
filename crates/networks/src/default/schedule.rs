//! Chooses the batch size and the number of epochs from the size of the table.
//!
//! A network needs about the same number of gradient steps for any table. A large table provides
//! them in a few epochs with large batches. A small table needs small batches and many epochs, and
//! the patience grows with the number of epochs.

use crate::gradient::{ROWS, TrainingSchedule};
use crate::params::DescentParams;

/// The batch size for a large table.
const LARGEST_BATCH: usize = 512;
/// The minimum batch size; smaller batches give a gradient that is too noisy.
const SMALLEST_BATCH: usize = 16;
/// The minimum number of batches per epoch, unless they would become too small.
const BATCHES: usize = 16;
/// The number of epochs for a large table.
const ROUNDS: u64 = 25;
/// The minimum number of steps before the learning rate has decayed to 0.
const STEPS: u64 = 1000;
/// The minimum patience, in epochs.
const PATIENCE: u64 = 6;

impl TrainingSchedule {
    /// Returns the schedule for a number of training rows. Parameters that are set take precedence.
    pub(crate) fn for_rows(rows: usize, descent: &DescentParams) -> TrainingSchedule {
        let default = (rows / BATCHES).clamp(SMALLEST_BATCH, LARGEST_BATCH);
        let batch = descent.batch.unwrap_or(default);
        let tiles = batch.div_ceil(ROWS);
        let rows_in_tile = batch.div_ceil(tiles);
        let steps = rows.div_ceil(tiles * rows_in_tile).max(1) as u64;
        let rounds = descent.rounds.unwrap_or(STEPS.div_ceil(steps).max(ROUNDS));
        TrainingSchedule {
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
        fn every_table_gets_enough_steps(rows in 1_usize..200_000) {
            let schedule = TrainingSchedule::for_rows(rows, &DescentParams::default());
            let batch = schedule.tiles * schedule.rows_in_tile;
            prop_assert!((SMALLEST_BATCH..LARGEST_BATCH + 4).contains(&batch), "{batch} rows for a step");
            prop_assert!(rows.div_ceil(batch) as u64 * schedule.rounds >= STEPS);
            prop_assert!(schedule.patience < schedule.rounds && schedule.patience >= PATIENCE);
            prop_assert!(schedule.rows_in_tile <= ROWS);
        }
    }

    #[test]
    fn a_large_table_gets_few_epochs_with_large_batches() {
        let schedule = TrainingSchedule::for_rows(20_000, &DescentParams::default());
        assert_eq!(
            (schedule.tiles * schedule.rows_in_tile, schedule.rounds, schedule.patience),
            (512, 25, 6)
        );
    }

    #[test]
    fn explicit_parameters_are_used() {
        let descent = DescentParams {
            rounds: Some(3),
            batch: Some(40),
            patience: Some(2),
            ..DescentParams::default()
        };
        let schedule = TrainingSchedule::for_rows(100, &descent);
        assert_eq!(
            (schedule.tiles, schedule.rows_in_tile, schedule.rounds, schedule.patience),
            (1, 40, 3, 2)
        );
    }
}
