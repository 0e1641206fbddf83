//! Reading of table files.

use crate::errors;
use crate::guard::detached;
use pellucid::io::{self, Choice, Dataset, MISSING, ReadOptions, Values};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::PathBuf;

/// The keyword arguments of `read_table`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct FileOptions {
    sheet: Option<String>,
    ignore: Vec<String>,
    nominal: Vec<String>,
    numeric: Vec<String>,
    merge_spellings: Vec<String>,
    missing: Option<Vec<String>>,
    delimiter: Option<char>,
    decimal: Option<char>,
    thousands: Option<char>,
    encoding: Option<String>,
}

impl FileOptions {
    fn reading(self, more: Vec<PathBuf>) -> PyResult<ReadOptions> {
        let mut options = ReadOptions::default()
            .target(Choice::None)
            .bag(Choice::None)
            .keep_identifiers(true)
            .parts(more)
            .ignore(self.ignore)
            .nominal(self.nominal)
            .numeric(self.numeric)
            .merge_spellings(self.merge_spellings);
        options.sheet = self.sheet;
        options.missing = self.missing;
        options.delimiter = self.delimiter;
        options.decimal = self.decimal;
        options.thousands = self.thousands;
        options.encoding = match self.encoding {
            None => None,
            Some(name) => Some(name.parse().map_err(|error: io::UnknownEncoding| {
                PyValueError::new_err(format!("encoding: {error}"))
            })?),
        };
        Ok(options)
    }
}

/// A column: its name, its kind, its numbers or codes, and its categories.
type ReadColumn = (String, &'static str, Vec<f64>, Vec<String>);

/// Reads a table from one or more files. Returns its columns and the notes of the reader. The kind of
/// a column is `number`, `day` (days since 1970), `second` (seconds since 1970), `text` (codes, -1 if
/// missing) or `truth` (1, 0, NaN).
#[pyfunction]
pub(crate) fn read_table(
    py: Python<'_>,
    files: Vec<PathBuf>,
    options: &Bound<'_, PyAny>,
) -> PyResult<(Vec<ReadColumn>, Vec<String>)> {
    let mut files = files.into_iter();
    let first = files.next().ok_or_else(|| PyValueError::new_err("expected at least one file"))?;
    let options = options.extract::<FileOptions>()?.reading(files.collect())?;
    let data = detached(py, || io::read(&first, &options))?.map_err(errors::value)?;
    let notes = data.notes.iter().map(ToString::to_string).collect();
    Ok((columns(data), notes))
}

fn columns(data: Dataset) -> Vec<ReadColumn> {
    let reading = data.origin.reading;
    let column = |column: io::Column| {
        let date = reading.date(&column.name);
        let (kind, numbers, categories) = match column.values {
            Values::Numeric(numbers) => {
                let kind = match date.map(|format| format.has_time()) {
                    None => "number",
                    Some(false) => "day",
                    Some(true) => "second",
                };
                (kind, numbers.to_vec(), Vec::new())
            }
            Values::Nominal { codes, categories } => {
                let code = |&code: &u32| if code == MISSING { -1.0 } else { f64::from(code) };
                ("text", codes.iter().map(code).collect(), categories)
            }
            Values::Boolean(truths) => {
                let number = |truth: &Option<bool>| truth.map_or(f64::NAN, |it| it.into());
                ("truth", truths.iter().map(number).collect(), Vec::new())
            }
        };
        (column.name, kind, numbers, categories)
    };
    data.columns.into_iter().map(column).collect()
}
