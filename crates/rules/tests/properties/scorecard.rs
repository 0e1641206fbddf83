//! Scorecards have whole points, and their totals predict what the model predicts.

use crate::cases::{dataset, learned, noisy, plain_machine, small, stream};
use pellucid_data::{Dataset, Values};
use pellucid_rules::apply::AppliedRules;
use pellucid_rules::export;
use pellucid_rules::export::sentences::card;
use pellucid_rules::model::{RuleModel, comparisons};
use pellucid_rules::params::Mode;

/// Six columns, of which four matter, some with missing values.
fn patients(rows: usize) -> Dataset {
    let mut draw = stream(11);
    let columns: Vec<Vec<f64>> =
        (0..6).map(|_| (0..rows).map(|_| (draw.unit() * 80.0).round()).collect()).collect();
    let mut codes = Vec::with_capacity(rows);
    for row in 0..rows {
        let steps: f64 =
            columns[..4].iter().map(|column| f64::from(u8::from(column[row] > 40.0))).sum();
        codes.push(u32::from(steps + 2.0 * draw.unit() > 3.0));
    }
    let named = |(place, mut values): (usize, Vec<f64>)| {
        if place == 1 {
            values.iter_mut().step_by(9).for_each(|value| *value = f64::NAN);
        }
        (format!("x{place}"), Values::Numeric(values.into()))
    };
    let columns = columns.into_iter().enumerate().map(named).collect();
    dataset(columns, None, &["no", "yes"], codes)
}

fn scorecard(data: &Dataset, most_columns: Option<usize>) -> RuleModel {
    let mut params = small(Mode::Scorecard, 0);
    params.voting.most_rules = 30;
    params.voting.most_columns = most_columns;
    learned(data, params, &plain_machine()).unwrap().model
}

#[test]
fn points_are_whole_and_rules_short() {
    for has_bags in [false, true] {
        let model = scorecard(&noisy(3, has_bags), None);
        let path = model.body.path.as_ref().expect("a path");
        let all = path.models.iter().flat_map(|sized| sized.votes.iter().chain(&sized.base));
        assert!(all.clone().all(|points| points.fract() == 0.0), "{path:?}");
        assert!(
            path.models.iter().flat_map(|sized| &sized.votes).all(|points| points.abs() <= 10.0)
        );
        assert!(path.rules.iter().all(|rule| comparisons(&rule.when) <= 2), "{path:?}");
    }
}

#[test]
fn held_out_examples_are_counted_once_by_total() {
    let data = patients(400);
    let model = scorecard(&data, None);
    let card = card(&model).expect("a scorecard");
    assert_eq!(card.risks.iter().map(|row| row.examples).sum::<u64>(), 400);
    assert_eq!(card.risks[0].totals.0, 0);
    let mut totals = vec![0];
    for group in &card.groups {
        let added = |&total: &i64| group.lines.iter().map(move |(_, points)| total + points);
        totals = totals.iter().flat_map(added).collect();
    }
    totals.sort_unstable();
    totals.dedup();
    // The ranges have every possible total once, and their ends are possible.
    let place = |total: i64| totals.binary_search(&total).expect("a possible total");
    let places: Vec<(usize, usize)> =
        card.risks.iter().map(|row| (place(row.totals.0), place(row.totals.1))).collect();
    assert!(places.windows(2).all(|rows| rows[0].1 + 1 == rows[1].0));
    assert_eq!(places.last().map(|row| row.1 + 1), Some(totals.len()));
    // The truth is a number of steps, so the risk rises with the total.
    let (first, last) = (card.risks[0].risk, card.risks[card.risks.len() - 1].risk);
    assert!(first.high < last.low, "{card:?}");
    let text = export::text(&model);
    assert!(text.contains("x1 is missing") && !text.contains("x0 is missing"), "{text}");
    assert!(export::csv(&model).starts_with("value,points\n"));
}

#[test]
fn a_scorecard_uses_at_most_the_given_number_of_columns() {
    let data = patients(400);
    for most in 1..=3 {
        let model = scorecard(&data, Some(most));
        let rules = &model.body.path.as_ref().expect("a path").rules;
        let mut names: Vec<&str> = rules.iter().flat_map(|rule| rule.when.columns()).collect();
        names.sort_unstable();
        names.dedup();
        assert!(!names.is_empty() && names.len() <= most, "{names:?}");
        let applied = AppliedRules::new(&model, &data, &plain_machine()).unwrap();
        assert!(applied.predictions().contains(&1));
    }
}

/// Two columns, in which the class is the exclusive-or of their signs, beside a third.
fn exclusive(rows: usize) -> Dataset {
    let mut draw = stream(5);
    let columns: Vec<Vec<f64>> =
        (0..3).map(|_| (0..rows).map(|_| (draw.unit() * 20.0).round() - 10.0).collect()).collect();
    let class = |row: usize| {
        let is_second = (columns[0][row] > 0.0) != (columns[1][row] > 0.0);
        u32::from(is_second != row.is_multiple_of(8))
    };
    let codes = (0..rows).map(class).collect();
    let named =
        |(place, values): (usize, Vec<f64>)| (format!("x{place}"), Values::Numeric(values.into()));
    let columns = columns.clone().into_iter().enumerate().map(named).collect();
    dataset(columns, None, &["no", "yes"], codes)
}

#[test]
fn pairs_of_columns_are_lines_only_if_they_are_worth_it() {
    let alone = scorecard(&patients(400), None);
    assert_eq!(alone.comparisons(), alone.body.rules.len());
    assert!(alone.body.card.as_ref().is_some_and(|card| card.pairs.is_none()));

    let data = exclusive(400);
    let model = scorecard(&data, None);
    let gain = model.body.card.as_ref().and_then(|card| card.pairs).expect("a gain");
    assert!(gain.auc > gain.without + 0.2, "{gain:?}");
    let card = card(&model).expect("a scorecard");
    let is_pair: Vec<bool> = card.groups.iter().map(|group| group.columns.len() == 2).collect();
    assert!(is_pair.is_sorted() && is_pair.contains(&true), "{card:?}");
    // The points of the lines that apply add up to the score, whatever the order of the groups.
    let mut places: Vec<usize> = card.groups.iter().flat_map(|group| group.rules.clone()).collect();
    places.sort_unstable();
    assert!(places.iter().copied().eq(0..model.body.rules.len()));
    let applied = AppliedRules::new(&model, &data, &plain_machine()).unwrap();
    let (predicted, actual) = (applied.predictions(), data.example_codes());
    let right = predicted.iter().zip(&*actual).filter(|(one, other)| one == other);
    assert!(right.count() > 300);
    let text = export::text(&model);
    assert!(
        text.contains("any other values") && text.contains("Lines on two columns raise"),
        "{text}"
    );
}
