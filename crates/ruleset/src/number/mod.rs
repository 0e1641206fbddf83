//! Rules that add up to a number: "IF size > 65 THEN add 12.3".
//!
//! Such a model is a [`RuleSet`] with one output. The base is the starting value and the votes of a
//! rule are its amount; the prediction is the sum.

mod digits;
mod fit;

pub use digits::short_of;
pub use fit::{NumberFit, TargetScale, middle};

use crate::model::{Rule, RuleSet};
use pellucid_learn::params::NamedChoice;
use serde::{Deserialize, Serialize};

/// The loss of a predicted number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// Squared error: predictions are close to the mean.
    #[default]
    Squared,
    /// Absolute error: predictions are close to the median, and outliers matter less.
    Absolute,
}

impl NamedChoice for Loss {
    const ALL: &'static [Loss] = &[Loss::Squared, Loss::Absolute];

    fn name(self) -> &'static str {
        match self {
            Loss::Squared => "squared",
            Loss::Absolute => "absolute",
        }
    }
}

/// Training statistics of a model that predicts a number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NumberStatistics {
    /// The mean target of the training examples that each rule covers, for the rules of the path,
    /// or those of the model if it has no path.
    pub means: Vec<f64>,
    /// The cross-validation scores of each model of the path; empty if unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<NumberSize>,
}

/// The cross-validation scores of models of one size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NumberSize {
    /// R², the share of the variance explained.
    pub r2: f64,
    /// The mean absolute error.
    pub mae: f64,
    /// The standard error of the mean absolute error, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standard_error: Option<f64>,
}

impl RuleSet {
    /// Returns the mean target of the training examples that a rule covers, if it is known.
    #[must_use]
    pub fn mean_covered(&self, rule: &Rule) -> Option<f64> {
        let rules = self.path.as_ref().map_or(&self.rules, |path| &path.rules);
        let index = rules.iter().position(|other| other.when == rule.when)?;
        self.number.as_ref()?.means.get(index).copied()
    }
}
