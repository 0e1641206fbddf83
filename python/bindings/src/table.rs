//! Tables under construction.

use crate::columns::ReadColumn;
use crate::guard::{detached, guarded};
use crate::{append, arrow, columns, errors, json};
use pellucid::data::Values;
use pellucid::io::{self, Choice, Column, Dataset, DateUnit, GivenColumn, ReadOptions};
use pellucid::learn::fingerprint::Fingerprint;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A table under construction, column by column. Training and prediction consume the columns, so
/// that they are not copied again.
#[pyclass(module = "pellucid._native")]
#[derive(Default)]
pub(crate) struct Table {
    name: String,
    columns: Vec<GivenColumn>,
    /// The columns with whole numbers that an `f64` cannot represent, and the first such number of each.
    rounded: Vec<(String, String)>,
}

impl Table {
    fn add(&mut self, name: String, values: Values) {
        self.columns.push(Column { name, values }.into());
    }

    fn add_read(&mut self, name: String, column: ReadColumn) {
        self.rounded.extend(column.rounded.map(|number| (name.clone(), number)));
        self.add(name, column.values);
    }

    /// Takes the columns out of the table.
    pub(crate) fn columns(&mut self) -> Vec<GivenColumn> {
        std::mem::take(&mut self.columns)
    }

    /// Takes the columns out of the table, as a data set.
    pub(crate) fn take(&mut self, options: &ReadOptions) -> PyResult<Dataset> {
        let columns = self.columns();
        io::from_columns(&self.name, columns, options).map_err(errors::value)
    }
}

#[pymethods]
impl Table {
    /// Creates an empty table.
    #[new]
    #[pyo3(signature = (name="data"))]
    fn new(name: &str) -> Table {
        Table { name: name.to_owned(), ..Table::default() }
    }

    /// Concatenates the rows of several tables. Their columns are consumed.
    #[staticmethod]
    fn joined(tables: Vec<Bound<'_, Table>>) -> PyResult<Table> {
        guarded(|| {
            let (mut parts, mut whole) = (Vec::with_capacity(tables.len()), Table::default());
            for table in &tables {
                let mut table = table.try_borrow_mut()?;
                whole.name.clone_from(&table.name);
                whole.rounded.append(&mut table.rounded);
                parts.push(table.columns());
            }
            whole.columns = append::concatenate(parts).map_err(PyValueError::new_err)?;
            Ok(whole)
        })
    }

    /// The names of the columns so far.
    #[getter]
    pub(crate) fn names(&self) -> Vec<String> {
        self.columns.iter().map(|given| given.column.name.clone()).collect()
    }

    /// The number of rows of the first column.
    #[getter]
    fn rows(&self) -> usize {
        self.columns.first().map_or(0, |given| given.column.values.len())
    }

    /// Adds an array of numbers or booleans. NaN, and values where the mask is true, are missing values.
    #[pyo3(signature = (name, array, mask=None))]
    fn add_numbers(
        &mut self,
        name: String,
        array: &Bound<'_, PyAny>,
        mask: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        guarded(|| {
            let column = columns::numbers(array, mask)?;
            self.add_read(name, column);
            Ok(())
        })
    }

    /// Adds booleans. None is a missing value.
    fn add_truths(&mut self, name: String, booleans: Vec<Option<bool>>) {
        self.add(name, Values::Boolean(booleans));
    }

    /// Adds the columns of a two-dimensional array.
    fn add_matrix(&mut self, names: Vec<String>, array: &Bound<'_, PyAny>) -> PyResult<()> {
        guarded(|| {
            for (name, column) in names.into_iter().zip(columns::matrix(array)?) {
                self.add_read(name, column);
            }
            Ok(())
        })
    }

    /// Adds a text column as 64-bit codes into categories. Negative codes are missing values. Declared
    /// categories stay text, even if all of them are dates or numbers with a unit.
    #[pyo3(signature = (name, codes, categories, declared=false))]
    fn add_codes(
        &mut self,
        name: String,
        codes: &Bound<'_, PyAny>,
        categories: Vec<String>,
        declared: bool,
    ) -> PyResult<()> {
        guarded(|| {
            let values = columns::codes(codes, categories)?;
            let given = GivenColumn::from(Column { name, values });
            self.columns.push(GivenColumn { declared, ..given });
            Ok(())
        })
    }

    /// Adds a column of timestamps, in seconds since 1970.
    fn add_seconds(&mut self, name: String, array: &Bound<'_, PyAny>) -> PyResult<()> {
        guarded(|| {
            let values = columns::numbers(array, None)?.values;
            let given = GivenColumn::from(Column { name, values });
            self.columns.push(GivenColumn { date_unit: Some(DateUnit::Seconds), ..given });
            Ok(())
        })
    }

    /// Adds all columns of an object with `__arrow_c_stream__`.
    fn add_arrow(&mut self, frame: &Bound<'_, PyAny>) -> PyResult<()> {
        guarded(|| {
            let read = arrow::columns(frame)?;
            self.columns.extend(read.columns);
            self.rounded.extend(read.rounded);
            Ok(())
        })
    }

    /// Records that a column has a whole number that an `f64` cannot represent.
    fn add_rounded(&mut self, name: String, number: String) {
        self.rounded.push((name, number));
    }

    /// The columns with whole numbers that an `f64` cannot represent, and the first such number of each.
    #[getter]
    fn rounded(&self) -> Vec<(String, String)> {
        self.rounded.clone()
    }

    /// Returns the first column with an infinite number, if any.
    fn infinite(&self) -> Option<&str> {
        let is_infinite = |given: &&GivenColumn| match &given.column.values {
            Values::Numeric(numbers) => numbers.iter().any(|number| number.is_infinite()),
            Values::Nominal { .. } | Values::Boolean(_) => false,
        };
        self.columns.iter().find(is_infinite).map(|given| given.column.name.as_str())
    }

    /// Returns a digest of the names and values of all columns. It identifies a training set.
    fn fingerprint(&self) -> PyResult<u64> {
        guarded(|| {
            let add = |digest: Fingerprint, given: &GivenColumn| {
                let digest = digest.with(&given.column.name);
                match &given.column.values {
                    Values::Numeric(numbers) => numbers
                        .iter()
                        .fold(digest, |digest, number| digest.with_number(number.to_bits())),
                    Values::Nominal { codes, categories } => {
                        let digest = categories.iter().fold(digest, Fingerprint::with);
                        codes.iter().fold(digest, |digest, &code| digest.with_number(code.into()))
                    }
                    Values::Boolean(booleans) => booleans.iter().fold(digest, |digest, value| {
                        digest.with_number(value.map_or(2, u64::from))
                    }),
                }
            };
            Ok(self.columns.iter().fold(Fingerprint::new(), add).value())
        })
    }

    /// Summarizes the columns, as text and as a dictionary. The columns are consumed.
    #[pyo3(signature = (target=None, bag=None))]
    fn describe<'py>(
        &mut self,
        py: Python<'py>,
        target: Option<String>,
        bag: Option<String>,
    ) -> PyResult<(String, Bound<'py, PyDict>)> {
        let columns = self.columns();
        let choice = |column: Option<String>| column.map_or(Choice::Auto, Choice::Column);
        let options = ReadOptions::default().target(choice(target)).bag(choice(bag));
        let name = self.name.clone();
        let summary = detached(py, || io::describe_columns(&name, columns, &options))?;
        let summary = summary.map_err(errors::value)?;
        let serde_json::Value::Object(pairs) = summary.to_json() else {
            return Ok((summary.to_string(), PyDict::new(py)));
        };
        Ok((summary.to_string(), json::dict(py, &pairs)?))
    }
}
