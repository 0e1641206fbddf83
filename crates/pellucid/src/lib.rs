//! White-box learning at hardware speed.
//!
//! This is the library to depend on; it brings the others together:
//!
//! - [`engine`]: very many hypotheses against very many examples, exactly, on every core.
//! - [`learn`]: what learners share: checked parameters, runs, random streams, metrics, cross-validation, checkpoints, models.
//! - [`io`]: CSV, TSV, ARFF, KEEL, UCI and Parquet files as data sets.
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

pub use pellucid_engine as engine;
pub use pellucid_io as io;
pub use pellucid_learn as learn;
pub use pellucid_rules as rules;

/// What most programs need.
pub mod prelude {
    pub use crate::engine::{
        Cpu, Device, Expr, Hypothesis, Labels, ProgramId, Programs, Session, Table, Tallies, Values,
    };
    pub use crate::io::{self, Dataset, ReadOptions};
    pub use std::sync::Arc;
}
