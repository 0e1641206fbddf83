//! Short runs over a table for benchmarks. They produce no model, and the caller measures the time.

use crate::conditions::{Intervals, Ternary};
use crate::encode::Encoded;
use crate::error::XcsError;
use crate::learner::Representation;
use crate::params::Params;
use crate::profile::Profile;
use crate::train::TableRun;
use pellucid_bits::Level;
use pellucid_data::Dataset;
use pellucid_device::{Machine, Threads};

/// A table that is encoded once for many trials.
#[derive(Debug)]
pub struct Trials {
    encoded: Encoded,
    level: Level,
}

impl Trials {
    /// Encodes a table.
    ///
    /// # Errors
    /// When the table is unsuitable, or `PELLUCID_SIMD` is not a level that this CPU supports.
    pub fn over(data: &Dataset) -> Result<Trials, XcsError> {
        let encoded = Encoded::new(data, &Params::default().class_weights, &Threads::callers())?;
        Ok(Trials { encoded, level: Level::chosen()? })
    }

    /// Starts a trial with an empty population.
    #[must_use]
    pub fn begin<'a>(&'a self, params: &'a Params) -> TableTrial<'a> {
        TableTrial(match Representation::of(&self.encoded, params) {
            Representation::Bits(bits) => {
                RepresentedRun::Bits(TableRun::new(&self.encoded, params, bits, self.level))
            }
            Representation::Lists(lists) => {
                RepresentedRun::Lists(TableRun::new(&self.encoded, params, lists, self.level))
            }
        })
    }
}

/// A population that learns from a table.
pub struct TableTrial<'a>(RepresentedRun<'a>);

enum RepresentedRun<'a> {
    Bits(TableRun<'a, Ternary>),
    Lists(TableRun<'a, Intervals>),
}

/// Evaluates an expression for either representation.
macro_rules! either {
    ($trial:expr, $run:ident => $answer:expr) => {
        match $trial {
            RepresentedRun::Bits($run) => $answer,
            RepresentedRun::Lists($run) => $answer,
        }
    };
}

impl TableTrial<'_> {
    /// Starts to measure the time of each phase, which makes steps a little slower.
    pub fn clock(&mut self) {
        either!(&mut self.0, run => run.clock());
    }

    /// Uses the GPUs of a machine for matching, with the share that its schedule gives them. Must
    /// be called before rows are shown.
    pub fn match_on(&mut self, machine: &Machine) {
        either!(&mut self.0, run => run.match_on(machine));
    }

    /// Shows more rows.
    pub fn show(&mut self, iterations: u64) {
        either!(&mut self.0, run => (0..iterations).for_each(|_| { let _ = run.show(); }));
    }

    /// Returns the measured times, if any.
    #[must_use]
    pub fn profile(&self) -> Option<Profile> {
        either!(&self.0, run => run.system().clock.as_ref().map(|clock| clock.profile.clone()))
    }

    /// Returns the name of the current matching method.
    #[must_use]
    pub fn way(&self) -> &'static str {
        either!(&self.0, run => run.way().name())
    }

    /// Returns the number of distinct rules.
    #[must_use]
    pub fn rules(&self) -> usize {
        either!(&self.0, run => run.system().state.population.distinct())
    }

    /// Returns the number of rules created so far.
    #[must_use]
    pub fn rules_created(&self) -> u64 {
        either!(&self.0, run => run.system().made)
    }
}
