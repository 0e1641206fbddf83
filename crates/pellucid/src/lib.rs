//! White-box learning at hardware speed.
//!
//! This is the library to depend on; it brings the others together:
//!
//! - The engine, very many hypotheses against very many examples, exactly, on every core and GPU: [`program`] (hypotheses as
//!   values), [`data`] (data sets, contexts, ontologies), [`device`] (threads, GPUs, how they share work), [`bits`], and a module
//!   for each shape of work: [`cover`] (formulas against rows and bags), [`close`] (closed sets), [`relate`] (roles between
//!   individuals).
//! - [`learn`]: what learners share: one contract, parameters that describe themselves, runs, random streams, metrics,
//!   cross-validation, checkpoints, models.
//! - [`rules`]: IF-THEN rules over tables and over bags of rows.
//! - [`logic`]: class expressions over an ontology, from positive and negative individuals.
//! - [`concepts`]: every formal concept of a table of crosses, their lattice and implications.
//! - [`io`]: CSV, TSV, ARFF, KEEL, UCI and Parquet files as data sets, formal contexts, ontologies and learning problems.
//! - [`files`]: files that are replaced whole or not at all.
//! - [`report`]: pictures a person understands.
//!
//! and what joins several of them, for whoever builds a command, a service or a binding:
//!
//! - [`devices`]: devices by name, and what each is worth. [`evaluate`]: expressions in, counts out.
//! - [`parts`]: learning from rows that lie elsewhere. [`contexts`]: from a file to a formal context. [`problems`]: one learning problem of many. [`generate`]: synthetic data.
//!
//! From a file to rules, and what they say of new rows:
//!
//! ```
//! use pellucid::prelude::*;
//!
//! let mut csv = "patient,value,ill\n".to_owned();
//! for patient in 0..20 {
//!     // Two visits each; who is ill has one with a value above 50.
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
//! assert_eq!(model.predict(&new)?, ["yes", "no"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! From an ontology to a class expression, and whom it holds for:
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
//! assert_eq!(model.model.model.best()?.expression(), "Man and hasChild some owl:Thing");
//! // Everybody, as the file first names them: anna, carl, bert, dora and emil, who was no example.
//! assert_eq!(model.predict(&kb)?, ["negative", "negative", "positive", "negative", "positive"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Learners and models of which only the name is known: [`registry`].
//!
//! From a file to counts:
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

pub mod contexts;
pub mod devices;
pub mod evaluate;
pub mod generate;
pub mod parts;
pub mod problems;

pub use pellucid_bits as bits;
pub use pellucid_close as close;
pub use pellucid_concepts as concepts;
pub use pellucid_cover as cover;
pub use pellucid_data as data;
pub use pellucid_device as device;
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

/// What most programs need.
pub mod prelude {
    pub use crate::io::{self, Choice, Dataset, ReadOptions};
    pub use crate::learn::learner::{Applied, Fitted, Learner};
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
