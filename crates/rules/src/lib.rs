//! Multiple-instance rules: IF-THEN rules over bags of rows.
//!
//! Picture a molecule that smells of musk. It takes many shapes, and one of them fits a receptor; which one, nobody knows.
//! The label belongs to the molecule, the numbers to its shapes. A rule such as
//!
//! ```text
//! IF some row has F163 > 117.5 and F29 <= -130 THEN musk
//! ```
//!
//! says which shape it is that matters. Without bags every row is an example of its own, and the same rules do.
//!
//! Three modes ([`params::Mode`]) learn three kinds of answers: a few rules that vote, or one where one is as good
//! ([`default`]); the single rule of the published algorithm, grammar-guided genetic programming ([`g3pmi`]); and rules that
//! trade sensitivity for specificity ([`pareto`]). [`RuleLearner`] is the way in, [`model::RuleModel`] what comes out,
//! [`apply::AppliedRules`] what it says of other data, and [`export`] how it is told to people, databases and Python.
//!
//! ```
//! use pellucid_data::Values;
//! use pellucid_data::{Bags, Column, Dataset, Target};
//! use pellucid_rules::RuleLearner;
//!
//! // Six bags of two rows; those with a value above 5 are of class "yes".
//! let numbers = vec![1.0, 7.0, 2.0, 3.0, 9.0, 4.0, 0.5, 1.5, 8.0, 2.5, 3.5, 0.0];
//! let names = (0..6).map(|bag| format!("b{bag}")).collect();
//! let data = Dataset {
//!     name: "toys".into(),
//!     columns: vec![Column { name: "x".into(), values: Values::Numeric(numbers.into()) }],
//!     rows: 12,
//!     target: Some(Target {
//!         name: "label".into(),
//!         classes: vec!["no".into(), "yes".into()],
//!         codes: vec![1, 0, 1, 0, 1, 0],
//!     }),
//!     bags: Some(Bags { name: "bag".into(), names, of_row: vec![0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5] }),
//!     notes: Vec::new(),
//!     ..Dataset::default()
//! };
//! let model = RuleLearner::new().most_rules(5).fit(&data)?;
//! assert_eq!(model.model.model.rules[0].when.to_string(), "some row (x > 6)");
//! assert_eq!(model.predict(&data)?, ["yes", "no", "yes", "no", "yes", "no"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Everything is learned from what `fit` is given: cut points, summaries, the choice between modes of counting. Given a
//! training fold, it sees nothing else.
//!
//! The paper: A. Cano, A. Zafra, S. Ventura, "Speeding up multiple instance learning classification rules on GPUs" (2014).
#![forbid(unsafe_code)]

mod boost;
pub mod breed;
pub mod decide;
pub mod default;
pub mod demands;
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
pub use pellucid_ruleset::{apply, conform, cut, explain, export, number, path, summary};
