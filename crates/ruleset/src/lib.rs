//! Rule models, whichever learner they come from.
//!
//! A [`model::RuleSet`] is a list of rules of the form "IF condition THEN add points to a class". The
//! class with the highest score is predicted. This crate applies rule sets to data ([`apply`]),
//! explains predictions ([`explain`]), and exports models as text, SQL and Python ([`export`]).
//! Cut points in conditions are short numbers ([`cut`]). Rules may also add up to a [`number`], or
//! form an ordered list in which the first rule that applies decides.
//!
//! ```
//! use pellucid_device::Machine;
//! use pellucid_data::{Column, Dataset, Values};
//! use pellucid_learn::model::{Column as Known, Schema};
//! use pellucid_ruleset::apply::AppliedRules;
//! use pellucid_ruleset::model::{Rule, RuleModel, RuleSet};
//!
//! let rule = Rule::new("age > 40".parse()?, 1, 1.0);
//! let model = RuleSet { base: vec![0.5, 0.0], rules: vec![rule], ..RuleSet::default() };
//! let schema = Schema {
//!     columns: vec![Known::numeric("age")],
//!     classes: vec!["no".into(), "yes".into()],
//!     ..Schema::default()
//! };
//! let model = RuleModel { learner: "some".into(), params: (), schema, calibration: None, body: model };
//! let ages = Column { name: "age".into(), values: Values::Numeric(vec![35.0, 50.0].into()) };
//! let data = Dataset { name: "people".into(), columns: vec![ages], rows: 2, ..Dataset::default() };
//! let applied = AppliedRules::new(&model, &data, &Machine::processor(None)?)?;
//! assert_eq!(applied.predictions(), [0, 1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod apply;
pub mod card;
pub mod cut;
pub mod explain;
pub mod export;
pub mod model;
pub mod number;
pub mod path;
mod predict;
pub mod summary;
