//! Rules that add up to a number: planted rules are found, on every machine and after
//! interruptions.

use crate::cases::{dataset, learned, machine, noisy, plain_machine, refusal, small, stream};
use crate::resume;
use pellucid_bits::Level;
use pellucid_data::{Dataset, NumberTarget, Values};
use pellucid_rules::apply::AppliedRules;
use pellucid_rules::params::{Loss, Mode};

/// A price that depends on two conditions, and columns without meaning.
fn priced(seed: u64, rows: usize, noise: f64, wild: bool) -> Dataset {
    let mut draw = stream(seed);
    let mut column =
        |range: i64| -> Vec<f64> { (0..rows).map(|_| draw.between(0, range) as f64).collect() };
    let (size, age, idle) = (column(100), column(50), column(30));
    let price = (0..rows)
        .map(|row| {
            let large = if size[row] > 60.0 { 300.0 } else { 0.0 };
            let old = if age[row] > 30.0 && size[row] <= 60.0 { -120.0 } else { 0.0 };
            let off = noise * (stream(seed + 7 * row as u64).unit() - 0.5);
            let wild = if wild && row % 23 == 0 { 1e6 } else { 0.0 };
            500.0 + large + old + off + wild
        })
        .collect();
    let columns = [("size", size), ("age", age), ("idle", idle)];
    let columns = columns.map(|(name, values)| (name.to_owned(), Values::Numeric(values.into())));
    with_number(dataset(columns.to_vec(), None, &["no", "yes"], vec![0; rows]), price)
}

/// Returns the data with a number as the target.
fn with_number(data: Dataset, values: Vec<f64>) -> Dataset {
    let number = Some(NumberTarget { name: "price".into(), values });
    Dataset { target: None, number, ..data }
}

fn predict(data: &Dataset, mode: Mode, loss: Loss) -> (Vec<f64>, String) {
    let mut params = small(mode, 3);
    params.voting.loss = loss;
    let machine = plain_machine();
    let model = learned(data, params, &machine).unwrap().model;
    let applied = AppliedRules::new(&model, data, &machine).unwrap();
    let predicted = (0..data.examples()).map(|example| applied.votes(example)[0]).collect();
    (predicted, pellucid_rules::export::text(&model))
}

fn mean_off(data: &Dataset, predicted: &[f64]) -> f64 {
    let actual = &data.number.as_ref().unwrap().values;
    let off = actual.iter().zip(predicted).map(|(actual, predicted)| (actual - predicted).abs());
    off.sum::<f64>() / predicted.len() as f64
}

/// With very many examples, some meaningless rule always has a gain; it is not worth reading or
/// waiting for.
#[test]
fn noise_gives_no_rules_with_very_many_examples() {
    let data = priced(1, 600_000, 400.0, false);
    let mut params = small(Mode::Default, 3);
    params.voting.most_rules = 30;
    let model = learned(&data, params, &plain_machine()).unwrap().model;
    let path = model.body.path.as_ref().expect("models of other sizes");
    assert!((2..=4).contains(&path.rules.len()), "{:#?}", path.rules);
}

#[test]
fn planted_amounts_are_found() {
    let data = priced(1, 400, 10.0, false);
    for mode in [Mode::Default, Mode::List] {
        for loss in [Loss::Squared, Loss::Absolute] {
            let (predicted, text) = predict(&data, mode, loss);
            assert!(mean_off(&data, &predicted) < 8.0, "{mode} {loss:?}\n{text}");
            assert!(text.contains("size") && !text.contains("idle"), "{text}");
        }
    }
}

#[test]
fn outliers_move_the_mean_but_not_the_median() {
    let data = priced(2, 400, 10.0, true);
    let tame = |predicted: &[f64]| {
        let known = data.number.as_ref().unwrap().values.iter().zip(predicted);
        let off: Vec<f64> = known
            .filter(|(actual, _)| **actual < 1e5)
            .map(|(actual, predicted)| (actual - predicted).abs())
            .collect();
        off.iter().sum::<f64>() / off.len() as f64
    };
    let (absolute, text) = predict(&data, Mode::Default, Loss::Absolute);
    assert!(tame(&absolute) < 15.0, "{}\n{text}", tame(&absolute));
    assert!(tame(&predict(&data, Mode::Default, Loss::Squared).0) > 1000.0);
}

#[test]
fn noise_gives_a_model_without_rules() {
    let mut data = priced(3, 200, 10.0, false);
    let mut draw = stream(12);
    data.number.as_mut().unwrap().values.iter_mut().for_each(|value| *value = draw.unit());
    for mode in [Mode::Default, Mode::List] {
        let (_, text) = predict(&data, mode, Loss::Squared);
        assert!(text.contains("There are no rules"), "{text}");
    }
}

/// Data of any kind with a number as the target, by bag or row.
fn generated(seed: u64, has_bags: bool) -> Dataset {
    let data = noisy(seed, has_bags);
    let mut draw = stream(seed);
    let codes = data.example_codes();
    let values = codes.iter().map(|&code| 10.0 * f64::from(code) + draw.range(0.0, 5.0)).collect();
    with_number(data, values)
}

#[test]
fn models_do_not_depend_on_the_machine() {
    let machines = [plain_machine(), machine(3, Level::best()), machine(2, Level::Scalar)];
    for (seed, has_bags) in [(0, true), (2, false)] {
        let data = generated(seed, has_bags);
        for mode in [Mode::Default, Mode::List] {
            let model = |machine| learned(&data, small(mode, seed), machine).unwrap().model;
            let models: Vec<String> =
                machines.iter().map(|machine| model(machine).to_json().unwrap()).collect();
            assert!(models.iter().all(|other| *other == models[0]), "{mode}");
        }
    }
}

#[test]
fn a_resumed_run_gives_the_same_model() {
    for mode in [Mode::Default, Mode::List] {
        resume::check(&generated(4, true), small(mode, 1));
        resume::check(&generated(5, false), small(mode, 1));
    }
}

#[test]
fn scores_by_size_and_means_are_recorded() {
    let data = priced(6, 300, 60.0, false);
    let machine = plain_machine();
    let model = learned(&data, small(Mode::Default, 0), &machine).unwrap().model;
    let number = model.body.number.as_ref().unwrap();
    let path = model.body.path.as_ref().unwrap();
    assert_eq!((number.sizes.len(), number.means.len()), (path.models.len(), path.rules.len()));
    assert!(number.sizes[0].r2.abs() < 0.1, "without rules nothing is explained");
    assert!(number.sizes[path.selected].r2 > 0.9, "{:?}", number.sizes);
    let applied = AppliedRules::new(&model, &data, &machine).unwrap();
    for (place, rule) in model.body.rules.iter().enumerate() {
        let own: Vec<f64> = (0..data.examples())
            .filter(|&example| applied.holds(place, example))
            .map(|example| data.number.as_ref().unwrap().values[example])
            .collect();
        let mean = own.iter().sum::<f64>() / own.len() as f64;
        assert_eq!(rule.covered, [own.len() as u64]);
        let recorded = model.body.mean_covered(rule).unwrap();
        assert!((recorded - mean).abs() < 1e-3 * mean.abs(), "{recorded} {mean}");
    }
}

#[test]
fn modes_that_need_classes_reject_numbers() {
    let data = priced(7, 40, 10.0, false);
    for mode in [Mode::G3pMi, Mode::Pareto] {
        let expected = format!(
            "made up: mode {mode} predicts one of two classes, but the target is a number; \
             use mode default or list"
        );
        assert_eq!(refusal(&data, small(mode, 0)), expected);
    }
    let same = with_number(data.clone(), vec![4.0; 40]);
    let expected = "made up: target column 'price' has only one value (4); expected at least two";
    assert_eq!(refusal(&same, small(Mode::Default, 0)), expected);
}
