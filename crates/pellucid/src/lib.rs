//! White-box learning at hardware speed.
//!
//! This is the library to depend on; it brings the others together:
//!
//! - [`engine`]: very many hypotheses against very many examples, exactly, on every core.
//! - [`learn`]: what learners share: checked parameters, runs, random streams, metrics, cross-validation, checkpoints, models.
//! - [`rules`]: IF-THEN rules over tables and over bags of rows.
//! - [`logic`]: class expressions over an ontology, from positive and negative individuals.
//! - [`concepts`]: every formal concept of a table of crosses, their lattice and implications.
//! - [`io`]: CSV, TSV, ARFF, KEEL, UCI and Parquet files as data sets, formal contexts, ontologies and learning problems.
//! - [`report`]: pictures a person understands.
//!
//! and what joins several of them, for whoever builds a command, a service or a binding:
//!
//! - [`devices`]: devices by name, and what each is worth. [`evaluate`]: expressions in, counts out.
//! - [`contexts`]: from a file to a formal context. [`problems`]: one learning problem of many. [`generate`]: synthetic data.
//!
//! From a file to rules:
//!
//! ```
//! use pellucid::prelude::*;
//!
//! let mut csv = "patient,value,ill\n".to_owned();
//! for patient in 0..20 {
//!     // Two visits each; who is ill has one with a value above 50.
//!     let high = if patient % 2 == 0 { 60 } else { 40 };
//!     csv += &format!("p{patient},{},{}\np{patient},{},{}\n", high + patient % 5, patient % 2, patient, patient % 2);
//! }
//! let data = io::read_from(csv.as_bytes(), "visits.csv", &ReadOptions::default().bag("patient"))?;
//! let machine = Machine::processor(None)?;
//! let learned = rules::learn::learn(&data, Params::default().check()?, &machine, &Driver::new(&Control::new()), &mut Silent)?;
//! assert_eq!(learned.train.get("accuracy"), Some(1.0));
//! println!("{}", rules::export::text(&learned.model));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! From an ontology to a class expression:
//!
//! ```
//! use pellucid::prelude::*;
//!
//! let turtle = "@prefix : <http://example.org/#> .\n\
//!     :anna a :Woman ; :hasChild :carl . :bert a :Man ; :hasChild :carl .\n\
//!     :carl a :Man . :dora a :Woman .";
//! let ontology = io::read_ontology_from(turtle.as_bytes(), "family.ttl")?;
//! let kb = Arc::new(KnowledgeBase::new(ontology, &Closure::default())?);
//! let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
//! let problem = io::LearningProblem {
//!     name: "father".to_owned(),
//!     positive: names(&["bert"]),
//!     negative: names(&["anna", "carl", "dora"]),
//! };
//! let (options, control) = (logic::learn::Options::default().check()?, Control::new());
//! let (machine, driver) = (Machine::processor(None)?, Driver::new(&control));
//! let learned = logic::learn::train(&kb, &problem, options, &machine, &driver, &control, &mut Silent)?;
//! let best = &learned.model.model.answers[0];
//! assert_eq!((best.positive, best.negative), (1, 0));
//! println!("{}", best.expression);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! From a file to counts:
//!
//! ```
//! use pellucid::prelude::*;
//!
//! let csv = "age,smoker,class\n34,no,0\n61,yes,1\n58,yes,1\n47,no,0\n";
//! let data = io::read_from(csv.as_bytes(), "example.csv", &ReadOptions::default())?;
//! let codes = data.row_codes();
//! let table = Arc::new(data.into_table()?);
//! let labels = Labels::rows(&table, &codes, 2)?;
//! let mut session = Session::new(table, labels, Hypothesis::Rows, &[Arc::new(Cpu::new(None)?)])?;
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
pub mod problems;

pub use pellucid_concepts as concepts;
pub use pellucid_engine as engine;
pub use pellucid_io as io;
pub use pellucid_learn as learn;
pub use pellucid_logic as logic;
pub use pellucid_report as report;
pub use pellucid_rules as rules;

/// What most programs need.
pub mod prelude {
    pub use crate::engine::{
        Cpu, Device, Expr, Hypothesis, Labels, ProgramId, Programs, Session, Table, Tallies, Values,
    };
    pub use crate::io::{self, Dataset, ReadOptions};
    pub use crate::learn::params::Check;
    pub use crate::learn::run::{Control, Driver, Silent};
    pub use crate::logic::{self, Closure, KnowledgeBase};
    pub use crate::rules::{self, params::Params, train::Machine};
    pub use std::sync::Arc;
}
