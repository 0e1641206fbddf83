//! The specification of systems in lockstep: the same systems on the CPU, one after the other.
//!
//! A step is that of the learner: `system.rs` (covering, breeding, deletion), `supervised.rs` (the class is
//! given) and `reward.rs` (a reward is given). There is no second plain version of it here. The functions
//! below run the systems that a [`Lockstep`](super::Lockstep) runs, for the same number of steps;
//! `lockstep/tests.rs` compares all bits of the states afterwards.

use crate::conditions::Ternary;
use crate::environment::{Agent, Multiplexer};
use crate::train::TableRun;

/// Lets every agent learn from `problems` multiplexer problems with `address` address bits.
pub(crate) fn explore(agents: &mut [Agent], address: usize, problems: u64) {
    let mut problem = Multiplexer::new(address);
    for agent in agents {
        for _ in 0..problems {
            agent.explore(&mut problem);
        }
    }
}

/// Lets every agent solve `problems` multiplexer problems with its best actions. Returns the number of
/// correct answers of each agent.
pub(crate) fn exploit(agents: &mut [Agent], address: usize, problems: u64) -> Vec<u64> {
    let mut problem = Multiplexer::new(address);
    let mut right = |agent: &mut Agent| {
        let is_right = |_: &u64| agent.exploit(&mut problem).reward > 0.0;
        (0..problems).filter(is_right).count() as u64
    };
    agents.iter_mut().map(&mut right).collect()
}

/// Shows every run the rows of its table, in the order of the run, until its end.
pub(crate) fn learn(runs: &mut [TableRun<'_, Ternary>]) {
    for run in runs {
        while run.system().state.shown < run.end() {
            let _ = run.show();
        }
    }
}
