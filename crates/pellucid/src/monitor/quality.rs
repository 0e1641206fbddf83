//! The quality on new data beside that of the reference.

use crate::learn::learner::Predictions;
use crate::learn::metrics::Estimate;
use crate::learn::profile::{NamedEstimate, TrainingProfile, class_estimates, number_estimates};
use crate::registry::AnyModel;

/// A metric on new data and on the reference.
#[derive(Clone, Debug, PartialEq)]
pub struct QualityChange {
    /// The short name, such as `log_loss`.
    pub key: String,
    /// The metric on the new data.
    pub new: Estimate,
    /// The held-out metric of the training data, or that of the reference data.
    pub reference: Option<Estimate>,
}

impl QualityChange {
    /// Returns the name of the metric in text.
    #[must_use]
    pub fn name(&self) -> &str {
        match self.key.as_str() {
            "balanced_accuracy" => "balanced accuracy",
            "auc" => "AUC",
            "f1" => "F1",
            "brier" => "Brier score",
            "log_loss" => "log loss",
            "r2" => "R²",
            "mae" => "mean absolute error",
            "rmse" => "root mean squared error",
            other => other,
        }
    }

    /// Returns the new metric minus the old one. The samples are independent, so the distances to the ends of
    /// their intervals are combined by squares.
    #[must_use]
    pub fn difference(&self) -> Option<Estimate> {
        let (new, old) = (self.new, self.reference?);
        let value = new.value - old.value;
        let below = libm::hypot(new.value - new.low, old.high - old.value);
        let above = libm::hypot(new.high - new.value, old.value - old.low);
        Some(Estimate { value, low: value - below, high: value + above })
    }

    /// Returns whether the metric is better (`true`) or worse on the new data; `None` if the difference may
    /// be chance.
    #[must_use]
    pub fn is_better(&self) -> Option<bool> {
        let Estimate { low, high, .. } = self.difference()?;
        let higher_is_better = !matches!(self.key.as_str(), "brier" | "log_loss" | "mae" | "rmse");
        match (low > 0.0, high < 0.0) {
            (true, _) => Some(higher_is_better),
            (_, true) => Some(!higher_is_better),
            _ => None,
        }
    }
}

/// Returns the metrics of predictions with actual values, and the number of these.
pub(super) fn estimates(
    model: &dyn AnyModel,
    predictions: &Predictions,
) -> (Vec<NamedEstimate>, usize) {
    if let Some(seen) = model.schema().number {
        let decisions = predictions.numbers(seen.middle);
        return decisions.map_or_else(Default::default, |decisions| {
            (number_estimates(&decisions.summary()), decisions.list().len())
        });
    }
    predictions.decisions().map_or_else(Default::default, |decisions| {
        (class_estimates(&decisions.summary()), decisions.list().len())
    })
}

/// Returns the metrics on new data beside those of the reference, and the number of evaluated examples.
pub(super) fn of(
    model: &dyn AnyModel,
    profile: &TrainingProfile,
    predictions: &Predictions,
) -> (Vec<QualityChange>, usize) {
    let (new, evaluated) = estimates(model, predictions);
    let change = |new: NamedEstimate| {
        let old = profile.held_out.iter().find(|old| old.key == new.key);
        QualityChange { reference: old.map(|old| old.estimate), key: new.key, new: new.estimate }
    };
    (new.into_iter().map(change).collect(), evaluated)
}
