//! Rows that lie with several processes: what each is asked, and learning from what they answer.

use crate::fit::{RunOptions, learned_by, told};
use crate::learners::chosen;
use crate::machine::machine;
use crate::model::Model;
use crate::table::Table;
use crate::{errors, json};
use numpy::{IntoPyArray as _, PyArray1, PyReadonlyArray1};
use pellucid::device::DeviceError;
use pellucid::io::GivenColumn;
use pellucid::learn::learner::Learner as _;
use pellucid::learn::model::StoredModel;
use pellucid::parts::{self, Outline, Parts, Question};
use pellucid::registry::Data;
use pellucid::rules::Rules;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// A part of the rows, in the process that has it.
#[pyclass(module = "pellucid._native", frozen)]
pub(crate) struct Part {
    columns: Vec<GivenColumn>,
    target: String,
    bag: Option<String>,
    jobs: Option<i64>,
    device: Option<String>,
    laid_out: Mutex<Option<parts::Part>>,
}

#[pymethods]
impl Part {
    /// A part, from a table that is used up.
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
        Part { columns, target, bag, jobs: n_jobs, device, laid_out: Mutex::new(None) }
    }

    /// What it holds, without the rows.
    fn outline<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let outline = py.detach(|| Outline::of(&self.columns, &self.target, self.bag.as_deref()));
        written(py, &outline.map_err(errors::value)?)
    }

    /// Answers a question about its own rows, in the words of the whole. `place` is its number among the parts, and `plan` what all of them
    /// know, once there is something.
    #[pyo3(signature = (whole, kind, question, place=0, plan=None))]
    fn answer<'py>(
        &self,
        py: Python<'py>,
        whole: &[u8],
        kind: &str,
        question: &[u8],
        place: usize,
        plan: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        // Nobody waits for the part while holding the interpreter: who has the part may need it to come back.
        let answer = py.detach(|| self.answered(whole, kind, question, (place, plan)));
        Ok(answer?.into_pyarray(py))
    }
}

impl Part {
    fn answered(
        &self,
        whole: &[u8],
        kind: &str,
        question: &[u8],
        (place, plan): (usize, Option<&[u8]>),
    ) -> PyResult<Vec<u64>> {
        let mut laid_out = self.laid_out.lock().unwrap_or_else(PoisonError::into_inner);
        if laid_out.is_none() {
            let machine = machine(self.device.as_deref(), self.jobs)?;
            let part = read(whole)?.part(self.columns.clone(), machine);
            *laid_out = Some(part.map_err(errors::value)?);
        }
        let part = laid_out.as_mut().ok_or_else(|| PyValueError::new_err("nothing is there"))?;
        if let Some(plan) = plan.filter(|_| !part.has_plan()) {
            part.plan(place, plan).map_err(errors::value)?;
        }
        let answer = match kind {
            "grow" => part.grow(question),
            "tally" => part.tally(&words(question)),
            "judge" => {
                let stored = StoredModel::parse(Path::new("the model"), question.to_vec());
                let model = stored.and_then(|stored| Rules::read_model(&stored));
                part.judge(&model.map_err(errors::value)?)
            }
            other => return Err(PyValueError::new_err(format!("there is no question '{other}'"))),
        };
        answer.map_err(errors::value)
    }
}

/// The outline of all parts.
#[pyfunction]
pub(crate) fn join_outlines<'py>(
    py: Python<'py>,
    outlines: Vec<Vec<u8>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut outlines = outlines.iter().map(|outline| read(outline));
    let first = outlines.next().ok_or_else(|| PyValueError::new_err("there are no parts"))??;
    let whole = outlines.try_fold(first, |whole, next| whole.join(next?).map_err(errors::value))?;
    written(py, &whole)
}

/// Learns rules from rows that lie elsewhere. `ask(kind, question)` gives a list of what the parts answer, always in the same order. A question of the
/// kind `plan` has no answer: it is what all parts are to be told with every question from then on.
#[pyfunction]
pub(crate) fn fit_parts<'py>(
    py: Python<'py>,
    whole: &[u8],
    ask: Py<PyAny>,
    settings: &Bound<'py, PyDict>,
    options: &Bound<'py, PyDict>,
) -> PyResult<(Model, Bound<'py, PyDict>)> {
    let (settings, options): (_, RunOptions) = (chosen(settings)?, options.extract()?);
    let whole = read(whole)?;
    let head = whole.head().map_err(errors::value)?;
    let parts = Parts {
        examples: whole.examples().map_err(errors::value)?,
        ask: Arc::new(move |question| asked(&ask, question)),
    };
    let data = Data::Table(head);
    let Data::Table(head) = &data else { return Err(PyValueError::new_err("there is no table")) };
    let (learned, device) = learned_by(py, options, |machine, driver, _, observer| {
        parts::learn_rules(head, parts, &settings, machine, driver, observer)
    })?;
    let learned = learned.map_err(|error| errors::value(error.about(&data)))?;
    let told = json::dict(py, &told(&learned, &data, &device))?;
    Ok((Model::new(learned.model), told))
}

/// Asks all parts.
fn asked(ask: &Py<PyAny>, question: &Question<'_>) -> Result<Vec<Vec<u64>>, DeviceError> {
    let failed = |error: PyErr| DeviceError::new("parts", error.to_string());
    let (kind, question) = match question {
        Question::Tally(words) => {
            ("tally", words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())
        }
        Question::Judge(model) => {
            let text = Rules::model_to_json(model);
            let text = text.map_err(|error| DeviceError::new("parts", error.to_string()));
            ("judge", text?.into_bytes())
        }
        Question::Plan(plan) => ("plan", plan.to_vec()),
        Question::Grow(query) => ("grow", query.to_vec()),
    };
    Python::attach(|py| {
        let answers = ask.call1(py, (kind, PyBytes::new(py, &question))).map_err(failed)?;
        let answers: Vec<PyReadonlyArray1<'_, u64>> = answers.extract(py).map_err(failed)?;
        Ok(answers.iter().map(|answer| answer.as_array().to_vec()).collect())
    })
}

fn words(bytes: &[u8]) -> Vec<u64> {
    let (words, _) = bytes.as_chunks::<8>();
    words.iter().map(|word| u64::from_le_bytes(*word)).collect()
}

fn written<'py>(py: Python<'py>, outline: &Outline) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &outline.to_bytes().map_err(errors::value)?))
}

fn read(outline: &[u8]) -> PyResult<Outline> {
    Outline::from_bytes(outline).map_err(errors::value)
}
