//! Comparisons of two models, and models on new data.

use crate::errors;
use crate::guard::detached;
use crate::machine::{CPU, machine};
use crate::model::Model;
use crate::report::{apply, to_apply};
use crate::table::Table;
use pellucid::compare::{ComparedModel, Comparison};
use pellucid::device::Machine;
use pellucid::io::Dataset;
use pellucid::learn::learner::Predictions;
use pellucid::monitor::{MonitoredData, Monitoring};
use pellucid::registry::{AnyModel, Data};
use pellucid::reports;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::Path;
use std::sync::Arc;

/// The text, the JSON and the HTML page of an analysis.
type Analysis = (String, String, String);

/// Compares two models, each with its own table of the same examples. The columns are consumed.
#[pyfunction]
#[pyo3(signature = (first, second, names, limit, n_jobs=None, device=None))]
pub(crate) fn compare_models(
    py: Python<'_>,
    first: (PyRef<'_, Model>, Bound<'_, Table>),
    second: (PyRef<'_, Model>, Bound<'_, Table>),
    names: (String, String),
    limit: usize,
    n_jobs: Option<i64>,
    device: Option<&str>,
) -> PyResult<Analysis> {
    let data = (to_apply(&first.0, &first.1)?, to_apply(&second.0, &second.1)?);
    let models = (Arc::clone(first.0.inner()), Arc::clone(second.0.inner()));
    let on_gpus = models.0.applies_on_gpus() || models.1.applies_on_gpus();
    let machine = machine(py, if on_gpus { device } else { device.or(Some(CPU)) }, n_jobs)?;
    detached(py, move || {
        let a = apply(&*models.0, &Data::Table(data.0), &machine)?;
        let b = apply(&*models.1, &Data::Table(data.1), &machine)?;
        let compared = |name, model, predictions| ComparedModel { name, model, predictions };
        let a = compared(&names.0, &*models.0, &a);
        let b = compared(&names.1, &*models.1, &b);
        let found = Comparison::new(a, b).map_err(errors::value)?;
        let page = found.to_html("data", &reports::today(), None);
        Ok((found.text(limit), found.to_json(limit).to_string(), page))
    })?
}

/// Compares a table with the training data of a model, or with another table. The columns are consumed.
#[pyfunction]
#[pyo3(signature = (model, table, reference=None, n_jobs=None, device=None))]
pub(crate) fn monitor_model(
    py: Python<'_>,
    model: PyRef<'_, Model>,
    table: &Bound<'_, Table>,
    reference: Option<&Bound<'_, Table>>,
    n_jobs: Option<i64>,
    device: Option<&str>,
) -> PyResult<Analysis> {
    let new = to_apply(&model, table)?;
    let old = reference.map(|table| to_apply(&model, table)).transpose()?;
    let model = Arc::clone(model.inner());
    let device = if model.applies_on_gpus() { device } else { device.or(Some(CPU)) };
    let machine = machine(py, device, n_jobs)?;
    detached(py, move || {
        let report = reports::of_model(&*model, Path::new("the model")).map_err(errors::value)?;
        let predicted = predict(&*model, &new, &machine)?;
        let old = match old {
            None => None,
            Some(old) => Some((predict(&*model, &old, &machine)?, old)),
        };
        let name = model.schema().target.clone().unwrap_or_else(|| "model".to_owned());
        let monitored = MonitoredData { name: "new data", data: &new, predictions: &predicted };
        let reference = old.as_ref().map(|(predictions, data)| MonitoredData {
            name: "reference",
            data,
            predictions,
        });
        let used = report.used_columns();
        let found = Monitoring::new((&name, &*model), used, monitored, reference)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        let page = found.to_html(&reports::today(), None);
        Ok((found.to_string(), found.to_json().to_string(), page))
    })?
}

fn predict(model: &dyn AnyModel, data: &Dataset, machine: &Machine) -> PyResult<Predictions> {
    apply(model, &Data::Table(data.clone()), machine)
}
