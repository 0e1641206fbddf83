//! The rules are the same whether the CPU or a GPU sums the gradients.

#![cfg(feature = "emulator")]

use pellucid_data::{ClassTarget, Column, Dataset, MISSING, Values};
use pellucid_device::gpu::{Emulation, emulated};
use pellucid_device::{Device, Fault, FaultListener, Threads};
use pellucid_learn::learner::{Fit, Machine};
use pellucid_learn::params::Check;
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{Control, Driver, Silent};
use pellucid_rules::Rules;
use pellucid_rules::params::Params;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

/// Few enough examples for the emulator, and enough for a search by blocks.
const ROWS: usize = 5200;

/// Returns a table with two numbers that interact, a number with missing values and a color.
fn table(weights: Option<Vec<f64>>) -> Dataset {
    let mut stream = Streams::new(3).stream(&["table".into()]);
    let mut numbers = vec![Vec::new(); 3];
    let (mut colors, mut codes) = (Vec::new(), Vec::new());
    for _ in 0..ROWS {
        let (one, other, third) = (stream.normal(), stream.normal(), stream.normal());
        let color = if stream.chance(0.1) { MISSING } else { u32::from(stream.chance(0.4)) };
        let score = if one > 0.3 && other > -0.2 { 1.5 } else { -1.5 };
        let score = score + third + if color == 1 { 0.8 } else { 0.0 };
        codes.push(u32::from(stream.chance(1.0 / (1.0 + (-score).exp()))));
        let third = if stream.chance(0.2) { f64::NAN } else { third };
        numbers.iter_mut().zip([one, other, third]).for_each(|(all, own)| all.push(own));
        colors.push(color);
    }
    let number = |(place, values): (usize, Vec<f64>)| Column {
        name: format!("x{place}"),
        values: Values::Numeric(values.into()),
    };
    let categories = ["blue", "red"].map(String::from).to_vec();
    let color =
        Column { name: "color".into(), values: Values::Nominal { codes: colors, categories } };
    Dataset {
        name: "table".into(),
        columns: numbers.into_iter().enumerate().map(number).chain([color]).collect(),
        rows: ROWS,
        target: Some(ClassTarget {
            name: "ill".into(),
            classes: vec!["no".into(), "yes".into()],
            codes,
        }),
        weights,
        ..Dataset::default()
    }
}

/// Returns a machine with a CPU and an emulated GPU, and the failures it reports.
fn with_gpu(emulation: Emulation) -> (Machine, Arc<Mutex<Vec<String>>>) {
    let threads = Arc::new(Threads::new(NonZeroUsize::new(2)).expect("threads"));
    let cpu = Device::on_threads(Arc::clone(&threads)).expect("a CPU");
    let gpu = emulated("cuda:0", emulation, Arc::clone(&threads));
    let reported: Arc<Mutex<Vec<String>>> = Arc::default();
    let list = Arc::clone(&reported);
    let hear = move |fault: &Fault| list.lock().expect("a list").push(fault.to_string());
    let faults = FaultListener::new(hear);
    (Machine { faults, ..Machine::new(vec![cpu, gpu], threads) }, reported)
}

/// Returns the model as JSON.
fn learned(data: &Dataset, machine: &Machine) -> String {
    let mut params = Params::default();
    params.voting.most_rules = 5;
    let params = params.check().expect("allowed");
    let driver = Driver::new(&Control::new());
    let model = Rules::fit(data, params, machine, &driver, &mut Silent).expect("a model").model;
    serde_json::to_string(&model.body).expect("JSON")
}

#[test]
fn a_gpu_finds_the_same_rules_as_the_cpu() {
    let cpu = Machine::processor(NonZeroUsize::new(2)).expect("a CPU");
    let by_class = |data: &Dataset| {
        let codes = &data.target.as_ref().expect("classes").codes;
        codes.iter().map(|&code| f64::from(1 + 2 * code)).collect::<Vec<f64>>()
    };
    let weights = [None, Some(by_class(&table(None)))];
    for data in weights.map(table) {
        let (machine, reported) = with_gpu(Emulation::default());
        assert_eq!(learned(&data, &machine), learned(&data, &cpu));
        assert!(reported.lock().expect("a list").is_empty());
    }
}

/// Learns with an emulated GPU that cannot do its work; returns what is reported.
fn reported_by(emulation: Emulation) -> Vec<String> {
    let (data, cpu) = (table(None), Machine::processor(NonZeroUsize::new(2)).expect("a CPU"));
    let (machine, reported) = with_gpu(emulation);
    assert_eq!(learned(&data, &machine), learned(&data, &cpu));
    reported.lock().expect("a list").clone()
}

#[test]
fn the_cpu_searches_if_the_gpu_has_too_little_memory() {
    let reported = reported_by(Emulation { memory: Some(30_000), ..Emulation::default() });
    assert_eq!(reported.len(), 1, "{reported:?}");
    assert!(reported[0].contains("a table of 5200 examples"), "{reported:?}");
}

#[test]
fn the_cpu_continues_if_the_gpu_fails_in_a_search() {
    // The first steps write the table; searches follow.
    for fails_at in [20, 60, 200] {
        let reported = reported_by(Emulation { fails_at: Some(fails_at), ..Emulation::default() });
        assert_eq!(reported.len(), 1, "{fails_at}: {reported:?}");
        assert!(reported[0].contains("simulated"), "{fails_at}: {reported:?}");
    }
}
