//! Distributed training: parts of the rows in several processes, and a coordinator that sends them requests.

use crate::fit::{RunOptions, run_info, run_learner};
use crate::guard::{detached, guarded};
use crate::learners::to_settings;
use crate::machine::open_cached;
use crate::model::Model;
use crate::table::Table;
use crate::{errors, json};
use numpy::{IntoPyArray as _, PyArray1, PyReadonlyArray1};
use pellucid::device::DeviceError;
use pellucid::io::GivenColumn;
use pellucid::parts::{self, HeadNumbers, Outline, Parts, Request};
use pellucid::registry::{Data, Registry};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};
use std::sync::{Arc, Mutex, PoisonError};

/// A part of the rows, in the process that stores it.
#[pyclass(module = "pellucid._native", frozen)]
pub(crate) struct Part {
    columns: Vec<GivenColumn>,
    target: String,
    bag: Option<String>,
    jobs: Option<i64>,
    device: Option<String>,
    prepared: Mutex<Option<Box<dyn parts::Part>>>,
}

#[pymethods]
impl Part {
    /// Creates a part from a table. The columns of the table are consumed.
    #[new]
    #[pyo3(signature = (table, target, bag=None, n_jobs=None, device=None))]
    fn new(
        table: &Bound<'_, Table>,
        target: String,
        bag: Option<String>,
        n_jobs: Option<i64>,
        device: Option<String>,
    ) -> Part {
        let columns = table.borrow_mut().columns();
        Part { columns, target, bag, jobs: n_jobs, device, prepared: Mutex::new(None) }
    }

    /// Returns the outline of the part: its columns and their values, without the rows. With `ends`, only the
    /// smallest and the largest number of each column, which networks need.
    #[pyo3(signature = (ends=false))]
    fn outline<'py>(&self, py: Python<'py>, ends: bool) -> PyResult<Bound<'py, PyBytes>> {
        let numbers = if ends { HeadNumbers::Range } else { HeadNumbers::All };
        let outline = || Outline::of(&self.columns, &self.target, self.bag.as_deref(), numbers);
        to_bytes(py, &detached(py, outline)?.map_err(errors::value)?)
    }

    /// The number of plans received so far, or nothing before the first request, which must include
    /// the outline of the whole.
    #[getter]
    fn plans(&self, py: Python<'_>) -> PyResult<Option<usize>> {
        detached(py, || {
            let prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
            prepared.as_ref().map(|part| part.plans())
        })
    }

    /// Answers a query of a learner about the rows of this part. `place` is the number of this part, and
    /// `plans` are the plans that it has not received yet. The outline of the whole is needed once.
    #[pyo3(signature = (whole, learner, query, place=0, plans=Vec::new()))]
    fn answer<'py>(
        &self,
        py: Python<'py>,
        whole: Option<&[u8]>,
        learner: &str,
        query: &[u8],
        place: usize,
        plans: Vec<PyBackedBytes>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        // Release the interpreter's lock: the thread that holds the part may need it, which would be a
        // deadlock.
        let answer = detached(py, || self.answer_request(whole, learner, query, (place, &plans)))?;
        Ok(answer?.into_pyarray(py))
    }
}

impl Part {
    fn answer_request(
        &self,
        whole: Option<&[u8]>,
        learner: &str,
        query: &[u8],
        (place, plans): (usize, &[PyBackedBytes]),
    ) -> PyResult<Vec<u64>> {
        let mut prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        let part = match &mut *prepared {
            Some(part) => part,
            none => {
                let machine = open_cached(self.device.as_deref(), self.jobs)?;
                let no_outline = || {
                    PyValueError::new_err("the first request must include the outline of the whole")
                };
                let whole = from_bytes(whole.ok_or_else(no_outline)?)?;
                let columns = self.columns.clone();
                let learners = Registry::standard();
                let learner = learners.find(learner).map_err(errors::value)?;
                none.insert(whole.part(learner, columns, machine).map_err(errors::value)?)
            }
        };
        for plan in plans {
            part.plan(place, plan).map_err(errors::boxed)?;
        }
        part.answer(query).map_err(errors::boxed)
    }
}

/// Joins the outlines of all parts to the outline of the whole.
#[pyfunction]
pub(crate) fn join_outlines<'py>(
    py: Python<'py>,
    outlines: Vec<Vec<u8>>,
) -> PyResult<Bound<'py, PyBytes>> {
    guarded(|| {
        let mut outlines = outlines.iter().map(|outline| from_bytes(outline));
        let first = outlines
            .next()
            .ok_or_else(|| PyValueError::new_err("expected at least one part"))??;
        let join =
            |whole: Outline, next: PyResult<Outline>| whole.join(next?).map_err(errors::value);
        let whole = outlines.try_fold(first, join)?;
        to_bytes(py, &whole)
    })
}

/// Trains a model on rows in other processes.
///
/// `ask(kind, question)` sends a request to all parts and returns a list of their answers, always
/// in the same order. The kind is the name of the learner, or `plan`. A plan has no answer: it is to be
/// sent with every later request, in addition to earlier plans.
#[pyfunction]
#[pyo3(signature = (whole, ask, settings, options, learner="rules"))]
pub(crate) fn fit_parts<'py>(
    py: Python<'py>,
    whole: &[u8],
    ask: Py<PyAny>,
    settings: &Bound<'py, PyDict>,
    options: &Bound<'py, PyDict>,
    learner: &str,
) -> PyResult<(Model, Bound<'py, PyDict>)> {
    let (settings, options): (_, RunOptions) = (to_settings(settings)?, options.extract()?);
    let (head, examples) = guarded(|| {
        let whole = from_bytes(whole)?;
        let head = whole.head().map_err(errors::value)?;
        Ok((head, whole.examples().map_err(errors::value)?))
    })?;
    let data = Data::Table(head);
    let learners = Registry::standard();
    let found = learners.find(learner).map_err(errors::value)?;
    let name = learner.to_owned();
    let send = Arc::new(move |request: Request<'_>| match request {
        Request::Plan(plan) => ask_all(&ask, "plan", plan),
        Request::Query(query) => ask_all(&ask, &name, query),
    });
    let parts = Parts { examples, send };
    let (learned, device) = run_learner(py, options, |machine, driver, _, observer| {
        found.fit_parts(&data, parts, &settings, machine, driver, observer)
    })?;
    let learned = learned.map_err(|error| errors::value(error.about(&data)))?;
    let run = guarded(|| json::dict(py, &run_info(&learned, &data, &device)))?;
    Ok((Model::new(learned.model), run))
}

/// Sends a request to all parts and returns their answers.
fn ask_all(ask: &Py<PyAny>, kind: &str, request: &[u8]) -> Result<Vec<Vec<u64>>, DeviceError> {
    let failed = |error: PyErr| DeviceError::new("parts", error.to_string());
    Python::attach(|py| {
        let answers = ask.call1(py, (kind, PyBytes::new(py, request))).map_err(failed)?;
        let answers: Vec<PyReadonlyArray1<'_, u64>> = answers.extract(py).map_err(failed)?;
        Ok(answers.iter().map(|answer| answer.as_array().to_vec()).collect())
    })
}

fn to_bytes<'py>(py: Python<'py>, outline: &Outline) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &outline.to_bytes().map_err(errors::value)?))
}

fn from_bytes(outline: &[u8]) -> PyResult<Outline> {
    Outline::from_bytes(outline).map_err(errors::value)
}
