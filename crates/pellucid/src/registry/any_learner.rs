use super::{AnyModel, Data, Error, Form};
use crate::learn::learner::{CrossValidationSetup, DataKind, Inner, NoEstimate};
use crate::learn::model::StoredModel;
use crate::learn::out_of_fold::OutOfFold;
use crate::learn::params::Described;
use crate::learn::run::{Driver, Figures, Observer, Run};
use crate::learn::split::{CrossValidation, Folds};
use pellucid_device::Machine;
use serde_json::{Map, Value, json};

/// Parameters given by name, in the order in which they were given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings(Vec<(String, Value)>);

impl Settings {
    /// The defaults.
    #[must_use]
    pub fn new() -> Settings {
        Settings::default()
    }

    /// These and one more: a number, a truth value, a list, or a text as it would be typed.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<Value>) -> Settings {
        self.0.push((name.into(), value.into()));
        self
    }

    /// The names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }
}

/// A learner whose type is not known.
pub trait AnyLearner: Send + Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// What it learns, in one line.
    fn about(&self) -> &'static str;

    /// The kind of data it takes.
    fn kind(&self) -> DataKind;

    /// Whether it also learns to predict a number.
    fn numbers(&self) -> bool;

    /// What may be chosen, in the order in which help lists it.
    fn parameters(&self) -> Vec<Described>;

    /// The parameter that chooses between modes, if one does.
    fn mode(&self) -> Option<&'static str>;

    /// The forms in which its models can be written, beside `text` and `json`.
    fn forms(&self) -> Vec<Form>;

    /// Looks whether some settings are allowed.
    ///
    /// # Errors
    /// When there is no such parameter, or it is not allowed as it is.
    fn check(&self, settings: &Settings) -> Result<(), Error>;

    /// Whether GPUs have a part in learning with some settings.
    ///
    /// # Errors
    /// As [`AnyLearner::check`].
    fn learns_on_gpus(&self, settings: &Settings) -> Result<bool, Error>;

    /// Learns a model, and finds out in inner folds how well such models do on new examples and how likely their decisions
    /// are. The driver brings the time limit, the checkpoint and the interrupt; the observer watches.
    ///
    /// # Errors
    /// When a parameter is not allowed, the data cannot be learned from, or the devices or the checkpoint fail.
    fn fit(
        &self,
        data: &Data,
        settings: &Settings,
        inner: Inner<'_>,
        machine: &Machine,
        driver: &Driver,
        observer: &mut dyn Observer,
    ) -> Result<AnyLearned, Error>;

    /// Plans the folds of a cross-validation.
    ///
    /// # Errors
    /// When the data cannot be learned from, or not be split so.
    fn folds(
        &self,
        data: &Data,
        settings: &Settings,
        folds: usize,
        repeats: usize,
    ) -> Result<Folds, Error>;

    /// Learns and judges every fold, as many side by side as there are threads; see
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

    /// A model of this learner.
    ///
    /// # Errors
    /// When the file holds another learner's model, or one that makes no sense.
    fn open(&self, stored: &StoredModel) -> Result<Box<dyn AnyModel>, Error>;
}

/// What came of a run of any learner.
pub struct AnyLearned {
    /// The model.
    pub model: Box<dyn AnyModel>,
    /// How the run went.
    pub run: Run,
    /// How well the model does on the data it was learned from.
    pub train: Figures,
    /// How well models learned so do on examples they have not seen, or why that is not known.
    pub held_out: Result<OutOfFold, NoEstimate>,
    /// What a person should know.
    pub notes: Vec<String>,
}

impl AnyLearned {
    /// The result as one object: the scores on the training data and on examples that were held out, how the run ended, on which devices, and what the learner
    /// has to add.
    #[must_use]
    pub fn to_json(&self, device: &str) -> Map<String, Value> {
        let mut result = self.model.summary();
        let run = &self.run.summary;
        let held_out = self.held_out.as_ref().ok();
        for (name, value) in [
            ("train", json!(self.train)),
            ("held_out", json!(held_out.map(judged))),
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

/// The figures of what was held out, of numbers or of classes.
fn judged(held_out: &OutOfFold) -> Value {
    match held_out.number_summary() {
        Some(summary) => json!(summary),
        None => json!(held_out.summary()),
    }
}
