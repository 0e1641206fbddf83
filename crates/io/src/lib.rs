//! Files in and out: tables and bags from CSV, ARFF, KEEL, UCI and Parquet files, formal contexts from Burmeister, FIMI and CSV
//! files and from dependency graphs, ontologies from RDF/XML, Turtle and N-Triples, and learning problems over them.
//!
//! Picture a table on paper: rows of values, one column with the label, perhaps one that says which rows belong together.
//! However the file writes that down, it arrives as one [`Dataset`]: typed feature columns, a [`Target`], and [`Bags`].
//! What the file does not say is told by [`ReadOptions`] or assumed, and every assumption stands in [`Dataset::notes`].
//!
//! ```
//! use pellucid_io::{ReadOptions, read_from};
//! let text = "bag,weight,colour,class\na,1.5,red,0\na,2,?,0\nb,3,blue,1\n";
//! let data = read_from(text.as_bytes(), "toys.csv", &ReadOptions::default().bag("bag"))?;
//! assert_eq!((data.rows, data.examples(), data.columns.len()), (3, 2, 2));
//! assert_eq!(data.require_classes()?.classes, ["0", "1"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A formal context, objects against attributes, arrives as one [`Context`]: see [`read_context`]. An ontology, individuals
//! and what is said of them, arrives as one [`Ontology`]: see [`read_ontology`]; which individuals are to be told apart is a
//! [`LearningProblem`]: see [`read_problems`].
//!
//! Readers are total: malformed input gives a [`ReadError`] that names the file, the place, what was found and what would be
//! accepted; [`Limits`] bound memory before it grows.
#![forbid(unsafe_code)]

mod as_numbers;
mod assemble;
mod attribute;
#[cfg(feature = "parquet")]
mod columnar;
mod context;
mod dates;
mod dedupe;
mod delimited;
mod describe;
mod encoding;
mod error;
mod foreign;
mod frame;
mod identify;
mod join;
mod known;
mod labels;
mod misfit;
mod missing;
mod moments;
mod nominal;
mod number;
mod number_form;
mod ontology;
mod options;
mod problem;
mod read;
mod retype;
mod roles;
mod settle;
mod source;
mod stretches;
mod threads;
mod units;
mod unlabelled;
mod words;
mod write;

pub use as_numbers::as_numbers;
pub use context::{ContextFormat, ContextOptions, read_context, read_context_from};
pub use describe::{
    ColumnDescription, Content, Description, Role, describe, describe_from, examine,
};
pub use encoding::{Encoding, UnknownEncoding};
pub use error::{Place, ReadError, ReadProblem};
pub use frame::{GivenColumn, describe_columns, from_columns};
pub use misfit::{Misfit, Misfits};
pub use moments::Moments;
pub use ontology::{
    is_ontology, read_ontology, read_ontology_from, read_ontology_from_with, read_ontology_with,
};
pub use options::{
    BagTable, Choice, Expected, ExpectedKind, Format, Header, Limits, Quoting, ReadOptions,
    Unlabelled,
};
pub use pellucid_data::{
    Bags, Column, Context, DataError, Dataset, DateFormat, Ids, MergedClasses, Names, NumberTarget,
    Ontology, Origin, Problem as LearningProblem, Reading, Target,
};
pub use pellucid_data::{MISSING, Values};
pub use problem::{
    read_examples, read_examples_from, read_examples_with, read_problems, read_problems_from,
    read_problems_with,
};
pub use read::{read, read_from};
#[cfg(feature = "parquet")]
pub use write::write_parquet;
pub use write::{
    FileForm, TableFormat, WriteError, write, write_arff, write_context, write_context_csv,
    write_csv, write_cxt, write_dat, write_keel, write_pairs, write_tsv,
};
