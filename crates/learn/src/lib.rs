//! What learners share.
//!
//! Picture five craftsmen in one house. Each has a bench of their own, but they hang their coats in
//! the same hall: the orders they accept are checked at the door, they roll dice from the same
//! numbered cups, they work until the same bell rings, they put down their work so that it can be
//! taken up tomorrow, and they hand it over in the same kind of box, with the same kind of label.
//! This crate is the hall. It knows nothing of rules, classifiers, networks, ontologies or
//! concepts, and nothing of reading data.
//!
//! Four types hold it together:
//!
//! - [`learner::Learner`] is the contract that every learner fulfils.
//! - [`run::Driver`] steps any [`run::Stepper`] until it is done, out of steps or time, stalled,
//!   or interrupted, keeps [checkpoints](checkpoint), tells [observers](run::Observer), and gives
//!   back a [`run::Run`].
//! - [`rng::Streams`] gives each (generation, individual, purpose) its own random stream, so that
//!   results depend on the seed and never on threads.
//! - [`model::Model`] is the versioned JSON file in which every learner hands over what it learned.
//!
//! Around them: [`params`] that describe themselves and are checked once, [`metrics`] from counts, ranks and decisions,
//! [`split`]s for honest judging, and how scores [become probabilities](calibrate).
//!
//! ```
//! use pellucid_learn::fingerprint::Fingerprint;
//! use pellucid_learn::metrics::{Confusion, Metric};
//! use pellucid_learn::params::{Check, ParamError, Valid, within};
//! use pellucid_learn::rng::Streams;
//! use pellucid_learn::run::{Control, Driver, Plan, Silent, Step, Stepper, StopReason, Figures};
//! use std::convert::Infallible;
//!
//! /// Learns `x > threshold` by trying random thresholds.
//! struct Params {
//!     tries: u64,
//!     seed: u64,
//! }
//!
//! impl Check for Params {
//!     fn check_fields(&self) -> Result<(), ParamError> {
//!         within("tries", self.tries, 1..=1_000_000)
//!     }
//! }
//!
//! struct Threshold<'a> {
//!     params: Valid<Params>,
//!     data: &'a [(f64, bool)],
//!     best: (u64, f64, f64), // tries so far, fitness, threshold
//! }
//!
//! impl Stepper for Threshold<'_> {
//!     type State = (u64, f64, f64);
//!     type Error = Infallible;
//!
//!     fn plan(&self) -> Plan {
//!         let Params { tries, seed } = *self.params;
//!         let params = serde_json::json!({ "tries": tries, "seed": seed });
//!         Plan::new("threshold", params, Fingerprint::new().with_number(seed)).steps(tries)
//!     }
//!
//!     fn step(&mut self) -> Result<Step, Infallible> {
//!         let mut stream = Streams::new(self.params.seed).stream(&[self.best.0.into()]);
//!         let threshold = stream.range(0.0, 10.0);
//!         let mut confusion = Confusion::default();
//!         self.data.iter().for_each(|&(x, label)| confusion.record(label, x > threshold));
//!         let fitness = Metric::SensitivityTimesSpecificity.of(&confusion);
//!         self.best.0 += 1;
//!         if fitness > self.best.1 {
//!             (self.best.1, self.best.2) = (fitness, threshold);
//!         }
//!         Ok(Step {
//!             evaluated: 1,
//!             score: Some(self.best.1),
//!             values: Figures::new().with("best", self.best.1),
//!             stop: (self.best.1 == 1.0).then_some(StopReason::Solved),
//!         })
//!     }
//!
//!     fn state(&self) -> &Self::State {
//!         &self.best
//!     }
//!
//!     fn restore(&mut self, state: Self::State) -> Result<(), Infallible> {
//!         self.best = state;
//!         Ok(())
//!     }
//! }
//!
//! let data = [(1.0, false), (2.5, false), (6.0, true), (9.0, true)];
//! let params = Params { tries: 200, seed: 1 }.check()?;
//! let mut learner = Threshold { params, data: &data, best: (0, 0.0, 0.0) };
//! let run = Driver::new(&Control::new()).run(&mut learner, &mut Silent)?;
//! assert_eq!(run.summary.stop, StopReason::Solved);
//! assert!((2.5..6.0).contains(&learner.best.2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod calibrate;
pub mod checkpoint;
pub mod few;
pub mod fingerprint;
pub mod learner;
pub mod metrics;
pub mod model;
pub mod out_of_fold;
pub mod params;
pub mod parts;
pub mod rng;
pub mod run;
pub mod split;
pub mod suggest;
