//! The evaluation engine: counts the examples that expressions cover.

use crate::errors;
use crate::guard::{detached, guarded};
use crate::machine::machine;
use crate::table::Table;
use numpy::{PyArray1, PyArray2, PyArrayMethods as _};
use pellucid::evaluate::{self, CoveredExamples, EvaluationResult, TableQuestion};
use pellucid::io::{Choice, Column, Dataset, ReadOptions, Values};
use pellucid::program::Expr;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// A table that evaluates expressions.
#[pyclass(module = "pellucid._native", frozen)]
pub(crate) struct Evaluator {
    evaluator: Mutex<evaluate::Evaluator>,
    #[pyo3(get)]
    classes: Vec<String>,
    /// The name and the type of each column. A column without values has no type.
    #[pyo3(get)]
    kinds: Vec<(String, Option<String>)>,
}

/// Returns the types of the columns of a data set.
fn kinds(data: &Dataset) -> Vec<(String, Option<String>)> {
    let reading = &data.origin.reading;
    let kind = |column: &Column| match &column.values {
        values if values.missing() == values.len() => None,
        Values::Nominal { .. } => Some("text".to_owned()),
        Values::Boolean(_) => Some("booleans".to_owned()),
        Values::Numeric(_) => {
            Some(match (reading.date(&column.name), reading.units.get(&column.name)) {
                (Some(_), _) => "dates".to_owned(),
                (None, Some(unit)) => format!("numbers with unit '{unit}'"),
                (None, None) => "numbers".to_owned(),
            })
        }
    };
    data.columns.iter().map(|column| (column.name.clone(), kind(column))).collect()
}

/// The counts, and the errors of invalid expressions.
type Counts<'py> = (Bound<'py, PyArray2<u64>>, Vec<Option<String>>);

#[pymethods]
impl Evaluator {
    /// Prepares a table for evaluation. The columns of the table are consumed.
    #[new]
    #[pyo3(signature = (table, target=None, bag=None, cover=false, n_jobs=None, device=None))]
    fn new(
        py: Python<'_>,
        table: &Bound<'_, Table>,
        target: Option<String>,
        bag: Option<String>,
        cover: bool,
        n_jobs: Option<i64>,
        device: Option<&str>,
    ) -> PyResult<Evaluator> {
        let choice = |column: Option<String>| column.map_or(Choice::None, Choice::Column);
        let mut options = ReadOptions::default().target(choice(target)).bag(choice(bag));
        options.keep_identifiers = true;
        let data = guarded(|| table.try_borrow_mut()?.take(&options))?;
        let kinds = kinds(&data);
        let machine = machine(py, device, n_jobs)?;
        let question = TableQuestion { hypothesis: None, cover };
        let prepare = || evaluate::Evaluator::of_table(data, &question, &machine);
        let evaluator = detached(py, prepare)?.map_err(errors::value)?;
        let classes = evaluator.classes().to_vec();
        Ok(Evaluator { evaluator: Mutex::new(evaluator), classes, kinds })
    }

    /// Counts the examples of each class that each expression covers. The counts of an invalid expression are
    /// zero, and its error is returned with them.
    fn counts<'py>(&self, py: Python<'py>, expressions: Vec<String>) -> PyResult<Counts<'py>> {
        let answers = self.answers(py, &expressions)?;
        let mut counts = Vec::with_capacity(answers.len() * self.classes.len());
        let mut errors = Vec::with_capacity(answers.len());
        for answer in answers {
            match answer {
                Ok(answer) => {
                    counts.extend(answer.counts);
                    errors.push(None);
                }
                Err(error) => {
                    counts.extend(std::iter::repeat_n(0, self.classes.len()));
                    errors.push(Some(error));
                }
            }
        }
        let shape = [errors.len(), self.classes.len()];
        Ok((PyArray1::from_vec(py, counts).reshape(shape)?, errors))
    }

    /// Returns the rows that an expression covers. The evaluator must have been created with `cover`.
    fn rows(&self, py: Python<'_>, expression: String) -> PyResult<Vec<usize>> {
        let answer = self.answers(py, &[expression])?.pop();
        match answer {
            Some(Ok(answer)) => match answer.covered {
                Some(CoveredExamples::Rows(rows)) => Ok(rows),
                _ => Err(PyValueError::new_err("rows() needs an engine created with cover=True")),
            },
            Some(Err(error)) => Err(PyValueError::new_err(error)),
            None => Ok(Vec::new()),
        }
    }
}

/// Returns the columns that a condition uses, each once.
#[pyfunction]
pub(crate) fn condition_columns(condition: &str) -> PyResult<Vec<String>> {
    guarded(|| {
        let expr: Expr = condition.parse().map_err(errors::value)?;
        let mut columns: Vec<String> = Vec::new();
        for name in expr.columns() {
            if !columns.iter().any(|known| known == name) {
                columns.push(name.to_owned());
            }
        }
        Ok(columns)
    })
}

impl Evaluator {
    fn answers(&self, py: Python<'_>, expressions: &[String]) -> PyResult<Vec<EvaluationResult>> {
        let answers = detached(py, || {
            let mut evaluator = self.evaluator.lock().unwrap_or_else(PoisonError::into_inner);
            evaluator.evaluate(expressions)
        })?;
        answers.map_err(errors::value)
    }
}
