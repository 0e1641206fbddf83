//! Learning classifier systems: rules that breed where they are right.
//!
//! Picture a village of advisers. Each has one sentence, "IF this holds THEN that", and when something happens, all whose
//! sentence fits step forward. Those that were right gain standing among those that spoke up with them, have children there, and
//! their children say something slightly else; those that say nothing of their own are forgotten. What remains after a while
//! is a crowd of accurate sentences that are as general as they can be.
//!
//! [`XcsLearner`] learns such a population from a table and hands over the few rules that say most ([`model::Classifiers`]). By
//! default the class of every example is shown (UCS); in mode `reward` classes are guessed and rewarded (XCS), which is also how
//! an [`environment::Agent`] learns in problems of one or many steps.
//!
//! ```
//! use pellucid_data::{Column, Dataset, Target, Values};
//! use pellucid_xcs::XcsLearner;
//!
//! // Flowers: large ones with little colour, and small ones of any, are of class "a".
//! let size: Vec<f64> = (0..200).map(|row| f64::from(row % 20)).collect();
//! let colour: Vec<f64> = (0..200).map(|row| f64::from(row / 20)).collect();
//! let codes = (0..200).map(|row| u32::from(size[row] > 12.0 && colour[row] > 4.0)).collect();
//! let data = Dataset {
//!     name: "flowers".into(),
//!     columns: vec![
//!         Column { name: "size".into(), values: Values::Numeric(size.into()) },
//!         Column { name: "colour".into(), values: Values::Numeric(colour.into()) },
//!     ],
//!     rows: 200,
//!     target: Some(Target { name: "kind".into(), classes: vec!["a".into(), "b".into()], codes }),
//!     ..Dataset::default()
//! };
//! let model = XcsLearner::new().iterations(20_000_u64).fit(&data)?;
//! assert_eq!(model.train().get("accuracy"), Some(1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The papers: M. Butz, S. Wilson, "An algorithmic description of XCS" (2002); E. Bernadó-Mansilla, J. Garrell, "Accuracy-based
//! learning classifier systems" (2003); M. Abedini, M. Kirley, R. Chiong, T. Weise, "GPU-accelerated eXtended Classifier System"
//! (2013).
#![forbid(unsafe_code)]

mod compact;
mod conditions;
mod encode;
pub mod environment;
#[cfg(test)]
mod equations_tests;
pub mod error;
pub mod export;
mod gpu;
mod groups;
mod importance;
pub mod learner;
mod lockstep;
pub mod model;
mod order;
pub mod params;
mod population;
pub mod profile;
mod recall;
mod reward;
mod roulette;
mod specify;
mod supervised;
mod system;
mod train;
#[cfg(test)]
mod train_tests;
pub mod trial;
mod widen;

pub use learner::Xcs;
pub use params::XcsLearner;
