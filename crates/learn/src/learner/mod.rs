//! The contract of every learner.
//!
//! Picture a counter at which any learner can be asked the same few things: what are you called, what may be chosen, what kind
//! of data do you take; learn from this; say what your model makes of that, and why; write the model for another program.
//! Whoever answers them is a [`Learner`]. Everything that follows is written once: learning with a few lines
//! ([`Fitting`], [`Fitted`]), cross-validation ([`cross_validate`]), the honest estimate and the probabilities that come with
//! a model ([`learn_and_judge`]), predictions and how they are decided ([`Predictions`]), and whatever iterates over learners
//! without knowing them.
//!
//! A learner does not read files and does not talk to people. Its model is the [`Model`] envelope with its own part inside.

mod applied;
mod compiled;
mod cross_fit;
mod cross_validate;
mod examples;
mod export;
mod fitting;
mod in_advance;
mod learn_and_judge;
mod no_estimate;
mod predictions;
mod votes;

pub use applied::{Actual, Applied, BoxError, Decided, Explanation, scores, scores_of};
pub use cross_fit::{INNER_FOLDS, inner_folds, unit_count};
pub use cross_validate::{Judging, cross_validate, plan_folds};
pub use examples::{AsData, DataKind, Examples};
pub use export::{Export, ExportOptions};
pub use fitting::{Fitted, Fitting};
pub use learn_and_judge::{Inner, JudgedBy, PATIENCE, learn_and_judge};
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
use pellucid_device::Threads;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// What came of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned<P, B> {
    /// The model.
    pub model: Model<P, B>,
    /// How the run went.
    pub run: Run,
    /// How well the model does on the data it was learned from.
    pub train: Figures,
    /// The scores of that data by models that were fitted without it, for learners that validate themselves; such a learner
    /// has calibrated its model on them. Other learners leave it out: one model is then fitted for each fold.
    pub out_of_fold: Option<OutOfFold>,
    /// What a person should know.
    pub notes: Vec<String>,
}

/// Looks whether some data can be learned from as a whole, and learns.
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
    check_aim::<L>(data)?;
    L::check(data).map_err(RunError::Learner)?;
    if driver.goes_on_from().is_some() && !L::GOES_ON {
        let problem = format!("{} learns every model from the beginning", L::NAME);
        return Err(ParamError::saying("continue", problem).into());
    }
    L::fit(data, params, machine, driver, observer)
}

/// Looks whether a learner can learn what some data asks for, classes or a number.
///
/// # Errors
/// When it is a number and the learner tells classes apart.
pub fn check_aim<L: Learner>(data: &L::Data) -> Result<(), ParamError> {
    if L::NUMBERS || data.numbers().is_none() {
        return Ok(());
    }
    let problem = format!(
        "{} tells classes apart and predicts no number; rules do, or 'classes' takes every number for a class",
        L::NAME
    );
    Err(ParamError::saying("task", problem))
}

/// The model of a learner.
pub type ModelOf<L> = Model<<L as Learner>::Params, <L as Learner>::Body>;

/// What comes of a run of a learner.
pub type LearnedBy<L> = Learned<<L as Learner>::Params, <L as Learner>::Body>;

/// Something that learns models from examples.
pub trait Learner: Sized + Send + Sync + 'static {
    /// Its name in files, commands and registries.
    const NAME: &'static str;
    /// What it learns, in one line.
    const ABOUT: &'static str;
    /// The kind of data it takes.
    const KIND: DataKind;
    /// Whether it can go on from a model it learned before: see [`Driver::earlier`].
    const GOES_ON: bool = false;

    /// Whether its models vote, so that they get probabilities from inner folds.
    const VOTES: bool = true;
    /// Whether it also learns to predict a number.
    const NUMBERS: bool = false;
    /// Whether its models predict the class with the largest calibrated probability; otherwise the class with the largest score.
    const DECIDES_BY_PROBABILITY: bool = false;
    /// Whether it is the order of examples that its models are about: a cross-validation then tells the lift and the area under the
    /// ROC curve of every fold too.
    const RANKS: bool = false;
    /// Whether GPUs have a part in applying its models; see [`Learner::learns_on_gpus`].
    const APPLIES_ON_GPUS: bool = true;

    /// What may be chosen.
    type Params: Parameters;
    /// What it learns from.
    type Data: Examples + Clone;
    /// Its own part of the model.
    type Body: Clone + Serialize + DeserializeOwned + Send + Sync + 'static;
    /// What can go wrong.
    type Error: std::error::Error + Send + Sync + 'static;

    /// Looks whether all of some data can be learned from. A fold of it may have less than this asks for.
    ///
    /// # Errors
    /// Says what is missing.
    fn check(data: &Self::Data) -> Result<(), Self::Error> {
        let _ = data;
        Ok(())
    }

    /// Whether GPUs have a part in learning with some parameters. Where they have not, and nobody has named one, none is opened: that
    /// takes a third of a second.
    #[must_use]
    fn learns_on_gpus(params: &Self::Params) -> bool {
        let _ = params;
        true
    }

    /// Learns. The driver brings the time limit, the checkpoint and the interrupt; the observer watches.
    ///
    /// # Errors
    /// When the data cannot be learned from, the parameters do not fit it, or the devices or the checkpoint fail.
    fn fit(
        data: &Self::Data,
        params: Valid<Self::Params>,
        machine: &Machine,
        driver: &Driver,
        observer: &mut dyn Observer,
    ) -> Result<LearnedBy<Self>, RunError<Self::Error>>;

    /// Whether a device of a machine learns many models at once in less time than one after the other, from parts of some data.
    #[must_use]
    fn learns_together(data: &Self::Data, params: &Valid<Self::Params>, machine: &Machine) -> bool {
        let _ = (data, params, machine);
        false
    }

    /// Learns from several data sets at once, where [`Learner::learns_together`] says so. What comes of each is the model that
    /// [`Learner::fit`] would give, or nothing where it has to be asked for it.
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

    /// What a model says of some data.
    ///
    /// # Errors
    /// When the data does not fit the model, or the devices fail.
    fn apply(
        model: &ModelOf<Self>,
        data: &Self::Data,
        machine: &Machine,
    ) -> Result<Box<dyn Applied>, Self::Error>;

    /// Looks whether a model that comes from a file makes sense.
    ///
    /// # Errors
    /// Says what does not.
    fn check_model(model: &ModelOf<Self>) -> Result<(), Self::Error> {
        let _ = model;
        Ok(())
    }

    /// The same model with about so many rules, where the learner keeps models of several sizes.
    #[must_use]
    fn with_rules(model: &ModelOf<Self>, rules: usize) -> Option<ModelOf<Self>> {
        let _ = (model, rules);
        None
    }

    /// Receives the decisions of models like this one about held-out examples, for what a model shows of itself. It is not
    /// called where there is no estimate.
    fn judged(model: &mut ModelOf<Self>, unseen: &Decisions) {
        let _ = (model, unseen);
    }

    /// A model as a person reads it.
    fn text(model: &ModelOf<Self>) -> String;

    /// The forms in which a model can be handed to other programs.
    #[must_use]
    fn exports() -> &'static [Export<Self>] {
        &[]
    }

    /// The same for forms that are no text.
    #[must_use]
    fn binary_exports() -> &'static [Export<Self, Vec<u8>>] {
        &[]
    }

    /// How large a model is, in the words of this learner, to stand beside its scores.
    #[must_use]
    fn sizes(model: &ModelOf<Self>) -> Figures {
        let _ = model;
        Figures::new()
    }

    /// What else the result of a run tells in JSON.
    #[must_use]
    fn summary(model: &ModelOf<Self>) -> Map<String, Value> {
        let sizes = Self::sizes(model);
        sizes.iter().map(|(name, size)| (name.to_owned(), Value::from(size))).collect()
    }

    /// [`learn_and_judge`] of this learner. This one and the next three are [compiled with the learner](crate::compiled_with_learner).
    ///
    /// # Errors
    /// As [`learn_and_judge`].
    fn learn_and_judge(
        data: &Self::Data,
        params: Valid<Self::Params>,
        inner: Inner<'_>,
        machine: &Machine,
        driver: &Driver,
        observer: &mut dyn Observer,
    ) -> Result<JudgedBy<Self>, RunError<Self::Error>> {
        learn_and_judge::<Self>(data, params, inner, machine, driver, observer)
    }

    /// [`cross_validate`] of this learner.
    ///
    /// # Errors
    /// As [`cross_validate`].
    fn cross_validate(
        data: &Self::Data,
        params: &Valid<Self::Params>,
        how: &Judging<'_>,
    ) -> Result<CrossValidation, RunError<Self::Error>> {
        cross_validate::<Self>(data, params, how)
    }

    /// A model of this learner from its file; [`Learner::check_model`] is not asked.
    ///
    /// # Errors
    /// As [`StoredModel::read`].
    fn read_model(stored: &StoredModel) -> Result<ModelOf<Self>, ModelError> {
        stored.read(Self::NAME)
    }

    /// The text of a model's file.
    ///
    /// # Errors
    /// As [`Model::to_json`].
    fn model_to_json(model: &ModelOf<Self>) -> Result<String, ModelError> {
        model.to_json()
    }

    /// The parameter that an error is about, if it is about one.
    #[must_use]
    fn parameter(error: &Self::Error) -> Option<&ParamError> {
        let _ = error;
        None
    }
}
