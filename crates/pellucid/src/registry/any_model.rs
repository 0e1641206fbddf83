use super::{Data, Error};
use crate::learn::calibrate::Calibration;
use crate::learn::learner::{Applied, DataKind, ExportOptions};
use crate::learn::model::{ModelError, Schema, Strange};
use pellucid_device::Machine;
use serde_json::{Map, Value};
use std::path::Path;

/// A form in which models can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Its name, as in `sql`.
    pub name: &'static str,
    /// What it is, in one line.
    pub help: &'static str,
}

/// A model whose learner is not known.
pub trait AnyModel: Send + Sync {
    /// The learner that made it.
    fn learner(&self) -> &'static str;

    /// The kind of data it takes.
    fn kind(&self) -> DataKind;

    /// What it knows of the data it was learned from.
    fn schema(&self) -> &Schema;

    /// How its scores become probabilities, if that is known.
    fn calibration(&self) -> Option<&Calibration>;

    /// The parameters it was learned with.
    fn parameters(&self) -> Map<String, Value>;

    /// The same model with about so many rules, where the learner keeps models of several sizes.
    fn with_rules(&self, rules: usize) -> Option<Box<dyn AnyModel>>;

    /// The model as a person reads it.
    fn text(&self) -> String;

    /// The text of its file.
    ///
    /// # Errors
    /// When the model holds something that JSON cannot.
    fn to_json(&self) -> Result<String, ModelError>;

    /// Writes the model in place of the file at `path`, in one move.
    ///
    /// # Errors
    /// When it cannot be written; what was at `path` is then unharmed.
    fn save(&self, path: &Path) -> Result<(), ModelError>;

    /// What the learner tells of it in the result of a run.
    fn summary(&self) -> Map<String, Value>;

    /// The model in a form: `text`, `json`, or one of the learner's own, which need not be text.
    ///
    /// # Errors
    /// When there is no such form, or the model cannot be said in it.
    fn write(&self, form: &str, options: &ExportOptions) -> Result<Vec<u8>, Error>;

    /// The values of some data that the model was never shown.
    fn strange(&self, data: &Data) -> Vec<Strange>;

    /// Whether GPUs have a part in applying it.
    fn applies_on_gpus(&self) -> bool;

    /// What the model says of some data.
    ///
    /// # Errors
    /// When the data is of another kind or does not fit the model, or the devices fail.
    fn apply(&self, data: &Data, machine: &Machine) -> Result<Box<dyn Applied>, Error>;
}
