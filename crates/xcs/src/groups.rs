//! Groups of examples by the columns that explain them.
//!
//! A class may have several causes. For each example, the columns of the rules that apply to it and
//! add points to its class explain it. Examples with similar columns are clustered. If a few
//! clusters explain most of the variation, they are reported. (`ExSTraCS` calls this attribute
//! tracking and does it for the whole population during learning. Here it uses only the rules of
//! the model.)

use crate::importance::columns;
use crate::model::{ColumnImportance, ExampleGroup, XcsModel};
use pellucid_ruleset::apply::AppliedRules;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of groups, and the maximum number of examples that are clustered; of larger
/// tables, an evenly spaced sample is used.
const MAX_GROUPS: usize = 5;
const MAX_EXAMPLES: usize = 20_000;
/// The maximum share of the variance within groups, and the minimum mean variance that is worth
/// reporting; both for squared differences of shares.
const MAX_WITHIN: f64 = 0.4;
const MIN_VARIANCE: f64 = 0.05;
/// The minimum share of the examples in a reported group.
const MIN_SHARE: f64 = 0.05;
/// The maximum number of k-means rounds.
const MAX_ROUNDS: usize = 50;

/// Examples to which the same rules of their class apply.
struct ExampleKind {
    /// The share of each column; the shares sum to 1.
    shares: Vec<f64>,
    /// The number of examples of each class.
    examples: Vec<u64>,
    weight: f64,
}

/// Returns the groups of examples, largest first; none if there is no clear grouping.
pub(crate) fn groups(
    model: &XcsModel,
    applied: &AppliedRules,
    classes: &[u32],
) -> Vec<ExampleGroup> {
    let rules = &model.body.set.rules;
    let named: Vec<BTreeSet<String>> = rules
        .iter()
        .map(|rule| {
            let mut named = BTreeSet::new();
            columns(&rule.when, &mut named);
            named
        })
        .collect();
    let names: Vec<&String> = named.iter().flatten().collect::<BTreeSet<_>>().into_iter().collect();
    let place = |name: &String| names.binary_search(&name).unwrap_or(0);
    let every = classes.len().div_ceil(MAX_EXAMPLES).max(1);
    let mut kinds: BTreeMap<(u32, Vec<usize>), Vec<u64>> = BTreeMap::new();
    for example in (0..classes.len()).step_by(every) {
        let class = classes[example];
        let explains = |&rule: &usize| {
            rules[rule].points_for(class).is_some_and(|points| points > 0.0)
                && applied.holds(rule, example)
        };
        let applying: Vec<usize> = (0..rules.len()).filter(explains).collect();
        if !applying.is_empty() {
            let count = model.schema.classes.len();
            kinds.entry((class, applying)).or_insert_with(|| vec![0; count])[class as usize] += 1;
        }
    }
    let kinds: Vec<ExampleKind> = kinds
        .into_iter()
        .map(|((class, applying), examples)| {
            let mut shares = vec![0.0; names.len()];
            for rule in applying {
                let points = rules[rule].points_for(class).unwrap_or(0.0);
                let part = points / named[rule].len().max(1) as f64;
                named[rule].iter().for_each(|name| shares[place(name)] += part);
            }
            let total: f64 = shares.iter().sum();
            shares.iter_mut().for_each(|share| *share /= total.max(f64::MIN_POSITIVE));
            let weight = examples.iter().sum::<u64>() as f64;
            ExampleKind { shares, examples, weight }
        })
        .collect();
    let to_group = |(center, members): (Vec<f64>, Vec<usize>)| {
        let mut examples = vec![0; model.schema.classes.len()];
        for kind in members {
            examples.iter_mut().zip(&kinds[kind].examples).for_each(|(all, own)| *all += own);
        }
        let column =
            |(name, share): (&&String, f64)| ColumnImportance { column: (*name).clone(), share };
        let mut columns: Vec<ColumnImportance> = names.iter().zip(center).map(column).collect();
        columns.retain(|column| column.share >= 0.01);
        columns.sort_by(|one, other| other.share.total_cmp(&one.share));
        ExampleGroup { examples, columns }
    };
    let mut found: Vec<ExampleGroup> = cluster(&kinds).into_iter().map(to_group).collect();
    let size = |group: &ExampleGroup| group.examples.iter().sum::<u64>();
    let all = found.iter().map(size).sum::<u64>() as f64;
    found.retain(|group| size(group) as f64 >= MIN_SHARE * all);
    found.sort_by_key(|group| std::cmp::Reverse(size(group)));
    found
}

/// Clusters examples into as few groups as possible. Returns the mean and the members of each
/// group; none if that takes too many groups.
fn cluster(kinds: &[ExampleKind]) -> Vec<(Vec<f64>, Vec<usize>)> {
    let all: f64 = kinds.iter().map(|kind| kind.weight).sum();
    let whole = mean(kinds, &(0..kinds.len()).collect::<Vec<_>>());
    let variance: f64 =
        kinds.iter().map(|kind| kind.weight * distance(&kind.shares, &whole)).sum::<f64>();
    if variance < MIN_VARIANCE * all {
        return Vec::new();
    }
    // Adds the farthest kind as a new center, weighted by its number of examples.
    let mut centers: Vec<Vec<f64>> = vec![whole];
    while centers.len() < MAX_GROUPS {
        let far = |kind: &ExampleKind| kind.weight * nearest(&kind.shares, &centers).1;
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
fn assigned(kinds: &[ExampleKind], centers: &[Vec<f64>]) -> Vec<Vec<usize>> {
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

fn mean(kinds: &[ExampleKind], members: &[usize]) -> Vec<f64> {
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
        let kind = |shares: [f64; 3], weight: f64| ExampleKind {
            shares: shares.to_vec(),
            examples: Vec::new(),
            weight,
        };
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
