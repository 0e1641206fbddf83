//! Numbers as targets (XCSF): a rule predicts a number, and it is accurate if its error is small.
//!
//! [`learn`] is the step of the population, for which targets are centered and scaled. The model
//! consists of a few rules whose amounts add up to the prediction. [`select`] takes them from the
//! population one by one, each for what the others leave unexplained ([`residual`]).

mod learn;
mod residual;
mod select;
mod sets;
#[cfg(test)]
mod tests;

pub(crate) use select::select_few;

use crate::params::{Mode, Params};
use pellucid_learn::params::ParamError;
use pellucid_ruleset::number::{Loss, TargetScale};

/// Checks that parameters suit a target that is a number.
pub(crate) fn check_numbers(params: &Params) -> Result<(), ParamError> {
    let is_default = params.life.accurate_from == Params::default().life.accurate_from;
    let (name, problem) = match params {
        Params { mode: Mode::Reward, .. } => (
            "mode",
            "in mode 'reward' rules choose one of several classes, but the target is a number; \
             expected 'supervised', or classes as target",
        ),
        Params { keep_all: true, .. } => (
            "keep_all",
            "a whole population predicts a number by a weighted mean of its rules, not by a sum; \
             it can only be kept beside the selected rules",
        ),
        _ if !is_default => (
            "accurate_from",
            "the target is a number, so rules have an error and no accuracy; use forgiven_error",
        ),
        _ => return Ok(()),
    };
    Err(ParamError::with_problem(name, problem))
}

/// The numbers of the training data.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    /// The number of each example.
    pub(crate) values: Vec<f64>,
    /// The same numbers, centered and scaled.
    pub(crate) scaled: Vec<f64>,
    /// The mean and the standard deviation.
    pub(crate) scale: TargetScale,
}

impl Numbers {
    pub(crate) fn new(values: &[f64], weights: Option<&[f64]>) -> Numbers {
        let equal = vec![1.0; values.len()];
        let scale = TargetScale::of(values, weights.unwrap_or(&equal), Loss::Squared);
        let scaled = values.iter().map(|value| (value - scale.middle) / scale.spread).collect();
        Numbers { values: values.to_vec(), scaled, scale }
    }
}
