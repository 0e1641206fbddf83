//! The model: rules with points.

use crate::card::Scorecard;
use crate::number::NumberStatistics;
use crate::path::RulePath;
use pellucid_learn::model;
use pellucid_program::{Expr, ProgramError, shorten};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

/// A model that is a set of rules, learned with parameters of the kind `P`.
pub type RuleModel<P> = model::Model<P, RuleSet>;

/// The longest condition that is read from a file, in bytes.
const MOST_BYTES: usize = 1_000_000;

/// The largest sum of all points of a classifier. Its product with the largest slope of a
/// calibration is finite.
pub const MOST_VOTES: f64 = 1e100;

/// Rules whose points add up to a score for each class. The class with the highest score is
/// predicted; in a tie, the first one. A model that predicts a number has one output instead of
/// classes, and the votes are amounts that add up to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RuleSet {
    /// The starting score of each class.
    pub base: Vec<f64>,
    /// The rules in the order in which they are shown; in a list, also the order in which they are tested.
    pub rules: Vec<Rule>,
    /// The Pareto front of sensitivity and specificity, from which the rule was chosen; only in mode pareto.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub front: Vec<Rule>,
    /// The number of training examples of each class; empty if unknown.
    #[serde(default)]
    pub examples: Vec<u64>,
    /// Smaller and larger models, from learners that add one rule at a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<RulePath>,
    /// Whether the rules are an ordered list: the first rule that applies decides alone, or the
    /// base if none applies.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ordered: bool,
    /// Training statistics, if the rules add up to a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<NumberStatistics>,
    /// The risk by total, if the rules are a scorecard.
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "scorecard")]
    pub card: Option<Scorecard>,
}

/// A rule: IF a condition is true for an example THEN a class gets points.
///
/// For plain rows the condition is an expression over their columns. For bags it is about their
/// rows, `some row (x > 1)`, `min 3 row (…)`, and about summaries, `mean(x) > 2` and `rows > 10`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Rule {
    /// The condition; in files its text.
    #[serde(with = "as_text")]
    pub when: Expr,
    /// The index of the class that gets the points.
    pub class: u32,
    /// The points; negative points lower the score of the class.
    pub votes: f64,
    /// The points of further classes.
    #[serde(default)]
    pub others: Vec<ClassPoints>,
    /// The number of training examples of each class that it covers.
    pub covered: Vec<u64>,
    /// In how many folds a rule with the same columns and directions was found; `None` if unknown.
    #[serde(default)]
    pub found_in: Option<FoundIn>,
}

/// In text, empty fields are left out. A checkpoint has all fields, because its format does not name them.
impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_text = serializer.is_human_readable();
        let has_others = !is_text || !self.others.is_empty();
        let has_folds = !is_text || self.found_in.is_some();
        let fields = 4 + usize::from(has_others) + usize::from(has_folds);
        let mut rule = serializer.serialize_struct("Rule", fields)?;
        rule.serialize_field("when", &self.when.to_string())?;
        rule.serialize_field("class", &self.class)?;
        rule.serialize_field("votes", &self.votes)?;
        if has_others {
            rule.serialize_field("others", &self.others)?;
        }
        rule.serialize_field("covered", &self.covered)?;
        if has_folds {
            rule.serialize_field("found_in", &self.found_in)?;
        }
        rule.end()
    }
}

/// How often the same idea was found when a model was fitted on parts of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundIn {
    /// The number of folds in which it was found.
    pub folds: u32,
    /// The number of folds.
    pub of: u32,
}

/// The points of a rule for one class.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassPoints {
    /// The index of the class.
    pub class: u32,
    /// The points; negative points lower the score of the class.
    pub votes: f64,
}

impl Rule {
    /// Creates a rule with points for one class, without counts.
    #[must_use]
    pub fn new(when: Expr, class: u32, votes: f64) -> Rule {
        Rule { when, class, votes, others: Vec::new(), covered: Vec::new(), found_in: None }
    }

    /// Returns the points for all classes that have any.
    pub fn points(&self) -> impl Iterator<Item = ClassPoints> + '_ {
        let first = ClassPoints { class: self.class, votes: self.votes };
        std::iter::once(first).chain(self.others.iter().copied())
    }

    /// Returns the rule with these points instead, those that raise a class first; `None` without points.
    #[must_use]
    pub(crate) fn with_points(&self, mut points: Vec<ClassPoints>) -> Option<Rule> {
        points.sort_by(|one, other| {
            let order = |points: &ClassPoints| (points.votes < 0.0, -points.votes.abs());
            let (one, other) = (order(one), order(other));
            one.0.cmp(&other.0).then(one.1.total_cmp(&other.1))
        });
        let (&ClassPoints { class, votes }, others) = points.split_first()?;
        Some(Rule { class, votes, others: others.to_vec(), ..self.clone() })
    }

    /// Adds the points to the scores of all classes.
    #[inline]
    pub fn add_to(&self, scores: &mut [f64]) {
        for ClassPoints { class, votes } in self.points() {
            scores[class as usize] += votes;
        }
    }

    /// Checks that all classes with points exist, each once.
    pub(crate) fn check_classes(&self, number: usize, classes: usize) -> Result<(), RuleError> {
        let mut seen = vec![false; classes];
        for ClassPoints { class, .. } in self.points() {
            match seen.get_mut(class as usize) {
                None => return Err(RuleError::Class { number, class, classes }),
                Some(seen) if *seen => return Err(RuleError::Twice { number, class }),
                Some(seen) => *seen = true,
            }
        }
        Ok(())
    }

    /// Returns the points for a class, if it has any.
    #[must_use]
    pub fn points_for(&self, class: u32) -> Option<f64> {
        self.points().find(|points| points.class == class).map(|points| points.votes)
    }

    /// Returns the largest points, without the sign.
    #[must_use]
    pub fn most_points(&self) -> f64 {
        self.points().map(|points| points.votes.abs()).fold(0.0, f64::max)
    }

    /// Returns how much the rule moves scores: the standard deviation of its largest points over all
    /// training examples, given their number by class. Proportional to the points if the coverage is unknown.
    #[must_use]
    pub fn contribution(&self, examples: &[u64]) -> f64 {
        let all = examples.iter().sum::<u64>().max(1) as f64;
        let share = self.covered.iter().sum::<u64>() as f64 / all;
        self.most_points() * (share * (1.0 - share)).max(1e-9).sqrt()
    }
}

/// The reason why a rule of a model file is invalid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RuleError {
    /// A condition does not fit the columns.
    #[error("rule {number}: {error}")]
    Program {
        /// The number of the rule, from 1.
        number: usize,
        /// The error.
        error: ProgramError,
    },
    /// A condition on bags that is not about their rows.
    #[error(
        "rule {number}: '{}' is not a condition on bags; expected a condition on rows such as \
         'some row (x > 1)', on mean(x) or on rows",
        shorten(expr)
    )]
    NotOfBags {
        /// The number of the rule, from 1.
        number: usize,
        /// The invalid part.
        expr: String,
    },
    /// A rule for a class that does not exist.
    #[error("rule {number} is for class {class}, but the model has {classes} classes")]
    Class {
        /// The number of the rule, from 1.
        number: usize,
        /// Its class.
        class: u32,
        /// The number of classes.
        classes: usize,
    },
    /// A rule with points for a class twice.
    #[error("rule {number} has points for class {class} twice")]
    Twice {
        /// The number of the rule, from 1.
        number: usize,
        /// The class.
        class: u32,
    },
    /// A rule without a count for each class.
    #[error("rule {number} has counts for {counts} classes, but the model has {classes}")]
    Covered {
        /// The number of the rule, from 1.
        number: usize,
        /// The number of counts.
        counts: usize,
        /// The number of classes.
        classes: usize,
    },
    /// Training examples without a count for each class.
    #[error(
        "the model has counts of training examples for {counts} classes, but {classes} classes"
    )]
    Examples {
        /// The number of counts.
        counts: usize,
        /// The number of classes.
        classes: usize,
    },
    /// A model of the path with more rules than the path.
    #[error("a model of the path has points for {votes} rules, but the path has {rules}")]
    Path {
        /// The number of points.
        votes: usize,
        /// The number of rules.
        rules: usize,
    },
    /// The selected model is not on the path.
    #[error("the path selects model {}, but has {models} models", selected.saturating_add(1))]
    Selected {
        /// The selected model, from 0.
        selected: usize,
        /// The number of models.
        models: usize,
    },
    /// A model of the path whose points do not fit the classes of its rules.
    #[error("a model of the path has points for other classes than its rules")]
    Others,
    /// The models of the path are not sorted by size.
    #[error("the models of the path are not sorted by size")]
    Order,
    /// The sum of the points is not finite.
    #[error("the points of the model do not add up to a finite number")]
    Votes,
    /// The sum of the points is too large to compute probabilities.
    #[error("the points of the model add up to {sum:e}; expected at most {MOST_VOTES:e}")]
    Large {
        /// The sum of absolute points.
        sum: f64,
    },
    /// The number of starting scores differs from the number of classes.
    #[error("the model has {votes} starting scores for {classes} classes")]
    Base {
        /// The number of starting scores.
        votes: usize,
        /// The number of classes.
        classes: usize,
    },
}

impl RuleSet {
    /// Checks that the model is valid for a number of classes.
    ///
    /// # Errors
    /// If a rule is for a class that does not exist, or the number of starting scores is not that
    /// of the classes.
    pub fn check(&self, classes: usize) -> Result<(), RuleError> {
        if self.base.len() != classes {
            return Err(RuleError::Base { votes: self.base.len(), classes });
        }
        if !self.examples.is_empty() && self.examples.len() != classes {
            return Err(RuleError::Examples { counts: self.examples.len(), classes });
        }
        for rules in [&self.rules, &self.front] {
            for (number, rule) in (1..).zip(rules) {
                rule.check_classes(number, classes)?;
                if !rule.covered.is_empty() && rule.covered.len() != classes {
                    return Err(RuleError::Covered { number, counts: rule.covered.len(), classes });
                }
            }
        }
        let points = self.rules.iter().flat_map(|rule| rule.points().map(|points| points.votes));
        check_votes(self.base.iter().copied().chain(points), classes)?;
        self.path.as_ref().map_or(Ok(()), |path| path.check(classes))
    }

    /// Returns the score of each class for an example, given which rules apply.
    #[must_use]
    pub fn votes(&self, holds: impl Fn(usize) -> bool) -> Vec<f64> {
        if self.ordered {
            let Some(first) = (0..self.rules.len()).find(|&rule| holds(rule)) else {
                return self.base.clone();
            };
            let mut votes = vec![0.0; self.base.len()];
            self.rules[first].add_to(&mut votes);
            return votes;
        }
        let mut votes = self.base.clone();
        for (index, rule) in self.rules.iter().enumerate() {
            if holds(index) {
                rule.add_to(&mut votes);
            }
        }
        votes
    }

    /// Returns the number of comparisons of all rules.
    #[must_use]
    pub fn comparisons(&self) -> usize {
        self.rules.iter().map(|rule| comparisons(&rule.when)).sum()
    }
}

/// Checks that points add up to a finite number, whichever rules apply.
///
/// # Errors
/// If the sum is not finite, or too large to compute a probability. A predicted number may be of any size.
pub(crate) fn check_votes(
    votes: impl Iterator<Item = f64>,
    classes: usize,
) -> Result<(), RuleError> {
    let sum: f64 = votes.map(|votes| votes.abs()).sum();
    match sum {
        sum if !sum.is_finite() => Err(RuleError::Votes),
        sum if classes > 1 && sum > MOST_VOTES => Err(RuleError::Large { sum }),
        _ => Ok(()),
    }
}

/// Returns the number of comparisons in an expression.
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

/// Returns the class with the highest score; in a tie, the first one.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "classes are numbered by u32")]
pub fn winner(votes: &[f64]) -> u32 {
    (0..votes.len())
        .reduce(|best, class| if votes[class] > votes[best] { class } else { best })
        .unwrap_or(0) as u32
}

/// Serializes conditions as text, for `#[serde(with = …)]`.
pub mod as_text {
    use pellucid_program::{Expr, shorten};
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    /// Writes a condition as text.
    ///
    /// # Errors
    /// If the text cannot be written.
    pub fn serialize<S: Serializer>(expr: &Expr, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(expr)
    }

    /// Reads a condition from text.
    ///
    /// # Errors
    /// If the text is not a condition, or too long.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Expr, D::Error> {
        let text = String::deserialize(from)?;
        if text.len() > super::MOST_BYTES {
            let (found, most) = (text.len(), super::MOST_BYTES);
            return Err(D::Error::custom(format!(
                "a condition has {found} bytes; expected at most {most}"
            )));
        }
        text.parse()
            .map_err(|error| D::Error::custom(format!("condition '{}': {error}", shorten(&text))))
    }
}
