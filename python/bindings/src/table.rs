//! A table on its way from Python into the engine.

use crate::{arrow, columns, errors, json};
use pellucid::data::Values;
use pellucid::io::{self, Choice, Column, Dataset, GivenColumn, Moments, ReadOptions};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Columns one after the other. Whoever learns or predicts takes them: a table is used once, so that nothing is copied twice.
#[pyclass(module = "pellucid._native")]
#[derive(Default)]
pub(crate) struct Table {
    name: String,
    columns: Vec<GivenColumn>,
}

impl Table {
    fn add(&mut self, name: String, values: Values, moments: Option<Moments>) {
        self.columns.push(GivenColumn { column: Column { name, values }, moments });
    }

    /// The columns, which are gone afterwards.
    pub(crate) fn columns(&mut self) -> Vec<GivenColumn> {
        std::mem::take(&mut self.columns)
    }

    /// The data set of the columns, which are gone afterwards.
    pub(crate) fn take(&mut self, options: &ReadOptions) -> PyResult<Dataset> {
        let columns = self.columns();
        io::from_columns(&self.name, columns, options).map_err(errors::value)
    }
}

#[pymethods]
impl Table {
    /// An empty table.
    #[new]
    #[pyo3(signature = (name="data"))]
    fn new(name: &str) -> Table {
        Table { name: name.to_owned(), columns: Vec::new() }
    }

    /// The names of the columns so far.
    #[getter]
    pub(crate) fn names(&self) -> Vec<String> {
        self.columns.iter().map(|given| given.column.name.clone()).collect()
    }

    /// How many rows the first column has.
    #[getter]
    fn rows(&self) -> usize {
        self.columns.first().map_or(0, |given| given.column.values.len())
    }

    /// Adds an array of numbers or truth values; NaN is a missing value.
    fn add_numbers(&mut self, name: String, array: &Bound<'_, PyAny>) -> PyResult<()> {
        let values = columns::numbers(array)?;
        self.add(name, values, None);
        Ok(())
    }

    /// Adds truth values, and nothing where one is missing.
    fn add_truths(&mut self, name: String, truths: Vec<Option<bool>>) {
        self.add(name, Values::Boolean(truths), None);
    }

    /// Adds the columns of an array of two dimensions.
    fn add_matrix(&mut self, names: Vec<String>, array: &Bound<'_, PyAny>) -> PyResult<()> {
        for (name, values) in names.into_iter().zip(columns::matrix(array)?) {
            self.add(name, values, None);
        }
        Ok(())
    }

    /// Adds a column of words: 64-bit codes into categories, and below zero where there is none.
    fn add_codes(
        &mut self,
        name: String,
        codes: &Bound<'_, PyAny>,
        categories: Vec<String>,
    ) -> PyResult<()> {
        let values = columns::codes(codes, categories)?;
        self.add(name, values, None);
        Ok(())
    }

    /// Adds a column of dates: seconds since 1970.
    fn add_seconds(&mut self, name: String, array: &Bound<'_, PyAny>) -> PyResult<()> {
        let values = columns::numbers(array)?;
        self.add(name, values, Some(Moments::Seconds));
        Ok(())
    }

    /// Adds all columns of an object with `__arrow_c_stream__`.
    fn add_arrow(&mut self, frame: &Bound<'_, PyAny>) -> PyResult<()> {
        self.columns.extend(arrow::columns(frame)?);
        Ok(())
    }

    /// The first column with an infinite number, if there is one.
    fn infinite(&self) -> Option<&str> {
        let is_infinite = |given: &&GivenColumn| match &given.column.values {
            Values::Numeric(numbers) => numbers.iter().any(|number| number.is_infinite()),
            Values::Nominal { .. } | Values::Boolean(_) => false,
        };
        self.columns.iter().find(is_infinite).map(|given| given.column.name.as_str())
    }

    /// What the columns hold: a text for people and a dictionary for programs. The columns are gone afterwards.
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
        let told = py.detach(|| io::describe_columns(&name, columns, &options));
        let told = told.map_err(errors::value)?;
        let serde_json::Value::Object(pairs) = told.to_json() else {
            return Ok((told.to_string(), PyDict::new(py)));
        };
        Ok((told.to_string(), json::dict(py, &pairs)?))
    }
}
