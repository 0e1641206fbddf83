//! Rows that lie with several processes: what each is asked, and learning from what they answer.

use crate::fit::{RunOptions, learned_by, told};
use crate::guard::{detached, guarded};
use crate::learners::chosen;
use crate::machine::opened;
use crate::model::Model;
use crate::table::Table;
use crate::{errors, json};
use numpy::{IntoPyArray as _, PyArray1, PyReadonlyArray1};
use pellucid::device::DeviceError;
use pellucid::io::GivenColumn;
use pellucid::learn::learner::Learner as _;
use pellucid::learn::model::StoredModel;
use pellucid::parts::{self, Numbers, Outline, Parts, Question, network};
use pellucid::registry::Data;
use pellucid::rules::Rules;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
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
    laid_out: Mutex<Option<LaidOut>>,
}

/// A part in the words of the learner that asks.
enum LaidOut {
    Rules(Box<parts::Part>),
    Network(Box<network::Part>),
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

    /// What it holds, without the rows; `ends` for the least and the greatest number of each column alone, which are enough for networks.
    #[pyo3(signature = (ends=false))]
    fn outline<'py>(&self, py: Python<'py>, ends: bool) -> PyResult<Bound<'py, PyBytes>> {
        let numbers = if ends { Numbers::Ends } else { Numbers::All };
        let outlined = || Outline::of(&self.columns, &self.target, self.bag.as_deref(), numbers);
        written(py, &detached(py, outlined)?.map_err(errors::value)?)
    }

    /// How many plans it has been told; nothing before it was asked anything, when it needs the outline of the whole.
    #[getter]
    fn plans(&self, py: Python<'_>) -> PyResult<Option<usize>> {
        detached(py, || {
            let laid_out = self.laid_out.lock().unwrap_or_else(PoisonError::into_inner);
            laid_out.as_ref().map(LaidOut::plans)
        })
    }

    /// Answers a question about its own rows, in the words of the whole. `place` is its number among the parts, and `plans` those that it has not been told
    /// yet of what all parts know. The outline of the whole is needed once.
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
        // Waiting for the part with the lock held could be for ever: the thread that has the part may need
        // the lock.
        let answer = detached(py, || self.answered(whole, kind, question, (place, &plans)))?;
        Ok(answer?.into_pyarray(py))
    }
}

impl Part {
    fn answered(
        &self,
        whole: Option<&[u8]>,
        kind: &str,
        question: &[u8],
        (place, plans): (usize, &[PyBackedBytes]),
    ) -> PyResult<Vec<u64>> {
        let mut laid_out = self.laid_out.lock().unwrap_or_else(PoisonError::into_inner);
        let part = match &mut *laid_out {
            Some(part) => part,
            none => {
                let machine = opened(self.device.as_deref(), self.jobs)?;
                let no_whole = || PyValueError::new_err("the outline of the whole is needed");
                let (whole, columns) = (read(whole.ok_or_else(no_whole)?)?, self.columns.clone());
                let part = match kind {
                    "network" => {
                        whole.network_part(columns, machine).map(Box::new).map(LaidOut::Network)
                    }
                    _ => whole.part(columns, machine).map(Box::new).map(LaidOut::Rules),
                };
                none.insert(part.map_err(errors::value)?)
            }
        };
        for plan in plans {
            match part {
                LaidOut::Rules(part) => part.plan(place, plan).map_err(errors::value)?,
                LaidOut::Network(part) => part.plan(place, plan).map_err(errors::value)?,
            }
        }
        match (part, kind) {
            (LaidOut::Rules(part), "grow") => part.grow(question).map_err(errors::value),
            (LaidOut::Rules(part), "tally") => part.tally(&words(question)).map_err(errors::value),
            (LaidOut::Rules(part), "judge") => {
                let stored = StoredModel::parse(Path::new("the model"), question.to_vec());
                let model = stored.and_then(|stored| Rules::read_model(&stored));
                part.judge(&model.map_err(errors::value)?).map_err(errors::value)
            }
            (LaidOut::Network(part), "network") => part.answer(question).map_err(errors::value),
            _ => Err(PyValueError::new_err(format!("there is no question '{kind}'"))),
        }
    }
}

impl LaidOut {
    fn plans(&self) -> usize {
        match self {
            LaidOut::Rules(part) => usize::from(part.has_plan()),
            LaidOut::Network(part) => part.plans(),
        }
    }
}

/// The outline of all parts.
#[pyfunction]
pub(crate) fn join_outlines<'py>(
    py: Python<'py>,
    outlines: Vec<Vec<u8>>,
) -> PyResult<Bound<'py, PyBytes>> {
    guarded(|| {
        let mut outlines = outlines.iter().map(|outline| read(outline));
        let first =
            outlines.next().ok_or_else(|| PyValueError::new_err("there are no parts"))??;
        let join =
            |whole: Outline, next: PyResult<Outline>| whole.join(next?).map_err(errors::value);
        let whole = outlines.try_fold(first, join)?;
        written(py, &whole)
    })
}

/// Learns rules or a network from rows that lie elsewhere. `ask(kind, question)` gives a list of what the parts answer, always in the same order. A
/// question of the kind `plan` has no answer: it is what all parts are to be told with every question from then on, beside earlier plans.
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
    let (settings, options): (_, RunOptions) = (chosen(settings)?, options.extract()?);
    let (head, examples) = guarded(|| {
        let whole = read(whole)?;
        let head = whole.head().map_err(errors::value)?;
        Ok((head, whole.examples().map_err(errors::value)?))
    })?;
    let data = Data::Table(head);
    let Data::Table(head) = &data else { return Err(PyValueError::new_err("there is no table")) };
    let (learned, device) = match learner {
        "rules" => {
            let parts =
                Parts { examples, ask: Arc::new(move |question| asked_by_rules(&ask, question)) };
            learned_by(py, options, |machine, driver, _, observer| {
                parts::learn_rules(head, parts, &settings, machine, driver, observer)
            })?
        }
        "network" => {
            let ask: network::Ask = Arc::new(move |question| match question {
                network::Question::Plan(plan) => asked(&ask, "plan", plan),
                network::Question::Query(query) => asked(&ask, "network", query),
            });
            learned_by(py, options, |machine, driver, _, observer| {
                let parts = network::Parts { ask };
                parts::learn_networks(head, &parts, &settings, machine, driver, observer)
            })?
        }
        other => {
            let problem = format!("found learner '{other}', 'rules' or 'network' was expected");
            return Err(PyValueError::new_err(problem));
        }
    };
    let learned = learned.map_err(|error| errors::value(error.about(&data)))?;
    let told = guarded(|| json::dict(py, &told(&learned, &data, &device)))?;
    Ok((Model::new(learned.model), told))
}

/// Asks all parts what rules need to know.
fn asked_by_rules(ask: &Py<PyAny>, question: &Question<'_>) -> Result<Vec<Vec<u64>>, DeviceError> {
    match question {
        Question::Tally(words) => {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            asked(ask, "tally", &bytes)
        }
        Question::Judge(model) => {
            let text = Rules::model_to_json(model);
            let text = text.map_err(|error| DeviceError::new("parts", error.to_string()))?;
            asked(ask, "judge", text.as_bytes())
        }
        Question::Plan(plan) => asked(ask, "plan", plan),
        Question::Grow(query) => asked(ask, "grow", query),
    }
}

/// Asks all parts.
fn asked(ask: &Py<PyAny>, kind: &str, question: &[u8]) -> Result<Vec<Vec<u64>>, DeviceError> {
    let failed = |error: PyErr| DeviceError::new("parts", error.to_string());
    Python::attach(|py| {
        let answers = ask.call1(py, (kind, PyBytes::new(py, question))).map_err(failed)?;
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
