//! What was learned: rules with votes.

use crate::number::AboutNumber;
use crate::path::RulePath;
use pellucid_learn::model;
use pellucid_program::{Expr, ProgramError, shorten};
use serde::{Deserialize, Serialize};

/// A model that is a set of rules, learned with parameters of the kind `P`.
pub type RuleModel<P> = model::Model<P, RuleSet>;

/// The longest condition that is read from a file.
const MOST_LETTERS: usize = 1_000_000;

/// The most votes of a model of classes, all rules together: with the largest slope of a calibration their product is a number.
pub const MOST_VOTES: f64 = 1e100;

/// Rules that vote. The class with the most votes is predicted; of equal classes the first. Where a number is predicted there is one
/// output instead of classes, and votes are amounts that add up to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RuleSet {
    /// The votes that each class has before any rule speaks.
    pub base: Vec<f64>,
    /// The rules in the order in which they are told; where they are a list, they are asked in this order.
    pub rules: Vec<Rule>,
    /// Rules that trade sensitivity for specificity, of which one was chosen; only in mode pareto.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub front: Vec<Rule>,
    /// How many training examples each class had; empty where the learner did not say.
    #[serde(default)]
    pub examples: Vec<u64>,
    /// Shorter and longer models that were found on the way, of learners that find rules one after the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<RulePath>,
    /// Whether the rules are an ordered list: the first that holds decides alone, and the base where none does.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ordered: bool,
    /// What is known beside, where the rules add up to a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<AboutNumber>,
}

/// IF a condition holds for an example THEN its class gets votes.
///
/// The condition of plain rows is an expression over their columns. That of bags speaks of their rows, `some row (x > 1)`,
/// `min 3 row (…)`, and of summaries, `mean(x) > 2` and `rows > 10`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    /// The condition; in files its text.
    #[serde(with = "as_text")]
    pub when: Expr,
    /// The class it speaks for, as its place among the classes.
    pub class: u32,
    /// How many votes it gives; below zero it speaks against the class.
    pub votes: f64,
    /// How many training examples of each class it covers.
    pub covered: Vec<u64>,
}

/// Why a rule of a model file cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RuleError {
    /// A rule asks what the data cannot answer.
    #[error("rule {number}: {error}")]
    Program {
        /// Which rule, from 1.
        number: usize,
        /// What is wrong.
        error: ProgramError,
    },
    /// A rule over bags that is not about their rows.
    #[error(
        "rule {number}: '{}' is neither about a bag's rows, as in 'some row (x > 1)', nor about mean(x) or rows",
        shorten(expr)
    )]
    NotOfBags {
        /// Which rule, from 1.
        number: usize,
        /// The part at fault.
        expr: String,
    },
    /// The class is not there.
    #[error("rule {number} speaks for class {class}, the model has {classes} classes")]
    Class {
        /// Which rule, from 1.
        number: usize,
        /// Its class.
        class: u32,
        /// How many there are.
        classes: usize,
    },
    /// A rule does not count for each class what it covers.
    #[error("rule {number} counts examples of {counts} classes, the model has {classes}")]
    Covered {
        /// Which rule, from 1.
        number: usize,
        /// How many counts there are.
        counts: usize,
        /// How many classes there are.
        classes: usize,
    },
    /// The training examples are not counted for each class.
    #[error("the model counts training examples of {counts} classes, it has {classes}")]
    Examples {
        /// How many counts there are.
        counts: usize,
        /// How many classes there are.
        classes: usize,
    },
    /// A model of the path votes with rules that are not there.
    #[error("a model of the path has votes for {votes} rules, found were {rules}")]
    Path {
        /// How many votes there are.
        votes: usize,
        /// How many rules.
        rules: usize,
    },
    /// The model that is told is not on the path.
    #[error("the path tells of model {}, it has {models}", told.saturating_add(1))]
    Told {
        /// Which is told, from 0.
        told: usize,
        /// How many there are.
        models: usize,
    },
    /// A larger model stands before a smaller one.
    #[error("the models of the path are not in the order of their size")]
    Order,
    /// All votes together are more than a number can say.
    #[error("the votes of the model add up to no number")]
    Votes,
    /// Votes so large that a probability could not be computed from them.
    #[error("the votes of the model add up to {sum:e}, allowed are at most {MOST_VOTES:e}")]
    Large {
        /// What they add up to, signs left out.
        sum: f64,
    },
    /// There is not one base vote for each class.
    #[error("the model has {votes} base votes for {classes} classes")]
    Base {
        /// How many there are.
        votes: usize,
        /// How many classes there are.
        classes: usize,
    },
}

impl RuleSet {
    /// Looks whether the model makes sense for so many classes.
    ///
    /// # Errors
    /// When a rule speaks for a class that is not there, or the base votes are not those of the classes.
    pub fn check(&self, classes: usize) -> Result<(), RuleError> {
        if self.base.len() != classes {
            return Err(RuleError::Base { votes: self.base.len(), classes });
        }
        if !self.examples.is_empty() && self.examples.len() != classes {
            return Err(RuleError::Examples { counts: self.examples.len(), classes });
        }
        for rules in [&self.rules, &self.front] {
            for (number, rule) in (1..).zip(rules) {
                if rule.class as usize >= classes {
                    return Err(RuleError::Class { number, class: rule.class, classes });
                }
                if !rule.covered.is_empty() && rule.covered.len() != classes {
                    return Err(RuleError::Covered { number, counts: rule.covered.len(), classes });
                }
            }
        }
        check_votes(self.base.iter().chain(self.rules.iter().map(|rule| &rule.votes)), classes)?;
        self.path.as_ref().map_or(Ok(()), |path| path.check(classes))
    }

    /// The votes of each class for an example, given which rules hold.
    #[must_use]
    pub fn votes(&self, holds: impl Fn(usize) -> bool) -> Vec<f64> {
        if self.ordered {
            let Some(first) = (0..self.rules.len()).find(|&rule| holds(rule)) else {
                return self.base.clone();
            };
            let mut votes = vec![0.0; self.base.len()];
            votes[self.rules[first].class as usize] = self.rules[first].votes;
            return votes;
        }
        let mut votes = self.base.clone();
        for (index, rule) in self.rules.iter().enumerate() {
            if holds(index) {
                votes[rule.class as usize] += rule.votes;
            }
        }
        votes
    }

    /// How many comparisons all rules have together.
    #[must_use]
    pub fn comparisons(&self) -> usize {
        self.rules.iter().map(|rule| comparisons(&rule.when)).sum()
    }
}

/// Looks whether votes add up to a number, however many rules hold.
///
/// # Errors
/// When they do not, or to one that is too large for a probability. A number that is predicted may be of any size.
pub(crate) fn check_votes<'a>(
    votes: impl Iterator<Item = &'a f64>,
    classes: usize,
) -> Result<(), RuleError> {
    let sum: f64 = votes.map(|votes| votes.abs()).sum();
    match sum {
        sum if !sum.is_finite() => Err(RuleError::Votes),
        sum if classes > 1 && sum > MOST_VOTES => Err(RuleError::Large { sum }),
        _ => Ok(()),
    }
}

/// How many comparisons an expression has.
#[must_use]
pub fn comparisons(expr: &Expr) -> usize {
    match expr {
        Expr::Constant(_) => 0,
        Expr::Is(_)
        | Expr::Compare(..)
        | Expr::Within(..)
        | Expr::OneOf(..)
        | Expr::Contains(..) => 1,
        Expr::Not(operand) | Expr::Related(_, _, operand) => comparisons(operand),
        Expr::And(operands) | Expr::Or(operands) => operands.iter().map(comparisons).sum(),
    }
}

/// The class with the most votes; of equal classes the first.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "classes are numbered by u32")]
pub fn winner(votes: &[f64]) -> u32 {
    (0..votes.len())
        .reduce(|best, class| if votes[class] > votes[best] { class } else { best })
        .unwrap_or(0) as u32
}

/// Conditions are values here and text in files: for `#[serde(with = …)]`.
pub mod as_text {
    use pellucid_program::{Expr, shorten};
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    /// Writes a condition as its text.
    ///
    /// # Errors
    /// When the text cannot be written.
    pub fn serialize<S: Serializer>(expr: &Expr, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(expr)
    }

    /// Reads a condition from its text.
    ///
    /// # Errors
    /// When the text is no condition, or far too long.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Expr, D::Error> {
        let text = String::deserialize(from)?;
        if text.len() > super::MOST_LETTERS {
            let (found, most) = (text.len(), super::MOST_LETTERS);
            return Err(D::Error::custom(format!(
                "a condition has {found} letters, allowed are {most}"
            )));
        }
        text.parse().map_err(|error| {
            D::Error::custom(format!("the condition '{}': {error}", shorten(&text)))
        })
    }
}
