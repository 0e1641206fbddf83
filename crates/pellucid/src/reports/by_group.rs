//! The figures of a report by group: for each value of a column.

use crate::io::Dataset;
use crate::learn::digits::significant;
use crate::learn::learner::Predictions;
use crate::learn::metrics::{Decision, Decisions, Estimate, NumberDecision, NumberDecisions};
use crate::learn::out_of_fold::OutOfFold;
use crate::prepare::GroupNames;
use crate::registry::AnyModel;
use pellucid_data::Values;
use serde_json::{Value, json};
use std::collections::HashMap;

/// The most groups; the others are one group.
const MOST_GROUPS: usize = 20;
/// A column of numbers is split into this many ranges.
const RANGES: usize = 4;

/// Returns the figures of each group of examples; `None` if the data has no such column or no actual values.
pub(super) fn by_group(
    model: &dyn AnyModel,
    data: &Dataset,
    column: &str,
    predictions: &Predictions,
) -> Option<Value> {
    let groups = Groups::of(data, column)?;
    let rows: Vec<Value> = match model.schema().number {
        Some(seen) => {
            let decisions = predictions.numbers(seen.middle)?;
            groups.each(|own| number_figures(&decisions, own))
        }
        None => {
            let decisions = predictions.decisions()?;
            groups.each(|own| class_figures(&decisions, own))
        }
    };
    Some(json!({ "column": column, "groups": rows }))
}

/// Returns the held-out figures of each group of a training run, whose units are the groups. Very many groups
/// are persons or the like, of which no figures are shown.
pub(super) fn of_held_out(scores: &OutOfFold, groups: &GroupNames) -> Option<Value> {
    if groups.names.len() < 2 || groups.names.len() > MOST_GROUPS {
        return None;
    }
    let groups_of = |units: Vec<u32>| {
        let name = |unit: u32| groups.names.get(unit as usize).cloned().unwrap_or_default();
        Groups::numbered(units.into_iter().map(name).collect(), &[])
    };
    let rows = match scores.number_decisions() {
        Some(decisions) => {
            let own = groups_of(decisions.list().iter().map(|one| one.unit).collect());
            let mut single = NumberDecisions::default();
            for (unit, one) in (0..).zip(decisions.list()) {
                single.push(NumberDecision { unit, ..*one });
            }
            own.each(|is_member| number_figures(&single, is_member))
        }
        None => {
            let decisions = scores.first_decisions(scores.decisions());
            let own = groups_of(decisions.list().iter().map(|one| one.unit).collect());
            // Within a group each example counts as independent.
            let mut single = Decisions::new(decisions.classes.clone());
            for ((place, unit), &one) in (0..).zip(0..).zip(decisions.list()) {
                single.push(Decision { unit, ..one }, decisions.backing(place));
            }
            own.each(|is_member| class_figures(&single, is_member))
        }
    };
    Some(json!({ "column": groups.column, "groups": rows, "held_out": true }))
}

/// The groups of examples.
struct Groups {
    names: Vec<String>,
    /// The group of each example.
    of: Vec<usize>,
}

impl Groups {
    fn of(data: &Dataset, column: &str) -> Option<Groups> {
        let values = &data.columns.iter().find(|known| known.name == column)?.values;
        let mut ordered = Vec::new();
        let by_row: Vec<Option<String>> = match values {
            Values::Numeric(numbers) => {
                let names;
                (names, ordered) = ranges(numbers);
                names
            }
            Values::Nominal { codes, categories } => {
                codes.iter().map(|&code| categories.get(code as usize).cloned()).collect()
            }
            Values::Boolean(truths) => {
                let name = |truth| if truth { "yes" } else { "no" };
                truths.iter().map(|truth| truth.map(|truth| name(truth).to_owned())).collect()
            }
        };
        // The group of a bag is that of its first row.
        let first: Vec<usize> = match &data.bags {
            None => (0..data.rows).collect(),
            Some(bags) => {
                let mut first = vec![usize::MAX; bags.names.len()];
                bags.of_row
                    .iter()
                    .enumerate()
                    .rev()
                    .for_each(|(row, &bag)| first[bag as usize] = row);
                first
            }
        };
        let name = |row: &usize| by_row.get(*row)?.clone();
        let names: Vec<String> =
            first.iter().map(|row| name(row).unwrap_or_else(|| "missing".to_owned())).collect();
        Some(Groups::numbered(names, &ordered))
    }

    /// Numbers the groups: those in order first, then the largest first.
    fn numbered(of: Vec<String>, ordered: &[String]) -> Groups {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        of.iter().for_each(|name| *counts.entry(name).or_default() += 1);
        let mut order: Vec<(&str, usize)> = counts.into_iter().collect();
        let rank =
            |name: &str| ordered.iter().position(|known| known == name).unwrap_or(ordered.len());
        order.sort_by(|one, other| {
            let ranks = rank(one.0).cmp(&rank(other.0));
            ranks.then(other.1.cmp(&one.1)).then(one.0.cmp(other.0))
        });
        let mut names: Vec<String> = order.iter().map(|(name, _)| (*name).to_owned()).collect();
        if names.len() > MOST_GROUPS {
            names.truncate(MOST_GROUPS);
            names.push("others".to_owned());
        }
        let place = |name: &String| names.iter().position(|known| known == name);
        let of = of.iter().map(|name| place(name).unwrap_or(names.len() - 1)).collect();
        Groups { names, of }
    }

    /// Calls a function with the test of membership of each group. Groups without figures are left out.
    fn each(&self, figures: impl Fn(&dyn Fn(u32) -> bool) -> Option<Value>) -> Vec<Value> {
        (0..self.names.len())
            .filter_map(|group| {
                let is_member = |unit: u32| self.of.get(unit as usize) == Some(&group);
                let mut value = figures(&is_member)?;
                value["name"] = json!(self.names[group]);
                Some(value)
            })
            .collect()
    }
}

/// Returns the range of each number, and all ranges in order: quarters of the numbers, or the numbers
/// themselves if there are few.
fn ranges(numbers: &[f64]) -> (Vec<Option<String>>, Vec<String>) {
    let mut sorted: Vec<f64> = numbers.iter().copied().filter(|one| one.is_finite()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let mut distinct = sorted.clone();
    distinct.dedup();
    let text = |number: f64| significant(number, 4);
    if distinct.len() <= RANGES + 2 {
        let names = numbers.iter().map(|&one| one.is_finite().then(|| text(one)));
        return (names.collect(), distinct.into_iter().map(text).collect());
    }
    let mut cuts: Vec<f64> =
        (1..RANGES).map(|range| sorted[range * sorted.len() / RANGES]).collect();
    cuts.dedup();
    let name_of = |place: usize| match place {
        0 => format!("up to {}", text(cuts[0])),
        last if last == cuts.len() => format!("above {}", text(cuts[last - 1])),
        place => format!("{} to {}", text(cuts[place - 1]), text(cuts[place])),
    };
    let name = |number: f64| name_of(cuts.partition_point(|cut| *cut < number));
    let names = numbers.iter().map(|&one| one.is_finite().then(|| name(one)));
    (names.collect(), (0..=cuts.len()).map(name_of).collect())
}

fn class_figures(decisions: &Decisions, is_member: &dyn Fn(u32) -> bool) -> Option<Value> {
    let mut own = Decisions::new(decisions.classes.clone());
    for (place, &decision) in decisions.list().iter().enumerate() {
        if is_member(decision.unit) {
            own.push(decision, decisions.backing(place));
        }
    }
    let summary = own.summary();
    let accuracy = summary.accuracy?;
    let figure = |of: Option<Estimate>| of.map(|one| [one.value, one.low, one.high]);
    let (negative, positive) = match &summary.classes[..] {
        [negative, positive] => (Some(negative), Some(positive)),
        _ => (None, None),
    };
    #[expect(clippy::cast_precision_loss, reason = "counts of examples")]
    let share = |count: u64| count as f64 / summary.evaluated as f64;
    Some(json!({
        "examples": summary.evaluated,
        "accuracy": figure(Some(accuracy.estimate)),
        "auc": figure(summary.auc.map(|auc| auc.estimate)),
        "sensitivity": figure(positive.and_then(|class| class.recall)),
        "specificity": figure(negative.and_then(|class| class.recall)),
        "actual": positive.map(|class| share(class.examples)),
        "predicted": positive.map(|class| share(class.predicted)),
    }))
}

fn number_figures(decisions: &NumberDecisions, is_member: &dyn Fn(u32) -> bool) -> Option<Value> {
    let mut own = NumberDecisions::default();
    decisions.list().iter().filter(|one| is_member(one.unit)).for_each(|one| own.push(*one));
    let summary = own.summary();
    let mae = summary.mae?.estimate;
    let r2 = summary.r2.map(|r2| [r2.estimate.value, r2.estimate.low, r2.estimate.high]);
    Some(json!({
        "examples": summary.evaluated,
        "mae": [mae.value, mae.low, mae.high],
        "r2": r2,
    }))
}
