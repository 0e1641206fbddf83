//! Predictions of a model.

use crate::errors;
use crate::guard::{detached, guarded};
use numpy::{IntoPyArray as _, PyArray1, PyArray2, PyArrayMethods as _};
use pellucid::device::Machine;
use pellucid::learn::learner::{self, Deciding, Explanation};
use pellucid::learn::score_matrix::ScoreMatrix;
use pellucid::registry::{AnyModel, Data};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The predictions of a model: classes or numbers, with scores, probabilities and explanations if available.
#[pyclass(module = "pellucid._native", frozen)]
pub(crate) struct Predictions {
    answers: Mutex<learner::Predictions>,
    classes: usize,
    length: usize,
    /// A message for each column with categories that were not in the training data.
    unseen: Vec<String>,
}

impl Predictions {
    pub(crate) fn new(
        model: &dyn AnyModel,
        data: &Data,
        machine: &Machine,
        threshold: Option<f64>,
        cost: Option<HashMap<String, f64>>,
    ) -> PyResult<Predictions> {
        // Numbers outside the range of the training data are normal in new data, and rules handle them.
        let unseen = model.unseen_values(data).into_iter().filter(|column| column.seen.is_none());
        let unseen = unseen.map(|column| column.to_string()).collect();
        let applied = model.apply(data, machine).map_err(errors::value)?;
        let classes = &model.schema().classes;
        let mut costs: Vec<(String, f64)> = cost.unwrap_or_default().into_iter().collect();
        costs.sort_by(|left, right| left.0.cmp(&right.0));
        let deciding = match (threshold, costs.is_empty()) {
            (Some(threshold), _) => Deciding::Threshold(threshold),
            (None, false) => Deciding::Costs(costs),
            (None, true) => Deciding::Model,
        };
        let answers = learner::Predictions::new(applied, classes, model.calibration());
        let answers = answers.deciding(&deciding).map_err(errors::value)?;
        let (classes, length) = (classes.len(), answers.len());
        Ok(Predictions { answers: Mutex::new(answers), classes, length, unseen })
    }

    fn with<T>(&self, read: impl FnOnce(&learner::Predictions) -> T) -> T {
        read(&self.answers.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns an array with one row per example and one column per class, if there are such numbers.
    fn by_class<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&learner::Predictions) -> Option<&ScoreMatrix> + Send + Sync,
    ) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let numbers = detached(py, || {
            self.with(|answers| of(answers).map(|matrix| matrix.numbers().to_vec()))
        })?;
        let shaped = |numbers: Vec<f64>| {
            PyArray1::from_vec(py, numbers).reshape([self.length, self.classes])
        };
        let is_whole = |numbers: &Vec<f64>| numbers.len() == self.length * self.classes;
        numbers.filter(is_whole).map(shaped).transpose()
    }
}

#[pymethods]
impl Predictions {
    fn __len__(&self) -> usize {
        self.length
    }

    /// Returns the predicted class of each example, as an index into the classes of the model.
    fn codes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let codes: Vec<i64> = detached(py, || {
            self.with(|answers| {
                (0..self.length).map(|example| i64::from(answers.predicted(example))).collect()
            })
        })?;
        Ok(codes.into_pyarray(py))
    }

    /// Returns the predicted number of each example, or nothing if the model predicts classes.
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        let numbers: Option<Vec<f64>> = detached(py, || {
            self.with(|answers| answers.applied().predicted().numbers().map(<[f64]>::to_vec))
        })?;
        Ok(numbers.map(|numbers| numbers.into_pyarray(py)))
    }

    /// Returns the probability of each class, or nothing if the model is not calibrated.
    fn probabilities<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        self.by_class(py, learner::Predictions::probability_matrix)
    }

    /// Returns the score of each class, or nothing if the model has no scores.
    fn votes<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        self.by_class(py, |answers| answers.applied().scores())
    }

    /// Returns the names of the examples.
    fn names(&self) -> PyResult<Vec<String>> {
        let name = |answers: &learner::Predictions, one| answers.applied().name(one);
        guarded(
            || Ok(self.with(|answers| (0..self.length).map(|one| name(answers, one)).collect())),
        )
    }

    /// A message for each column with categories that were not in the training data.
    #[getter]
    fn unseen(&self) -> Vec<String> {
        self.unseen.clone()
    }

    /// Explains the prediction for an example, as text and as JSON.
    #[pyo3(signature = (example, fully=true))]
    fn explain(&self, example: usize, fully: bool) -> PyResult<(String, String)> {
        if example >= self.length {
            let count = self.length;
            let message =
                format!("example {example} is out of range: the data has {count} examples");
            return Err(PyIndexError::new_err(message));
        }
        let explain =
            || self.with(|answers| answers.explain(example, fully)).map_err(errors::boxed);
        let Explanation { text, json } = guarded(explain)?;
        Ok((text.trim_end().to_owned(), json.to_string()))
    }
}
