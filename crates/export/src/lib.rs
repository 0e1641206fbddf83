//! What the exports of all learners share.
//!
//! A learner writes its models as text, SQL, Python, ONNX or pages. Each of these formats has its
//! literals and its quoting, and each exists here once: [`sql`], [`python`], [`xml`], [`protobuf`].
//! [`wrap`] breaks paragraphs into lines, [`names`] finds names that no column has, and [`dates`]
//! shows the numbers of date columns as dates. [`conform`] matches new data with the columns of a
//! model. Cells of CSV files and visible text are in `pellucid-data`, rounded numbers in
//! [`pellucid_learn::digits`].
//!
//! ```
//! use pellucid_export::names::FreeNames;
//! use pellucid_export::sql::{identifier, literal};
//! use pellucid_learn::model::{Column, Schema};
//!
//! let schema = Schema { columns: vec![Column::numeric("Score")], ..Schema::default() };
//! let score = FreeNames::beside(&schema).take_identifier("score");
//! let query = format!("SELECT {} AS {score} FROM {}", literal(0.5), identifier("data"));
//! assert_eq!(query, "SELECT 0.5 AS \"score 2\" FROM \"data\"");
//! ```
#![forbid(unsafe_code)]

pub mod conform;
pub mod dates;
pub mod missing;
pub mod names;
pub mod protobuf;
pub mod python;
pub mod spellings;
pub mod sql;
pub mod wrap;
pub mod xml;
