//! Data of every kind: many classes, weighted classes, and missing values.

use crate::cases::{dataset, learned, noisy, plain_machine, small, stream};
use pellucid_data::Dataset;
use pellucid_data::{MISSING, Values};
use pellucid_learn::learner::FitResultOf;
use pellucid_learn::params::ClassWeights;
use pellucid_rules::Rules;
use pellucid_rules::apply::AppliedRules;
use pellucid_rules::model::RuleModel;
use pellucid_rules::params::Mode;

fn predictions(model: &RuleModel, data: &Dataset) -> Vec<u32> {
    AppliedRules::new(model, data, &plain_machine()).unwrap().predictions()
}

fn accuracy(learned: &FitResultOf<Rules>) -> f64 {
    serde_json::to_value(&learned.train).unwrap()["accuracy"].as_f64().unwrap()
}

fn numbers(numbers: impl IntoIterator<Item = f64>) -> Values {
    Values::Numeric(numbers.into_iter().collect())
}

#[test]
fn three_classes_that_are_easy_to_separate() {
    let machine = plain_machine();
    for has_bags in [false, true] {
        let codes: Vec<u32> = (0..60).map(|example| example % 3).collect();
        let rows = if has_bags { 120 } else { 60 };
        let mut draw = stream(4);
        let values = numbers((0..rows).map(|row| {
            let class = codes[if has_bags { row / 2 } else { row }];
            f64::from(class) * 10.0 + draw.range(0.0, 5.0)
        }));
        let of_row = has_bags.then(|| (0..rows as u32).map(|row| row / 2).collect());
        let data = dataset(vec![("x".into(), values)], of_row, &["a", "b", "c"], codes.clone());
        let learned = learned(&data, small(Mode::Default, 0), &machine).unwrap();
        assert_eq!(predictions(&learned.model, &data), codes, "bags: {has_bags}");
    }
}

#[test]
fn a_heavier_class_is_predicted_more_often() {
    let machine = plain_machine();
    let mut draw = stream(8);
    let codes: Vec<u32> = (0..120).map(|row| row % 2).collect();
    // Half of each class overlaps with the other.
    let values = numbers(codes.iter().map(|&code| f64::from(code) + draw.range(0.0, 2.0)));
    let data = dataset(vec![("x".into(), values)], None, &["no", "yes"], codes);
    let called = |class: &str, weight: f64, prefer_one_rule: bool| {
        let mut params = small(Mode::Default, 1);
        params.voting.prefer_one_rule = prefer_one_rule;
        params.class_weights = ClassWeights::Given(vec![(class.into(), weight)]);
        let model = learned(&data, params, &machine).unwrap().model;
        predictions(&model, &data).into_iter().filter(|&class| class == 1).count()
    };
    for prefer_one_rule in [true, false] {
        let plain = called("no", 1.0, prefer_one_rule);
        let (fewer, more) =
            (called("no", 20.0, prefer_one_rule), called("yes", 20.0, prefer_one_rule));
        assert!(fewer < plain && plain < more, "{fewer} {plain} {more}");
    }
}

/// Breeding by counts finds the same rules with a weight of three as with three copies.
#[test]
fn a_weight_equals_repeated_examples() {
    let machine = plain_machine();
    for seed in 0..4 {
        let data = noisy(seed, false);
        let mut draw = stream(seed);
        let often: Vec<u32> = (0..data.examples()).map(|_| draw.between(1, 4) as u32).collect();
        let repeated: Vec<u32> =
            (0u32..).zip(&often).flat_map(|(at, &often)| vec![at; often as usize]).collect();
        let repeated = data.select(&repeated);
        for scale in [1.0, 0.25] {
            let weights = often.iter().map(|&often| scale * f64::from(often)).collect();
            let weighed = Dataset { weights: Some(weights), ..data.clone() };
            for mode in [Mode::G3pMi, Mode::Pareto] {
                let rules = |data: &Dataset| {
                    let model = learned(data, small(mode, seed), &machine).unwrap().model.body;
                    let rules = model.rules.into_iter().chain(model.front);
                    rules.map(|rule| rule.when.to_string()).collect::<Vec<_>>()
                };
                assert_eq!(rules(&weighed), rules(&repeated), "{mode}, weights times {scale}");
            }
        }
    }
}

/// Columns without values, and one that separates the classes. Each row is an example, or a bag of
/// its own.
fn telling(values: Values, has_bags: bool) -> Dataset {
    let codes: Vec<u32> = (0..40).map(|example| u32::from(is_yes(example))).collect();
    let of_row = has_bags.then(|| (0..40).collect());
    let columns = vec![
        ("empty number".into(), numbers(vec![f64::NAN; 40])),
        ("empty word".into(), Values::Nominal { codes: vec![MISSING; 40], categories: vec![] }),
        ("empty truth".into(), Values::Boolean(vec![None; 40])),
        ("telling".into(), values),
    ];
    dataset(columns, of_row, &["no", "yes"], codes)
}

fn is_yes(example: usize) -> bool {
    example % 5 < 2
}

#[test]
fn categories_and_booleans_separate_classes_and_empty_columns_do_not() {
    let machine = plain_machine();
    let truth = Values::Boolean((0..40).map(|row| Some(is_yes(row))).collect());
    let word = Values::Nominal {
        codes: (0..40).map(|row| if is_yes(row) { 2 } else { (row % 2) as u32 }).collect(),
        categories: ["a", "b", "c", "never seen"].map(String::from).to_vec(),
    };
    let only_yes_has_numbers =
        numbers((0..40).map(|row| if is_yes(row) { row as f64 } else { f64::NAN }));
    for mode in Mode::ALL {
        for has_bags in [false, true] {
            for (values, is_easy) in [(&truth, true), (&word, true), (&only_yes_has_numbers, false)]
            {
                let data = telling(values.clone(), has_bags);
                let learned = learned(&data, small(mode, 2), &machine).unwrap();
                let rules = &learned.model.body.rules;
                assert!(
                    rules.iter().all(|rule| !rule.when.to_string().contains("empty")),
                    "{rules:?}"
                );
                assert!(!is_easy || accuracy(&learned) == 1.0, "{mode}: {rules:?}");
            }
        }
    }
}

/// Some bags have no values, in training and in prediction.
#[test]
fn bags_without_values_are_predicted() {
    let machine = plain_machine();
    for seed in 0..4 {
        let mut data = noisy(seed, true);
        let of_row = data.bags.as_ref().unwrap().of_row.clone();
        for column in &mut data.columns {
            for (row, &bag) in of_row.iter().enumerate().filter(|(_, bag)| **bag % 4 == 0) {
                match &mut column.values {
                    Values::Numeric(numbers) => numbers.to_mut()[row] = f64::NAN,
                    Values::Nominal { codes, .. } => codes[row] = MISSING,
                    Values::Boolean(truths) => truths[row] = None,
                }
                assert!(column.values.is_missing(row), "bag {bag}");
            }
        }
        for mode in Mode::ALL {
            let learned = learned(&data, small(mode, seed), &machine).unwrap();
            let applied = AppliedRules::new(&learned.model, &data, &machine).unwrap();
            for bag in (0..data.examples()).step_by(4) {
                assert!(applied.votes(bag).iter().all(|votes| votes.is_finite()));
            }
            let yes = data.target.as_ref().unwrap().codes.iter().filter(|&&code| code == 1).count();
            let common = yes.max(data.examples() - yes) as f64 / data.examples() as f64;
            assert!(accuracy(&learned) > common, "{mode}: {:?}", learned.model.body.rules);
        }
    }
}

/// The fewest examples that are accepted.
#[test]
fn two_examples_of_a_class_are_enough() {
    let machine = plain_machine();
    for mode in Mode::ALL {
        for codes in [vec![0, 0, 1, 1], vec![0, 0, 0, 0, 1, 0, 1, 0, 0], vec![1, 0, 0, 1, 1, 1]] {
            let values = numbers((0..codes.len()).map(|row| row as f64));
            let data = dataset(vec![("x".into(), values)], None, &["no", "yes"], codes);
            learned(&data, small(mode, 0), &machine).unwrap();
        }
    }
}

/// A class without examples does not matter.
#[test]
fn a_class_without_examples() {
    let machine = plain_machine();
    for mode in Mode::ALL {
        let codes: Vec<u32> = (0..20).map(|row| 2 * u32::from(row > 8)).collect();
        let values = numbers((0..20).map(f64::from));
        let classes = ["no", "perhaps", "yes"];
        let data = dataset(vec![("x".into(), values)], None, &classes, codes.clone());
        let learned = learned(&data, small(mode, 0), &machine);
        if mode == Mode::Scorecard {
            // A scorecard has one total, so its target has two classes.
            let problem = learned.expect_err("three classes").to_string();
            assert!(problem.contains("needs two classes, found 3"), "{problem}");
            continue;
        }
        let learned = learned.unwrap();
        let predicted = predictions(&learned.model, &data);
        assert!(!predicted.contains(&1), "{mode}: {predicted:?}");
        // With so few rows a random cut point may misplace the row at the edge.
        let wrong =
            predicted.iter().zip(&codes).filter(|(predicted, code)| predicted != code).count();
        assert!(wrong <= usize::from(mode == Mode::Default), "{mode}: {predicted:?}");
    }
}

/// A short list is searched for with either class: a rule for "no" is found as well as one for
/// "yes".
#[test]
fn a_clear_rule_is_found_for_either_class() {
    let machine = plain_machine();
    let is_yes = |row: usize| row % 7 > 2;
    let mut data = dataset(
        vec![
            (
                "x".into(),
                numbers((0..60).map(|row| if is_yes(row) { 1.0 } else { row as f64 + 2.0 })),
            ),
            ("y".into(), numbers((0..60).map(|row| (row * 7 % 11) as f64))),
        ],
        None,
        &["no", "yes"],
        (0..60).map(|row| u32::from(is_yes(row))).collect(),
    );
    for _ in 0..2 {
        let learned = learned(&data, small(Mode::Default, 0), &machine).unwrap();
        assert_eq!(accuracy(&learned), 1.0);
        assert_eq!(learned.model.body.rules.len(), 1, "{:?}", learned.model.body.rules);
        swap_classes(&mut data);
    }
}

fn swap_classes(data: &mut Dataset) {
    let target = data.target.as_mut().unwrap();
    target.codes.iter_mut().for_each(|code| *code = 1 - *code);
}
