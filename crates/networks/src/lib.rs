//! Networks that rank.
//!
//! Picture a row of judges who see every case and each give it a number. Each of them has learned from most of the cases, first by
//! feeling which way is down (a gradient), then by having children that are a little different, of which those live on who put
//! the right cases in front. None of them is believed about the cases it learned from: whoever was bred takes its parent's
//! place only if it is better on cases that neither has seen. In the end they judge together.
//!
//! [`Network`] is the learner; its model, [`model::Networks`], has the networks, how a row is [prepared](prepare) for them, and how the
//! score moves with each column. By default several networks are trained on different parts of the rows; in mode `paper`
//! one network is bred as in the publication.
//!
//! ```
//! use pellucid_data::{Column, Dataset, Target, Values};
//! use pellucid_networks::NetworkLearner;
//!
//! // Who answers a letter: people around forty, more often in towns.
//! let age: Vec<f64> = (0..600).map(|row| f64::from(20 + row % 60)).collect();
//! let town: Vec<Option<bool>> = (0..600).map(|row| Some(row % 7 < 3)).collect();
//! let codes = (0..600).map(|row| {
//!     let near = (age[row] - 40.0).abs() < if town[row] == Some(true) { 8.0 } else { 4.0 };
//!     u32::from(near)
//! });
//! let target = Target { name: "answers".into(), classes: vec!["no".into(), "yes".into()], codes: codes.collect() };
//! let data = Dataset {
//!     name: "letters".into(),
//!     columns: vec![
//!         Column { name: "age".into(), values: Values::Numeric(age.into()) },
//!         Column { name: "town".into(), values: Values::Boolean(town) },
//!     ],
//!     rows: 600,
//!     target: Some(target),
//!     ..Dataset::default()
//! };
//! let model = NetworkLearner::new().seed(1_u64).fit(&data)?;
//! assert!(model.train().get("auc").is_some_and(|auc| auc > 0.95));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The papers: C. Patulea, R. Peace, J. Green, "CUDA-accelerated genetic feedforward-ANN training for data mining" (2010);
//! D. Montana, L. Davis, "Training feedforward neural networks using genetic algorithms" (1989).
#![forbid(unsafe_code)]

pub mod apply;
mod decide;
mod default;
mod effects;
pub mod error;
mod examples;
pub mod export;
mod gains;
mod gradient;
mod ground;
mod island;
pub mod learner;
pub mod metric;
pub mod model;
mod paper;
pub mod params;
pub mod parts;
pub mod prepare;
mod score;
mod search;

pub use learner::Network;
pub use params::NetworkLearner;
