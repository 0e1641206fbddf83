use super::{Data, Error};
use crate::learn::calibrate::Calibration;
use crate::learn::learner::{Applied, DataKind, ExportOptions, Predictions};
use crate::learn::model::{ModelError, Schema, UnseenValues};
use crate::learn::profile::TrainingProfile;
use pellucid_device::Machine;
use serde_json::{Map, Value};
use std::path::Path;

/// An export form of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// The name, such as `sql`.
    pub name: &'static str,
    /// A description in one line.
    pub help: &'static str,
}

/// A model as a trait object.
pub trait AnyModel: Send + Sync {
    /// The name of the learner that trained the model.
    fn learner(&self) -> &'static str;

    /// The kind of data that the model needs.
    fn kind(&self) -> DataKind;

    /// The schema of the training data.
    fn schema(&self) -> &Schema;

    /// The calibration of probabilities, if the model has one.
    fn calibration(&self) -> Option<&Calibration>;

    /// The profile of the training data, if the model file has one.
    fn training(&self) -> Option<&TrainingProfile>;

    /// The parameters the model was trained with.
    fn parameters(&self) -> Map<String, Value>;

    /// Returns the model with about this many rules, if the learner keeps models of several sizes.
    fn with_rules(&self, rules: usize) -> Option<Box<dyn AnyModel>>;

    /// Returns the cost of a missed example of each class, if the model was trained for costs.
    fn miss_costs(&self) -> Option<Vec<f64>>;

    /// Returns the column that matters most to the model; `None` if that is unknown.
    fn leading_column(&self) -> Option<String>;

    /// Returns the model as readable text.
    fn text(&self) -> String;

    /// Returns the content of the model file.
    ///
    /// # Errors
    /// When the model contains a value that JSON cannot represent.
    fn to_json(&self) -> Result<String, ModelError>;

    /// Writes the model file. An existing file at `path` is replaced atomically.
    ///
    /// # Errors
    /// When the file cannot be written. An existing file is then unchanged.
    fn save(&self, path: &Path) -> Result<(), ModelError>;

    /// Key figures of the model.
    fn summary(&self) -> Map<String, Value>;

    /// Returns the model in an export form: `text`, `json`, or a form of the learner, which may be binary.
    ///
    /// # Errors
    /// When the form does not exist or cannot represent the model.
    fn write(&self, form: &str, options: &ExportOptions) -> Result<Vec<u8>, Error>;

    /// Returns the columns with values that are not in the training data.
    fn unseen_values(&self, data: &Data) -> Vec<UnseenValues>;

    /// Whether prediction uses GPUs.
    fn applies_on_gpus(&self) -> bool;

    /// Applies the model to data.
    ///
    /// # Errors
    /// When the data is of another kind or does not match the model, or the devices fail.
    fn apply(&self, data: &Data, machine: &Machine) -> Result<Box<dyn Applied>, Error>;

    /// Applies the model to data, and returns the predictions with probabilities if the model is calibrated.
    ///
    /// # Errors
    /// As [`AnyModel::apply`].
    fn predictions(&self, data: &Data, machine: &Machine) -> Result<Predictions, Error> {
        let applied = self.apply(data, machine)?;
        let predictions = Predictions::new(applied, &self.schema().classes, self.calibration());
        Ok(predictions.with_miss_costs(self.miss_costs()))
    }
}
