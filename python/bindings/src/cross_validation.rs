//! Cross-validation.

use crate::errors;
use crate::fit::{RunOptions, prepared};
use crate::guard::guarded;
use crate::learners::to_settings;
use crate::machine::{CPU, machine};
use crate::table::Table;
use crate::watch::run_watched;
use pellucid::cross_validation;
use pellucid::learn::learner::{CrossValidationSetup, INNER_FOLDS};
use pellucid::learn::split::FoldScore;
use pellucid::registry::{AnyLearner, Data, Error, Registry, Settings};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};

/// Cross-validates a learner on a table. Returns the result as text and as JSON. The columns are consumed.
#[pyfunction]
pub(crate) fn cross_validate(
    py: Python<'_>,
    learner: &str,
    table: &Bound<'_, Table>,
    roles: &Bound<'_, PyDict>,
    settings: &Bound<'_, PyDict>,
    options: &Bound<'_, PyDict>,
    sizes: (usize, usize),
) -> PyResult<(String, String)> {
    let (settings, options): (Settings, RunOptions) = (to_settings(settings)?, options.extract()?);
    let data = prepared(learner, table, roles, &settings, &options)?;
    let registry = Registry::standard();
    let learner = registry.find(learner).map_err(errors::value)?;
    let (text, value) = validate(py, learner, &data, &settings, options, sizes)?;
    Ok((text, value.to_string()))
}

fn validate(
    py: Python<'_>,
    learner: &dyn AnyLearner,
    data: &Data,
    settings: &Settings,
    mut options: RunOptions,
    (folds, repeats): (usize, usize),
) -> PyResult<(String, Value)> {
    let about = |error: Error| errors::value(error.about(data));
    if !guarded(|| learner.learns_on_gpus(settings, 0).map_err(errors::value))? {
        options.device.get_or_insert_with(|| CPU.to_owned());
    }
    let folds = guarded(|| learner.folds(data, settings, folds, repeats).map_err(about))?;
    let machine = machine(py, options.device.as_deref(), options.n_jobs)?;
    let control = options.control()?;
    let inner = options.inner_folds.unwrap_or(INNER_FOLDS);
    let done = AtomicU64::new(0);
    let result = run_watched(py, &control, options.progress, |sender| {
        let report_fold = |score: &FoldScore| {
            let step = done.fetch_add(1, Ordering::SeqCst) + 1;
            let values = &score.values;
            sender.send(
                || json!({ "event": "folds", "step": step, "steps": folds.len(), "values": values }),
            );
        };
        let setup = CrossValidationSetup {
            folds: &folds,
            inner,
            control: &control,
            threads: &machine.threads,
            machine: &|| machine.one_of_many(),
            on_fold: &report_fold,
        };
        learner.cross_validate(data, settings, &setup)
    })?;
    let result = result.map_err(about)?;
    guarded(|| {
        let mut value = serde_json::to_value(&result).map_err(errors::value)?;
        value["scores"] = json!(result.scores());
        value["folds"] = json!(folds.len());
        value["warnings"] = json!(folds.warnings(&data.classes()));
        value["notes"] = json!(data.notes());
        if let Data::Table(table) = data {
            value["left_out"] = json!(table.origin.reading.left_out);
        }
        Ok((cross_validation::text(&result), value))
    })
}
