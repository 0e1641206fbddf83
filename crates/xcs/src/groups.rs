//! Groups of examples by the columns that explain them.
//!
//! A class may have several causes. Rules with similar columns are clustered. If a few clusters explain
//! most of the variation, each example belongs to the one whose rules argue most for its class: the
//! points for its class less the mean points for the others. An example that the rules of no cluster
//! argue for belongs to none. (`ExSTraCS` tracks attributes for the same purpose, with the whole
//! population during learning. Here only the rules of the model count, so that a reader can check every
//! assignment.)

use crate::importance::columns;
use crate::model::{Classifiers, ColumnImportance, ExampleGroup};
use pellucid_ruleset::apply::AppliedRules;
use pellucid_ruleset::model::Rule;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of groups.
const MAX_GROUPS: usize = 5;
/// The maximum share of the variance within groups, and the minimum mean variance that is worth
/// reporting; both for squared differences of shares.
const MAX_WITHIN: f64 = 0.4;
const MIN_VARIANCE: f64 = 0.05;
/// The minimum share of the examples in a reported group.
const MIN_SHARE: f64 = 0.15;
/// The maximum number of k-means rounds.
const MAX_ROUNDS: usize = 50;

/// The columns of a rule, and how much it explains.
struct RuleColumns {
    /// The share of each column; the shares sum to 1.
    shares: Vec<f64>,
    weight: f64,
}

/// Returns the groups of examples, largest first; none if there is no clear grouping.
pub(crate) fn groups(
    body: &Classifiers,
    applied: &AppliedRules,
    classes: &[u32],
) -> Vec<ExampleGroup> {
    let rules = &body.set.rules;
    let named: Vec<BTreeSet<String>> = rules
        .iter()
        .map(|rule| {
            let mut named = BTreeSet::new();
            columns(&rule.when, &mut named);
            named
        })
        .collect();
    let names: Vec<&String> = named.iter().flatten().collect::<BTreeSet<_>>().into_iter().collect();
    // Columns count by their importance, so that a column of noise in a condition hardly matters.
    let importance: BTreeMap<&str, f64> =
        body.importance.iter().map(|known| (&*known.column, known.share)).collect();
    let kind = |(rule, named): (&Rule, &BTreeSet<String>)| {
        let of = |name: &&String| match named.contains(*name) {
            true => importance.get(&***name).copied().unwrap_or(0.0),
            false => 0.0,
        };
        let all = names.iter().map(of).sum::<f64>().max(f64::MIN_POSITIVE);
        RuleColumns {
            shares: names.iter().map(|name| of(name) / all).collect(),
            weight: rule.contribution(&body.set.examples),
        }
    };
    let kinds: Vec<RuleColumns> = rules.iter().zip(&named).map(kind).collect();
    let to_group = |(center, members): (Vec<f64>, Vec<usize>)| {
        let column =
            |(name, share): (&&String, f64)| ColumnImportance { column: (*name).clone(), share };
        let mut columns: Vec<ColumnImportance> = names.iter().zip(center).map(column).collect();
        columns.retain(|column| column.share >= 0.01);
        columns.sort_by(|one, other| other.share.total_cmp(&one.share));
        ExampleGroup { examples: Vec::new(), columns, rules: members }
    };
    let mut found: Vec<ExampleGroup> = cluster(&kinds).into_iter().map(to_group).collect();
    // Examples of groups that are too small may belong to another one, so the others are counted again.
    loop {
        count(&mut found, body, applied, classes);
        let size = |group: &ExampleGroup| group.examples.iter().sum::<u64>();
        let all = found.iter().map(size).sum::<u64>() as f64;
        let before = found.len();
        found.retain(|group| size(group) as f64 >= MIN_SHARE * all);
        if found.len() == before {
            found.sort_by_key(|group| std::cmp::Reverse(size(group)));
            return if found.len() > 1 && all > 0.0 { found } else { Vec::new() };
        }
    }
}

/// Counts the examples of each group by class.
fn count(groups: &mut [ExampleGroup], body: &Classifiers, applied: &AppliedRules, classes: &[u32]) {
    let mut counts = vec![vec![0; body.set.base.len()]; groups.len()];
    for (example, &class) in classes.iter().enumerate() {
        let holds = |rule: usize| applied.holds(rule, example);
        if let Some(group) = group_of(groups, &body.set.rules, class, holds) {
            counts[group][class as usize] += 1;
        }
    }
    groups.iter_mut().zip(counts).for_each(|(group, counts)| group.examples = counts);
}

/// Returns the group that an example of a class belongs to, given which rules apply to it: the one whose
/// rules argue most for the class. `None` if none argues for it.
pub(crate) fn group_of(
    groups: &[ExampleGroup],
    rules: &[Rule],
    class: u32,
    holds: impl Fn(usize) -> bool,
) -> Option<usize> {
    let evidence = |group: &ExampleGroup| -> f64 {
        let applying = group.rules.iter().filter(|&&rule| holds(rule));
        applying.filter_map(|&rule| rules.get(rule)).map(|rule| argument(rule, class)).sum()
    };
    let best = groups.iter().map(evidence).enumerate();
    let best = best.reduce(|best, other| if other.1 > best.1 { other } else { best });
    best.filter(|best| best.1 > 0.0).map(|(group, _)| group)
}

/// Returns the points of a rule for a class, less its mean points for the other classes, up to a constant
/// factor that depends on the number of classes alone.
fn argument(rule: &Rule, class: u32) -> f64 {
    let classes = rule.covered.len().max(2) as f64;
    let own = rule.points_for(class).unwrap_or(0.0);
    let all: f64 = rule.points().map(|points| points.votes).sum();
    own - (all - own) / (classes - 1.0)
}

/// Clusters rules into as few groups as possible. Returns the mean and the members of each
/// group; none if that takes too many groups.
fn cluster(kinds: &[RuleColumns]) -> Vec<(Vec<f64>, Vec<usize>)> {
    let all: f64 = kinds.iter().map(|kind| kind.weight).sum();
    let whole = mean(kinds, &(0..kinds.len()).collect::<Vec<_>>());
    let variance: f64 =
        kinds.iter().map(|kind| kind.weight * distance(&kind.shares, &whole)).sum::<f64>();
    if variance < MIN_VARIANCE * all {
        return Vec::new();
    }
    // Adds the farthest rule as a new center, weighted by what it explains.
    let mut centers: Vec<Vec<f64>> = vec![whole];
    while centers.len() < MAX_GROUPS {
        let far = |kind: &RuleColumns| kind.weight * nearest(&kind.shares, &centers).1;
        let farthest =
            kinds.iter().reduce(|best, kind| if far(kind) > far(best) { kind } else { best });
        let Some(farthest) = farthest else { break };
        centers.push(farthest.shares.clone());
        let mut members = assigned(kinds, &centers);
        for _ in 0..MAX_ROUNDS {
            for (center, own) in centers.iter_mut().zip(&members) {
                if !own.is_empty() {
                    *center = mean(kinds, own);
                }
            }
            let moved = assigned(kinds, &centers);
            if moved == members {
                break;
            }
            members = moved;
        }
        let left: f64 =
            kinds.iter().map(|kind| kind.weight * nearest(&kind.shares, &centers).1).sum();
        if left <= MAX_WITHIN * variance {
            return centers.into_iter().zip(members).filter(|(_, own)| !own.is_empty()).collect();
        }
    }
    Vec::new()
}

/// Returns the members of each center.
fn assigned(kinds: &[RuleColumns], centers: &[Vec<f64>]) -> Vec<Vec<usize>> {
    let mut members = vec![Vec::new(); centers.len()];
    for (place, kind) in kinds.iter().enumerate() {
        members[nearest(&kind.shares, centers).0].push(place);
    }
    members
}

/// Returns the nearest center and its squared distance.
fn nearest(shares: &[f64], centers: &[Vec<f64>]) -> (usize, f64) {
    let far = centers.iter().map(|center| distance(shares, center)).enumerate();
    far.reduce(|best, other| if other.1 < best.1 { other } else { best }).unwrap_or((0, 0.0))
}

fn distance(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| (one - other) * (one - other)).sum()
}

fn mean(kinds: &[RuleColumns], members: &[usize]) -> Vec<f64> {
    let mut sum = vec![0.0; kinds.first().map_or(0, |kind| kind.shares.len())];
    let mut weight = 0.0;
    for &kind in members {
        let kind = &kinds[kind];
        sum.iter_mut().zip(&kind.shares).for_each(|(sum, share)| *sum += kind.weight * share);
        weight += kind.weight;
    }
    sum.iter_mut().for_each(|sum| *sum /= f64::max(weight, f64::MIN_POSITIVE));
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::XcsLearner;
    use pellucid_data::{ClassTarget, Column, Dataset, Values};
    use pellucid_learn::rng::Streams;

    /// A table of numbers below 100, with a class computed from each row.
    fn table(rows: usize, class: impl Fn(&[f64]) -> bool) -> Dataset {
        let mut stream = Streams::new(3).stream(&["table".into()]);
        let cells: Vec<Vec<f64>> = (0..rows)
            .map(|_| (0..6).map(|_| f64::from(pellucid_bits::as_u32(stream.index(100)))).collect())
            .collect();
        let column = |place: usize| Column {
            name: format!("x{place}"),
            values: Values::Numeric(cells.iter().map(|row| row[place]).collect()),
        };
        let target = ClassTarget {
            name: "class".into(),
            classes: vec!["no".into(), "yes".into()],
            codes: cells.iter().map(|row| u32::from(class(row))).collect(),
        };
        Dataset {
            name: "table".into(),
            columns: (0..6).map(column).collect(),
            rows,
            target: Some(target),
            ..Dataset::default()
        }
    }

    /// If the first column is small the second decides, otherwise the third.
    #[test]
    fn examples_with_different_causes_are_in_different_groups() {
        let decide = |row: &[f64]| if row[0] < 50.0 { row[1] < 50.0 } else { row[2] < 50.0 };
        let model = XcsLearner::new().iterations(50_000_u64).fit(&table(600, decide)).unwrap();
        let groups = &model.groups;
        assert!((2..=MAX_GROUPS).contains(&groups.len()), "{groups:?}");
        let rest_on = |name: &str| {
            let first =
                |group: &&ExampleGroup| group.columns.iter().take(2).any(|it| it.column == name);
            groups.iter().filter(first).count()
        };
        assert!(rest_on("x1") > 0 && rest_on("x2") > 0, "{groups:?}");
        let both = |group: &ExampleGroup| {
            let share = |name| group.columns.iter().find(|it| it.column == name).map(|it| it.share);
            share("x1").unwrap_or(0.0).min(share("x2").unwrap_or(0.0)) > 0.3
        };
        assert!(!groups.iter().any(both), "no group mixes both causes: {groups:?}");
        let all: u64 = groups.iter().flat_map(|group| &group.examples).sum();
        assert!((480..=600).contains(&all), "most examples are in a group: {all}");
        let text = crate::export::text(&model);
        assert!(text.contains("Groups of examples by the columns that explain them"), "{text}");
    }

    #[test]
    fn examples_with_one_cause_are_not_grouped() {
        let decide = |row: &[f64]| row[1] < 50.0;
        let model = XcsLearner::new().iterations(20_000_u64).fit(&table(300, decide)).unwrap();
        assert_eq!(model.groups, Vec::new());
    }

    #[test]
    fn as_few_groups_as_possible() {
        let kind = |shares: [f64; 3], weight: f64| RuleColumns { shares: shares.to_vec(), weight };
        let kinds = [
            kind([0.9, 0.1, 0.0], 10.0),
            kind([0.0, 0.1, 0.9], 5.0),
            kind([0.8, 0.2, 0.0], 20.0),
            kind([0.1, 0.0, 0.9], 1.0),
        ];
        let members: Vec<Vec<usize>> = cluster(&kinds).into_iter().map(|(_, own)| own).collect();
        assert_eq!(members, [vec![0, 2], vec![1, 3]]);
        assert!(cluster(&kinds[..1]).is_empty() && cluster(&[]).is_empty());
    }
}
