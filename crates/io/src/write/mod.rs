//! Writes data sets so that reading the file returns the same data set.

mod arff;
mod context;
mod csv;
mod file;
mod keel;
#[cfg(feature = "parquet")]
mod parquet;

use std::borrow::Cow;
use std::io;
use std::path::Path;

pub use arff::write_arff;
pub use context::{write_context_csv, write_cxt, write_dat, write_pairs};
pub use csv::{write_csv, write_tsv};
pub use file::{FileForm, TableFormat, write, write_context};
pub use keel::write_keel;
#[cfg(feature = "parquet")]
pub use parquet::write_parquet;

use crate::cells::number;
use crate::formats::attribute::token::quote;
use pellucid_data::DataError;
use pellucid_data::Values;
use pellucid_data::{Bags, Column, Dataset};

/// Why a data set could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The operating system reported an error.
    #[error("cannot write: {0}")]
    Io(#[from] io::Error),
    /// The data set is inconsistent.
    #[error(transparent)]
    Inconsistent(DataError),
    /// A text that readers treat as a missing value.
    #[error("column '{column}' contains '{text}', which would be read back as missing")]
    Ambiguous {
        /// The column.
        column: String,
        /// The text.
        text: String,
    },
    /// A context that the format cannot represent.
    #[error("{0}")]
    Unfit(String),
    /// An error of the Parquet library.
    #[error("cannot write Parquet: {0}")]
    Parquet(String),
    /// A file name whose extension selects no format.
    #[error("{0}")]
    Ending(String),
    /// One of the other errors, with the file name.
    #[error("{file}: {problem}")]
    File {
        /// The file.
        file: String,
        /// What is wrong.
        #[source]
        problem: Box<WriteError>,
    },
}

impl WriteError {
    /// Adds the file name.
    fn in_file(self, path: &Path) -> Self {
        Self::File { file: path.display().to_string(), problem: Box::new(self) }
    }
}

/// The columns of a file: the bag first, then the features, the target last.
struct FileColumns<'a> {
    bags: Option<&'a Bags>,
    columns: &'a [Column],
    target: Option<&'a pellucid_data::ClassTarget>,
}

impl<'a> FileColumns<'a> {
    /// Checks the data set, so that later code can index without checks.
    fn new(data: &'a Dataset) -> Result<Self, WriteError> {
        data.check().map_err(WriteError::Inconsistent)?;
        Ok(Self { bags: data.bags.as_ref(), columns: &data.columns, target: data.target.as_ref() })
    }

    /// Returns the name of a row's bag.
    fn bag(&self, row: usize) -> Option<&'a str> {
        self.bags.map(|bags| bags.names[bags.of_row[row] as usize].as_str())
    }

    /// Returns the example of a row: its bag if it has one, otherwise the row itself.
    fn example(&self, row: usize) -> usize {
        self.bags.map_or(row, |bags| bags.of_row[row] as usize)
    }

    /// Returns the class of a row, which is the class of its bag if it has one.
    fn class(&self, row: usize) -> Option<&'a str> {
        let example = self.example(row);
        self.target.map(|target| target.classes[target.codes[example] as usize].as_str())
    }
}

/// Returns a value as text; `None` if it is missing.
fn text_of(values: &Values, row: usize) -> Option<Cow<'_, str>> {
    match values {
        Values::Numeric(values) if values[row].is_nan() => None,
        Values::Numeric(values) => Some(Cow::Owned(number::print(values[row]))),
        Values::Nominal { codes, categories } => {
            categories.get(codes[row] as usize).map(|category| Cow::Borrowed(category.as_str()))
        }
        Values::Boolean(values) => {
            values[row].map(|value| Cow::Borrowed(if value { "true" } else { "false" }))
        }
    }
}

/// Returns a value in the syntax of ARFF and KEEL.
fn attribute_value(values: &Values, row: usize) -> Cow<'_, str> {
    match (values, text_of(values, row)) {
        (_, None) => Cow::Borrowed("?"),
        (Values::Nominal { .. }, Some(Cow::Borrowed(text))) => quote(text),
        (_, Some(text)) => text,
    }
}

/// Returns the type of a column in the syntax of ARFF and KEEL.
fn attribute_type(values: &Values, number: &str) -> String {
    match values {
        Values::Numeric(_) => number.to_owned(),
        Values::Nominal { categories, .. } => nominal_type(categories),
        Values::Boolean(_) => "{false,true}".to_owned(),
    }
}

fn nominal_type(categories: &[String]) -> String {
    let quoted: Vec<Cow<'_, str>> = categories.iter().map(|category| quote(category)).collect();
    format!("{{{}}}", quoted.join(","))
}
