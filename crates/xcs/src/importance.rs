//! The importance of columns in a model.

use crate::model::ColumnImportance;
use pellucid_program::Expr;
use pellucid_ruleset::model::RuleSet;
use std::collections::{BTreeMap, BTreeSet};

/// Adds the columns of a condition to a set.
pub(crate) fn columns(expr: &Expr, into: &mut BTreeSet<String>) {
    match expr {
        Expr::Is(name)
        | Expr::Compare(name, ..)
        | Expr::Within(name, _)
        | Expr::OneOf(name, _)
        | Expr::Contains(name, _) => {
            into.insert(name.clone());
        }
        Expr::Not(operand) | Expr::Related(_, _, operand) => columns(operand, into),
        Expr::And(operands) | Expr::Or(operands) => {
            operands.iter().for_each(|operand| columns(operand, into));
        }
        Expr::Constant(_) => {}
    }
}

/// Returns the importance of each column: its share of the points that rules add to the right class
/// of training examples, or if a number is predicted, of how much rules move it. The points of a rule are
/// divided equally among its columns.
pub(crate) fn importance(set: &RuleSet) -> Vec<ColumnImportance> {
    let mut shares: BTreeMap<String, f64> = BTreeMap::new();
    for rule in &set.rules {
        let points = |class| rule.points_for(class).map_or(0.0, |points| points.max(0.0));
        let right: f64 = match set.number {
            Some(_) => rule.contribution(&set.examples),
            None => (0..).zip(&rule.covered).map(|(class, &own)| own as f64 * points(class)).sum(),
        };
        let mut named = BTreeSet::new();
        columns(&rule.when, &mut named);
        let part = right / named.len().max(1) as f64;
        named.into_iter().for_each(|column| *shares.entry(column).or_default() += part);
    }
    let total: f64 = shares.values().sum();
    let mut shares: Vec<ColumnImportance> = shares
        .into_iter()
        .map(|(column, share)| ColumnImportance {
            column,
            share: share / total.max(f64::MIN_POSITIVE),
        })
        .collect();
    shares.sort_by(|one, other| {
        other.share.total_cmp(&one.share).then(one.column.cmp(&other.column))
    });
    shares
}
