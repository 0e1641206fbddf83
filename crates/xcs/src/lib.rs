//! Learning classifier systems: populations of rules that evolve by a genetic algorithm.
//!
//! A classifier is a rule with a condition, a class, and estimates of its quality. For each
//! example, the rules whose condition is true form the match set. Those with the right class form
//! the correct set, which is the niche in which the genetic algorithm runs. Accurate rules gain
//! fitness and have offspring there, and inaccurate rules are deleted. The result is a population
//! of rules that are accurate and as general as possible.
//!
//! [`XcsLearner`] learns such a population from a table and selects the rules of the model
//! ([`model::Classifiers`]) from it. By default the class of every example is given (UCS), or its
//! number (XCSF). In mode `reward` the system chooses a class and receives a reward (XCS). An
//! [`environment::Agent`] learns the same way in problems with one or many steps.
//!
//! ```
//! use pellucid_data::{ClassTarget, Column, Dataset, Values};
//! use pellucid_xcs::XcsLearner;
//!
//! // Flowers are of class "b" if they are both large and colorful.
//! let size: Vec<f64> = (0..200).map(|row| f64::from(row % 20)).collect();
//! let color: Vec<f64> = (0..200).map(|row| f64::from(row / 20)).collect();
//! let codes = (0..200).map(|row| u32::from(size[row] > 12.0 && color[row] > 4.0)).collect();
//! let data = Dataset {
//!     name: "flowers".into(),
//!     columns: vec![
//!         Column { name: "size".into(), values: Values::Numeric(size.into()) },
//!         Column { name: "color".into(), values: Values::Numeric(color.into()) },
//!     ],
//!     rows: 200,
//!     target: Some(ClassTarget { name: "kind".into(), classes: vec!["a".into(), "b".into()], codes }),
//!     ..Dataset::default()
//! };
//! let model = XcsLearner::new().iterations(20_000_u64).fit(&data)?;
//! assert_eq!(model.train().get("accuracy"), Some(1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! References: M. Butz, S. Wilson, "An algorithmic description of XCS" (2002); E. Bernadó-Mansilla,
//! J. Garrell, "Accuracy-based learning classifier systems" (2003); S. Wilson, "Classifiers that
//! approximate functions" (2002); M. Abedini, M. Kirley, R.
//! Chiong, T. Weise, "GPU-accelerated eXtended Classifier System" (2013).
#![forbid(unsafe_code)]

mod applied;
mod candidates;
mod compact;
mod conditions;
mod encode;
pub mod environment;
#[cfg(test)]
mod equations_tests;
pub mod error;
pub mod export;
mod generalize;
mod gpu;
mod groups;
mod importance;
mod joint_selection;
pub mod learner;
mod lockstep;
pub mod model;
mod numbers;
mod order;
pub mod params;
mod population;
pub mod profile;
mod refit;
mod reward;
mod roulette;
mod sizes;
mod specify;
mod supervised;
mod system;
mod take_out;
mod train;
#[cfg(test)]
mod train_tests;
pub mod trial;
mod warm_start;

pub use learner::Xcs;
pub use params::XcsLearner;
