//! Readers and writers of tables, formal contexts, ontologies and learning problems.
//!
//! Tables and bags are read from CSV, ARFF, KEEL, UCI and Parquet files, formal contexts from Burmeister,
//! FIMI and CSV files and from dependency graphs, and ontologies in all common syntaxes.
//! Dependency graphs come from files of edges and from folders of source code (see [`read_graph`]).
//!
//! A table in any format becomes one [`Dataset`]: typed feature columns, a [`ClassTarget`] and [`Bags`].
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

// The modules form layers, and imports run only downwards (`tests/layers.rs` checks that). From low to high:
// source, cells, columns, formats, typing, assembly, describe; then ontology, problem, graph, context and
// write.
mod assembly;
mod cells;
mod columns;
mod context;
mod describe;
mod formats;
mod graph;
mod ontology;
mod problem;
mod source;
mod typing;
mod write;

pub use assembly::frame::{GivenColumn, from_columns};
pub use assembly::read::{read, read_from};
pub use cells::as_numbers::as_numbers;
pub use columns::date_unit::DateUnit;
pub use columns::misfit::{Misfit, Misfits};
pub use context::{ContextFormat, ContextOptions, read_context, read_context_from};
pub use describe::{
    ColumnContent, ColumnDescription, ColumnRole, Description, describe, describe_columns,
    describe_from, examine,
};
pub use graph::{
    GraphFormat, GraphOptions, NamedClusters, read_graph, read_graph_from, read_partition,
    read_partition_from,
};
pub use ontology::{
    is_ontology, read_ontologies, read_ontology, read_ontology_from, read_ontology_from_with,
    read_ontology_with,
};
pub use pellucid_data::{
    Bags, ClassTarget, Column, Context, DataError, Dataset, DateFormat, Ids, MergedClasses, Names,
    NumberTarget, Ontology, Origin, Problem as LearningProblem, Reading,
};
pub use pellucid_data::{Dependency, DependencyGraph};
pub use pellucid_data::{MISSING, Values};
pub use problem::{
    read_examples, read_examples_from, read_examples_with, read_problems, read_problems_from,
    read_problems_with,
};
pub use source::encoding::{TextEncoding, UnknownEncoding};
pub use source::error::{Position, ReadError, ReadProblem};
pub use source::options::{
    BagTable, Choice, ExpectedColumn, ExpectedKind, Format, Header, Limits, Quoting, ReadOptions,
    UnlabeledExamples,
};
#[cfg(feature = "parquet")]
pub use write::write_parquet;
pub use write::{
    FileForm, TableFormat, WriteError, write, write_arff, write_context, write_context_csv,
    write_csv, write_cxt, write_dat, write_keel, write_pairs, write_tsv,
};
