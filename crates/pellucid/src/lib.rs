//! White-box learning at hardware speed.
//!
//! This crate re-exports the other crates of the workspace. Depend on this one.
//!
//! Learners:
//!
//! - [`rules`]: IF-THEN rules for tables and for bags of rows.
//! - [`xcs`]: classifier systems (XCS and UCS).
//! - [`networks`]: small neural networks for ranking, classes and numbers.
//! - [`logic`]: class expressions over an ontology, from positive and negative individuals.
//! - [`concepts`]: formal concepts, their lattice, implications and association rules.
//! - [`learn`]: the learner trait, parameters, runs, random numbers, metrics, cross-validation,
//!   checkpoints and model files.
//!
//! Data:
//!
//! - [`io`]: readers for tables (CSV, TSV, ARFF, KEEL, UCI and Parquet), formal contexts,
//!   ontologies and learning problems.
//! - [`data`]: data sets, contexts and ontologies in memory.
//! - [`files`]: atomic replacement of files.
//! - [`report`]: plots and diagrams.
//!
//! The engine, which evaluates many candidates exactly on all CPU cores and GPUs:
//!
//! - [`program`]: formulas and class expressions.
//! - [`device`]: threads, GPUs and scheduling.
//! - [`cover`]: counts the rows and bags that formulas cover.
//! - [`close`]: enumerates closed sets.
//! - [`relate`]: counts the individuals that class expressions cover.
//! - [`bits`]: bit sets.
//!
//! Building blocks for commands, services and bindings:
//!
//! - [`registry`]: learners and models by name.
//! - [`devices`]: selection and measurement of devices.
//! - [`evaluate`]: evaluation of expressions given as text.
//! - [`prepare`]: groups, weights and the target of a table.
//! - [`parts`]: training on rows in other processes.
//! - [`reports`]: reports on models of any learner.
//! - [`cross_validation`]: the result of a cross-validation as text.
//! - [`compare`]: two models on the same data.
//! - [`monitor`]: a model on new data, compared with its training data.
//! - [`contexts`]: formal contexts from files.
//! - [`problems`]: selection of a learning problem.
//! - [`generate`]: synthetic data.
//!
//! # Examples
//!
//! Learn rules from a file and apply them to new rows:
//!
//! ```
//! use pellucid::prelude::*;
//!
//! let mut csv = "patient,value,ill\n".to_owned();
//! for patient in 0..20 {
//!     // Two visits per patient. A patient with a value above 50 is ill.
//!     let (ill, high) = if patient % 2 == 0 { ("yes", 60) } else { ("no", 40) };
//!     csv += &format!("p{patient},{},{ill}\np{patient},{patient},{ill}\n", high + patient % 5);
//! }
//! let options = ReadOptions::default().bag("patient");
//! let data = io::read_from(csv.as_bytes(), "visits.csv", &options)?;
//! let model = RuleLearner::new().most_rules(5).fit(&data)?;
//! println!("{}", model.text());
//!
//! let csv = "patient,value\nanna,44\nanna,57\nbert,3\nbert,41\n";
//! let new = io::read_from(csv.as_bytes(), "new.csv", &options.target(Choice::None))?;
//! assert_eq!(model.predict(&new)?.classes(), ["yes", "no"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Learn a class expression from an ontology and apply it to all individuals:
//!
//! ```
//! use pellucid::prelude::*;
//!
//! let turtle = "@prefix : <http://example.org/#> .\n\
//!     :anna a :Woman ; :hasChild :carl . :bert a :Man ; :hasChild :carl .\n\
//!     :carl a :Man . :dora a :Woman . :emil a :Man ; :hasChild :dora .";
//! let ontology = io::read_ontology_from(turtle.as_bytes(), "family.ttl")?;
//! let kb = Arc::new(KnowledgeBase::new(ontology, &Closure::default())?);
//! let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
//! let father = io::LearningProblem {
//!     name: "father".to_owned(),
//!     positive: names(&["bert"]),
//!     negative: names(&["anna", "carl", "dora"]),
//! };
//! let model = LogicLearner::new().fit(&kb, &father)?;
//! assert_eq!(model.best()?.expression(), "Man and hasChild some owl:Thing");
//! // In the order of the file: anna, carl, bert, dora, and emil, who is not an example.
//! let predicted = model.predict(&kb)?;
//! assert_eq!(predicted.classes(), ["negative", "negative", "positive", "negative", "positive"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Count the rows that an expression covers:
//!
//! ```
//! use pellucid::prelude::*;
//!
//! let csv = "age,smoker,class\n34,no,0\n61,yes,1\n58,yes,1\n47,no,0\n";
//! let data = io::read_from(csv.as_bytes(), "example.csv", &ReadOptions::default())?;
//! let codes = data.row_codes();
//! let table = Arc::new(Table::from_dataset(data)?);
//! let labels = Labels::rows(&table, &codes, 2)?;
//! let mut session = Session::new(table, labels, Hypothesis::Rows, &[Device::processor(None)?])?;
//!
//! let rule = session.programs_mut().parse("age > 50 and smoker = yes")?;
//! assert_eq!(session.tally(&[rule])?.of(0), [0, 2]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod alternatives;
pub mod compare;
pub mod contexts;
pub mod cross_validation;
pub mod devices;
pub mod evaluate;
pub mod generate;
mod message;
pub mod monitor;
pub mod parts;
pub mod problems;

pub use message::message_of;
pub use pellucid_bits as bits;
pub use pellucid_close as close;
pub use pellucid_concepts as concepts;
pub use pellucid_cover as cover;
pub use pellucid_data as data;
pub use pellucid_device as device;
pub use pellucid_export as export;
pub use pellucid_files as files;
pub use pellucid_forward as forward;
pub use pellucid_io as io;
pub use pellucid_learn as learn;
pub use pellucid_logic as logic;
pub use pellucid_matching as matching;
pub use pellucid_networks as networks;
pub use pellucid_program as program;
pub use pellucid_relate as relate;
pub use pellucid_report as report;
pub use pellucid_rules as rules;
pub use pellucid_ruleset as ruleset;
pub use pellucid_xcs as xcs;

pub mod prepare;
pub mod read;
pub mod registry;
pub mod reports;

/// The items that most programs need.
///
/// ```
/// use pellucid::prelude::*;
///
/// let csv = "age,smoker,class\n34,no,0\n61,yes,1\n58,yes,1\n47,no,0\n39,no,0\n66,yes,1\n";
/// let data = io::read_from(csv.as_bytes(), "example.csv", &ReadOptions::default())?;
/// let model = RuleLearner::new().most_rules(3).fit(&data)?;
/// println!("{}", model.text());
/// assert_eq!(model.predict(&data)?.classes().len(), data.rows);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod prelude {
    pub use crate::io::{self, Choice, Dataset, ReadOptions};
    pub use crate::learn::learner::{Applied, Fit, FittedModel};
    pub use crate::learn::params::Check;
    pub use crate::learn::run::{Control, Driver, Silent};
    pub use crate::logic::{self, Closure, KnowledgeBase, LogicLearner};
    pub use crate::networks::{self, NetworkLearner};
    pub use crate::read;
    pub use crate::registry::Registry;
    pub use crate::rules::{self, RuleLearner};
    pub use crate::xcs::{self, XcsLearner};
    pub use pellucid_cover::{Hypothesis, Labels, Session, Table, Tallies};
    pub use pellucid_data::Values;
    pub use pellucid_device::{Device, Machine};
    pub use pellucid_program::{Expr, ProgramId, Programs};
    pub use std::sync::Arc;
}
