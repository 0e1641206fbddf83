//! What was learned: rules that vote, with what is known of each.

use crate::error::XcsError;
use crate::params::Params;
use pellucid_learn::model::Model;
use pellucid_ruleset::model::{RuleModel, RuleSet};
use serde::{Deserialize, Serialize};

/// The name of this learner in files and commands.
pub const LEARNER: &str = "xcs";

/// A model file of this learner.
pub type XcsModel = Model<Params, Classifiers>;

/// Classifiers taken from a population.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Classifiers {
    /// The rules and their votes; those that explain most first.
    #[serde(flatten)]
    pub set: RuleSet,
    /// What is known of each rule, in the same order.
    pub figures: Vec<RuleFigures>,
    /// The share of training examples that the first rules get right, from none of them on.
    #[serde(default)]
    pub accuracy_by_number: Vec<f64>,
    /// How much of what is right rests on each column, the most first; they add up to one.
    #[serde(default)]
    pub importance: Vec<Importance>,
    /// The population that they were taken from.
    #[serde(default)]
    pub population: Crowd,
}

/// What a population knew of a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RuleFigures {
    /// How many copies it had.
    pub copies: u32,
    /// How often it was in the set that learns.
    pub experience: u32,
    /// How often it was right when it matched; in mode reward, the reward it foretells as a share of the largest.
    pub accuracy: f64,
    /// How far off its prediction usually is, as a share of the reward; 0 in supervised mode.
    pub error: f64,
    /// Its fitness, all copies together.
    pub fitness: f64,
}

/// How much rests on a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Importance {
    /// The column.
    pub column: String,
    /// Its share.
    pub share: f64,
}

/// How many rules a population had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crowd {
    /// Different ones.
    pub rules: usize,
    /// With their copies.
    pub copies: u64,
}

impl Classifiers {
    /// Looks whether the model makes sense for so many classes.
    ///
    /// # Errors
    /// When a rule speaks for a class that is not there, or the figures are not those of the rules.
    pub fn check(&self, classes: usize) -> Result<(), XcsError> {
        self.set.check(classes)?;
        if self.figures.len() != self.set.rules.len() {
            let (rules, told) = (self.set.rules.len(), self.figures.len());
            return Err(XcsError::Figures { rules, told });
        }
        Ok(())
    }
}

/// The rules alone, as everything that is done with rules takes them.
pub(crate) fn as_rules(model: &XcsModel) -> RuleModel<()> {
    let (schema, set) = (model.schema.clone(), model.model.set.clone());
    RuleModel { calibration: model.calibration.clone(), ..RuleModel::new(LEARNER, (), schema, set) }
}
