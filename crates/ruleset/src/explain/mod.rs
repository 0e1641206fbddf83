//! Explanations of predictions: the score, the rules that apply, and the rows and values that make
//! them apply.
//!
//! The text of a [`RulesExplanation`] for a bag:
//!
//! ```text
//! bag 'm7': yes
//!   score: 0.52 = -0.30 (starting score) + 0.82 (rule 1)
//!   rule 1 applies: IF some row has f1 > 2.5 and f7 <= 3 THEN add 0.82 (favors
//!       'yes')
//!     2 of 12 rows have f1 > 2.5 and f7 <= 3
//!       row 17: f1 = 3.2 (> 2.5), f7 = 2 (<= 3)
//!       row 20: f1 = 2.9 (> 2.5), f7 = 3 (<= 3)
//! ```
//!
//! A full explanation also lists the rules that do not apply. All parts can be serialized as JSON.

mod evidence;
mod show;

use crate::apply::AppliedRules;
use crate::export::prose::condition;
use crate::export::score::{consequence, fallback_class};
use crate::model::{ClassPoints, winner};
use pellucid_export::dates::dated;
use pellucid_learn::digits::significant;
use pellucid_program::Expr;
use serde::Serialize;

/// The explanation of one prediction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RulesExplanation {
    /// The number of the example in the data, from 1.
    pub example: usize,
    /// The bag's name; `None` if rows are examples.
    pub bag: Option<String>,
    /// The row's identifier, if rows are examples and a column identifies them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The predicted class.
    pub predicted: String,
    /// How the class was decided, if not by the highest score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<String>,
    /// The starting score of each class.
    pub begin: Vec<ClassTotal>,
    /// The score of each class.
    pub votes: Vec<ClassTotal>,
    /// The rules that apply, or all rules in a full explanation.
    pub rules: Vec<RuleExplanation>,
    /// The name of the predicted number, if a number is predicted; scores are amounts then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// Whether the first rule that applies decides alone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ordered: bool,
    /// Whether any rule that applies decides alone, so that scores need not be shown.
    #[serde(skip)]
    pub any_rule_decides: bool,
    /// Whether the explanation includes rules that do not apply.
    #[serde(skip)]
    pub is_full: bool,
}

/// The score of a class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClassTotal {
    /// The class.
    pub class: String,
    /// Its score.
    pub votes: f64,
}

/// Why one rule applies, or why not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RuleExplanation {
    /// The number of the rule, from 1.
    pub number: usize,
    /// Whether it applies.
    pub holds: bool,
    /// Its condition in words.
    pub when: String,
    /// The class that gets its points.
    pub class: String,
    /// Its points.
    pub votes: f64,
    /// The points of further classes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<ClassTotal>,
    /// Its consequence in words.
    #[serde(skip)]
    pub then: String,
    /// The facts that decide its condition.
    pub reasons: Vec<Reason>,
}

/// A fact in the data that decides a condition.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "about", rename_all = "snake_case")]
pub enum Reason {
    /// The row itself, if rows are examples.
    Row(Witness),
    /// The number of the bag's rows that satisfy a question.
    Rows {
        /// The question.
        question: String,
        /// The number of rows that satisfy it.
        covered: usize,
        /// The number of rows in the bag.
        of: usize,
        /// The first rows that satisfy it; if all rows should satisfy it, the first that do not.
        witnesses: Vec<Witness>,
    },
    /// The mean of a column over the bag's rows.
    Mean {
        /// The column.
        column: String,
        /// Its mean; `None` if all values are missing.
        value: Option<f64>,
        /// The test, such as `> 2`, with `not` before it if it failed.
        test: String,
    },
    /// The number of rows in the bag.
    Size {
        /// The number.
        rows: usize,
        /// The test, with `not` before it if it failed.
        test: String,
    },
}

/// A row and the values that decide a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Witness {
    /// The number of the row in the data, from 1.
    pub row: usize,
    /// The row's identifier, if a column identifies rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Whether it satisfies the question.
    pub satisfies: bool,
    /// The values that decide.
    pub values: Vec<TestedValue>,
}

/// A value and its test.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TestedValue {
    /// The column.
    pub column: String,
    /// Its value in the row.
    pub value: Cell,
    /// The test, such as `> 2.5`, with `not` before it if it failed. Empty for a boolean.
    pub test: String,
}

/// A value of a row.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// A missing value.
    Missing,
    /// A value of a boolean column.
    Truth(bool),
    /// A value of a numeric column.
    Number(f64),
    /// A value of a nominal column.
    Text(String),
}

impl AppliedRules {
    /// Returns the explanation of an example, counted from 0, by the rules that apply.
    ///
    /// # Panics
    /// If there is no such example.
    #[must_use]
    pub fn explain(&self, example: usize) -> RulesExplanation {
        self.explain_by(example, false)
    }

    /// Returns the explanation of an example by all rules, including those that do not apply.
    ///
    /// # Panics
    /// If there is no such example.
    #[must_use]
    pub fn explain_all(&self, example: usize) -> RulesExplanation {
        self.explain_by(example, true)
    }

    /// Returns a condition with dates as the file writes them.
    pub(crate) fn dated(&self, expr: &Expr) -> Expr {
        dated(expr, &self.data.origin.reading)
    }

    /// Returns the scores by class, or the one number.
    fn totals(&self, votes: &[f64]) -> Vec<ClassTotal> {
        let number = self.number_name().map(str::to_owned);
        let classes = self.classes().iter().cloned().chain(number).zip(votes);
        classes.map(|(class, &votes)| ClassTotal { class, votes }).collect()
    }

    /// Returns the points of a rule for a class.
    fn total(&self, points: &ClassPoints) -> ClassTotal {
        let class = self.classes().get(points.class as usize).cloned().unwrap_or_default();
        ClassTotal { class, votes: points.votes }
    }

    fn explain_by(&self, example: usize, all: bool) -> RulesExplanation {
        let votes = self.votes(example);
        let bags = self.data.bags.as_ref();
        let (set, ordered) = (self.rule_set(), self.rule_set().ordered);
        let mut rules = Vec::new();
        for index in 0..set.rules.len() {
            let holds = self.holds(index, example);
            if holds || all {
                rules.push(self.explain_rule(index, example, holds));
            }
            // In a list, the rules after the one that decides do not matter.
            if holds && ordered {
                break;
            }
        }
        let predicted = match self.number_name() {
            Some(_) => votes.first().map(|&number| significant(number, 10)),
            None => self.classes().get(winner(&votes) as usize).cloned(),
        };
        RulesExplanation {
            example: example + 1,
            bag: bags.map(|bags| bags.names[example].clone()),
            id: self.data.row_id(example).filter(|_| bags.is_none()).map(str::to_owned),
            predicted: predicted.unwrap_or_default(),
            decided: None,
            begin: self.totals(&set.base),
            votes: self.totals(&votes),
            rules,
            number: self.number_name().map(str::to_owned),
            ordered,
            any_rule_decides: self.number_name().is_none() && fallback_class(set).is_some(),
            is_full: all,
        }
    }

    fn explain_rule(&self, index: usize, example: usize, holds: bool) -> RuleExplanation {
        let rule = &self.rule_set().rules[index];
        let number = self.number_name();
        let class = self.classes().get(rule.class as usize).map(String::as_str).or(number);
        let has_bags = self.data.bags.is_some();
        let classes = number.is_none().then(|| self.classes());
        RuleExplanation {
            number: index + 1,
            holds,
            when: condition(&self.dated(self.expr(index)), &self.known, has_bags),
            then: consequence(self.rule_set(), rule, classes),
            class: class.unwrap_or_default().to_owned(),
            votes: rule.votes,
            others: rule.others.iter().map(|points| self.total(points)).collect(),
            reasons: self.reasons(index, example),
        }
    }
}
