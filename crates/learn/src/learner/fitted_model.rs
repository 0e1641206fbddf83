//! A trained model, ready to predict.

use super::{
    Applied, AsData, BoxError, ExportOptions, ExportWriter, Fit, Machine, ModelOf, Predicted,
    Predictions,
};
use crate::metrics::{NumberSummary, Summary};
use crate::model::{ModelError, StoredModel, save_text};
use crate::out_of_fold::OutOfFold;
use crate::run::{Figures, Run};
use pellucid_data::Message;
use std::fmt;
use std::ops::Deref;
use std::path::Path;

/// A trained model.
pub struct FittedModel<L: Fit> {
    /// The model, as in its file.
    pub model: ModelOf<L>,
    pub(super) run: Option<Run>,
    pub(super) train: Figures,
    pub(super) held_out: Option<OutOfFold>,
    pub(super) notes: Vec<Message>,
    pub(super) machine: Machine,
}

impl<L: Fit> fmt::Debug for FittedModel<L> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} model:\n{}", L::NAME, self.text())
    }
}

/// A trained model is read like the model in its file: `fitted.rules[0]`.
impl<L: Fit> Deref for FittedModel<L> {
    type Target = ModelOf<L>;

    fn deref(&self) -> &ModelOf<L> {
        &self.model
    }
}

impl<L: Fit> FittedModel<L> {
    /// Opens a model file.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a valid model of this learner.
    pub fn open(path: &Path) -> Result<Self, BoxError> {
        let capabilities = L::capabilities();
        let model = (capabilities.common.read)(&StoredModel::open(path)?)?;
        (capabilities.check_model)(&model)?;
        let (run, train, notes) = (None, Figures::new(), Vec::new());
        Ok(Self { model, run, train, held_out: None, notes, machine: Machine::processor(None)? })
    }

    /// Sets the devices and threads.
    #[must_use]
    pub fn machine(mut self, machine: &Machine) -> Self {
        self.machine = machine.clone();
        self
    }

    /// Writes the model to `path`, replacing the file atomically.
    ///
    /// # Errors
    /// If it cannot be written. An existing file is then unchanged.
    pub fn save(&self, path: &Path) -> Result<(), ModelError> {
        save_text(path, &(L::capabilities().common.to_json)(&self.model, None)?)
    }

    /// Applies the model to some data.
    ///
    /// # Errors
    /// If the data does not match the model, or the devices fail.
    pub fn apply(&self, data: &impl AsData<L::Data>) -> Result<Box<dyn Applied>, L::Error> {
        L::apply(&self.model, &data.as_data(), &self.machine)
    }

    /// Returns the predicted class or number of each example.
    ///
    /// # Errors
    /// As [`FittedModel::apply`].
    pub fn predict(&self, data: &impl AsData<L::Data>) -> Result<PredictedValues, L::Error> {
        let applied = self.apply(data)?;
        let class = |&code: &u32| {
            let class = self.model.schema.classes.get(code as usize);
            class.cloned().unwrap_or_else(|| code.to_string())
        };
        Ok(match applied.predicted() {
            Predicted::Classes(codes) => {
                PredictedValues::Classes(codes.iter().map(class).collect())
            }
            Predicted::Numbers(numbers) => PredictedValues::Numbers(numbers.to_vec()),
        })
    }

    /// Returns the predictions for some data, with probabilities if the model is calibrated.
    ///
    /// # Errors
    /// As [`FittedModel::apply`].
    pub fn predictions(&self, data: &impl AsData<L::Data>) -> Result<Predictions, L::Error> {
        let classes = &self.model.schema.classes;
        let costs = (L::capabilities().miss_costs)(&self.model.params, classes);
        let predictions =
            Predictions::new(self.apply(data)?, classes, self.model.calibration.as_ref());
        Ok(predictions.with_miss_costs(costs))
    }

    /// Evaluates the model on some data; `None` if the data has no classes.
    ///
    /// # Errors
    /// As [`FittedModel::apply`].
    pub fn evaluate(&self, data: &impl AsData<L::Data>) -> Result<Option<Summary>, L::Error> {
        Ok(self.predictions(data)?.decisions().map(|decisions| decisions.summary()))
    }

    /// Evaluates a model that predicts a number; `None` if the data has no numbers.
    ///
    /// # Errors
    /// As [`FittedModel::apply`].
    pub fn evaluate_numbers(
        &self,
        data: &impl AsData<L::Data>,
    ) -> Result<Option<NumberSummary>, L::Error> {
        let Some(seen) = self.model.schema.number else { return Ok(None) };
        Ok(self.predictions(data)?.numbers(seen.middle).map(|decisions| decisions.summary()))
    }

    /// Returns the model as human-readable text.
    #[must_use]
    pub fn text(&self) -> String {
        L::text(&self.model)
    }

    /// Exports the model in a text format; `None` if there is no format with this name.
    ///
    /// # Errors
    /// If the format cannot represent the model.
    pub fn export(&self, name: &str, options: &ExportOptions) -> Option<Result<String, L::Error>> {
        let exports = L::capabilities().exports;
        let format = exports.iter().find(|format| format.name == name)?;
        match format.write {
            ExportWriter::Text(write) => Some(write(&self.model, options)),
            ExportWriter::Binary(_) => None,
        }
    }

    /// Returns the training run; `None` for a model from a file.
    #[must_use]
    pub fn run(&self) -> Option<&Run> {
        self.run.as_ref()
    }

    /// Returns the metrics on the training data; empty for a model from a file.
    #[must_use]
    pub fn train(&self) -> &Figures {
        &self.train
    }

    /// Returns the out-of-fold scores of the held-out estimate; `None` for a model from a file or
    /// without an estimate.
    #[must_use]
    pub fn held_out(&self) -> Option<&OutOfFold> {
        self.held_out.as_ref()
    }

    /// Returns notes about the run.
    #[must_use]
    pub fn notes(&self) -> &[Message] {
        &self.notes
    }
}

/// The predicted values of some examples.
#[derive(Clone, Debug, PartialEq)]
pub enum PredictedValues {
    /// The names of the predicted classes.
    Classes(Vec<String>),
    /// The predicted numbers.
    Numbers(Vec<f64>),
}

impl PredictedValues {
    /// Returns the predicted classes; empty if numbers are predicted.
    #[must_use]
    pub fn classes(&self) -> &[String] {
        match self {
            PredictedValues::Classes(classes) => classes,
            PredictedValues::Numbers(_) => &[],
        }
    }

    /// Returns the predicted numbers; empty if classes are predicted.
    #[must_use]
    pub fn numbers(&self) -> &[f64] {
        match self {
            PredictedValues::Classes(_) => &[],
            PredictedValues::Numbers(numbers) => numbers,
        }
    }
}
