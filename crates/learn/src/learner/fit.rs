//! Training and applying models.

use super::{Applied, Capabilities, Describe, Machine};
use crate::model::Model;
use crate::out_of_fold::OutOfFold;
use crate::params::Valid;
use crate::run::{Driver, Figures, Observer, Run, RunError};
use pellucid_data::Message;

/// A learner: it trains models from examples and applies them.
///
/// Everything else is optional: see [`Capabilities`].
pub trait Fit: Describe {
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
    ) -> Result<FitResultOf<Self>, RunError<Self::Error>>;

    /// Applies a model to some data.
    ///
    /// # Errors
    /// If the data does not match the model, or the devices fail.
    fn apply(
        model: &ModelOf<Self>,
        data: &Self::Data,
        machine: &Machine,
    ) -> Result<Box<dyn Applied>, Self::Error>;

    /// Returns what else the learner can do.
    #[must_use]
    fn capabilities() -> Capabilities<Self> {
        Capabilities::new()
    }
}

/// The model of a learner.
pub type ModelOf<L> = Model<<L as Describe>::Params, <L as Describe>::Body>;

/// The result of a training run of a learner.
pub type FitResultOf<L> = FitResult<<L as Describe>::Params, <L as Describe>::Body>;

/// The result of a training run.
#[derive(Clone, Debug, PartialEq)]
pub struct FitResult<P, B> {
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
