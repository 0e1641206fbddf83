//! What each rule covers in the data of a report and in test folds, and how much rules overlap.

use crate::io::Dataset;
use crate::learn::learner::Examples;
use crate::learn::model::StoredModel;
use crate::learn::out_of_fold::{HeldOutCoverage, OutOfFold};
use crate::ruleset::apply::AppliedRules;
use crate::ruleset::model::RuleSet;
use crate::{rules, xcs};
use pellucid_device::Machine;
use serde_json::{Value, json};

/// The most rules in the matrix of overlaps.
const MOST_RULES: usize = 40;

/// Returns by rule the examples of each class that it covers, the totals, and for each pair of rules the
/// number of examples that both cover. `None` for other models, and if the data does not fit.
pub(super) fn coverage(stored: &StoredModel, data: &Dataset, machine: &Machine) -> Option<Value> {
    let applied = match stored.learner() {
        "rules" => {
            let model = stored.read::<rules::params::Params, RuleSet>("rules").ok()?;
            AppliedRules::new(&model, data, machine).ok()?
        }
        "xcs" => {
            let model = xcs::model::as_selected_rules(&stored.read("xcs").ok()?);
            AppliedRules::new(&model, data, machine).ok()?
        }
        _ => return None,
    };
    let (codes, names) = (Examples::codes(data), Examples::classes(data));
    let classes = names.len().max(1);
    let code = |example: usize| codes.get(example).map_or(0, |&code| code as usize);
    let count = applied.rules();
    let shown = count.min(MOST_RULES);
    let mut totals = vec![0_u64; classes];
    let mut covered = vec![vec![0_u64; classes]; count];
    let mut both = vec![vec![0_u64; shown]; shown];
    let mut own = Vec::with_capacity(count);
    for example in 0..applied.examples() {
        let Some(total) = totals.get_mut(code(example)) else { continue };
        *total += 1;
        own.clear();
        own.extend((0..count).filter(|&rule| applied.holds(rule, example)));
        for (place, &rule) in own.iter().enumerate() {
            covered[rule][code(example)] += 1;
            for &other in &own[place..] {
                if rule < shown && other < shown {
                    both[rule][other] += 1;
                }
            }
        }
    }
    Some(json!({
        "classes": names,
        "totals": totals,
        "covered": covered,
        "both": both,
    }))
}

/// Returns for each rule what the rules of the folds on the same columns cover in their test folds: the
/// folds with such a rule and all folds, and the examples of each class that are covered and in total.
/// `None` if it is unknown.
pub(super) fn held_out(scores: &OutOfFold) -> Option<Value> {
    let of_rule = |rule: &Option<_>| {
        rule.as_ref().map(|one: &HeldOutCoverage| {
            json!({ "folds": [one.folds, one.of], "covered": one.covered, "totals": one.examples })
        })
    };
    (!scores.coverage.is_empty()).then(|| scores.coverage.iter().map(of_rule).collect())
}
