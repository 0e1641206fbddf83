//! What was learned: rules that vote, with what is known of each.

use crate::error::XcsError;
use crate::params::Params;
use pellucid_learn::model::Model;
use pellucid_program::Expr;
use pellucid_ruleset::model::{RuleError, RuleModel, RuleSet};
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
    /// Examples by the columns that explain them, where few groups of them tell most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Group>,
    /// The population that they were taken from.
    #[serde(default)]
    pub population: Crowd,
    /// All of it, where it was to be kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub everyone: Vec<Member>,
}

/// A rule of the population, with all that going on needs to know of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// Its condition; in files its text.
    #[serde(with = "pellucid_ruleset::model::as_text")]
    pub when: Expr,
    /// The class it speaks for, as its place among the classes.
    pub class: u32,
    /// How many copies there are.
    pub copies: u32,
    /// How often it was in the set that learns.
    pub experience: u32,
    /// How often it was right, in supervised learning.
    pub correct: u32,
    /// The reward it foretells, as a share of the largest.
    pub prediction: f32,
    /// How far off it usually is, as a share of the reward.
    pub error: f32,
    /// How accurate it is within its niches, all copies together.
    pub fitness: f32,
    /// How many rules its niches have.
    pub niche: f32,
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

/// Examples that rest on like columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// How many there are of each class among the training examples, or among those that were drawn of very many.
    pub examples: Vec<u64>,
    /// How much of what is right about them rests on each column, the most first.
    pub columns: Vec<Importance>,
}

/// How many rules a population had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crowd {
    /// Different ones.
    pub rules: usize,
    /// With their copies.
    pub copies: u64,
}

/// The most rules that a population may have, copies counted: what the parameter `population` allows.
pub(crate) const MOST_COPIES: u32 = 1_000_000;

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
        let odd = self.everyone.iter().position(|member| member.class as usize >= classes);
        if let Some(place) = odd {
            let (number, class) = (place + 1, self.everyone[place].class);
            return Err(RuleError::Class { number, class, classes }.into());
        }
        let copies = |copies: &mut dyn Iterator<Item = u32>| copies.map(u64::from).sum::<u64>();
        let found = copies(&mut self.everyone.iter().map(|member| member.copies))
            .max(copies(&mut self.figures.iter().map(|known| known.copies)));
        let most = u64::from(MOST_COPIES);
        if found > most {
            return Err(XcsError::Copies { found, most });
        }
        Ok(())
    }
}

/// The rules alone, as everything that is done with rules takes them.
pub(crate) fn as_rules(model: &XcsModel) -> RuleModel<()> {
    let (schema, set) = (model.schema.clone(), model.model.set.clone());
    RuleModel { calibration: model.calibration.clone(), ..RuleModel::new(LEARNER, (), schema, set) }
}
