//! Tests of systems on a GPU that need no learner for comparison: `lockstep/tests.rs` compares the
//! steps with those of the learner.

use super::{Constants, Inputs, State, SystemSetup, open};
use crate::lockstep::tests::gpus;

/// Returns a system for multiplexers with two address bits, whose rules name a column with the given
/// probability.
fn setup(named: f64) -> SystemSetup {
    let constants = Constants {
        learning_rate: 0.2,
        accuracy_fall: 0.1,
        accuracy_power: 5,
        forgiven_error: 10.0,
        accurate_from: 0.99,
        crossover_rate: 0.8,
        mutation: named,
        tournament: 0.4,
        deletion_share: 0.1,
        exploration: 1.0,
        reward: 1000.0,
        named,
        breeding_pause: 5,
        population: 50,
        deletion_experience: 20,
        subsumption_experience: 20,
        labels: 2,
        least_labels: 2,
        columns: 6,
        supervised: false,
        subsume_children: true,
        subsume_niche: false,
        error_first: true,
        two_point: true,
    };
    let state = State { life: [1, 2, 3, 4], world: [5, 6, 7, 8], ..State::default() };
    SystemSetup { constants, state, inputs: Inputs::Multiplexer(2) }
}

/// A probability whose logarithm rounds to 0 draws no column instead of every column.
#[test]
fn tiny_probabilities_draw_nothing() {
    for gpu in gpus() {
        for (named, is_drawn) in [(0.0, false), (1e-17, false), (0.5, true)] {
            let mut systems =
                gpu.open(|hardware| open(hardware, &[setup(named)], &[])).expect("a working GPU");
            systems.run(&[100], true, &[]).expect("steps");
            let states = systems.states().expect("states");
            assert!(states[0].copies > 0, "{named}: expected rules");
            assert_eq!(states[0].care.iter().any(|&care| care != 0), is_drawn, "{named}");
        }
    }
}
