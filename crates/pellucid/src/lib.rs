//! White-box learning at hardware speed.
//!
//! This is the library to depend on; it brings the others together:
//!
//! - [`engine`]: very many hypotheses against very many examples, exactly, on every core.
//! - [`learn`]: what learners share: checked parameters, runs, random streams, metrics, cross-validation, checkpoints, models.
//! - [`rules`]: IF-THEN rules over tables and over bags of rows.
//! - [`concepts`]: every formal concept of a table of crosses, their lattice and implications.
//! - [`io`]: CSV, TSV, ARFF, KEEL, UCI and Parquet files as data sets, and formal contexts.
//! - [`report`]: pictures a person understands.
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
    pub use crate::rules::{self, params::Params, train::Machine};
    pub use std::sync::Arc;
}
