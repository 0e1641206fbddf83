//! IF-THEN rules over rows, or over bags of rows (multiple-instance rules).
//!
//! A molecule takes many shapes, and one of them may fit a receptor, which makes it smell of musk. The
//! label belongs to the molecule (a bag), the numbers to its shapes (rows). A rule such as
//!
//! ```text
//! IF some row has F163 > 117.5 and F29 <= -130 THEN musk
//! ```
//!
//! describes the shape that matters. Without bags every row is an example.
//!
//! The modes ([`params::Mode`]) give different kinds of models: a few rules whose points add up, one
//! rule if it is as good, or an ordered list ([`default`]); the single rule of the published
//! algorithm, grammar-guided genetic programming ([`g3pmi`]); and a Pareto front of sensitivity and
//! specificity ([`pareto`]). [`RuleLearner`] trains a [`model::RuleModel`],
//! [`apply::AppliedRules`] applies it to other data, and [`export`] writes it as text, SQL and Python.
//!
//! ```
//! use pellucid_data::Values;
//! use pellucid_data::{Bags, ClassTarget, Column, Dataset};
//! use pellucid_rules::RuleLearner;
//!
//! // Six bags of two rows; those with a value above 5 are of class "yes".
//! let numbers = vec![1.0, 7.0, 2.0, 3.0, 9.0, 4.0, 0.5, 1.5, 8.0, 2.5, 3.5, 0.0];
//! let names = (0..6).map(|bag| format!("b{bag}")).collect();
//! let data = Dataset {
//!     name: "toys".into(),
//!     columns: vec![Column { name: "x".into(), values: Values::Numeric(numbers.into()) }],
//!     rows: 12,
//!     target: Some(ClassTarget {
//!         name: "label".into(),
//!         classes: vec!["no".into(), "yes".into()],
//!         codes: vec![1, 0, 1, 0, 1, 0],
//!     }),
//!     bags: Some(Bags {
//!         name: "bag".into(),
//!         names,
//!         of_row: vec![0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5],
//!     }),
//!     notes: Vec::new(),
//!     ..Dataset::default()
//! };
//! let model = RuleLearner::new().most_rules(5).fit(&data)?;
//! assert_eq!(model.rules[0].when.to_string(), "some row (x > 6)");
//! assert_eq!(model.predict(&data)?.classes(), ["yes", "no", "yes", "no", "yes", "no"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Everything is fitted on the data passed to `fit`: cut points, summaries, and the way of counting
//! rows. Given a training fold, it uses nothing else.
//!
//! The paper: A. Cano, A. Zafra, S. Ventura, "Speeding up multiple instance learning classification
//! rules on GPUs" (2014).
#![forbid(unsafe_code)]

mod boost;
pub mod breed;
pub mod constraints;
pub mod decide;
pub mod default;
pub mod evolve;
pub mod g3pmi;
pub mod genome;
pub mod grammar;
pub mod learner;
pub mod model;
pub mod params;
pub mod pareto;
pub mod parts;
mod short;
pub mod train;
mod trim;

pub use learner::Rules;
pub use params::RuleLearner;
pub use pellucid_export::conform;
pub use pellucid_ruleset::{apply, card, cut, explain, export, number, path, summary};
