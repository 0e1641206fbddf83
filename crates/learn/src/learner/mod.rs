//! The trait of all learners, and everything that is built on it.
//!
//! A [`Learner`] has a name, parameters and a kind of data. It trains a model, applies it to data,
//! explains its predictions and exports it. The rest is implemented once for all learners: a simple
//! interface ([`Fitting`], [`Fitted`]), cross-validation ([`cross_validate`]), the held-out estimate
//! and the calibration ([`learn_with_estimate`]), and predictions with decision rules
//! ([`Predictions`]).
//!
//! A learner does not read files and does not print. Its model is the body of a [`Model`].

mod applied;
mod compiled;
mod cross_fit;
mod cross_validate;
mod examples;
mod export;
mod fitting;
mod learn_with_estimate;
mod no_estimate;
mod predictions;
mod prefitted;
mod votes;

pub use applied::{Actual, Applied, BoxError, Decided, Explanation, scores, scores_of};
pub use cross_fit::{INNER_FOLDS, inner_folds, unit_count};
pub use cross_validate::{CrossValidationSetup, cross_validate, plan_folds};
pub use examples::{AsData, DataKind, Examples};
pub use export::{Export, ExportOptions};
pub use fitting::{Fitted, Fitting};
pub use learn_with_estimate::{Inner, LearnedWithEstimate, PATIENCE, learn_with_estimate};
pub use no_estimate::NoEstimate;
pub use pellucid_device::Machine;
pub use predictions::{Deciding, Predictions, percent};
pub use votes::Votes;

use crate::metrics::Decisions;
use crate::model::{Model, ModelError, StoredModel};
use crate::out_of_fold::OutOfFold;
use crate::params::{ParamError, Parameters, Valid};
use crate::run::{Control, Driver, Figures, Observer, Run, RunError};
use crate::split::CrossValidation;
use pellucid_data::Message;
use pellucid_device::Threads;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The result of a training run.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned<P, B> {
    /// The model.
    pub model: Model<P, B>,
    /// The run.
    pub run: Run,
    /// The metrics on the training data.
    pub train: Figures,
    /// The out-of-fold scores, for learners that validate themselves and have calibrated their model on
    /// them. Otherwise `None`: one model is then fitted for each fold.
    pub out_of_fold: Option<OutOfFold>,
    /// Notes for the user.
    pub notes: Vec<Message>,
}

/// Checks the data and trains a model.
///
/// # Errors
/// As [`Learner::check`] and [`Learner::fit`].
pub fn learn<L: Learner>(
    data: &L::Data,
    params: Valid<L::Params>,
    machine: &Machine,
    driver: &Driver,
    observer: &mut dyn Observer,
) -> Result<LearnedBy<L>, RunError<L::Error>> {
    check_target_kind::<L>(data)?;
    L::check(data).map_err(RunError::Learner)?;
    if driver.goes_on_from().is_some() && !L::GOES_ON {
        let problem = format!("{} cannot continue from an earlier model", L::NAME);
        return Err(ParamError::with_problem("continue", problem).into());
    }
    L::fit(data, params, machine, driver, observer)
}

/// Checks that a learner supports the target of some data, classes or a number.
///
/// # Errors
/// If the target is a number and the learner only predicts classes.
pub fn check_target_kind<L: Learner>(data: &L::Data) -> Result<(), ParamError> {
    if L::NUMBERS || data.numbers().is_none() {
        return Ok(());
    }
    let problem = format!(
        "{} does not predict numbers; use rules, or 'classes' to make a class of every number",
        L::NAME
    );
    Err(ParamError::with_problem("task", problem))
}

/// The model of a learner.
pub type ModelOf<L> = Model<<L as Learner>::Params, <L as Learner>::Body>;

/// The result of a training run of a learner.
pub type LearnedBy<L> = Learned<<L as Learner>::Params, <L as Learner>::Body>;

/// A learner: it trains models from examples.
pub trait Learner: Sized + Send + Sync + 'static {
    /// The name in files, commands and registries.
    const NAME: &'static str;
    /// The description, in one line.
    const ABOUT: &'static str;
    /// The kind of data.
    const KIND: DataKind;
    /// Whether it can continue from an earlier model; see [`Driver::earlier`].
    const GOES_ON: bool = false;

    /// Whether its models have scores, which are calibrated on inner folds.
    const VOTES: bool = true;
    /// Whether it can predict numbers.
    const NUMBERS: bool = false;
    /// Whether its models predict the class with the largest calibrated probability, and not the one
    /// with the largest score.
    const DECIDES_BY_PROBABILITY: bool = false;
    /// Whether its models rank examples: a cross-validation then reports lift and AUC of every fold.
    const RANKS: bool = false;
    /// Whether its models can be applied on GPUs; see [`Learner::learns_on_gpus`].
    const APPLIES_ON_GPUS: bool = true;

    /// The parameters.
    type Params: Parameters;
    /// The training data.
    type Data: Examples + Clone;
    /// The body of its models.
    type Body: Clone + Serialize + DeserializeOwned + Send + Sync + 'static;
    /// The error type.
    type Error: std::error::Error + Send + Sync + 'static;

    /// Checks that a complete data set is suitable. Folds of it may have less than this requires.
    ///
    /// # Errors
    /// If it is not suitable.
    fn check(data: &Self::Data) -> Result<(), Self::Error> {
        let _ = data;
        Ok(())
    }

    /// Returns whether training with these parameters uses GPUs. If not, none is opened unless it is
    /// named: opening takes a third of a second.
    #[must_use]
    fn learns_on_gpus(params: &Self::Params) -> bool {
        let _ = params;
        true
    }

    /// Trains a model. The driver has the time limit, the checkpoint and the interrupt.
    ///
    /// # Errors
    /// If the data is unsuitable, the parameters do not match it, or the devices or the checkpoint fail.
    fn fit(
        data: &Self::Data,
        params: Valid<Self::Params>,
        machine: &Machine,
        driver: &Driver,
        observer: &mut dyn Observer,
    ) -> Result<LearnedBy<Self>, RunError<Self::Error>>;

    /// Returns whether a device trains many models on subsets of some data faster together than one
    /// after the other.
    #[must_use]
    fn learns_together(data: &Self::Data, params: &Valid<Self::Params>, machine: &Machine) -> bool {
        let _ = (data, params, machine);
        false
    }

    /// Trains on several data sets together, if [`Learner::learns_together`] is true. Each result is the
    /// same as from [`Learner::fit`], or `None` if it has to be called instead.
    #[must_use]
    fn fit_together(
        jobs: &[(Self::Data, Valid<Self::Params>)],
        machine: &Machine,
        threads: &Threads,
        control: &Control,
    ) -> Vec<Option<LearnedBy<Self>>> {
        let _ = (machine, threads, control);
        jobs.iter().map(|_| None).collect()
    }

    /// Applies a model to some data.
    ///
    /// # Errors
    /// If the data does not match the model, or the devices fail.
    fn apply(
        model: &ModelOf<Self>,
        data: &Self::Data,
        machine: &Machine,
    ) -> Result<Box<dyn Applied>, Self::Error>;

    /// Checks a model from a file.
    ///
    /// # Errors
    /// If the model is invalid.
    fn check_model(model: &ModelOf<Self>) -> Result<(), Self::Error> {
        let _ = model;
        Ok(())
    }

    /// Returns the model with about this many rules, if the learner keeps models of several sizes.
    #[must_use]
    fn with_rules(model: &ModelOf<Self>, rules: usize) -> Option<ModelOf<Self>> {
        let _ = (model, rules);
        None
    }

    /// Receives the held-out decisions, for models that show them. It is not called without an
    /// estimate.
    fn judged(model: &mut ModelOf<Self>, held_out: &Decisions) {
        let _ = (model, held_out);
    }

    /// Returns a model as human-readable text.
    fn text(model: &ModelOf<Self>) -> String;

    /// Returns the text export formats.
    #[must_use]
    fn exports() -> &'static [Export<Self>] {
        &[]
    }

    /// Returns the binary export formats.
    #[must_use]
    fn binary_exports() -> &'static [Export<Self, Vec<u8>>] {
        &[]
    }

    /// Returns the sizes of a model, such as the number of rules, for cross-validation tables.
    #[must_use]
    fn sizes(model: &ModelOf<Self>) -> Figures {
        let _ = model;
        Figures::new()
    }

    /// Returns more fields of the JSON result of a run.
    #[must_use]
    fn summary(model: &ModelOf<Self>) -> Map<String, Value> {
        let sizes = Self::sizes(model);
        sizes.iter().map(|(name, size)| (name.to_owned(), Value::from(size))).collect()
    }

    /// [`learn_with_estimate`] of this learner. This method and the next three are
    /// [compiled with the learner](crate::compiled_with_learner).
    ///
    /// # Errors
    /// As [`learn_with_estimate`].
    fn learn_with_estimate(
        data: &Self::Data,
        params: Valid<Self::Params>,
        inner: Inner<'_>,
        machine: &Machine,
        driver: &Driver,
        observer: &mut dyn Observer,
    ) -> Result<LearnedWithEstimate<Self>, RunError<Self::Error>> {
        learn_with_estimate::<Self>(data, params, inner, machine, driver, observer)
    }

    /// [`cross_validate`] of this learner.
    ///
    /// # Errors
    /// As [`cross_validate`].
    fn cross_validate(
        data: &Self::Data,
        params: &Valid<Self::Params>,
        setup: &CrossValidationSetup<'_>,
    ) -> Result<CrossValidation, RunError<Self::Error>> {
        cross_validate::<Self>(data, params, setup)
    }

    /// Reads a model of this learner without [`Learner::check_model`].
    ///
    /// # Errors
    /// As [`StoredModel::read`].
    fn read_model(stored: &StoredModel) -> Result<ModelOf<Self>, ModelError> {
        stored.read(Self::NAME)
    }

    /// Returns the text of a model file.
    ///
    /// # Errors
    /// As [`Model::to_json`].
    fn model_to_json(model: &ModelOf<Self>) -> Result<String, ModelError> {
        model.to_json()
    }

    /// Returns the invalid parameter of an error, if it is about one.
    #[must_use]
    fn parameter(error: &Self::Error) -> Option<&ParamError> {
        let _ = error;
        None
    }
}
