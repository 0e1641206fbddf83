//! Training of models.

use crate::guard::guarded;
use crate::learners::to_settings;
use crate::machine::{CPU, machine, threads};
use crate::model::Model;
use crate::table::Table;
use crate::watch::{ProgressSender, RunReporter, run_watched};
use crate::{errors, json, out_of_fold};
use pellucid::alternatives::Retraining;
use pellucid::device::Machine;
use pellucid::io::{Choice, ReadOptions};
use pellucid::learn::checkpoint::Cadence;
use pellucid::learn::learner::{INNER_FOLDS, Inner};
use pellucid::learn::model::StoredModel;
use pellucid::learn::run::{Control, Driver, Observer};
use pellucid::prepare::{IDENTICAL, Preparation, Task, check_target};
use pellucid::registry::{AnyFitResult, Data, Error, Registry, Settings};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The keyword arguments of a run, which are the same for all learners.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct RunOptions {
    pub(crate) n_jobs: Option<i64>,
    pub(crate) device: Option<String>,
    time_limit: Option<f64>,
    checkpoint: Option<PathBuf>,
    resume: bool,
    pub(crate) inner_folds: Option<usize>,
    pub(crate) progress: Option<Py<PyAny>>,
    /// The model to continue from.
    earlier: Option<Py<Model>>,
    /// The number of further models without the leading columns.
    alternatives: usize,
}

impl RunOptions {
    /// Returns the control of a run with the time limit.
    pub(crate) fn control(&self) -> PyResult<Control> {
        let Some(seconds) = self.time_limit else { return Ok(Control::new()) };
        let limit = Duration::try_from_secs_f64(seconds).map_err(errors::value)?;
        Ok(Control::new().time_limit(limit))
    }
}

/// The roles of the columns of a table.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Roles {
    target: String,
    bag: Option<String>,
    weight: Option<String>,
    groups: Option<String>,
    nominal: Vec<String>,
    /// Columns to keep even if they look like row identifiers.
    keep: Vec<String>,
    keep_identifiers: bool,
    positive_class: Option<String>,
    /// Whether to reject an unsuitable target, such as one with classes of a single example.
    refuses_odd_targets: bool,
    /// Classes whose examples are left out.
    drop_class: Vec<String>,
    /// `number`, `classes` or `auto`.
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
        // The keyword for identical examples is a column only if a column has that name.
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
                let expected = "expected one of auto, classes, number";
                return Err(PyValueError::new_err(format!("task: found '{other}'; {expected}")));
            }
        };
        let (drop_class, merge_rare) = (self.drop_class.clone(), None);
        Ok(Preparation { groups, weight, merge_rare, drop_class, task, may_be_number })
    }
}

/// Trains a model on a table. Returns the model, and a dictionary with information about the run.
#[pyfunction]
pub(crate) fn fit_table<'py>(
    py: Python<'py>,
    learner: &str,
    table: &Bound<'py, Table>,
    roles: &Bound<'py, PyDict>,
    settings: &Bound<'py, PyDict>,
    options: &Bound<'py, PyDict>,
) -> PyResult<(Model, Bound<'py, PyDict>)> {
    let (settings, options): (Settings, RunOptions) = (to_settings(settings)?, options.extract()?);
    let data = prepared(learner, table, roles, &settings, &options)?;
    learn(py, learner, &data, &settings, options)
}

/// Returns the data set of a table for a learner. The columns are consumed.
pub(crate) fn prepared(
    learner: &str,
    table: &Bound<'_, Table>,
    roles: &Bound<'_, PyDict>,
    settings: &Settings,
    options: &RunOptions,
) -> PyResult<Data> {
    let roles: Roles = roles.extract()?;
    guarded(|| {
        let registry = Registry::standard();
        let known = registry.find(learner).map_err(errors::value)?;
        known.check(settings).map_err(errors::value)?;
        let mut table = table.try_borrow_mut()?;
        let reading = roles.reading(&table.names(), options)?;
        let data = table.take(&reading)?;
        let data = roles.preparation(known.output().numbers)?.apply(data).map_err(errors::value)?;
        if roles.refuses_odd_targets {
            check_target(&data).map_err(errors::value)?;
        }
        Ok(Data::Table(data))
    })
}

/// Trains a model on a table or on individuals.
pub(crate) fn learn<'py>(
    py: Python<'py>,
    learner: &str,
    data: &Data,
    settings: &Settings,
    mut options: RunOptions,
) -> PyResult<(Model, Bound<'py, PyDict>)> {
    let registry = Registry::standard();
    let learner = registry.find(learner).map_err(errors::value)?;
    if !guarded(|| learner.learns_on_gpus(settings, data.examples()).map_err(errors::value))? {
        options.device.get_or_insert_with(|| CPU.to_owned());
    }
    let (folds, count) = (options.inner_folds.unwrap_or(INNER_FOLDS), options.alternatives);
    let (learned, device) = run_learner(py, options, |machine, driver, sender, observer| {
        let report = |done: usize, total: usize| {
            sender.send(|| json!({ "event": "inner_folds", "step": done, "steps": total }));
        };
        let inner = Inner { folds, on_fold: &report };
        let first = learner.fit(data, settings, inner, machine, driver, observer)?;
        let (mut others, control) = (Vec::new(), driver.control());
        if control.should_stop().is_none() {
            let retraining = Retraining { learner, data, settings, folds, machine, control };
            retraining.alternatives(&first, count, |other| {
                others.push(other);
                Ok::<(), Error>(())
            })?;
        }
        Ok((first, others))
    })?;
    let (first, others) = learned.map_err(|error: Error| errors::value(error.about(data)))?;
    let found = PyList::empty(py);
    for other in others {
        let figures = json::to_python(py, &json!(other.figures().collect::<Vec<_>>()))?;
        found.append((other.without, trained(py, other.fitted, data, &device)?, figures))?;
    }
    let (model, run) = trained(py, first, data, &device)?;
    run.set_item("alternatives", found)?;
    Ok((model, run))
}

/// Returns a trained model, and a dictionary with information about its run.
fn trained<'py>(
    py: Python<'py>,
    learned: AnyFitResult,
    data: &Data,
    device: &str,
) -> PyResult<(Model, Bound<'py, PyDict>)> {
    let run = guarded(|| json::dict(py, &run_info(&learned, data, device)))?;
    if let Ok(held_out) = &learned.held_out {
        run.set_item("out_of_fold", guarded(|| out_of_fold::arrays(py, held_out))?)?;
    }
    Ok((Model::new(learned.model).with_held_out(learned.held_out.ok()), run))
}

/// Runs a learner without the interpreter's lock. Returns its result and the devices that were used.
pub(crate) fn run_learner<T: Send>(
    py: Python<'_>,
    options: RunOptions,
    work: impl FnOnce(&Machine, &Driver, &ProgressSender<'_>, &mut dyn Observer) -> T + Send,
) -> PyResult<(T, String)> {
    let machine = machine(py, options.device.as_deref(), options.n_jobs)?;
    let control = options.control()?;
    let mut driver = Driver::new(&control).resume(options.resume);
    if let Some(model) = &options.earlier {
        let text = model.get().to_json()?.into_bytes();
        let stored = StoredModel::parse(Path::new("the earlier model"), text);
        driver = driver.earlier(stored.map_err(errors::value)?);
    }
    if let Some(path) = &options.checkpoint {
        driver = driver.checkpoint(path, Cadence::default());
    }
    let learned = run_watched(py, &control, options.progress, |sender| {
        work(&machine, &driver, sender, &mut RunReporter::new(sender))
    })?;
    let ids: Vec<&str> = machine.devices.iter().map(|device| device.id()).collect();
    Ok((learned, ids.join(",")))
}

/// Returns information about a run as JSON.
pub(crate) fn run_info(learned: &AnyFitResult, data: &Data, device: &str) -> Map<String, Value> {
    let mut info = learned.to_json(device);
    info.insert("data_notes".to_owned(), json!(data.notes()));
    if let Data::Table(table) = data {
        info.insert("left_out".to_owned(), json!(table.origin.reading.left_out));
    }
    info.insert("warnings".to_owned(), json!(learned.run.warnings));
    info.insert("history".to_owned(), json!(learned.run.records));
    info.insert("steps".to_owned(), json!(learned.run.summary.step));
    info
}
