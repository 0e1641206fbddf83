//! Reports on models.

use crate::errors;
use crate::guard::{detached, guarded};
use crate::logic::KnowledgeBase;
use crate::machine::{CPU, machine};
use crate::model::Model;
use crate::table::Table;
use pellucid::device::Machine;
use pellucid::io::{LearningProblem, ReadOptions};
use pellucid::learn::learner::Predictions;
use pellucid::logic::learn::Individuals;
use pellucid::prepare::as_learned;
use pellucid::read::by_schema;
use pellucid::registry::{AnyModel, Data};
use pellucid::report::page::{Provenance, Report};
use pellucid::reports;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::Path;
use std::sync::Arc;

/// Returns the report of a model as an HTML page. With a table it is evaluated on the table, whose columns
/// are consumed; otherwise the report shows the held-out figures of the training run, if the model has
/// them.
#[pyfunction]
#[pyo3(signature = (model, table=None, fixed=Vec::new(), by=None, n_jobs=None, device=None))]
pub(crate) fn report_model(
    py: Python<'_>,
    model: &Model,
    table: Option<&Bound<'_, Table>>,
    fixed: Vec<String>,
    by: Option<String>,
    n_jobs: Option<i64>,
    device: Option<&str>,
) -> PyResult<String> {
    let data = match table {
        None => None,
        Some(table) => Some(Data::Table(to_apply(model, table)?)),
    };
    page(py, model, data, (&fixed, by.as_deref()), (n_jobs, device))
}

/// Returns the report of class expressions as an HTML page, evaluated on positive and negative individuals.
#[pyfunction]
#[pyo3(signature = (model, base, positive, negative, n_jobs=None, device=None))]
pub(crate) fn report_individuals(
    py: Python<'_>,
    model: &Model,
    base: &KnowledgeBase,
    positive: Vec<String>,
    negative: Vec<String>,
    n_jobs: Option<i64>,
    device: Option<&str>,
) -> PyResult<String> {
    let problem = LearningProblem { name: "examples".to_owned(), positive, negative };
    let examples =
        guarded(|| Individuals::examples(base.inner(), &problem).map_err(errors::value))?;
    page(py, model, Some(Data::Individuals(examples)), (&[], None), (n_jobs, device))
}

/// Takes the columns out of a table, as the data that a model is applied to.
pub(crate) fn to_apply(model: &Model, table: &Bound<'_, Table>) -> PyResult<pellucid::io::Dataset> {
    let schema = model.inner().schema();
    guarded(|| {
        let mut data = table.try_borrow_mut()?.take(&by_schema(ReadOptions::default(), schema))?;
        as_learned(&mut data, schema).map_err(errors::value)?;
        Ok(data)
    })
}

fn page(
    py: Python<'_>,
    model: &Model,
    data: Option<Data>,
    (fixed, by): (&[String], Option<&str>),
    (n_jobs, device): (Option<i64>, Option<&str>),
) -> PyResult<String> {
    if let Some(name) = reports::unknown_column(fixed, &**model.inner()) {
        return Err(PyValueError::new_err(format!("fixed: the model has no column '{name}'")));
    }
    let (held_out, model) = (model.held_out(), Arc::clone(model.inner()));
    let device = if model.applies_on_gpus() { device } else { device.or(Some(CPU)) };
    let machine = machine(py, device, n_jobs)?;
    detached(py, move || {
        let mut report =
            reports::of_model(&*model, Path::new("the model")).map_err(errors::value)?;
        report = report.with_fixed(fixed);
        let predictions = match &data {
            None => None,
            Some(data) => Some(apply(&*model, data, &machine)?),
        };
        if let (Some(data), Some(predictions)) = (&data, &predictions) {
            report = described(report, &*model, data, &machine);
            report = reports::with_predictions(report, &name_of(data), &*model, predictions);
            if let Data::Table(table) = data {
                report = reports::with_sizes(report, &*model, table, &name_of(data), &machine);
                if let Some(column) = by {
                    report = reports::with_groups(report, &*model, table, column, predictions)
                        .map_err(errors::value)?;
                }
            }
        } else if let Some(scores) = &held_out {
            report = reports::with_held_out(report, scores);
        }
        let from = Provenance { date: Some(reports::today()), ..Provenance::default() };
        Ok(report.with_provenance(&from).html())
    })?
}

/// Applies a model to data.
pub(crate) fn apply(model: &dyn AnyModel, data: &Data, machine: &Machine) -> PyResult<Predictions> {
    let applied = model.apply(data, machine).map_err(errors::value)?;
    Ok(Predictions::new(applied, &model.schema().classes, model.calibration()))
}

/// Adds what is known of the data.
fn described(report: Report, model: &dyn AnyModel, data: &Data, machine: &Machine) -> Report {
    match data {
        Data::Table(table) => {
            let notes: Vec<String> = table.notes.iter().map(ToString::to_string).collect();
            reports::with_table(report, model, table, &notes, machine)
        }
        Data::Individuals(individuals) => {
            reports::with_individuals(report, model, individuals, machine)
        }
    }
}

fn name_of(data: &Data) -> String {
    match data {
        Data::Table(table) => table.name.clone(),
        Data::Individuals(_) => "the individuals".to_owned(),
    }
}
