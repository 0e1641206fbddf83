//! The learners and their parameters, from the registry.

use crate::guard::guarded;
use crate::{errors, json};
use pellucid::learn::params::{Applies, Described, SettingKind};
use pellucid::parts::HeadNumbers;
use pellucid::registry::{AnyLearner, Form, Registry, Settings};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::collections::HashMap;

/// Returns all learners with their name, description, parameters and export forms.
#[pyfunction]
pub(crate) fn learners(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for learner in Registry::standard().iter() {
        list.append(learner_dict(py, learner)?)?;
    }
    Ok(list)
}

fn learner_dict<'py>(py: Python<'py>, learner: &dyn AnyLearner) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", learner.name())?;
    dict.set_item("about", learner.about())?;
    dict.set_item("kind", learner.kind().example())?;
    dict.set_item("mode", learner.mode())?;
    // The numbers that training on parts needs, if the learner can do that.
    let numbers = learner.head_numbers().map(|numbers| match numbers {
        HeadNumbers::All => "all",
        HeadNumbers::Range => "range",
    });
    dict.set_item("parts", numbers)?;
    let rows = learner.parameters();
    let rows = rows.iter().map(|row| parameter_dict(py, row)).collect::<PyResult<Vec<_>>>()?;
    dict.set_item("parameters", rows)?;
    let form = |form: &Form| (form.name, form.help);
    dict.set_item("forms", learner.forms().iter().map(form).collect::<Vec<_>>())?;
    Ok(dict)
}

fn parameter_dict<'py>(py: Python<'py>, row: &Described) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", row.name)?;
    dict.set_item("help", row.help)?;
    dict.set_item("group", row.group)?;
    let kind = match row.kind {
        SettingKind::Flag => "flag",
        SettingKind::Number => "number",
        SettingKind::Text => "text",
        SettingKind::List => "list",
    };
    dict.set_item("kind", kind)?;
    dict.set_item("allowed", &row.allowed)?;
    dict.set_item("choices", &row.choices)?;
    dict.set_item("default", json::to_python(py, &row.default)?)?;
    dict.set_item("default_text", &row.default_text)?;
    let modes = match row.applies {
        Applies::Everywhere => None,
        Applies::In(modes) | Applies::OnlyIn(modes) => Some(modes.to_vec()),
    };
    dict.set_item("modes", modes)?;
    Ok(dict)
}

/// Returns the parameters that have another name in Python, by their names on the command line.
#[pyfunction]
pub(crate) fn renamed_parameters() -> HashMap<&'static str, &'static str> {
    errors::RENAMED.iter().copied().collect()
}

/// Raises `ValueError` if a learner does not allow these settings.
#[pyfunction]
pub(crate) fn check_settings(learner: &str, settings: &Bound<'_, PyDict>) -> PyResult<()> {
    guarded(|| {
        let registry = Registry::standard();
        let learner = registry.find(learner).map_err(errors::value)?;
        learner.check(&to_settings(settings)?).map_err(errors::value)
    })
}

/// Converts keyword arguments to settings.
pub(crate) fn to_settings(keywords: &Bound<'_, PyDict>) -> PyResult<Settings> {
    let mut settings = Settings::new();
    for (name, value) in keywords.iter() {
        settings = settings.with(name.extract::<String>()?, json::from_python(&value)?);
    }
    Ok(settings)
}
