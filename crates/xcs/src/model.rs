//! The model: rules with points, and the figures of each rule.

use crate::error::XcsError;
use crate::params::Params;
use pellucid_learn::model::{Model, Schema};
use pellucid_program::Expr;
use pellucid_ruleset::model::{Rule, RuleError, RuleModel, RuleSet};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The name of this learner in files and commands.
pub const LEARNER: &str = "xcs";

/// A model file of this learner.
pub type XcsModel = Model<Params, Classifiers>;

/// The rules selected from a population.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Classifiers {
    /// The rules and their points, most important first.
    #[serde(flatten)]
    pub set: RuleSet,
    /// The figures of each rule, in the same order.
    pub figures: Vec<RuleFigures>,
    /// The figures of the rules of all sizes, in the order of the path; empty without a path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path_figures: Vec<RuleFigures>,
    /// The training accuracy of the first rules of the path, starting with no rule; empty if the sizes are
    /// scored on held-out data.
    #[serde(default)]
    pub accuracy_by_number: Vec<f64>,
    /// The importance of each column, highest first; the shares sum to 1.
    #[serde(default)]
    pub importance: Vec<ColumnImportance>,
    /// Groups of examples by the columns that explain them, if there is a clear grouping.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<ExampleGroup>,
    /// The size of the population.
    #[serde(default)]
    pub population: PopulationSize,
    /// The whole population, if it was kept.
    #[serde(default, rename = "everyone", skip_serializing_if = "Vec::is_empty")]
    pub classifiers: Vec<StoredClassifier>,
}

/// A rule of the population with its estimates, as needed to continue learning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredClassifier {
    /// The condition; stored as text.
    #[serde(with = "pellucid_ruleset::model::as_text")]
    pub when: Expr,
    /// The index of its class.
    pub class: u32,
    /// The numerosity.
    pub copies: u32,
    /// The experience: how often it was updated.
    pub experience: u32,
    /// The number of correct predictions, in supervised mode.
    pub correct: u32,
    /// The predicted number, or the predicted reward as a share of the largest reward.
    pub prediction: f32,
    /// The mean prediction error, in the same unit.
    pub error: f32,
    /// The fitness of all copies together.
    pub fitness: f32,
    /// The estimated size of its niches.
    pub niche: f32,
}

/// The figures of a rule in its population.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RuleFigures {
    /// The numerosity.
    pub copies: u32,
    /// The experience: how often it was updated.
    pub experience: u32,
    /// The accuracy; in mode reward, the predicted reward as a share of the largest reward; if the target is
    /// a number, the predicted number.
    pub accuracy: f64,
    /// The mean prediction error: of a number, or of the reward as a share of the largest reward; otherwise
    /// 0.
    pub error: f64,
    /// The fitness of all copies together.
    pub fitness: f64,
}

/// The importance of a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnImportance {
    /// The column.
    pub column: String,
    /// Its share of the importance.
    pub share: f64,
}

/// Examples that are explained by similar columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExampleGroup {
    /// The number of examples of each class in the training data.
    pub examples: Vec<u64>,
    /// The importance of each column for these examples, highest first.
    pub columns: Vec<ColumnImportance>,
    /// The indices of the rules of the group; empty in models of earlier versions.
    #[serde(default)]
    pub rules: Vec<usize>,
}

/// The size of a population.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PopulationSize {
    /// The number of distinct rules.
    pub rules: usize,
    /// The total numerosity.
    pub copies: u64,
}

/// The maximum total numerosity of a population, which is the maximum of the parameter
/// `population`.
pub(crate) const MOST_COPIES: u32 = 1_000_000;

impl Classifiers {
    /// Checks a model from a file.
    ///
    /// # Errors
    /// When a rule has an unknown class, or the figures do not match the rules.
    pub fn check(&self, classes: usize) -> Result<(), XcsError> {
        self.set.check(classes)?;
        if self.figures.len() != self.set.rules.len() {
            let (rules, figures) = (self.set.rules.len(), self.figures.len());
            return Err(XcsError::Figures { rules, figures });
        }
        let rules = self.set.path.as_ref().map_or(0, |path| path.rules.len());
        if self.path_figures.len() != rules {
            return Err(XcsError::Figures { rules, figures: self.path_figures.len() });
        }
        let mut places = self.groups.iter().flat_map(|group| &group.rules);
        if let Some(&place) = places.find(|&&place| place >= self.set.rules.len()) {
            return Err(XcsError::Group { rule: place + 1, rules: self.set.rules.len() });
        }
        let invalid = self.classifiers.iter().position(|rule| rule.class as usize >= classes);
        if let Some(place) = invalid {
            let (number, class) = (place + 1, self.classifiers[place].class);
            return Err(RuleError::Class { number, class, classes }.into());
        }
        let copies = |copies: &mut dyn Iterator<Item = u32>| copies.map(u64::from).sum::<u64>();
        let found = copies(&mut self.classifiers.iter().map(|member| member.copies))
            .max(copies(&mut self.figures.iter().map(|known| known.copies)))
            .max(copies(&mut self.path_figures.iter().map(|known| known.copies)));
        let most = u64::from(MOST_COPIES);
        if found > most {
            return Err(XcsError::Copies { found, most });
        }
        Ok(())
    }
}

/// Returns the rules alone, in the form that the `ruleset` crate works with. The schema has the columns
/// of the rules of all sizes.
#[must_use]
pub fn as_rules(model: &XcsModel) -> RuleModel<()> {
    let (schema, set) = (model.schema.clone(), model.body.set.clone());
    RuleModel { calibration: model.calibration.clone(), ..RuleModel::new(LEARNER, (), schema, set) }
}

/// Returns the rules of the selected size alone, with only their columns in the schema.
#[must_use]
pub fn as_selected_rules(model: &XcsModel) -> RuleModel<()> {
    let mut rules = as_rules(model);
    only_named(&mut rules.schema, &rules.body.rules);
    rules
}

/// Removes the columns that no rule uses from a schema.
pub(crate) fn only_named<'a>(schema: &mut Schema, rules: impl IntoIterator<Item = &'a Rule>) {
    let mut names = BTreeSet::new();
    rules.into_iter().for_each(|rule| crate::importance::columns(&rule.when, &mut names));
    schema.columns.retain(|column| names.contains(&column.name));
}
