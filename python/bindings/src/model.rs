//! Trained models.

use crate::guard::{detached, guarded};
use crate::machine::{CPU, machine};
use crate::predictions::Predictions;
use crate::report::to_apply;
use crate::table::Table;
use crate::{errors, json};
use pellucid::learn::learner::ExportOptions;
use pellucid::learn::model::{ColumnKind, StoredModel};
use pellucid::learn::out_of_fold::OutOfFold;
use pellucid::registry::{AnyModel, Data, Registry};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A trained model of any learner.
#[pyclass(module = "pellucid._native", frozen)]
pub(crate) struct Model {
    model: Arc<dyn AnyModel>,
    /// The out-of-fold scores of the training run; none for a model from a file.
    held_out: Option<Arc<OutOfFold>>,
}

impl Model {
    pub(crate) fn new(model: Box<dyn AnyModel>) -> Model {
        Model { model: Arc::from(model), held_out: None }
    }

    /// Adds the out-of-fold scores of the training run.
    pub(crate) fn with_held_out(self, held_out: Option<OutOfFold>) -> Model {
        Model { held_out: held_out.map(Arc::new), ..self }
    }

    pub(crate) fn inner(&self) -> &Arc<dyn AnyModel> {
        &self.model
    }

    pub(crate) fn held_out(&self) -> Option<Arc<OutOfFold>> {
        self.held_out.clone()
    }
}

#[pymethods]
impl Model {
    /// Opens a model file.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Model> {
        guarded(|| Registry::standard().open(&path).map(Model::new).map_err(errors::value))
    }

    /// Loads a model from the content of its file.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Model> {
        guarded(|| {
            let stored = StoredModel::parse(Path::new("the model"), text.as_bytes().to_vec());
            let stored = stored.map_err(errors::value)?;
            let registry = Registry::standard();
            let learner = registry.find(stored.learner()).map_err(errors::value)?;
            learner.open(&stored).map(Model::new).map_err(errors::value)
        })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Model>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_json")?, (slf.get().to_json()?,)))
    }

    /// Writes the model file. An existing file is replaced.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        guarded(|| self.model.save(&path).map_err(errors::value))
    }

    /// Returns the content of the model file.
    pub(crate) fn to_json(&self) -> PyResult<String> {
        guarded(|| self.model.to_json().map_err(errors::value))
    }

    /// Returns the model as readable text.
    fn text(&self) -> PyResult<String> {
        guarded(|| Ok(self.model.text()))
    }

    /// Returns the model in one of its export forms.
    #[pyo3(signature = (form, table="data", view=None, part=false, dialect=None))]
    fn write<'py>(
        &self,
        py: Python<'py>,
        form: &str,
        table: &str,
        view: Option<String>,
        part: bool,
        dialect: Option<&str>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let dialect = dialect
            .unwrap_or("sqlite")
            .parse()
            .map_err(|error: String| PyValueError::new_err(format!("dialect: {error}")))?;
        let table = table.to_owned();
        let options = ExportOptions { table, view, part, dialect, ..ExportOptions::default() };
        let written = guarded(|| self.model.write(form, &options).map_err(errors::value))?;
        Ok(PyBytes::new(py, &written))
    }

    /// The name of the learner that trained the model.
    #[getter]
    fn learner(&self) -> &'static str {
        self.model.learner()
    }

    /// The class labels. If there are two, the second is the positive class.
    #[getter]
    fn classes(&self) -> Vec<String> {
        self.model.schema().classes.clone()
    }

    /// Whether the model predicts a number.
    #[getter]
    fn is_number(&self) -> bool {
        self.model.schema().number.is_some()
    }

    /// The target column.
    #[getter]
    fn target(&self) -> Option<String> {
        self.model.schema().target.clone()
    }

    /// The column that identifies the bags, if the model was trained on bags.
    #[getter]
    fn bag(&self) -> Option<String> {
        self.model.schema().bag.clone()
    }

    /// The names and types (numeric, nominal or boolean) of the columns the model was trained on.
    #[getter]
    fn columns(&self) -> Vec<(String, &'static str)> {
        let kind = |kind| match kind {
            ColumnKind::Numeric => "numeric",
            ColumnKind::Nominal => "nominal",
            ColumnKind::Boolean => "boolean",
        };
        let columns = self.model.schema().columns.iter();
        columns.map(|column| (column.name.clone(), kind(column.kind))).collect()
    }

    /// The parameters the model was trained with.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        json::dict(py, &self.model.parameters())
    }

    /// Key figures of the model.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        json::dict(py, &guarded(|| Ok(self.model.summary()))?)
    }

    /// Whether the model predicts probabilities.
    #[getter]
    fn is_calibrated(&self) -> bool {
        self.model.calibration().is_some()
    }

    /// Returns the model with about this many rules, if the learner keeps models of several sizes.
    fn with_rules(&self, rules: usize) -> PyResult<Model> {
        let other = guarded(|| Ok(self.model.with_rules(rules).map(Model::new)))?;
        other.ok_or_else(|| {
            PyValueError::new_err(
                "rules: the model has a single size; only the default mode of the learner 'rules' keeps \
                 models of several sizes",
            )
        })
    }

    /// Predicts the rows or bags of a table. The columns of the table are consumed.
    #[pyo3(signature = (table, n_jobs=None, device=None, threshold=None, cost=None))]
    fn predict(
        &self,
        py: Python<'_>,
        table: &Bound<'_, Table>,
        n_jobs: Option<i64>,
        device: Option<&str>,
        threshold: Option<f64>,
        cost: Option<HashMap<String, f64>>,
    ) -> PyResult<Predictions> {
        let data = to_apply(self, table)?;
        let model = Arc::clone(&self.model);
        let device = if model.applies_on_gpus() { device } else { device.or(Some(CPU)) };
        let machine = machine(py, device, n_jobs)?;
        let data = Data::Table(data);
        detached(py, || Predictions::new(&*model, &data, &machine, threshold, cost))?
    }
}
