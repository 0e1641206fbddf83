//! The parts that all learners share: parameters, random numbers, the training loop, checkpoints,
//! model files, metrics and cross-validation.
//!
//! The crate does not depend on any learner and does not read data. Four types are central:
//!
//! - [`learner::Fit`] is the trait that every learner implements.
//! - [`run::Driver`] steps any [`run::Stepper`] until it is done, out of steps or time, stalled or
//!   interrupted. It writes [checkpoints](checkpoint), notifies [observers](run::Observer) and
//!   returns a [`run::Run`].
//! - [`rng::Streams`] gives each (generation, individual, purpose) its own random stream, so that
//!   results depend on the seed and never on threads.
//! - [`model::Model`] is the versioned JSON file of a trained model.
//!
//! In addition there are [`params`] that describe themselves and are checked once, [`metrics`] from
//! counts, ranks and decisions, [`split`]s into training and test folds, and the
//! [calibration](calibrate) of scores.
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
pub mod digits;
pub mod distinct;
pub mod fingerprint;
pub mod learner;
pub mod linear;
pub mod metrics;
pub mod model;
pub mod out_of_fold;
pub mod params;
pub mod parts;
pub mod profile;
pub mod rng;
pub mod run;
pub mod score_matrix;
pub mod sizes;
pub mod split;
pub mod statistics;
pub mod suggest;
