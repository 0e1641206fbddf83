//! Which columns a model rests on.

use crate::model::{Importance, XcsModel};
use pellucid_program::Expr;
use pellucid_ruleset::apply::AppliedRules;
use std::collections::{BTreeMap, BTreeSet};

/// The columns that a condition names.
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

/// How much rests on each column: the votes that rules give to the right class of training examples, in equal parts to the
/// columns that a rule names.
pub(crate) fn importance(
    model: &XcsModel,
    applied: &AppliedRules,
    classes: &[u32],
) -> Vec<Importance> {
    let mut shares: BTreeMap<String, f64> = BTreeMap::new();
    for (index, rule) in model.model.set.rules.iter().enumerate() {
        let holds =
            |example: &usize| classes[*example] == rule.class && applied.holds(index, *example);
        let right = (0..classes.len()).filter(holds).count();
        let mut named = BTreeSet::new();
        columns(&rule.when, &mut named);
        let part = rule.votes.max(0.0) * right as f64 / named.len().max(1) as f64;
        named.into_iter().for_each(|column| *shares.entry(column).or_default() += part);
    }
    let total: f64 = shares.values().sum();
    let mut shares: Vec<Importance> = shares
        .into_iter()
        .map(|(column, share)| Importance { column, share: share / total.max(f64::MIN_POSITIVE) })
        .collect();
    shares.sort_by(|one, other| {
        other.share.total_cmp(&one.share).then(one.column.cmp(&other.column))
    });
    shares
}
