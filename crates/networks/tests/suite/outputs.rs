//! Training for more than two classes and for numbers.

use pellucid_data::{ClassTarget, Column, Dataset, MISSING, NumberTarget, Values};
use pellucid_learn::checkpoint::Cadence;
use pellucid_learn::learner::{Describe as _, ExplanationRequest, Fit, FitResult, Machine};
use pellucid_learn::metrics::number_scores;
use pellucid_learn::params::Check;
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{Control, Driver, Observer, Record, Silent};
use pellucid_networks::metric::FitnessMetric;
use pellucid_networks::model::{NetworkEnsemble, NetworkModel};
use pellucid_networks::params::{EvolutionMethod, Mode, Params};
use pellucid_networks::{Network, NetworkLearner};
use std::num::NonZeroUsize;

/// Returns a table whose target follows a curve of `x` and depends on a category; some values are
/// missing. Also returns the number behind the target.
fn table(rows: usize, seed: u64) -> (Dataset, Vec<f64>) {
    let mut stream = Streams::new(seed).stream(&["table".into()]);
    let (mut x, mut town, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rows {
        let own = stream.range(-3.0, 3.0);
        let place = u32::try_from(stream.below(4)).expect("small");
        let pull = [2.0, 0.0, 0.0, -2.0][place as usize];
        numbers.push(50.0 + 10.0 * (2.0 * own.sin() + pull) + stream.range(-2.0, 2.0));
        x.push(if stream.chance(0.05) { f64::NAN } else { own });
        town.push(if stream.chance(0.05) { MISSING } else { place });
    }
    let categories = ["north", "south", "east", "west"].map(str::to_owned).to_vec();
    let data = Dataset {
        name: "towns".into(),
        columns: vec![
            Column { name: "x".into(), values: Values::Numeric(x.into()) },
            Column { name: "town".into(), values: Values::Nominal { codes: town, categories } },
        ],
        rows,
        ..Dataset::default()
    };
    (data, numbers)
}

fn of_numbers(rows: usize, seed: u64) -> Dataset {
    let (data, values) = table(rows, seed);
    Dataset { number: Some(NumberTarget { name: "level".into(), values }), ..data }
}

fn of_classes(rows: usize, seed: u64) -> Dataset {
    let (data, numbers) = table(rows, seed);
    let code = |&number: &f64| u32::from(number > 35.0) + u32::from(number > 65.0);
    let classes = ["low", "middle", "high"].map(str::to_owned).to_vec();
    let codes = numbers.iter().map(code).collect();
    Dataset { target: Some(ClassTarget { name: "level".into(), classes, codes }), ..data }
}

fn quick() -> Params {
    let mut params = Params { islands: 3, seed: 4, ..Params::default() };
    params.layers.nodes = Some(6);
    params.descent.rounds = Some(20);
    params.descent.batch = Some(64);
    params
}

fn machine(threads: usize) -> Machine {
    Machine::processor(NonZeroUsize::new(threads)).expect("a CPU")
}

fn learned(data: &Dataset, params: Params, threads: usize) -> FitResult<Params, NetworkEnsemble> {
    let driver = Driver::new(&Control::new());
    let params = params.check().expect("allowed");
    Network::fit(data, params, &machine(threads), &driver, &mut Silent).expect("a model")
}

fn accuracy(model: &NetworkModel, data: &Dataset) -> f64 {
    let applied = Network::apply(model, data, &machine(1)).expect("the same columns");
    let codes = data.example_codes();
    let right = (0..codes.len()).filter(|&row| applied.predicted().class(row) == codes[row]);
    right.count() as f64 / codes.len() as f64
}

fn r2(model: &NetworkModel, data: &Dataset) -> f64 {
    let applied = Network::apply(model, data, &machine(1)).expect("the same columns");
    let actual = &data.number.as_ref().expect("numbers").values;
    let predicted = applied.predicted().numbers().expect("numbers");
    number_scores(actual, predicted).get("r2").expect("R²")
}

#[test]
fn models_generalize_to_new_rows() {
    // Bins resolve the curve within a few epochs.
    let mut params = quick();
    params.preparing.steps = Some(32);
    let found =
        accuracy(&learned(&of_classes(1500, 1), params.clone(), 2).model, &of_classes(1000, 2));
    assert!(found > 0.8, "{found}");
    let result = learned(&of_numbers(1500, 1), params.clone(), 2);
    let found = r2(&result.model, &of_numbers(1000, 2));
    assert!(found > 0.85, "{found}");
    let train = result.train.get("r2").expect("R²");
    assert!((train - found).abs() < 0.1, "{train} {found}");
    let most = &result.model.body.effects[0];
    assert!(most.importance > 0.1 && most.points.len() > 2, "{most:?}");
}

#[test]
fn the_model_does_not_depend_on_threads() {
    for data in [of_classes(500, 5), of_numbers(500, 5)] {
        let one = learned(&data, quick(), 1).model.to_json().expect("JSON");
        assert_eq!(one, learned(&data, quick(), 3).model.to_json().expect("JSON"));
        let other = learned(&data, Params { seed: 5, ..quick() }, 1).model.to_json();
        assert_ne!(one, other.expect("JSON"));
    }
}

/// Interrupts a run after some steps.
struct Stopping<'a>(u64, &'a Control);

impl Observer for Stopping<'_> {
    fn record(&mut self, record: &Record) {
        if record.step >= self.0 {
            self.1.interrupt();
        }
    }
}

#[test]
fn a_resumed_run_gives_the_same_model() {
    for data in [of_classes(400, 6), of_numbers(400, 6)] {
        let whole = learned(&data, quick(), 1).model.to_json().expect("JSON");
        for stop in [1, 7] {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("run.ckpt");
            let control = Control::new();
            let driver = Driver::new(&control).checkpoint(&path, Cadence::default());
            let params = quick().check().expect("allowed");
            let mut observer = Stopping(stop, &control);
            Network::fit(&data, params.clone(), &machine(2), &driver, &mut observer)
                .expect("a partial model");
            let driver =
                Driver::new(&Control::new()).checkpoint(&path, Cadence::default()).resume(true);
            let resumed = Network::fit(&data, params, &machine(1), &driver, &mut Silent);
            assert_eq!(resumed.expect("a model").model.to_json().expect("JSON"), whole);
        }
    }
}

#[test]
fn parameters_of_the_search_are_refused() {
    let refused = |data: &Dataset, params: Params| {
        let error = NetworkLearner::new().params(params).fit(data).expect_err("no model");
        error.to_string()
    };
    let (classes, numbers) = (of_classes(200, 7), of_numbers(200, 7));
    let paper = refused(&classes, Params { mode: Mode::Paper, ..quick() });
    assert!(paper.contains("ranks rows of two classes, but 'level' has 3 classes"), "{paper}");
    let metric = refused(&numbers, Params { metric: FitnessMetric::Auc, ..quick() });
    assert!(metric.contains("'level' is a number"), "{metric}");
    let mut params = quick();
    params.breeding.generations = Some(3);
    assert!(refused(&classes, params).contains("generations"));
    let mut params = quick();
    params.breeding.search = EvolutionMethod::Snes;
    assert!(refused(&numbers, params).contains("search"));
}

#[test]
fn rare_classes_and_extreme_numbers_are_learned() {
    let mut data = of_classes(300, 8);
    let target = data.target.as_mut().expect("a target");
    target.classes.extend(["once".to_owned(), "twice".to_owned()]);
    (target.codes[3], target.codes[4], target.codes[5]) = (3, 4, 4);
    let model = learned(&data, quick(), 1).model;
    (Network::capabilities().check_model)(&model).expect("a valid model");
    assert!(accuracy(&model, &data) > 0.6);
    for scale in [1e-100, 1e100] {
        let mut data = of_numbers(300, 9);
        let number = data.number.as_mut().expect("a number");
        number.values.iter_mut().for_each(|value| *value *= scale);
        let model = learned(&data, quick(), 1).model;
        (Network::capabilities().check_model)(&model).expect("a valid model");
        assert!(r2(&model, &data) > 0.5, "{scale}");
    }
}

#[test]
fn predictions_are_explained() {
    let data = of_classes(400, 10);
    let model = learned(&data, quick(), 1).model;
    let applied = Network::apply(&model, &data, &machine(1)).expect("the same columns");
    let request = ExplanationRequest { in_full: true, decision: None };
    let found = applied.explain(0, &request).expect("reasons");
    assert!(found.text.contains("; log odds ") && found.text.contains("  x = "), "{}", found.text);
    assert_eq!(found.json["scores"].as_array().map(Vec::len), Some(3));
    let text = Network::text(&model);
    assert!(text.contains("Predicts level (low, middle or high) from 2 columns."), "{text}");
    let data = of_numbers(400, 10);
    let model = learned(&data, quick(), 1).model;
    let applied = Network::apply(&model, &data, &machine(1)).expect("the same columns");
    let found = applied.explain(0, &request).expect("reasons");
    assert!(found.text.starts_with("row 1: level = "), "{}", found.text);
    assert!(Network::text(&model).contains("change of the predicted level"));
}

#[test]
fn an_invalid_model_is_rejected() {
    let model = learned(&of_classes(200, 11), quick(), 1).model;
    let rejection = |change: &dyn Fn(&mut NetworkEnsemble)| {
        let mut forged = model.clone();
        change(&mut forged.body);
        (Network::capabilities().check_model)(&forged).expect_err("an invalid model").to_string()
    };
    assert!(rejection(&|body| body.outputs = 2).contains("2 outputs; expected 3"));
    assert!(rejection(&|body| body.members[0].genes.truncate(1)).contains("parameters"));
    assert!(rejection(&|body| body.members[0].offsets.truncate(2)).contains("2 offsets"));
    assert!(rejection(&|body| body.members[0].offsets[1] = f64::NAN).contains("not finite"));
    assert!(
        rejection(&|body| body.preparation.inputs[1].class = Some(7)).contains("unknown class")
    );
}
