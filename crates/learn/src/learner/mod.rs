//! The contract of all learners, and everything that is built on it.
//!
//! A learner [describes](Describe) itself: a name, parameters and a kind of data. It [trains](Fit) models
//! and applies them to data. What else it can do is optional: exports, models of several sizes, training
//! many models together or on rows in other processes ([`Capabilities`]). The rest is implemented once for
//! all learners: a simple interface ([`FitOptions`], [`FittedModel`]), cross-validation
//! ([`cross_validate`]), the held-out estimate and the calibration ([`learn_with_estimate`]), and
//! predictions with decision rules ([`Predictions`]).
//!
//! A learner does not read files and does not print. Its model is the body of a
//! [`Model`](crate::model::Model).

mod applied;
mod capabilities;
mod cross_fit;
mod cross_validate;
mod describe;
mod examples;
mod export;
mod fit;
mod fit_options;
mod fitted_model;
mod fold_seed;
mod fold_sizes;
mod inner_folds;
mod learn_with_estimate;
mod no_estimate;
mod predictions;
mod prefitted;
mod setup;

pub use applied::{
    ActualClass, Actuals, Applied, BoxError, DecisionReason, Explanation, ExplanationRequest,
    Predicted, scores, scores_of,
};
pub use capabilities::{
    Capabilities, Common, CrossValidateProcedure, FitJobs, FitMany, FitProcedure, GpuUse, Resize,
    Summarize,
};
pub use cross_validate::{cross_validate, plan_folds};
pub use describe::{Describe, LearnerError, Output};
pub use examples::{AsData, DataKind, Examples};
pub use export::{Export, ExportOptions, ExportWriter, SqlDialect, WriteModel};
pub use fit::{Fit, FitResult, FitResultOf, ModelOf};
pub use fit_options::FitOptions;
pub use fitted_model::{FittedModel, PredictedValues};
pub use fold_sizes::{FoldSizes, SelectSize, WeighExamples};
pub use inner_folds::{INNER_FOLDS, inner_folds, plan_inner_folds, unit_count};
pub use learn_with_estimate::{FitWithEstimate, Inner, PATIENCE, learn_with_estimate};
pub use no_estimate::NoEstimate;
pub use pellucid_device::Machine;
pub use predictions::{Deciding, Predictions};
pub use setup::CrossValidationSetup;

use crate::params::{ParamError, Valid};
use crate::run::{Driver, Observer, RunError};

/// Checks the data and trains a model.
///
/// # Errors
/// As [`Capabilities::check_data`] and [`Fit::fit`].
pub fn learn<L: Fit>(
    data: &L::Data,
    params: Valid<L::Params>,
    machine: &Machine,
    driver: &Driver,
    observer: &mut dyn Observer,
) -> Result<FitResultOf<L>, RunError<L::Error>> {
    let capabilities = L::capabilities();
    check_target_kind::<L>(data)?;
    (capabilities.check_data)(data).map_err(RunError::Learner)?;
    if driver.goes_on_from().is_some() && !capabilities.continues {
        let problem = format!("{} cannot continue from an earlier model", L::NAME);
        return Err(ParamError::with_problem("continue", problem).into());
    }
    L::fit(data, params, machine, driver, observer)
}

/// Checks that a learner supports the target of some data, classes or a number.
///
/// # Errors
/// If the target is a number and the learner only predicts classes.
pub fn check_target_kind<L: Fit>(data: &L::Data) -> Result<(), ParamError> {
    if L::OUTPUT.numbers || data.numbers().is_none() {
        return Ok(());
    }
    let problem = format!(
        "{} does not predict numbers; use rules, or 'classes' to make a class of every number",
        L::NAME
    );
    Err(ParamError::with_problem("task", problem))
}
