//! The engine for people who write their own learner: expressions in, counts out.

use crate::errors;
use crate::guard::{detached, guarded};
use crate::machine::machine;
use crate::table::Table;
use numpy::{PyArray1, PyArray2, PyArrayMethods as _};
use pellucid::evaluate::{self, Answered, Covered, TableQuestion};
use pellucid::io::{Choice, Column, Dataset, ReadOptions, Values};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// A table that very many expressions are held against.
#[pyclass(module = "pellucid._native", frozen)]
pub(crate) struct Evaluator {
    evaluator: Mutex<evaluate::Evaluator>,
    #[pyo3(get)]
    classes: Vec<String>,
    /// The columns, and what each holds; nothing for one without a single value.
    #[pyo3(get)]
    kinds: Vec<(String, Option<String>)>,
}

/// What the columns of a data set hold.
fn kinds(data: &Dataset) -> Vec<(String, Option<String>)> {
    let reading = &data.origin.reading;
    let kind = |column: &Column| match &column.values {
        values if values.missing() == values.len() => None,
        Values::Nominal { .. } => Some("words".to_owned()),
        Values::Boolean(_) => Some("truth values".to_owned()),
        Values::Numeric(_) => {
            Some(match (reading.date(&column.name), reading.units.get(&column.name)) {
                (Some(_), _) => "dates".to_owned(),
                (None, Some(unit)) => format!("numbers with '{unit}'"),
                (None, None) => "numbers".to_owned(),
            })
        }
    };
    data.columns.iter().map(|column| (column.name.clone(), kind(column))).collect()
}

/// Counts, and why some expressions have none.
type Counts<'py> = (Bound<'py, PyArray2<u64>>, Vec<Option<String>>);

#[pymethods]
impl Evaluator {
    /// Lays a table out, which is used up.
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
        let laid_out = || evaluate::Evaluator::of_table(data, &question, &machine);
        let evaluator = detached(py, laid_out)?.map_err(errors::value)?;
        let classes = evaluator.classes().to_vec();
        Ok(Evaluator { evaluator: Mutex::new(evaluator), classes, kinds })
    }

    /// How many examples of each class every expression holds for; where one cannot be understood there are zeros, and the reason
    /// beside them.
    fn counts<'py>(&self, py: Python<'py>, expressions: Vec<String>) -> PyResult<Counts<'py>> {
        let answers = self.answers(py, &expressions)?;
        let mut counts = Vec::with_capacity(answers.len() * self.classes.len());
        let mut why = Vec::with_capacity(answers.len());
        for answer in answers {
            match answer {
                Ok(answer) => {
                    counts.extend(answer.counts);
                    why.push(None);
                }
                Err(reason) => {
                    counts.extend(std::iter::repeat_n(0, self.classes.len()));
                    why.push(Some(reason));
                }
            }
        }
        let shape = [why.len(), self.classes.len()];
        Ok((PyArray1::from_vec(py, counts).reshape(shape)?, why))
    }

    /// The rows that an expression covers; the table must have been laid out with `cover`.
    fn rows(&self, py: Python<'_>, expression: String) -> PyResult<Vec<usize>> {
        let answer = self.answers(py, &[expression])?.pop();
        match answer {
            Some(Ok(answer)) => match answer.covered {
                Some(Covered::Rows(rows)) => Ok(rows),
                _ => Err(PyValueError::new_err("the table was laid out without cover=True")),
            },
            Some(Err(why)) => Err(PyValueError::new_err(why)),
            None => Ok(Vec::new()),
        }
    }
}

impl Evaluator {
    fn answers(&self, py: Python<'_>, expressions: &[String]) -> PyResult<Vec<Answered>> {
        let answers = detached(py, || {
            let mut evaluator = self.evaluator.lock().unwrap_or_else(PoisonError::into_inner);
            evaluator.evaluate(expressions)
        })?;
        answers.map_err(errors::value)
    }
}
