use super::{AnyModel, Data, Error, Form};
use crate::learn::learner::{CrossValidationSetup, DataKind, Inner, NoEstimate, Output};
use crate::learn::model::{Schema, StoredModel};
use crate::learn::out_of_fold::OutOfFold;
use crate::learn::params::Described;
use crate::learn::parts::{HeadNumbers, Part, Parts};
use crate::learn::run::{Driver, Figures, Observer, Run};
use crate::learn::split::{CrossValidation, Folds};
use pellucid_data::Message;
use pellucid_device::Machine;
use serde_json::{Map, Value, json};

/// Parameters by name, in the order in which they were set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings(Vec<(String, Value)>);

impl Settings {
    /// Returns settings without any parameter, so that all have their defaults.
    #[must_use]
    pub fn new() -> Settings {
        Settings::default()
    }

    /// Sets a parameter to a number, a boolean, a list, or a string as it would be typed.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<Value>) -> Settings {
        self.0.push((name.into(), value.into()));
        self
    }

    /// Returns the random seed, which is 0 unless it was set. An invalid one is an error of the
    /// learner, so it counts as 0 here.
    #[must_use]
    pub fn seed(&self) -> u64 {
        let value = self.0.iter().rev().find(|(name, _)| name == "seed").map(|(_, value)| value);
        let seed = |value: &Value| match value {
            Value::String(text) => text.parse().ok(),
            other => other.as_u64(),
        };
        value.and_then(seed).unwrap_or(0)
    }

    /// Returns the names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }
}

/// A learner as a trait object.
pub trait AnyLearner: Send + Sync {
    /// The name.
    fn name(&self) -> &'static str;

    /// A description in one line.
    fn about(&self) -> &'static str;

    /// A paragraph about what the learner learns, for the long help; may be empty.
    fn details(&self) -> &'static str;

    /// The kind of data that the learner needs.
    fn kind(&self) -> DataKind;

    /// What the models of the learner predict.
    fn output(&self) -> Output;

    /// The parameters, in the order in which help lists them.
    fn parameters(&self) -> Vec<Described>;

    /// The parameter that selects the mode, if any.
    fn mode(&self) -> Option<&'static str>;

    /// The export forms of models, in addition to `text` and `json`.
    fn forms(&self) -> Vec<Form>;

    /// Checks settings.
    ///
    /// # Errors
    /// When a parameter does not exist or its value is not allowed.
    fn check(&self, settings: &Settings) -> Result<(), Error>;

    /// Whether training with these settings on a number of examples uses GPUs.
    ///
    /// # Errors
    /// As [`AnyLearner::check`].
    fn learns_on_gpus(&self, settings: &Settings, examples: usize) -> Result<bool, Error>;

    /// Trains a model. Inner folds estimate its held-out performance and calibrate its probabilities.
    ///
    /// The driver supplies the time limit, the checkpoint and the interrupt. The observer receives progress.
    ///
    /// # Errors
    /// When a parameter is not allowed, the data is not suitable, or the devices or the checkpoint fail.
    fn fit(
        &self,
        data: &Data,
        settings: &Settings,
        inner: Inner<'_>,
        machine: &Machine,
        driver: &Driver,
        observer: &mut dyn Observer,
    ) -> Result<AnyFitResult, Error>;

    /// Plans the folds of a cross-validation.
    ///
    /// # Errors
    /// When the data is not suitable, or cannot be split into this many folds.
    fn folds(
        &self,
        data: &Data,
        settings: &Settings,
        folds: usize,
        repeats: usize,
    ) -> Result<Folds, Error>;

    /// Trains and evaluates a model for each fold, with as many folds in parallel as there are threads. See
    /// [`cross_validate`](crate::learn::learner::cross_validate).
    ///
    /// # Errors
    /// When a parameter is not allowed, or a fold fails.
    fn cross_validate(
        &self,
        data: &Data,
        settings: &Settings,
        how: &CrossValidationSetup<'_>,
    ) -> Result<CrossValidation, Error>;

    /// Opens a model of this learner.
    ///
    /// # Errors
    /// When the model belongs to another learner or is inconsistent.
    fn open(&self, stored: &StoredModel) -> Result<Box<dyn AnyModel>, Error>;

    /// The numbers that the [head](crate::parts::Outline::head) of a table must contain for
    /// [training on parts](AnyLearner::fit_parts); `None` if the learner cannot do that.
    fn head_numbers(&self) -> Option<HeadNumbers>;

    /// Returns the schema that all parts of a table are read with.
    ///
    /// # Errors
    /// When the learner cannot train on parts, or the head is not suitable.
    fn part_schema(&self, head: &Data) -> Result<Schema, Error>;

    /// Prepares the rows of a part, which then answers requests.
    ///
    /// # Errors
    /// When the learner cannot train on parts, or the rows do not match the head.
    fn part(&self, head: &Data, rows: &Data, machine: Machine) -> Result<Box<dyn Part>, Error>;

    /// Trains a model on rows in other processes, given the head of the data and a way to send requests to
    /// the parts.
    ///
    /// # Errors
    /// When a parameter is not allowed, the mode does not support distributed training, or a part fails.
    fn fit_parts(
        &self,
        head: &Data,
        parts: Parts,
        settings: &Settings,
        machine: &Machine,
        driver: &Driver,
        observer: &mut dyn Observer,
    ) -> Result<AnyFitResult, Error>;
}

/// The result of training.
pub struct AnyFitResult {
    /// The model.
    pub model: Box<dyn AnyModel>,
    /// Information about the run.
    pub run: Run,
    /// The scores on the training data.
    pub train: Figures,
    /// The out-of-fold scores, or why there are none.
    pub held_out: Result<OutOfFold, NoEstimate>,
    /// Notes for the user.
    pub notes: Vec<Message>,
}

impl AnyFitResult {
    /// Returns the result as a JSON object: the training and out-of-fold scores, why the run stopped, the
    /// devices, and key figures of the model.
    #[must_use]
    pub fn to_json(&self, device: &str) -> Map<String, Value> {
        let mut result = self.model.summary();
        let run = &self.run.summary;
        let held_out = self.held_out.as_ref().ok();
        for (name, value) in [
            ("train", json!(self.train)),
            ("held_out", json!(held_out.map(summarize))),
            ("held_out_seconds", json!(held_out.map(|held_out| held_out.seconds))),
            ("stop", json!(run.stop)),
            ("seconds", json!(run.seconds)),
            ("device", json!(device)),
            ("evaluated", json!(run.evaluated)),
            ("never_predicted", json!(self.model.schema().never_predicted)),
            ("notes", json!(self.notes)),
        ] {
            result.insert(name.to_owned(), value);
        }
        result
    }
}

/// Returns the out-of-fold scores of numbers or classes.
fn summarize(held_out: &OutOfFold) -> Value {
    match held_out.number_summary() {
        Some(summary) => json!(summary),
        None => json!(held_out.summary()),
    }
}
