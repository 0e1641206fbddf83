//! Rules that add up to a number: "IF this holds THEN add 12.3".
//!
//! Such a model is a [`RuleSet`] of one output. What it begins with is the base, what a rule adds are its votes; the sum is what is
//! predicted. Here is what is known of it beside that.

use crate::model::{Rule, RuleSet};
use serde::{Deserialize, Serialize};

/// What a model that predicts a number knows beside its rules.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AboutNumber {
    /// For each rule of the path, or of the model where it keeps no path, the mean of the training numbers for which it holds.
    pub means: Vec<f64>,
    /// For each stop of the path how models of its size did on examples that they had not seen; empty where that is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<NumberSize>,
}

/// How models of one size did on examples that they had not seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NumberSize {
    /// The share of the variance that they explained.
    pub r2: f64,
    /// How far off they were on average.
    pub mae: f64,
}

impl RuleSet {
    /// The mean of the training numbers for which a rule of this model holds, if it is known.
    #[must_use]
    pub fn mean_where(&self, rule: &Rule) -> Option<f64> {
        let rules = self.path.as_ref().map_or(&self.rules, |path| &path.rules);
        let place = rules.iter().position(|other| other.when == rule.when)?;
        self.number.as_ref()?.means.get(place).copied()
    }
}
