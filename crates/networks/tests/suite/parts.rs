//! Training on remote parts gives the same model as training on all rows, however the rows are
//! split and even if parts lose their state.

use pellucid_data::{ClassTarget, Column, Dataset, MISSING, Values};
use pellucid_device::DeviceError;
use pellucid_learn::checkpoint::Cadence;
use pellucid_learn::learner::{BoxError, Fit, FitResult, Machine};
use pellucid_learn::params::Check;
use pellucid_learn::parts::{Part as _, Parts, Request};
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{Control, Driver, Observer, Record, RunError, Silent};
use pellucid_networks::Network;
use pellucid_networks::error::NetworkError;
use pellucid_networks::metric::FitnessMetric;
use pellucid_networks::model::NetworkEnsemble;
use pellucid_networks::params::{Mode, Nodes, Params};
use pellucid_networks::parts::{NetworkPart, fit_parts};
use proptest::prelude::*;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::{Arc, Mutex};

fn machine(threads: usize) -> Machine {
    Machine::processor(NonZeroUsize::new(threads)).expect("a CPU")
}

/// A table with every type of column, missing values, ties, zeros of both signs, and extreme
/// numbers.
fn table(rows: usize, seed: u64) -> Dataset {
    let mut stream = Streams::new(seed).stream(&["table".into()]);
    let odd = [f64::NAN, 0.0, -0.0, 1e300, f64::INFINITY, f64::NEG_INFINITY, -2.5, 1e-300];
    let (mut smooth, mut stepped, mut extreme) = (Vec::new(), Vec::new(), Vec::new());
    let (mut words, mut truths, mut codes) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rows {
        smooth.push(stream.range(-3.0, 3.0));
        stepped.push(stream.below(5) as f64);
        extreme.push(odd[stream.index(odd.len())]);
        let word = stream.index(6);
        words.push([0, 1, 2, 3, 3, MISSING][word]);
        truths.push([None, Some(false), Some(true)][stream.index(3)]);
        let near = smooth.last().is_some_and(|x: &f64| x.abs() < 1.0);
        let likely = 0.15 + if near { 0.4 } else { 0.0 } + 0.08 * word as f64;
        codes.push(u32::from(stream.chance(likely)));
    }
    (codes[0], codes[rows - 1]) = (0, 1);
    let categories = ["east", "north", "south", "west"].map(str::to_owned).to_vec();
    let column = |name: &str, values| Column { name: name.to_owned(), values };
    Dataset {
        name: "table".into(),
        columns: vec![
            column("smooth", Values::Numeric(smooth.into())),
            column("stepped", Values::Numeric(stepped.into())),
            column("strange", Values::Numeric(extreme.into())),
            column("same", Values::Numeric(vec![4.0; rows].into())),
            column("word", Values::Nominal { codes: words, categories }),
            column("flag", Values::Boolean(truths)),
        ],
        rows,
        target: Some(ClassTarget {
            name: "y".into(),
            classes: vec!["no".into(), "yes".into()],
            codes,
        }),
        ..Dataset::default()
    }
}

/// Returns some rows, with their categories in a different order.
fn rows_of(data: &Dataset, rows: Range<u32>) -> Dataset {
    let mut part = data.select(&rows.collect::<Vec<u32>>());
    for column in &mut part.columns {
        if let Values::Nominal { codes, categories } = &mut column.values {
            categories.reverse();
            let last = u32::try_from(categories.len()).expect("few") - 1;
            let other = |code: &u32| if *code == MISSING { MISSING } else { last - code };
            *codes = codes.iter().map(other).collect();
        }
    }
    part
}

/// Splits a table into parts that end at the given rows. If `forget` is set, one part loses its
/// state after every `forget` queries.
fn split(data: &Dataset, ends: &[usize], forget: Option<usize>) -> Parts {
    let mut ends: Vec<u32> =
        ends.iter().map(|&end| u32::try_from(end.min(data.rows)).expect("few")).collect();
    ends.extend([0, u32::try_from(data.rows).expect("few")]);
    ends.sort_unstable();
    let own: Vec<Dataset> = ends.windows(2).map(|ends| rows_of(data, ends[0]..ends[1])).collect();
    let head = data.clone();
    let begin =
        move |place: usize| NetworkPart::new(&head, &own[place], machine(1)).expect("a part");
    let parts: Vec<NetworkPart> = (0..ends.len() - 1).map(&begin).collect();
    let table = Mutex::new((parts, Vec::<Vec<u8>>::new(), 0));
    let failed = |error: BoxError| DeviceError::new("parts", error.to_string());
    let send = move |request: Request<'_>| {
        let mut table = table.lock().expect("a table");
        let (parts, plans, asked) = &mut *table;
        let query = match request {
            Request::Plan(plan) => {
                plans.push(plan.to_vec());
                return Ok(Vec::new());
            }
            Request::Query(query) => query,
        };
        *asked += 1;
        if forget.is_some_and(|every| *asked % every == 0) {
            let place = *asked % parts.len();
            parts[place] = begin(place);
        }
        let mut answers = Vec::new();
        for (place, part) in parts.iter_mut().enumerate() {
            for plan in plans.iter().skip(part.plans()) {
                part.plan(place, plan).map_err(failed)?;
            }
            answers.push(part.answer(query).map_err(failed)?);
        }
        Ok(answers)
    };
    Parts { examples: Vec::new(), send: Arc::new(send) }
}

fn bred(seed: u64) -> Params {
    let mut params = Params { mode: Mode::Paper, seed, ..Params::default() };
    params.breeding.population = Some(8);
    params.breeding.generations = Some(12);
    params.preparing.rare = 3;
    params
}

fn alone(
    data: &Dataset,
    params: Params,
) -> Result<FitResult<Params, NetworkEnsemble>, RunError<NetworkError>> {
    let driver = Driver::new(&Control::new());
    Network::fit(data, params.check().expect("allowed"), &machine(2), &driver, &mut Silent)
}

fn apart(
    data: &Dataset,
    parts: Parts,
    params: Params,
) -> Result<FitResult<Params, NetworkEnsemble>, RunError<NetworkError>> {
    let driver = Driver::new(&Control::new());
    let params = params.check().expect("allowed");
    fit_parts(data, parts, params, &machine(2), &driver, &mut Silent)
}

/// Returns everything that must be the same for both.
fn result(
    learned: Result<FitResult<Params, NetworkEnsemble>, RunError<NetworkError>>,
) -> (String, String) {
    match learned {
        Ok(learned) => {
            let figures = format!("{:?} {}", learned.train, learned.run.summary.evaluated);
            (learned.model.to_json().expect("JSON"), figures)
        }
        Err(error) => (error.to_string(), String::new()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: pellucid_testdata::cases(24), ..ProptestConfig::default() })]

    #[test]
    fn parts_give_the_same_model(
        rows in 2_usize..400,
        seed in 0_u64..1000,
        ends in prop::collection::vec(0_usize..400, 0..5),
        forget in prop::option::of(1_usize..6),
        aim in prop::sample::select(vec![FitnessMetric::Lift, FitnessMetric::Precision, FitnessMetric::Mcc]),
        second in 0_usize..3,
        nodes in prop::sample::select(vec![None, Some(Nodes::Sigmoid), Some(Nodes::Relu)]),
    ) {
        let data = table(rows, seed);
        let mut params = bred(seed);
        params.metric = aim;
        params.layers.second = second;
        params.layers.activation = nodes;
        let whole = result(alone(&data, params.clone()));
        prop_assert_eq!(result(apart(&data, split(&data, &ends, forget), params)), whole);
    }
}

/// More rows than the sample from which thresholds are estimated.
#[test]
fn parts_with_many_rows_give_the_same_model() {
    let data = table(20_000, 5);
    let mut params = bred(5);
    params.breeding.generations = Some(30);
    let whole = result(alone(&data, params.clone()));
    assert!(whole.0.contains("\"members\""), "{}", whole.0);
    assert_eq!(result(apart(&data, split(&data, &[1000, 12_345], None), params)), whole);
}

/// Interrupts a run after some steps.
struct Stopping<'a>(Option<u64>, &'a Control);

impl Observer for Stopping<'_> {
    fn record(&mut self, record: &Record) {
        if Some(record.step) == self.0 {
            self.1.interrupt();
        }
    }
}

#[test]
fn a_run_can_be_resumed_with_other_parts() {
    let data = table(300, 8);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.checkpoint");
    let learned = |data: &Dataset, ends: &[usize], stop: Option<u64>| {
        let control = Control::new();
        let driver = Driver::new(&control).checkpoint(&path, Cadence::default());
        let driver = driver.resume(stop.is_none());
        let params = bred(8).check().expect("allowed");
        let mut observer = Stopping(stop, &control);
        fit_parts(data, split(data, ends, None), params, &machine(1), &driver, &mut observer)
    };
    let stopped = learned(&data, &[100], Some(4)).expect("a partial model");
    assert!(stopped.run.summary.stop.is_pause());
    let other = learned(&table(300, 9), &[100], None).expect_err("other rows").to_string();
    assert!(other.contains("checkpoint"), "{other}");
    let resumed = learned(&data, &[50, 60, 250], None);
    let whole = result(alone(&data, bred(8)));
    assert_eq!(result(resumed).0, whole.0);
}

#[test]
fn unsupported_parameters_are_rejected_with_a_clear_message() {
    let data = table(60, 1);
    let parts = split(&data, &[20], None);
    let refused =
        |params: Params| apart(&data, parts.clone(), params).expect_err("refused").to_string();
    let message = refused(Params { mode: Mode::Default, ..bred(1) });
    assert!(message.contains("mode") && message.contains("paper"), "{message}");
    for metric in [FitnessMetric::Auc, FitnessMetric::LogLoss] {
        let message = refused(Params { metric, ..bred(1) });
        assert!(message.contains("'lift', 'precision' or 'mcc'"), "{message}");
    }
    let send = Arc::new(|_: Request<'_>| Err(DeviceError::new("parts", "the cable is out")));
    let broken = Parts { examples: Vec::new(), send };
    let message = apart(&data, broken, bred(1)).expect_err("no answer").to_string();
    assert!(message.contains("the cable is out"), "{message}");
}

proptest! {
    /// Any bytes are rejected or answered, without a panic.
    #[test]
    fn any_bytes_are_handled(
        plans in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..3),
        query in prop::collection::vec(any::<u8>(), 0..60),
    ) {
        let data = table(20, 3);
        let mut part = NetworkPart::new(&data, &data, machine(1)).expect("a part");
        for plan in plans {
            let _ = part.plan(0, &plan);
        }
        let _ = part.answer(&query);
    }
}
