//! Why an example gets its class: the votes, the rules that hold, and the very rows and values that make them hold.
//!
//! A [`RulesExplanation`] of a bag reads like this:
//!
//! ```text
//! bag 'm7': yes
//!   votes: 0.30 for no, 0.82 for yes
//!   rule 1 holds: IF some row has f1 > 2.5 and f7 <= 3 THEN yes (+0.82)
//!     2 of 12 rows have f1 > 2.5 and f7 <= 3
//!       row 17: f1 = 3.2 (> 2.5), f7 = 2 (<= 3)
//!       row 20: f1 = 2.9 (> 2.5), f7 = 3 (<= 3)
//! ```
//!
//! Who asks about one example alone gets the votes to begin with and the rules that do not hold as well.
//!
//! It is data as well: every part can be written as JSON.

mod evidence;
mod show;

use crate::apply::AppliedRules;
use crate::export::dates::dated;
use crate::export::prose::{condition, visible};
use crate::export::text::consequence;
use crate::model::winner;
use pellucid_learn::metrics::significant;
use pellucid_program::Expr;
use serde::Serialize;

/// Why one example gets its class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RulesExplanation {
    /// The example's place in the data, from 1.
    pub example: usize,
    /// The bag's name; nothing where rows are examples.
    pub bag: Option<String>,
    /// What the row is called, where rows are examples and a column names them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The predicted class.
    pub predicted: String,
    /// What chose it, where that was not the votes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<String>,
    /// What each class has before any rule speaks.
    pub begin: Vec<ClassTotal>,
    /// What each class has in the end.
    pub votes: Vec<ClassTotal>,
    /// The rules that hold, or all that there are.
    pub rules: Vec<RuleExplained>,
    /// What the predicted number is called, where one is predicted; votes are amounts then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// Whether the first rule that holds decides alone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ordered: bool,
    /// Whether all is told, not only what speaks.
    #[serde(skip)]
    pub is_full: bool,
}

/// The votes of a class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClassTotal {
    /// The class.
    pub class: String,
    /// Its votes, those that it has before any rule speaks among them.
    pub votes: f64,
}

/// Why one rule holds, or does not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RuleExplained {
    /// Which rule, from 1.
    pub number: usize,
    /// Whether it holds.
    pub holds: bool,
    /// Its condition in words.
    pub when: String,
    /// The class it speaks for.
    pub class: String,
    /// The votes it gives when it holds.
    pub votes: f64,
    /// What follows from it, in words.
    #[serde(skip)]
    pub then: String,
    /// What decides it.
    pub reasons: Vec<Reason>,
}

/// Something found in the data that decides a condition.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "about", rename_all = "snake_case")]
pub enum Reason {
    /// The row itself, where rows are examples.
    Row(Witness),
    /// How many rows of the bag satisfy a question.
    Rows {
        /// The question.
        question: String,
        /// How many rows satisfy it.
        covered: usize,
        /// How many rows the bag has.
        of: usize,
        /// The first rows that satisfy it; where all should and do not, the first that do not.
        witnesses: Vec<Witness>,
    },
    /// A column's mean over the bag's rows.
    Mean {
        /// The column.
        column: String,
        /// Its mean; nothing where all values are missing.
        value: Option<f64>,
        /// What is asked of it, such as `> 2`; after a `not` where the answer is no.
        test: String,
    },
    /// How many rows the bag has.
    Size {
        /// How many.
        rows: usize,
        /// What is asked of it.
        test: String,
    },
}

/// A row and the values that decide a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Witness {
    /// Its place in the data, from 1.
    pub row: usize,
    /// What it is called, where a column says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Whether it satisfies the question.
    pub satisfies: bool,
    /// The values that decide.
    pub values: Vec<Compared>,
}

/// A value and what was asked of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// The column.
    pub column: String,
    /// Its value in the row.
    pub value: Cell,
    /// What is asked of it, such as `> 2.5`; after a `not` where the answer is no. Nothing for a truth value.
    pub test: String,
}

/// A value of a row.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// Not known.
    Missing,
    /// Of a boolean column.
    Truth(bool),
    /// Of a numeric column.
    Number(f64),
    /// Of a nominal column.
    Text(String),
}

impl AppliedRules {
    /// Why an example, counted from 0, gets its class, told by the rules that hold.
    ///
    /// # Panics
    /// When there is no such example.
    #[must_use]
    pub fn explain(&self, example: usize) -> RulesExplanation {
        self.explained(example, false)
    }

    /// The same told by all rules, those that do not hold too.
    ///
    /// # Panics
    /// When there is no such example.
    #[must_use]
    pub fn explain_all(&self, example: usize) -> RulesExplanation {
        self.explained(example, true)
    }

    /// A condition with dates as a person writes them.
    pub(crate) fn dated(&self, expr: &Expr) -> Expr {
        dated(expr, &self.data.origin.reading)
    }

    /// Votes by class, or the one number.
    fn totals(&self, votes: &[f64]) -> Vec<ClassTotal> {
        let number = self.number_name().map(str::to_owned);
        let classes = self.classes().iter().cloned().chain(number).zip(votes);
        classes.map(|(class, &votes)| ClassTotal { class, votes }).collect()
    }

    fn explained(&self, example: usize, all: bool) -> RulesExplanation {
        let votes = self.votes(example);
        let class = |class: u32| {
            let number = self.number_name().unwrap_or_default();
            self.classes().get(class as usize).map_or(number, String::as_str).to_owned()
        };
        let bags = self.data.bags.as_ref();
        let (ordered, named) = (self.rule_set().ordered, self.number_name().is_none());
        let mut rules = Vec::new();
        for (index, rule) in self.rule_set().rules.iter().enumerate() {
            let holds = self.holds(index, example);
            if holds || all {
                let class = class(rule.class);
                rules.push(RuleExplained {
                    number: index + 1,
                    holds,
                    when: condition(&self.dated(self.expr(index)), &self.known, bags.is_some()),
                    then: consequence(self.rule_set(), rule, named.then(|| visible(&class))),
                    class,
                    votes: rule.votes,
                    reasons: self.reasons(index, example),
                });
            }
            // Nobody asks the rules of a list that come after the one that decides.
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
            begin: self.totals(&self.rule_set().base),
            votes: self.totals(&votes),
            rules,
            number: self.number_name().map(str::to_owned),
            ordered,
            is_full: all,
        }
    }
}
