//! Rules that vote: what several learners hand over, whatever way they found it.
//!
//! Picture a meeting in which everybody may say one sentence, "IF this holds THEN I am for that class", and everybody's vote has a
//! weight. A [`model::RuleSet`] is the list of those sentences. Here is what can be done with it: hold it against data
//! ([`apply`]), say why an example gets its class ([`explain`]), and tell it to people, databases and Python ([`export`]).
//! Numbers in conditions are chosen so that people can read them ([`cut`]). Rules may also add up to a [`number`], or stand in
//! a list of which the first that holds decides.
//!
//! ```
//! use pellucid_device::Machine;
//! use pellucid_data::{Column, Dataset, Values};
//! use pellucid_learn::model::{Column as Known, Schema};
//! use pellucid_ruleset::apply::AppliedRules;
//! use pellucid_ruleset::model::{Rule, RuleModel, RuleSet};
//!
//! let rule = Rule { when: "age > 40".parse()?, class: 1, votes: 1.0, covered: vec![] };
//! let model = RuleSet { base: vec![0.5, 0.0], rules: vec![rule], ..RuleSet::default() };
//! let schema = Schema {
//!     columns: vec![Known::numeric("age")],
//!     classes: vec!["no".into(), "yes".into()],
//!     ..Schema::default()
//! };
//! let model = RuleModel { learner: "some".into(), params: (), schema, calibration: None, model };
//! let ages = Column { name: "age".into(), values: Values::Numeric(vec![35.0, 50.0].into()) };
//! let data = Dataset { name: "people".into(), columns: vec![ages], rows: 2, ..Dataset::default() };
//! let applied = AppliedRules::new(&model, &data, &Machine::processor(None)?)?;
//! assert_eq!(applied.predictions(), [0, 1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod apply;
pub mod conform;
pub mod cut;
mod elect;
pub mod explain;
pub mod export;
pub mod model;
pub mod number;
pub mod path;
pub mod summary;
