//! Whole runs on tables with a number as target.

use crate::XcsLearner;
use crate::error::XcsError;
use crate::learner::Xcs;
use crate::model::as_selected_rules;
use crate::params::Mode;
use pellucid_data::{Column, Dataset, NumberTarget, Values};
use pellucid_device::Machine;
use pellucid_learn::learner::FittedModel;
use pellucid_learn::rng::Streams;
use pellucid_learn::run::RunError;
use pellucid_ruleset::apply::AppliedRules;
use proptest::prelude::*;

/// A table of numbers below 100 in four columns, with a number computed from each row.
fn table(rows: usize, number: impl Fn(&[f64]) -> f64) -> Dataset {
    let mut stream = Streams::new(5).stream(&["table".into()]);
    let cells: Vec<Vec<f64>> = (0..rows)
        .map(|_| (0..4).map(|_| f64::from(pellucid_bits::as_u32(stream.index(100)))).collect())
        .collect();
    let column = |place: usize| Column {
        name: format!("x{place}"),
        values: Values::Numeric(cells.iter().map(|row| row[place]).collect()),
    };
    let values = cells.iter().map(|row| number(row)).collect();
    Dataset {
        name: "table".into(),
        columns: (0..4).map(column).collect(),
        rows,
        number: Some(NumberTarget { name: "price".into(), values }),
        ..Dataset::default()
    }
}

/// The number depends on two columns together and on a third alone.
fn price(row: &[f64]) -> f64 {
    let both = if row[0] > 50.0 && row[1] > 50.0 { 40.0 } else { 0.0 };
    both + if row[2] > 30.0 { 10.0 } else { 0.0 }
}

fn fit(data: &Dataset, iterations: u64) -> FittedModel<Xcs> {
    XcsLearner::new().iterations(iterations).fit(data).expect("a model")
}

fn numbers(model: &FittedModel<Xcs>, data: &Dataset) -> Vec<f64> {
    model.predict(data).expect("predictions").numbers().to_vec()
}

#[test]
fn few_rules_explain_a_number() {
    let data = table(600, price);
    let model = fit(&data, 30_000);
    assert!(model.train().get("r2").is_some_and(|r2| r2 > 0.95), "{:?}", model.train());
    assert!(model.set.rules.len() <= 10, "{}", crate::export::text(&model));
    let first = model.set.rules[0].when.to_string();
    assert!(first.contains("x0") && first.contains("x1"), "{first}");
    // Every size has a held-out score, and the best is clearly better than no rule.
    let (path, number) = (model.set.path.as_ref().unwrap(), model.set.number.as_ref().unwrap());
    assert_eq!((number.sizes.len(), number.means.len()), (path.models.len(), path.rules.len()));
    assert!(number.sizes[0].r2 < 0.05 && number.sizes[path.selected].r2 > 0.9, "{number:?}");
    // The prediction is the sum that a reader computes.
    let (plain, machine) = (as_selected_rules(&model), Machine::processor(None).unwrap());
    let applied = AppliedRules::new(&plain, &data, &machine).expect("the same columns");
    for (row, predicted) in numbers(&model, &data).into_iter().enumerate() {
        assert_eq!(predicted, plain.body.votes(|rule| applied.holds(rule, row))[0]);
    }
}

#[test]
fn a_number_that_no_column_explains_gets_no_rules() {
    let mut stream = Streams::new(8).stream(&["noise".into()]);
    let mut data = table(300, |_| 0.0);
    let values: Vec<f64> = (0..300).map(|_| stream.unit()).collect();
    let mean = values.iter().sum::<f64>() / 300.0;
    data.number = Some(NumberTarget { name: "price".into(), values });
    let model = fit(&data, 20_000);
    assert_eq!(model.set.rules, Vec::new());
    assert!((model.set.base[0] - mean).abs() < 1e-3);
    let text = crate::export::text(&model);
    assert!(text.contains("There are no rules"), "{text}");
}

#[test]
fn heavier_rows_count_more() {
    let mut data = table(400, |row| if row[0] > 50.0 { row[1] } else { -row[1] });
    let weight = |value: f64| if value > 0.0 { 1.0 } else { 1e-3 };
    let values = &data.number.as_ref().unwrap().values;
    data.weights = Some(values.iter().map(|&value| weight(value)).collect());
    let model = XcsLearner::new().iterations(5000_u64).rules(0_usize).fit(&data).expect("a model");
    let own: Vec<f64> = values.iter().copied().filter(|&value| value > 0.0).collect();
    let mean = own.iter().sum::<f64>() / own.len() as f64;
    assert!((model.set.base[0] - mean).abs() < 1.0, "{} {mean}", model.set.base[0]);
}

#[test]
fn unsuitable_parameters_and_targets_are_errors() {
    let data = table(60, price);
    let error = |learner: XcsLearner<'_>, data: &Dataset| match learner.fit(data) {
        Err(RunError::Learner(error)) => error.to_string(),
        Err(other) => other.to_string(),
        Ok(_) => String::new(),
    };
    let new = || XcsLearner::new().iterations(1000_u64);
    let found = error(new().mode(Mode::Reward), &data);
    assert!(found.contains("choose one of several classes, but the target is a number"), "{found}");
    let found = error(new().keep_all(true), &data);
    assert!(found.contains("weighted mean"), "{found}");
    let found = error(new().accurate_from(0.5), &data);
    assert!(found.contains("forgiven_error"), "{found}");
    let found = error(new().class_weight("balanced"), &data);
    assert_eq!(found, "class_weight: the target is a number; class weights need classes");
    let found = error(new(), &table(60, |_| 3.0));
    assert_eq!(found, "table: target column 'price' has only one value (3); expected at least two");
}

#[test]
fn extreme_numbers_do_not_panic() {
    for far in [1e300, 1e-300, 5e-324] {
        let data = table(60, |row| if row[0] > 50.0 { far } else { -far });
        let model = fit(&data, 2000);
        assert!(numbers(&model, &data).iter().all(|number| number.is_finite()), "{far}");
    }
    let two = table(2, |row| row[0]);
    assert_eq!(numbers(&fit(&two, 1000), &two).len(), 2);
    assert!(matches!(
        XcsLearner::new().fit(&Dataset::default()),
        Err(RunError::Learner(XcsError::Data(_)))
    ));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    /// A target in other units gives the same conditions.
    #[test]
    fn units_do_not_matter(seed in 0_u64..1000, power in 1_i32..20) {
        let own = |data: &Dataset| {
            let model = XcsLearner::new().seed(seed).iterations(4000_u64).fit(data).expect("a model");
            let path = model.set.path.clone().unwrap_or_default();
            path.rules.iter().map(|rule| rule.when.to_string()).collect::<Vec<_>>()
        };
        let plain = table(150, price);
        let unit = 2.0_f64.powi(power);
        prop_assert_eq!(own(&plain), own(&table(150, |row| unit * price(row))));
    }
}
