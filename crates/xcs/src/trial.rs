//! Short runs over a table, for whoever measures: no model is made, and the clock is in other hands.

use crate::conditions::{Intervals, Ternary};
use crate::encode::Encoded;
use crate::error::XcsError;
use crate::learner::Representation;
use crate::params::Params;
use crate::profile::Profile;
use crate::train::TableRun;
use pellucid_data::Dataset;
use pellucid_device::{Machine, Threads};

/// A table laid out once, for many trials.
#[derive(Debug)]
pub struct Trials {
    encoded: Encoded,
}

impl Trials {
    /// Lays out a table.
    ///
    /// # Errors
    /// When it cannot be learned from.
    pub fn over(data: &Dataset) -> Result<Trials, XcsError> {
        let encoded = Encoded::new(data, &Params::default().class_weights, &Threads::callers())?;
        Ok(Trials { encoded })
    }

    /// An empty population that is going to be shown rows of the table.
    #[must_use]
    pub fn begin<'a>(&'a self, params: &'a Params) -> TableTrial<'a> {
        TableTrial(match Representation::of(&self.encoded, params) {
            Representation::Bits(bits) => {
                Representations::Bits(TableRun::new(&self.encoded, params, bits))
            }
            Representation::Lists(lists) => {
                Representations::Lists(TableRun::new(&self.encoded, params, lists))
            }
        })
    }
}

/// A population and the rows it is shown.
pub struct TableTrial<'a>(Representations<'a>);

enum Representations<'a> {
    Bits(TableRun<'a, Ternary>),
    Lists(TableRun<'a, Intervals>),
}

/// The same for either representation.
macro_rules! either {
    ($trial:expr, $run:ident => $answer:expr) => {
        match $trial {
            Representations::Bits($run) => $answer,
            Representations::Lists($run) => $answer,
        }
    };
}

impl TableTrial<'_> {
    /// Clocks the phases of every step from now on, which makes steps a little slower.
    pub fn clock(&mut self) {
        either!(&mut self.0, run => run.clock());
    }

    /// Lets the GPUs of a machine help to match, with the share that its schedule gives them; to be said before rows are shown.
    pub fn match_on(&mut self, machine: &Machine) {
        either!(&mut self.0, run => run.match_on(machine));
    }

    /// Shows so many rows more.
    pub fn show(&mut self, iterations: u64) {
        either!(&mut self.0, run => (0..iterations).for_each(|_| { let _ = run.show(); }));
    }

    /// Where time went, if that was clocked.
    #[must_use]
    pub fn profile(&self) -> Option<Profile> {
        either!(&self.0, run => run.system().clock.as_ref().map(|clock| clock.profile.clone()))
    }

    /// The way rows are matched at the moment.
    #[must_use]
    pub fn way(&self) -> &'static str {
        either!(&self.0, run => run.way().name())
    }

    /// How many different rules there are.
    #[must_use]
    pub fn rules(&self) -> usize {
        either!(&self.0, run => run.system().state.population.distinct())
    }

    /// How many rules were ever made.
    #[must_use]
    pub fn made(&self) -> u64 {
        either!(&self.0, run => run.system().made)
    }
}
