//! High-level training and prediction.

use super::{
    Applied, AsData, BoxError, CrossValidationSetup, ExportOptions, INNER_FOLDS, Inner, LearnedBy,
    Learner, Machine, ModelOf, Predictions,
};
use super::{check_target_kind, plan_folds};
use crate::checkpoint::Cadence;
use crate::metrics::{NumberSummary, Summary};
use crate::model::{ModelError, StoredModel, save_text};
use crate::out_of_fold::OutOfFold;
use crate::params::Chosen;
use crate::run::{Control, Driver, Figures, Observer, Run, RunError, Silent};
use crate::split::CrossValidation;
use pellucid_data::Message;
use pellucid_device::DeviceError;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The configuration of a training run: parameters, devices, stop conditions and observer. The builder
/// of each learner wraps one of these, with a method for every parameter.
pub struct Fitting<'o, L: Learner> {
    /// The parameters.
    pub chosen: Chosen<L::Params>,
    /// The devices and threads; by default the CPU.
    pub machine: Option<Machine>,
    /// The number of CPU threads if `machine` is not set; by default all cores.
    pub threads: Option<NonZeroUsize>,
    /// The control that can stop the run.
    pub control: Option<Control>,
    /// The time limit.
    pub time_limit: Option<Duration>,
    /// The checkpoint file.
    pub checkpoint: Option<PathBuf>,
    /// Whether to resume from the checkpoint.
    pub resume: bool,
    /// The number of inner folds for the held-out estimate and the calibration; 0 for none, which takes
    /// a fraction of the time.
    pub inner_folds: usize,
    /// The observer of the run.
    pub observer: Box<dyn Observer + 'o>,
}

impl<L: Learner> fmt::Debug for Fitting<'_, L> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = out.debug_struct("Fitting");
        shown.field("learner", &L::NAME).field("time_limit", &self.time_limit);
        shown.field("checkpoint", &self.checkpoint).finish_non_exhaustive()
    }
}

impl<L: Learner> Default for Fitting<'_, L> {
    fn default() -> Self {
        Self::new()
    }
}

impl<L: Learner> Fitting<'_, L> {
    /// Returns the defaults: all CPU threads and no observer.
    #[must_use]
    pub fn new() -> Self {
        Self {
            chosen: Chosen::new(),
            machine: None,
            threads: None,
            control: None,
            time_limit: None,
            checkpoint: None,
            resume: false,
            inner_folds: INNER_FOLDS,
            observer: Box::new(Silent),
        }
    }

    /// Returns the devices and threads.
    fn find_machine(&self) -> Result<Machine, DeviceError> {
        match &self.machine {
            Some(machine) => Ok(machine.clone()),
            None => Machine::processor(self.threads),
        }
    }

    /// Returns the control, with the time limit counted from now.
    fn find_control(&self) -> Control {
        let control = self.control.clone().unwrap_or_default();
        match self.time_limit {
            None => control,
            Some(limit) => control.time_limit(limit),
        }
    }

    /// Trains a model.
    ///
    /// # Errors
    /// If a parameter is invalid, the data is unsuitable, or the devices or the checkpoint fail.
    pub fn fit(mut self, data: &L::Data) -> Result<Fitted<L>, RunError<L::Error>> {
        let (machine, control) = (self.find_machine()?, self.find_control());
        let mut driver = Driver::new(&control).resume(self.resume);
        if let Some(path) = &self.checkpoint {
            driver = driver.checkpoint(path, Cadence::default());
        }
        let params = self.chosen.check()?;
        let inner = Inner { folds: self.inner_folds, ..Inner::default() };
        let (learned, held_out) =
            L::learn_with_estimate(data, params, inner, &machine, &driver, &mut *self.observer)?;
        let LearnedBy::<L> { model, run, train, notes, .. } = learned;
        Ok(Fitted { model, run: Some(run), train, held_out: held_out.ok(), notes, machine })
    }

    /// Runs a repeated cross-validation. Folds run in parallel with one CPU thread each and share the
    /// other devices.
    ///
    /// # Errors
    /// As [`Fitting::fit`], and if the examples cannot be split into these folds.
    pub fn cross_validate(
        self,
        data: &L::Data,
        folds: usize,
        repeats: usize,
    ) -> Result<CrossValidation, BoxError> {
        let (machine, control) = (self.find_machine()?, self.find_control());
        let params = self.chosen.check()?;
        check_target_kind::<L>(data)?;
        L::check(data)?;
        let folds = plan_folds::<L>(data, &params, folds, repeats)?;
        let setup = CrossValidationSetup {
            folds: &folds,
            inner: self.inner_folds,
            control: &control,
            threads: &machine.threads,
            machine: &|| machine.one_of_many(),
            on_fold: &|_| (),
        };
        Ok(L::cross_validate(data, &params, &setup)?)
    }
}

/// A trained model.
pub struct Fitted<L: Learner> {
    /// The model, as in its file.
    pub model: ModelOf<L>,
    run: Option<Run>,
    train: Figures,
    held_out: Option<OutOfFold>,
    notes: Vec<Message>,
    machine: Machine,
}

impl<L: Learner> fmt::Debug for Fitted<L> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} model:\n{}", L::NAME, self.text())
    }
}

impl<L: Learner> Fitted<L> {
    /// Opens a model file.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a valid model of this learner.
    pub fn open(path: &Path) -> Result<Self, BoxError> {
        let model = L::read_model(&StoredModel::open(path)?)?;
        L::check_model(&model)?;
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
        save_text(path, &L::model_to_json(&self.model)?)
    }

    /// Applies the model to some data.
    ///
    /// # Errors
    /// If the data does not match the model, or the devices fail.
    pub fn apply(&self, data: &impl AsData<L::Data>) -> Result<Box<dyn Applied>, L::Error> {
        L::apply(&self.model, &data.as_data(), &self.machine)
    }

    /// Returns the predicted number of each example; NaN for models that predict classes.
    ///
    /// # Errors
    /// As [`Fitted::apply`].
    pub fn predict_numbers(&self, data: &impl AsData<L::Data>) -> Result<Vec<f64>, L::Error> {
        let applied = self.apply(data)?;
        let number = |example| applied.number(example).unwrap_or(f64::NAN);
        Ok((0..applied.len()).map(number).collect())
    }

    /// Returns the predicted class of each example by name, or the predicted number as text.
    ///
    /// # Errors
    /// As [`Fitted::apply`].
    pub fn predict(&self, data: &impl AsData<L::Data>) -> Result<Vec<String>, L::Error> {
        let applied = self.apply(data)?;
        let class = |example| {
            if let Some(number) = applied.number(example) {
                return number.to_string();
            }
            let code = applied.predicted(example) as usize;
            self.model.schema.classes.get(code).cloned().unwrap_or_else(|| code.to_string())
        };
        Ok((0..applied.len()).map(class).collect())
    }

    /// Returns the predictions for some data, with probabilities if the model is calibrated.
    ///
    /// # Errors
    /// As [`Fitted::apply`].
    pub fn predictions(&self, data: &impl AsData<L::Data>) -> Result<Predictions, L::Error> {
        let classes = &self.model.schema.classes;
        Ok(Predictions::new(self.apply(data)?, classes, self.model.calibration.as_ref()))
    }

    /// Evaluates the model on some data; `None` if the data has no classes.
    ///
    /// # Errors
    /// As [`Fitted::apply`].
    pub fn judge(&self, data: &impl AsData<L::Data>) -> Result<Option<Summary>, L::Error> {
        Ok(self.predictions(data)?.decisions().map(|decisions| decisions.summary()))
    }

    /// Evaluates a model that predicts a number; `None` if the data has no numbers.
    ///
    /// # Errors
    /// As [`Fitted::apply`].
    pub fn judge_numbers(
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
        let format = L::exports().iter().find(|format| format.name == name)?;
        Some((format.write)(&self.model, options))
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
