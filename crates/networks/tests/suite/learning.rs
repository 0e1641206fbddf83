//! Training on tables: quality, reproducibility, interrupted runs, and unusual tables.

use pellucid_data::{ClassTarget, Column, Dataset, MISSING, Values};
use pellucid_learn::checkpoint::Cadence;
use pellucid_learn::learner::{Describe as _, ExplanationRequest, Fit, FitResult, Machine};
use pellucid_learn::metrics::{Ranking, Ties};
use pellucid_learn::params::Check;
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{Control, Driver, Observer, Record, Silent};
use pellucid_networks::metric::FitnessMetric;
use pellucid_networks::model::{MemberOrigin, NetworkEnsemble, NetworkModel};
use pellucid_networks::params::{EvolutionMethod, Mode, Params};
use pellucid_networks::{Network, NetworkLearner};
use proptest::prelude::*;
use std::num::NonZeroUsize;

/// People around the age of forty answer, more often in some towns; some values are missing.
fn letters(rows: usize, seed: u64) -> Dataset {
    letters_and_truth(rows, seed).0
}

/// Returns the same table, and the probability of each answer.
fn letters_and_truth(rows: usize, seed: u64) -> (Dataset, Vec<f64>) {
    let mut stream = Streams::new(seed).stream(&["letters".into()]);
    let (mut age, mut town, mut member, mut codes) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut truth = Vec::new();
    for _ in 0..rows {
        let own = stream.range(18.0, 80.0);
        let place = u32::try_from(stream.below(4)).expect("small");
        let is_member = stream.chance(0.3);
        let hill = 3.0 * (-((own - 40.0) / 8.0).powi(2)).exp();
        let pull = [1.0, 0.0, 0.0, -1.0][place as usize] + if is_member { 0.7 } else { 0.0 };
        let likely = 1.0 / (1.0 + (-(hill + pull - 2.5)).exp());
        truth.push(likely);
        codes.push(u32::from(stream.chance(likely)));
        age.push(if stream.chance(0.05) { f64::NAN } else { own });
        town.push(if stream.chance(0.05) { MISSING } else { place });
        member.push(if stream.chance(0.05) { None } else { Some(is_member) });
    }
    let categories = ["north", "south", "east", "west"].map(str::to_owned).to_vec();
    let data = Dataset {
        name: "letters".into(),
        columns: vec![
            Column { name: "age".into(), values: Values::Numeric(age.into()) },
            Column { name: "town".into(), values: Values::Nominal { codes: town, categories } },
            Column { name: "member".into(), values: Values::Boolean(member) },
        ],
        rows,
        target: Some(ClassTarget {
            name: "answers".into(),
            classes: vec!["no".into(), "yes".into()],
            codes,
        }),
        ..Dataset::default()
    };
    (data, truth)
}

fn quick() -> Params {
    let mut params = Params { islands: 3, seed: 4, ..Params::default() };
    params.layers.nodes = Some(4);
    params.descent.rounds = Some(6);
    params.descent.batch = Some(128);
    params.breeding.generations = Some(4);
    params.breeding.population = Some(8);
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

fn auc(model: &NetworkModel, data: &Dataset) -> f64 {
    let applied = Network::apply(model, data, &machine(1)).expect("the same columns");
    let scores: Vec<f64> = applied.scores().expect("scores").iter().map(|own| own[1]).collect();
    let labels: Vec<bool> = data.example_codes().iter().map(|&code| code == 1).collect();
    Ranking::new(&scores, &labels).expect("both classes").auc()
}

#[test]
fn a_model_generalizes_to_new_rows() {
    let (train, (test, truth)) = (letters(3000, 1), letters_and_truth(2000, 2));
    let model = learned(&train, Params::default(), 2).model;
    // No model ranks better than the probabilities from which the labels were drawn, and these use
    // values that are missing in the table.
    let labels: Vec<bool> = test.example_codes().iter().map(|&code| code == 1).collect();
    let best = Ranking::new(&truth, &labels).expect("both classes").auc();
    let area = auc(&model, &test);
    assert!(area > best - 0.04, "{area} of {best}");
    assert_eq!(model.body.members.len(), 5);
    let most = &model.body.effects[0];
    assert_eq!(most.column, "age");
    let highest = most.points.iter().max_by(|a, b| a.score.total_cmp(&b.score)).expect("points");
    let pellucid_networks::model::EffectValue::Number(age) = highest.value else {
        panic!("a number")
    };
    assert!((30.0..50.0).contains(&age), "the score is highest around forty, not at {age}");
}

/// Even a table with a few hundred rows must get enough gradient steps.
#[test]
fn small_tables_can_be_learned() {
    let (test, truth) = letters_and_truth(2000, 21);
    let labels: Vec<bool> = test.example_codes().iter().map(|&code| code == 1).collect();
    let best = Ranking::new(&truth, &labels).expect("both classes").auc();
    for (rows, apart) in [(200, 0.12), (600, 0.08)] {
        let area = auc(&learned(&letters(rows, 20), Params::default(), 2).model, &test);
        assert!(area > best - apart, "{rows} rows: {area} of {best}");
    }
}

#[test]
fn the_search_replaces_a_network_only_if_it_is_better() {
    let data = letters(1500, 3);
    let mut without = quick();
    without.breeding.generations = Some(0);
    let mut with = quick();
    with.breeding.generations = Some(12);
    let (without, with) =
        (learned(&data, without, 1).model.body, learned(&data, with, 1).model.body);
    assert!(without.members.iter().all(|member| member.origin == MemberOrigin::Gradient));
    for (plain, member) in without.members.iter().zip(&with.members) {
        match member.origin {
            MemberOrigin::Gradient => assert_eq!(plain.genes, member.genes),
            MemberOrigin::Search => {
                assert_ne!(plain.genes, member.genes);
                assert!(
                    member.chosen_by > plain.chosen_by,
                    "{} {}",
                    member.chosen_by,
                    plain.chosen_by
                );
            }
        }
    }
}

#[test]
fn the_model_does_not_depend_on_the_number_of_threads() {
    let data = letters(900, 5);
    for search in [EvolutionMethod::Genetic, EvolutionMethod::Snes] {
        let mut params = quick();
        params.breeding.search = search;
        let one = learned(&data, params.clone(), 1);
        for threads in [2, 4] {
            let other = learned(&data, params.clone(), threads);
            assert_eq!(one.model.to_json().expect("JSON"), other.model.to_json().expect("JSON"));
        }
        let another = learned(&data, Params { seed: 5, ..params }, 1);
        assert_ne!(one.model.body.members, another.model.body.members);
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
    let data = letters(700, 6);
    let mut paper = quick();
    paper.mode = Mode::Paper;
    let mut snes = quick();
    snes.breeding.search = EvolutionMethod::Snes;
    for params in [quick(), paper, snes] {
        let whole = learned(&data, params.clone(), 1).model.to_json().expect("JSON");
        for stop in [1, 3, 7, 9] {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("run.ckpt");
            let control = Control::new();
            let driver = Driver::new(&control).checkpoint(&path, Cadence::default());
            let checked = params.clone().check().expect("allowed");
            Network::fit(
                &data,
                checked.clone(),
                &machine(2),
                &driver,
                &mut Stopping(stop, &control),
            )
            .expect("a partial model");
            let driver =
                Driver::new(&Control::new()).checkpoint(&path, Cadence::default()).resume(true);
            let resumed =
                Network::fit(&data, checked, &machine(1), &driver, &mut Silent).expect("a model");
            assert_eq!(resumed.model.to_json().expect("JSON"), whole, "stopped after step {stop}");
        }
    }
}

#[test]
fn a_checkpoint_of_other_data_is_rejected() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.ckpt");
    let driver = Driver::new(&Control::new()).checkpoint(&path, Cadence::default());
    let params = quick().check().expect("allowed");
    Network::fit(&letters(300, 7), params.clone(), &machine(1), &driver, &mut Silent)
        .expect("a model");
    let driver = driver.resume(true);
    let error = Network::fit(&letters(300, 8), params, &machine(1), &driver, &mut Silent);
    assert!(error.is_err());
}

#[test]
fn every_metric_can_be_optimized() {
    let data = letters(600, 9);
    for metric in [
        FitnessMetric::Lift,
        FitnessMetric::Precision,
        FitnessMetric::Auc,
        FitnessMetric::LogLoss,
        FitnessMetric::Mcc,
    ] {
        for mode in [Mode::Default, Mode::Paper] {
            let params = Params { metric, mode, ..quick() };
            let found = learned(&data, params, 2);
            let chosen = found.model.body.members[0].chosen_by;
            assert!(chosen.is_finite(), "{metric:?} {mode:?}: {chosen}");
            let area = auc(&found.model, &data);
            assert!(area > 0.55, "{metric:?} {mode:?}: {area}");
        }
    }
    let by_rows = Params { metric: FitnessMetric::Precision, top_rows: Some(30), ..quick() };
    assert!(auc(&learned(&data, by_rows, 1).model, &data) > 0.6);
}

#[test]
fn two_layers_and_every_activation_learn() {
    use pellucid_networks::params::Nodes;
    let data = letters(1200, 10);
    for (first, second) in
        [(Nodes::Rbf, Nodes::Rbf), (Nodes::Sigmoid, Nodes::Tanh), (Nodes::Relu, Nodes::Sigmoid)]
    {
        let mut params = quick();
        params.descent.rounds = Some(15);
        params.layers.activation = Some(first);
        for nodes in [0, 3] {
            (params.layers.second, params.layers.second_activation) = (nodes, second);
            let area = auc(&learned(&data, params.clone(), 1).model, &letters(1000, 11));
            assert!(area > 0.7, "{first:?} {second:?} {nodes}: {area}");
        }
    }
}

/// The first rows of a sorted file are not representative.
#[test]
fn effects_use_all_rows_even_if_the_file_is_sorted() {
    let data = letters(1500, 3);
    let Values::Boolean(members) = &data.columns[2].values else { panic!("truth values") };
    let mut order: Vec<u32> = (0..1500).collect();
    order.sort_by_key(|&row| members[row as usize]);
    let model = learned(&data.select(&order), quick(), 1).model;
    let effect = model.body.effects.iter().find(|effect| effect.column == "member");
    let points = &effect.expect("a column that is used").points;
    // Both values occur, so one effect is negative and the other positive.
    assert!(points[0].score < -0.02 && points[1].score > 0.02, "{points:?}");
}

#[test]
fn groups_are_never_split() {
    let mut data = letters(400, 13);
    data.groups = Some((0..400).map(|row| row / 4).collect());
    assert!(auc(&learned(&data, quick(), 1).model, &data) > 0.6);
}

#[test]
fn unsuitable_data_is_rejected_with_a_clear_message() {
    let error = |data: &Dataset| NetworkLearner::new().fit(data).expect_err("no model").to_string();
    let mut one = letters(50, 14);
    one.target.as_mut().expect("a target").codes.fill(0);
    assert_eq!(
        error(&one),
        "letters: target column 'answers' has only one class ('no'); expected at least two"
    );
    let mut nothing = letters(50, 14);
    nothing.columns.truncate(1);
    nothing.columns[0].values = Values::Numeric(vec![f64::NAN; 50].into());
    assert!(error(&nothing).contains("no usable column"));
    let mut weighed = letters(50, 14);
    weighed.weights = Some(vec![1.0; 50]);
    assert!(error(&weighed).contains("do not support row weights"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: pellucid_testdata::cases(12), ..ProptestConfig::default() })]

    #[test]
    fn unusual_tables_give_finite_scores(
        rows in 4_usize..60,
        seed in 0_u64..1000,
        paper in any::<bool>(),
        positives in 1_usize..6,
    ) {
        let mut stream = Streams::new(seed).stream(&["odd".into()]);
        let odd = [f64::NAN, 0.0, -0.0, 1e9, -1e9, 1e300, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, 1e-300];
        let numbers: Vec<f64> = (0..rows).map(|_| odd[stream.index(odd.len())]).collect();
        let words: Vec<u32> = (0..rows).map(|_| [0, 1, 2, MISSING][stream.index(4)]).collect();
        let codes: Vec<u32> = (0..rows).map(|row| u32::from(row < positives.min(rows - 1))).collect();
        let categories = ["", "a", "b"].map(str::to_owned).to_vec();
        let data = Dataset {
            name: "odd".into(),
            columns: vec![
                Column { name: "x".into(), values: Values::Numeric(numbers.into()) },
                Column {
                    name: "row".into(),
                    values: Values::Numeric((0..rows).map(|row| row as f64).collect()),
                },
                Column { name: "empty".into(), values: Values::Numeric(vec![f64::NAN; rows].into()) },
                Column { name: "word".into(), values: Values::Nominal { codes: words, categories } },
            ],
            rows,
            target: Some(ClassTarget { name: "y".into(), classes: vec!["no".into(), "yes".into()], codes }),
            ..Dataset::default()
        };
        let params = Params { mode: if paper { Mode::Paper } else { Mode::Default }, ..quick() };
        let model = learned(&data, params, 1).model;
        model.to_json().expect("a model that can be kept");
        (Network::capabilities().check_model)(&model).expect("a valid model");
        // Unknown categories.
        let mut new = data.clone();
        if let Values::Nominal { categories, .. } = &mut new.columns[3].values {
            *categories = ["new", "newer", "a"].map(str::to_owned).to_vec();
        }
        for data in [&data, &new] {
            let applied = Network::apply(&model, data, &machine(1)).expect("the same columns");
            for row in 0..applied.len() {
                let scores = applied.scores().and_then(|all| all.of(row)).expect("scores");
                prop_assert!(scores.iter().all(|score| score.is_finite()), "{scores:?}");
                let request = ExplanationRequest { in_full: true, decision: None };
                applied.explain(row, &request).expect("reasons");
            }
        }
        prop_assert!(!Network::text(&model).contains("NaN"));
    }
}

#[test]
fn an_invalid_model_is_rejected() {
    let model = learned(&letters(200, 15), quick(), 1).model;
    let rejection = |change: &dyn Fn(&mut NetworkEnsemble)| {
        let mut forged = model.clone();
        change(&mut forged.body);
        assert!(Network::apply(&forged, &letters(5, 1), &machine(1)).is_err());
        (Network::capabilities().check_model)(&forged).expect_err("an invalid model").to_string()
    };
    assert!(rejection(&|model| model.members.clear()).contains("no network"));
    assert!(
        rejection(&|model| {
            model.members[0].genes.pop();
        })
        .contains("parameters")
    );
    assert!(
        rejection(&|model| model.members[1].genes[0] = f32::NAN)
            .contains("network 2 is not finite")
    );
    assert!(
        rejection(&|model| {
            model.preparation.inputs.pop();
        })
        .contains("inputs")
    );
    assert!(
        rejection(&|model| model.preparation.inputs[0].half_range = 0.0).contains("invalid model")
    );
}

#[test]
fn the_lift_on_held_out_rows_is_reported() {
    let data = letters(800, 16);
    let params = quick();
    let fitted = NetworkLearner::new().params(params).fit(&data).expect("a model");
    let held_out = fitted.model.body.held_out.as_ref().expect("inner folds");
    assert_eq!(held_out.rows.all, 800);
    let lift = held_out.lift_at_20.as_ref().expect("a lift");
    assert!(lift.low < lift.value && lift.value < lift.high && lift.value > 1.2, "{lift:?}");
    assert!(fitted.text().contains("Held-out performance (800 rows"));
    let labels: Vec<bool> = data.example_codes().iter().map(|&code| code == 1).collect();
    let scores: Vec<f64> = vec![0.0; 800];
    let ranking = Ranking::new(&scores, &labels).expect("both classes");
    assert!((ranking.lift_at(0.2, Ties::Shared) - 1.0).abs() < 1e-9);
    assert_eq!(ranking.lift_at(0.2, Ties::Strict), 0.0);
}
