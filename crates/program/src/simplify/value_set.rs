//! A condition as its subject (a column or a role) and the set of values for which it is true.

use super::PerColumn;
use super::categories::Categories;
use super::counts::Counts;
use super::ranges::Ranges;
use crate::expr::{Expr, Op, Role, Value};

/// The subject of a condition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Subject<'a> {
    Column(&'a str),
    Related(&'a Role, &'a Expr),
}

/// The values for which a condition is true.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ValueSet {
    Numbers(Ranges),
    Categories(Categories),
    Counts(Counts),
}

/// Returns the subject and the value set of a condition, or `None` if a value set cannot express it.
pub(super) fn value_set(expr: &Expr, values: PerColumn) -> Option<(Subject<'_>, ValueSet)> {
    match expr {
        // With several values, `!=` is true if one value differs, even if another is equal.
        Expr::Compare(_, Op::NotEqual, _) if values == PerColumn::Several => None,
        Expr::Compare(column, op, Value::Number(number)) => {
            Some((Subject::Column(column), ValueSet::Numbers(Ranges::compared(*op, *number))))
        }
        Expr::Compare(column, op @ (Op::Equal | Op::NotEqual), Value::Text(word)) => {
            let categories = Categories::new([word.clone()].into_iter(), *op == Op::NotEqual);
            Some((Subject::Column(column), ValueSet::Categories(categories)))
        }
        Expr::Within(column, interval) => {
            Some((Subject::Column(column), ValueSet::Numbers(Ranges::within(*interval))))
        }
        Expr::OneOf(column, values) => Some((Subject::Column(column), one_of(values)?)),
        Expr::Related(quantifier, role, filler) => {
            Some((Subject::Related(role, filler), ValueSet::Counts(Counts::of(*quantifier)?)))
        }
        Expr::Not(operand) => match (&**operand, value_set(operand, values)?) {
            (Expr::Related(..), (subject, ValueSet::Counts(counts))) => {
                Some((subject, ValueSet::Counts(counts.complement())))
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
            let categories: Option<Vec<String>> = values.iter().map(word).collect();
            Some(ValueSet::Categories(Categories::new(categories?.into_iter(), false)))
        }
    }
}

impl ValueSet {
    /// Returns the intersection or the union, or `None` if the sets are of different kinds.
    pub(super) fn combine(&self, other: &ValueSet, and: bool) -> Option<ValueSet> {
        Some(match (self, other) {
            (ValueSet::Numbers(one), ValueSet::Numbers(other)) if and => {
                ValueSet::Numbers(one.intersection(other))
            }
            (ValueSet::Numbers(one), ValueSet::Numbers(other)) => {
                ValueSet::Numbers(one.union(other))
            }
            (ValueSet::Categories(one), ValueSet::Categories(other)) if and => {
                ValueSet::Categories(one.intersection(other))
            }
            (ValueSet::Categories(one), ValueSet::Categories(other)) => {
                ValueSet::Categories(one.union(other))
            }
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
            ValueSet::Categories(categories) => categories.is_empty(),
            ValueSet::Counts(counts) => counts.is_empty(),
        }
    }

    /// Returns whether the set is a subset of another.
    pub(super) fn is_within(&self, other: &ValueSet) -> bool {
        self.combine(other, false).as_ref() == Some(other)
    }

    /// Returns the single condition that expresses the set, if there is one.
    pub(super) fn condition(&self, subject: Subject<'_>) -> Option<Expr> {
        match (self, subject) {
            (ValueSet::Numbers(ranges), Subject::Column(column)) => ranges.condition(column),
            (ValueSet::Categories(categories), Subject::Column(column)) => {
                categories.condition(column)
            }
            (ValueSet::Counts(counts), Subject::Related(role, filler)) => {
                counts.condition(role, filler)
            }
            _ => None,
        }
    }
}
