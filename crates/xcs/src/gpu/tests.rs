//! Whole systems on a GPU, for what can be seen without the learner whose steps they take: `lockstep/tests.rs` compares the
//! rest with it.

use super::{Constants, Inputs, State, SystemSetup, open};
use crate::lockstep::tests::gpus;

/// A system that meets multiplexers of two address bits, and names columns as often as is said.
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

/// Too unlikely for a logarithm to tell from never: nothing is drawn, and not everything.
#[test]
fn what_is_hardly_ever_drawn_is_not_drawn_always() {
    for gpu in gpus() {
        for (named, is_drawn) in [(0.0, false), (1e-17, false), (0.5, true)] {
            let mut systems = gpu
                .open(|hardware| open(hardware, &[setup(named)], &[]))
                .expect("a GPU that works");
            systems.run(&[100], true, &[]).expect("steps");
            let states = systems.states().expect("how it stands");
            assert!(states[0].copies > 0, "{named}: it has rules");
            assert_eq!(states[0].care.iter().any(|&care| care != 0), is_drawn, "{named}");
        }
    }
}
