//! Readers and writers of tables, formal contexts, ontologies and learning problems.
//!
//! Tables and bags are read from CSV, ARFF, KEEL, UCI and Parquet files, formal contexts from Burmeister,
//! FIMI and CSV files and from dependency graphs, and ontologies from RDF/XML, Turtle and N-Triples.
//!
//! A table in any format becomes one [`Dataset`]: typed feature columns, a [`Target`] and [`Bags`].
//! [`ReadOptions`] supplies what the file does not say. Anything else is assumed, and every assumption is
//! recorded in [`Dataset::notes`].
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
//! A formal context becomes one [`Context`] (see [`read_context`]) and an ontology one [`Ontology`] (see
//! [`read_ontology`]). A [`LearningProblem`] lists the positive and negative individuals of an ontology (see
//! [`read_problems`]).
//!
//! Readers never panic on malformed input: they return a [`ReadError`] with the file, the position, what was
//! found and what was expected. [`Limits`] bound the memory that a file may use.
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
    ColumnContent, ColumnDescription, ColumnRole, Description, describe, describe_from, examine,
};
pub use encoding::{Encoding, UnknownEncoding};
pub use error::{Position, ReadError, ReadProblem};
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
