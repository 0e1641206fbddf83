//! The learners there are, and what may be chosen: straight from the registry.

use crate::guard::guarded;
use crate::{errors, json};
use pellucid::learn::params::{Applies, Described, SettingKind};
use pellucid::registry::{AnyLearner, Form, Registry, Settings};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// Every learner: its name, what it learns, its parameters, and the forms that its models can be written in.
#[pyfunction]
pub(crate) fn learners(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for learner in Registry::standard().iter() {
        list.append(described(py, learner)?)?;
    }
    Ok(list)
}

fn described<'py>(py: Python<'py>, learner: &dyn AnyLearner) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("name", learner.name())?;
    told.set_item("about", learner.about())?;
    told.set_item("kind", learner.kind().example())?;
    told.set_item("mode", learner.mode())?;
    let rows = learner.parameters();
    let rows = rows.iter().map(|row| parameter(py, row)).collect::<PyResult<Vec<_>>>()?;
    told.set_item("parameters", rows)?;
    let form = |form: &Form| (form.name, form.help);
    told.set_item("forms", learner.forms().iter().map(form).collect::<Vec<_>>())?;
    Ok(told)
}

fn parameter<'py>(py: Python<'py>, row: &Described) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("name", row.name)?;
    told.set_item("help", row.help)?;
    told.set_item("group", row.group)?;
    let kind = match row.kind {
        SettingKind::Flag => "flag",
        SettingKind::Number => "number",
        SettingKind::Text => "text",
        SettingKind::List => "list",
    };
    told.set_item("kind", kind)?;
    told.set_item("allowed", &row.allowed)?;
    told.set_item("choices", &row.choices)?;
    told.set_item("default", json::to_python(py, &row.default)?)?;
    told.set_item("default_text", &row.default_text)?;
    let modes = match row.applies {
        Applies::Everywhere => None,
        Applies::In(modes) | Applies::OnlyIn(modes) => Some(modes.to_vec()),
    };
    told.set_item("modes", modes)?;
    Ok(told)
}

/// Raises `ValueError` where a learner does not allow some settings.
#[pyfunction]
pub(crate) fn check_settings(learner: &str, settings: &Bound<'_, PyDict>) -> PyResult<()> {
    guarded(|| {
        let registry = Registry::standard();
        let learner = registry.find(learner).map_err(errors::value)?;
        learner.check(&chosen(settings)?).map_err(errors::value)
    })
}

/// Settings from keyword arguments.
pub(crate) fn chosen(settings: &Bound<'_, PyDict>) -> PyResult<Settings> {
    let mut chosen = Settings::new();
    for (name, value) in settings.iter() {
        chosen = chosen.with(name.extract::<String>()?, json::from_python(&value)?);
    }
    Ok(chosen)
}
