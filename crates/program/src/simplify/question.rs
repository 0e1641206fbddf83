//! A condition as its subject (a column or a role) and the set of values for which it is true.

use super::PerColumn;
use super::counts::Counts;
use super::ranges::Ranges;
use super::words::Words;
use crate::expr::{Expr, Op, Role, Value};

/// The subject of a condition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum About<'a> {
    Column(&'a str),
    Related(&'a Role, &'a Expr),
}

/// The values for which a condition is true.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ValueSet {
    Numbers(Ranges),
    Words(Words),
    Counts(Counts),
}

/// Returns the subject and the value set of a condition, or `None` if a value set cannot express it.
pub(super) fn question(expr: &Expr, values: PerColumn) -> Option<(About<'_>, ValueSet)> {
    match expr {
        // With several values, `!=` is true if one value differs, even if another is equal.
        Expr::Compare(_, Op::NotEqual, _) if values == PerColumn::Several => None,
        Expr::Compare(column, op, Value::Number(number)) => {
            Some((About::Column(column), ValueSet::Numbers(Ranges::compared(*op, *number))))
        }
        Expr::Compare(column, op @ (Op::Equal | Op::NotEqual), Value::Text(word)) => {
            let words = Words::new([word.clone()].into_iter(), *op == Op::NotEqual);
            Some((About::Column(column), ValueSet::Words(words)))
        }
        Expr::Within(column, interval) => {
            Some((About::Column(column), ValueSet::Numbers(Ranges::within(*interval))))
        }
        Expr::OneOf(column, values) => Some((About::Column(column), one_of(values)?)),
        Expr::Related(quantifier, role, filler) => {
            Some((About::Related(role, filler), ValueSet::Counts(Counts::of(*quantifier)?)))
        }
        Expr::Not(operand) => match (&**operand, question(operand, values)?) {
            (Expr::Related(..), (about, ValueSet::Counts(counts))) => {
                Some((about, ValueSet::Counts(counts.complement())))
            }
            // A negated condition is true where the value is missing; no set of values expresses that.
            _ => None,
        },
        _ => None,
    }
}

fn one_of(values: &[Value]) -> Option<ValueSet> {
    let number = |value: &Value| match value {
        Value::Number(number) => Some(*number),
        Value::Text(_) => None,
    };
    let word = |value: &Value| match value {
        Value::Text(word) => Some(word.clone()),
        Value::Number(_) => None,
    };
    let numbers: Option<Vec<f64>> = values.iter().map(number).collect();
    match numbers {
        Some(numbers) if !numbers.is_empty() => {
            Some(ValueSet::Numbers(Ranges::points(numbers.into_iter())))
        }
        _ => {
            let words: Option<Vec<String>> = values.iter().map(word).collect();
            Some(ValueSet::Words(Words::new(words?.into_iter(), false)))
        }
    }
}

impl ValueSet {
    /// Returns the intersection or the union, or `None` if the sets are of different kinds.
    pub(super) fn joined(&self, other: &ValueSet, and: bool) -> Option<ValueSet> {
        Some(match (self, other) {
            (ValueSet::Numbers(one), ValueSet::Numbers(other)) if and => {
                ValueSet::Numbers(one.intersection(other))
            }
            (ValueSet::Numbers(one), ValueSet::Numbers(other)) => {
                ValueSet::Numbers(one.union(other))
            }
            (ValueSet::Words(one), ValueSet::Words(other)) if and => {
                ValueSet::Words(one.intersection(other))
            }
            (ValueSet::Words(one), ValueSet::Words(other)) => ValueSet::Words(one.union(other)),
            (ValueSet::Counts(one), ValueSet::Counts(other)) if and => {
                ValueSet::Counts(one.intersection(other))
            }
            (ValueSet::Counts(one), ValueSet::Counts(other)) => ValueSet::Counts(one.union(other)),
            _ => return None,
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        match self {
            ValueSet::Numbers(ranges) => ranges.is_empty(),
            ValueSet::Words(words) => words.is_empty(),
            ValueSet::Counts(counts) => counts.is_empty(),
        }
    }

    /// Returns whether the set is a subset of another.
    pub(super) fn is_within(&self, other: &ValueSet) -> bool {
        self.joined(other, false).as_ref() == Some(other)
    }

    /// Returns the single condition that expresses the set, if there is one.
    pub(super) fn condition(&self, about: About<'_>) -> Option<Expr> {
        match (self, about) {
            (ValueSet::Numbers(ranges), About::Column(column)) => ranges.condition(column),
            (ValueSet::Words(words), About::Column(column)) => words.condition(column),
            (ValueSet::Counts(counts), About::Related(role, filler)) => {
                counts.condition(role, filler)
            }
            _ => None,
        }
    }
}
