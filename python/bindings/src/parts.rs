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
use pellucid::learn::learner::Learner as _;
use pellucid::learn::model::StoredModel;
use pellucid::parts::{self, Outline, OutlineNumbers, RuleParts, RuleRequest, network};
use pellucid::registry::Data;
use pellucid::rules::Rules;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// A part of the rows, in the process that stores it.
#[pyclass(module = "pellucid._native", frozen)]
pub(crate) struct Part {
    columns: Vec<GivenColumn>,
    target: String,
    bag: Option<String>,
    jobs: Option<i64>,
    device: Option<String>,
    prepared: Mutex<Option<PreparedPart>>,
}

/// A part that is ready to answer the requests of a learner.
enum PreparedPart {
    Rules(Box<parts::RulePart>),
    Network(Box<network::NetworkPart>),
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
        let numbers = if ends { OutlineNumbers::Range } else { OutlineNumbers::All };
        let outline = || Outline::of(&self.columns, &self.target, self.bag.as_deref(), numbers);
        to_bytes(py, &detached(py, outline)?.map_err(errors::value)?)
    }

    /// The number of plans received so far, or nothing before the first request, which must include
    /// the outline of the whole.
    #[getter]
    fn plans(&self, py: Python<'_>) -> PyResult<Option<usize>> {
        detached(py, || {
            let prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
            prepared.as_ref().map(PreparedPart::plans)
        })
    }

    /// Answers a request about the rows of this part. `place` is the number of this part, and `plans` are the
    /// plans that it has not received yet. The outline of the whole is needed once.
    #[pyo3(signature = (whole, kind, question, place=0, plans=Vec::new()))]
    fn answer<'py>(
        &self,
        py: Python<'py>,
        whole: Option<&[u8]>,
        kind: &str,
        question: &[u8],
        place: usize,
        plans: Vec<PyBackedBytes>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        // Release the interpreter's lock: the thread that holds the part may need it, which would be a
        // deadlock.
        let answer = detached(py, || self.answer_request(whole, kind, question, (place, &plans)))?;
        Ok(answer?.into_pyarray(py))
    }
}

impl Part {
    fn answer_request(
        &self,
        whole: Option<&[u8]>,
        kind: &str,
        question: &[u8],
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
                let part = match kind {
                    "network" => whole
                        .network_part(columns, machine)
                        .map(Box::new)
                        .map(PreparedPart::Network),
                    _ => whole.part(columns, machine).map(Box::new).map(PreparedPart::Rules),
                };
                none.insert(part.map_err(errors::value)?)
            }
        };
        for plan in plans {
            match part {
                PreparedPart::Rules(part) => part.plan(place, plan).map_err(errors::value)?,
                PreparedPart::Network(part) => part.plan(place, plan).map_err(errors::value)?,
            }
        }
        match (part, kind) {
            (PreparedPart::Rules(part), "grow") => part.grow(question).map_err(errors::value),
            (PreparedPart::Rules(part), "tally") => {
                part.tally(&words(question)).map_err(errors::value)
            }
            (PreparedPart::Rules(part), "judge") => {
                let stored = StoredModel::parse(Path::new("the model"), question.to_vec());
                let model = stored.and_then(|stored| Rules::read_model(&stored));
                part.evaluate(&model.map_err(errors::value)?).map_err(errors::value)
            }
            (PreparedPart::Network(part), "network") => {
                part.answer(question).map_err(errors::value)
            }
            _ => Err(PyValueError::new_err(format!("unknown request '{kind}'"))),
        }
    }
}

impl PreparedPart {
    fn plans(&self) -> usize {
        match self {
            PreparedPart::Rules(part) => usize::from(part.has_plan()),
            PreparedPart::Network(part) => part.plans(),
        }
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

/// Trains rules or a network on rows in other processes.
///
/// `ask(kind, question)` sends a request to all parts and returns a list of their answers, always
/// in the same order. A request of kind `plan` has no answer: the plan is to be sent with every
/// later request, in addition to earlier plans.
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
    let Data::Table(head) = &data else { return Err(PyValueError::new_err("expected a table")) };
    let (learned, device) = match learner {
        "rules" => {
            let parts =
                RuleParts { examples, ask: Arc::new(move |request| ask_for_rules(&ask, request)) };
            run_learner(py, options, |machine, driver, _, observer| {
                parts::learn_rules(head, parts, &settings, machine, driver, observer)
            })?
        }
        "network" => {
            let ask: network::NetworkTransport = Arc::new(move |request| match request {
                network::NetworkRequest::Plan(plan) => ask_all(&ask, "plan", plan),
                network::NetworkRequest::Query(query) => ask_all(&ask, "network", query),
            });
            run_learner(py, options, |machine, driver, _, observer| {
                let parts = network::NetworkParts { ask };
                parts::learn_networks(head, &parts, &settings, machine, driver, observer)
            })?
        }
        other => {
            let message = format!("learner: found '{other}'; expected 'rules' or 'network'");
            return Err(PyValueError::new_err(message));
        }
    };
    let learned = learned.map_err(|error| errors::value(error.about(&data)))?;
    let run = guarded(|| json::dict(py, &run_info(&learned, &data, &device)))?;
    Ok((Model::new(learned.model), run))
}

/// Sends a request of the rule learner to all parts.
fn ask_for_rules(ask: &Py<PyAny>, request: &RuleRequest<'_>) -> Result<Vec<Vec<u64>>, DeviceError> {
    match request {
        RuleRequest::Tally(words) => {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            ask_all(ask, "tally", &bytes)
        }
        RuleRequest::Evaluate(model) => {
            let text = Rules::model_to_json(model);
            let text = text.map_err(|error| DeviceError::new("parts", error.to_string()))?;
            ask_all(ask, "judge", text.as_bytes())
        }
        RuleRequest::Plan(plan) => ask_all(ask, "plan", plan),
        RuleRequest::Grow(query) => ask_all(ask, "grow", query),
    }
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

fn words(bytes: &[u8]) -> Vec<u64> {
    let (words, _) = bytes.as_chunks::<8>();
    words.iter().map(|word| u64::from_le_bytes(*word)).collect()
}

fn to_bytes<'py>(py: Python<'py>, outline: &Outline) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &outline.to_bytes().map_err(errors::value)?))
}

fn from_bytes(outline: &[u8]) -> PyResult<Outline> {
    Outline::from_bytes(outline).map_err(errors::value)
}
