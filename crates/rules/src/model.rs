//! The model: rules with points.

use crate::params::Params;
pub use pellucid_ruleset::model::{
    ClassPoints, FoundIn, Rule, RuleError, RuleSet, comparisons, winner,
};

/// A model of this learner.
pub type RuleModel = pellucid_ruleset::model::RuleModel<Params>;

/// The name of this learner in files and commands.
pub const LEARNER: &str = "rules";
