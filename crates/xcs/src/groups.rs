//! Which examples are explained by which columns.
//!
//! A class may have several causes: what explains one example is not what explains the next. Every example rests on the columns
//! that the rules name which hold for it and speak for its class. Examples that rest on like columns are put together, and if few
//! groups tell most of how examples differ in this, they are told. (`ExSTraCS` calls it attribute tracking, and keeps score for the
//! whole population while it learns; this is about the rules that are read, and costs nothing before there are any.)

use crate::importance::columns;
use crate::model::{Group, Importance, XcsModel};
use pellucid_ruleset::apply::AppliedRules;
use std::collections::{BTreeMap, BTreeSet};

/// The most groups that are told, and the most examples that are put into groups; of more, so many are taken at even distances.
const MOST_GROUPS: usize = 5;
const MOST_EXAMPLES: usize = 20_000;
/// The share of the differences between examples that may be left within groups, and the least mean difference worth telling
/// of: squares of shares.
const LEFT_WITHIN: f64 = 0.4;
const TOO_ALIKE: f64 = 0.05;
/// The least share of all examples that is told as a group.
const TOO_FEW: f64 = 0.05;
/// The most rounds in which examples change their group.
const ROUNDS: usize = 50;

/// Examples for which the same rules of their class hold.
struct Kind {
    /// The share of each column; they add up to one.
    shares: Vec<f64>,
    /// How many examples of each class there are.
    examples: Vec<u64>,
    weight: f64,
}

/// The groups that the examples fall into, the largest first; none where they do not.
pub(crate) fn groups(model: &XcsModel, applied: &AppliedRules, classes: &[u32]) -> Vec<Group> {
    let rules = &model.model.set.rules;
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
    let every = classes.len().div_ceil(MOST_EXAMPLES).max(1);
    let mut kinds: BTreeMap<Vec<usize>, Vec<u64>> = BTreeMap::new();
    for example in (0..classes.len()).step_by(every) {
        let class = classes[example];
        let explains = |&rule: &usize| {
            rules[rule].class == class && rules[rule].votes > 0.0 && applied.holds(rule, example)
        };
        let holding: Vec<usize> = (0..rules.len()).filter(explains).collect();
        if !holding.is_empty() {
            let count = model.schema.classes.len();
            kinds.entry(holding).or_insert_with(|| vec![0; count])[class as usize] += 1;
        }
    }
    let kinds: Vec<Kind> = kinds
        .into_iter()
        .map(|(holding, examples)| {
            let mut shares = vec![0.0; names.len()];
            for rule in holding {
                let part = rules[rule].votes / named[rule].len().max(1) as f64;
                named[rule].iter().for_each(|name| shares[place(name)] += part);
            }
            let total: f64 = shares.iter().sum();
            shares.iter_mut().for_each(|share| *share /= total.max(f64::MIN_POSITIVE));
            let weight = examples.iter().sum::<u64>() as f64;
            Kind { shares, examples, weight }
        })
        .collect();
    let told = |(centre, members): (Vec<f64>, Vec<usize>)| {
        let mut examples = vec![0; model.schema.classes.len()];
        for kind in members {
            examples.iter_mut().zip(&kinds[kind].examples).for_each(|(all, own)| *all += own);
        }
        let column = |(name, share): (&&String, f64)| Importance { column: (*name).clone(), share };
        let mut columns: Vec<Importance> = names.iter().zip(centre).map(column).collect();
        columns.retain(|column| column.share >= 0.01);
        columns.sort_by(|one, other| other.share.total_cmp(&one.share));
        Group { examples, columns }
    };
    let mut found: Vec<Group> = parted(&kinds).into_iter().map(told).collect();
    let size = |group: &Group| group.examples.iter().sum::<u64>();
    let all = found.iter().map(size).sum::<u64>() as f64;
    found.retain(|group| size(group) as f64 >= TOO_FEW * all);
    found.sort_by_key(|group| std::cmp::Reverse(size(group)));
    found
}

/// As few groups as leave little within them, each with its mean and its members; none where that takes too many.
fn parted(kinds: &[Kind]) -> Vec<(Vec<f64>, Vec<usize>)> {
    let all: f64 = kinds.iter().map(|kind| kind.weight).sum();
    let whole = mean(kinds, &(0..kinds.len()).collect::<Vec<_>>());
    let apart: f64 =
        kinds.iter().map(|kind| kind.weight * distance(&kind.shares, &whole)).sum::<f64>();
    if apart < TOO_ALIKE * all {
        return Vec::new();
    }
    // Begins with what is farthest from all centres before, and most of it.
    let mut centres: Vec<Vec<f64>> = vec![whole];
    while centres.len() < MOST_GROUPS {
        let far = |kind: &Kind| kind.weight * nearest(&kind.shares, &centres).1;
        let farthest =
            kinds.iter().reduce(|best, kind| if far(kind) > far(best) { kind } else { best });
        let Some(farthest) = farthest else { break };
        centres.push(farthest.shares.clone());
        let mut members = assigned(kinds, &centres);
        for _ in 0..ROUNDS {
            for (centre, own) in centres.iter_mut().zip(&members) {
                if !own.is_empty() {
                    *centre = mean(kinds, own);
                }
            }
            let moved = assigned(kinds, &centres);
            if moved == members {
                break;
            }
            members = moved;
        }
        let left: f64 =
            kinds.iter().map(|kind| kind.weight * nearest(&kind.shares, &centres).1).sum();
        if left <= LEFT_WITHIN * apart {
            return centres.into_iter().zip(members).filter(|(_, own)| !own.is_empty()).collect();
        }
    }
    Vec::new()
}

/// The members of each centre: those to which none is nearer.
fn assigned(kinds: &[Kind], centres: &[Vec<f64>]) -> Vec<Vec<usize>> {
    let mut members = vec![Vec::new(); centres.len()];
    for (place, kind) in kinds.iter().enumerate() {
        members[nearest(&kind.shares, centres).0].push(place);
    }
    members
}

/// The nearest centre, and how far it is.
fn nearest(shares: &[f64], centres: &[Vec<f64>]) -> (usize, f64) {
    let far = centres.iter().map(|centre| distance(shares, centre)).enumerate();
    far.reduce(|best, other| if other.1 < best.1 { other } else { best }).unwrap_or((0, 0.0))
}

fn distance(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| (one - other) * (one - other)).sum()
}

fn mean(kinds: &[Kind], members: &[usize]) -> Vec<f64> {
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
    use pellucid_data::{Column, Dataset, Target, Values};
    use pellucid_learn::rng::Streams;

    /// Rows of numbers below 100, and what the first columns say about them.
    fn table(rows: usize, class: impl Fn(&[f64]) -> bool) -> Dataset {
        let mut stream = Streams::new(3).stream(&["table".into()]);
        let cells: Vec<Vec<f64>> = (0..rows)
            .map(|_| (0..6).map(|_| f64::from(pellucid_bits::as_u32(stream.index(100)))).collect())
            .collect();
        let column = |place: usize| Column {
            name: format!("x{place}"),
            values: Values::Numeric(cells.iter().map(|row| row[place]).collect()),
        };
        let target = Target {
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

    /// Where the first column is small the second decides, and else the third.
    #[test]
    fn examples_with_other_causes_are_in_other_groups() {
        let decide = |row: &[f64]| if row[0] < 50.0 { row[1] < 50.0 } else { row[2] < 50.0 };
        let model = XcsLearner::new().iterations(50_000_u64).fit(&table(600, decide)).unwrap();
        let groups = &model.model.model.groups;
        assert!((2..=MOST_GROUPS).contains(&groups.len()), "{groups:?}");
        let rest_on = |name: &str| {
            let first = |group: &&Group| group.columns.iter().take(2).any(|it| it.column == name);
            groups.iter().filter(first).count()
        };
        assert!(rest_on("x1") > 0 && rest_on("x2") > 0, "{groups:?}");
        let both = |group: &Group| {
            let share = |name| group.columns.iter().find(|it| it.column == name).map(|it| it.share);
            share("x1").unwrap_or(0.0).min(share("x2").unwrap_or(0.0)) > 0.3
        };
        assert!(!groups.iter().any(both), "what is told apart is not mixed: {groups:?}");
        let all: u64 = groups.iter().flat_map(|group| &group.examples).sum();
        assert!((480..=600).contains(&all), "most examples are in one: {all}");
        let text = crate::export::text(&model.model);
        assert!(text.contains("By the columns that explain them"), "{text}");
    }

    #[test]
    fn examples_with_one_cause_are_not_parted() {
        let decide = |row: &[f64]| row[1] < 50.0;
        let model = XcsLearner::new().iterations(20_000_u64).fit(&table(300, decide)).unwrap();
        assert_eq!(model.model.model.groups, Vec::new());
    }

    #[test]
    fn as_few_groups_as_will_do() {
        let kind = |shares: [f64; 3], weight: f64| Kind {
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
        let members: Vec<Vec<usize>> = parted(&kinds).into_iter().map(|(_, own)| own).collect();
        assert_eq!(members, [vec![0, 2], vec![1, 3]]);
        assert!(parted(&kinds[..1]).is_empty() && parted(&[]).is_empty());
    }
}
