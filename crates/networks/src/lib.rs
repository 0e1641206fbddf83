//! Neural networks that predict classes or numbers, and rank the rows of a table with two classes.
//!
//! [`Network`] is the learner. It trains several small networks by gradient descent, each on all
//! folds but one. For two classes it then improves them with a genetic search that optimizes the
//! ranking metric itself. A network from the search replaces the network it started from only if it
//! is better on held-out rows that had no influence on the search. The model,
//! [`model::NetworkEnsemble`], contains the networks, the [preparation](prepare) of the inputs, and the
//! feature effects (partial dependence). In mode `paper` a single network is bred as in the publication.
//!
//! ```
//! use pellucid_data::{ClassTarget, Column, Dataset, Values};
//! use pellucid_networks::NetworkLearner;
//!
//! // People around the age of forty answer a letter, more often in towns.
//! let age: Vec<f64> = (0..600).map(|row| f64::from(20 + row % 60)).collect();
//! let town: Vec<Option<bool>> = (0..600).map(|row| Some(row % 7 < 3)).collect();
//! let codes = (0..600).map(|row| {
//!     let near = (age[row] - 40.0).abs() < if town[row] == Some(true) { 8.0 } else { 4.0 };
//!     u32::from(near)
//! });
//! let target = ClassTarget {
//!     name: "answers".into(),
//!     classes: vec!["no".into(), "yes".into()],
//!     codes: codes.collect(),
//! };
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
//! References: C. Patulea, R. Peace, J. Green, "CUDA-accelerated genetic feedforward-ANN training
//! for data mining" (2010); D. Montana, L. Davis, "Training feedforward neural networks using
//! genetic algorithms" (1989).
#![forbid(unsafe_code)]

pub mod apply;
mod check;
mod decide;
mod default;
mod effects;
pub mod error;
mod evaluator;
pub mod export;
mod gains;
mod gradient;
mod island;
pub mod learner;
pub mod metric;
pub mod model;
mod outputs;
mod paper;
pub mod params;
pub mod parts;
pub mod prepare;
mod score;
mod search;
pub mod task;
mod training_table;

pub use learner::Network;
pub use params::NetworkLearner;
