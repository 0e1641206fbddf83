//! The importance of columns in a model.

use crate::model::{ColumnImportance, XcsModel};
use pellucid_program::Expr;
use pellucid_ruleset::apply::AppliedRules;
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
/// of training examples. The points of a rule are divided equally among its columns.
pub(crate) fn importance(
    model: &XcsModel,
    applied: &AppliedRules,
    classes: &[u32],
) -> Vec<ColumnImportance> {
    let mut shares: BTreeMap<String, f64> = BTreeMap::new();
    for (index, rule) in model.body.set.rules.iter().enumerate() {
        let points: Vec<f64> = (0..pellucid_bits::as_u32(model.schema.classes.len()))
            .map(|class| rule.points_for(class).map_or(0.0, |points| points.max(0.0)))
            .collect();
        let covered = (0..classes.len()).filter(|&example| applied.holds(index, example));
        let right: f64 = covered.map(|example| points[classes[example] as usize]).sum();
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
