//! Learning.

use crate::guard::guarded;
use crate::learners::chosen;
use crate::machine::{PROCESSOR, machine, threads};
use crate::model::Model;
use crate::table::Table;
use crate::watch::{RunTeller, Teller, watched};
use crate::{errors, json};
use pellucid::device::Machine;
use pellucid::io::{Choice, ReadOptions};
use pellucid::learn::checkpoint::Cadence;
use pellucid::learn::learner::{INNER_FOLDS, Inner};
use pellucid::learn::run::{Control, Driver, Observer};
use pellucid::prepare::{IDENTICAL, Preparation, Task, check_target};
use pellucid::registry::{AnyLearned, Data, Registry, Settings};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// What belongs to a run rather than to a learner; the keyword arguments that all kinds of learning share.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct RunOptions {
    n_jobs: Option<i64>,
    device: Option<String>,
    time_limit: Option<f64>,
    checkpoint: Option<PathBuf>,
    resume: bool,
    inner_folds: Option<usize>,
    progress: Option<Py<PyAny>>,
}

/// What the columns of a table are for.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Roles {
    target: String,
    bag: Option<String>,
    weight: Option<String>,
    groups: Option<String>,
    nominal: Vec<String>,
    /// Columns that stay even though they seem to name rows.
    keep: Vec<String>,
    keep_identifiers: bool,
    positive_class: Option<String>,
    /// Whether a target that is better not learned as it is, such as one with classes of a single example, is refused.
    refuses_odd_targets: bool,
    /// Classes whose examples are left out.
    drop_class: Vec<String>,
    /// Whether the target is a number (`number`), a class (`classes`), or whatever it looks like (`auto`).
    task: String,
}

impl Roles {
    fn reading(&self, columns: &[String], options: &RunOptions) -> PyResult<ReadOptions> {
        let mut reading = ReadOptions::default().target(self.target.as_str());
        reading.bag = self.bag.clone().map_or(Choice::None, Choice::Column);
        reading.nominal.clone_from(&self.nominal);
        reading.keep.clone_from(&self.keep);
        reading.keep_identifiers = self.keep_identifiers;
        reading.positive_class.clone_from(&self.positive_class);
        // The word for examples that are the same everywhere is no column, unless one is called so.
        let is_column = |name: &&String| *name != IDENTICAL || columns.contains(name);
        reading
            .keep
            .extend(self.weight.iter().chain(self.groups.iter().filter(is_column)).cloned());
        reading.threads = threads(options.n_jobs)?;
        Ok(reading)
    }

    fn preparation(&self, may_be_number: bool) -> PyResult<Preparation> {
        let (weight, groups) = (self.weight.clone(), self.groups.clone());
        let task = match self.task.as_str() {
            "auto" => Task::Auto,
            "classes" => Task::Classes,
            "number" => Task::Number,
            other => {
                let allowed = "allowed are auto, classes and number";
                return Err(PyValueError::new_err(format!("task: found '{other}', {allowed}")));
            }
        };
        let (drop_class, merge_rare) = (self.drop_class.clone(), None);
        Ok(Preparation { groups, weight, merge_rare, drop_class, task, may_be_number })
    }
}

/// Learns a model from a table. Gives the model, and a dictionary that tells how it went.
#[pyfunction]
pub(crate) fn fit_table<'py>(
    py: Python<'py>,
    learner: &str,
    table: &Bound<'py, Table>,
    roles: &Bound<'py, PyDict>,
    settings: &Bound<'py, PyDict>,
    options: &Bound<'py, PyDict>,
) -> PyResult<(Model, Bound<'py, PyDict>)> {
    let (roles, options): (Roles, RunOptions) = (roles.extract()?, options.extract()?);
    let settings = chosen(settings)?;
    let data = guarded(|| {
        let registry = Registry::standard();
        let known = registry.find(learner).map_err(errors::value)?;
        known.check(&settings).map_err(errors::value)?;
        let mut table = table.try_borrow_mut()?;
        let reading = roles.reading(&table.names(), &options)?;
        let data = table.take(&reading)?;
        let data = roles.preparation(known.numbers())?.apply(data).map_err(errors::value)?;
        if roles.refuses_odd_targets {
            check_target(&data).map_err(errors::value)?;
        }
        Ok(data)
    })?;
    learn(py, learner, &Data::Table(data), &settings, options)
}

/// Learns from any data.
pub(crate) fn learn<'py>(
    py: Python<'py>,
    learner: &str,
    data: &Data,
    settings: &Settings,
    mut options: RunOptions,
) -> PyResult<(Model, Bound<'py, PyDict>)> {
    let registry = Registry::standard();
    let learner = registry.find(learner).map_err(errors::value)?;
    if !guarded(|| learner.learns_on_gpus(settings).map_err(errors::value))? {
        options.device.get_or_insert_with(|| PROCESSOR.to_owned());
    }
    let folds = options.inner_folds.unwrap_or(INNER_FOLDS);
    let (learned, device) = learned_by(py, options, |machine, driver, teller, observer| {
        let told = |done: usize, total: usize| {
            teller.tell(|| json!({ "event": "inner_folds", "step": done, "steps": total }));
        };
        let inner = Inner { folds, on_fold: &told };
        learner.fit(data, settings, inner, machine, driver, observer)
    })?;
    let learned = learned.map_err(|error| errors::value(error.about(data)))?;
    let told = guarded(|| json::dict(py, &told(&learned, data, &device)))?;
    Ok((Model::new(learned.model), told))
}

/// Runs something that learns beside the interpreter; gives what came of it, and on which devices.
pub(crate) fn learned_by<T: Send>(
    py: Python<'_>,
    options: RunOptions,
    work: impl FnOnce(&Machine, &Driver, &Teller<'_>, &mut dyn Observer) -> T + Send,
) -> PyResult<(T, String)> {
    let machine = machine(py, options.device.as_deref(), options.n_jobs)?;
    let mut control = Control::new();
    if let Some(seconds) = options.time_limit {
        let limit = Duration::try_from_secs_f64(seconds).map_err(errors::value)?;
        control = control.time_limit(limit);
    }
    let mut driver = Driver::new(&control).resume(options.resume);
    if let Some(path) = &options.checkpoint {
        driver = driver.checkpoint(path, Cadence::default());
    }
    let learned = watched(py, &control, options.progress, |teller| {
        work(&machine, &driver, teller, &mut RunTeller::new(teller))
    })?;
    let ids: Vec<&str> = machine.devices.iter().map(|device| device.id()).collect();
    Ok((learned, ids.join(",")))
}

/// How it went, for programs.
pub(crate) fn told(learned: &AnyLearned, data: &Data, device: &str) -> Map<String, Value> {
    let mut told = learned.to_json(device);
    told.insert("data_notes".to_owned(), json!(data.notes()));
    if let Data::Table(table) = data {
        told.insert("left_out".to_owned(), json!(table.origin.reading.left_out));
    }
    told.insert("warnings".to_owned(), json!(learned.run.warnings));
    told.insert("history".to_owned(), json!(learned.run.records));
    told.insert("steps".to_owned(), json!(learned.run.summary.step));
    told
}
