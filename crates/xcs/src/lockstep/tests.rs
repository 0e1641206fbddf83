//! The same seed gives the same results on the CPU and in lockstep on a GPU.

use crate::conditions::Ternary;
use crate::encode::Encoded;
use crate::environment::{Agent, GpuAgents, Multiplexer};
use crate::gpu::spec;
use crate::learner::Xcs;
use crate::lockstep::tables::run_on_gpu;
use crate::params::{Crossover, Mode, Params, SystemParams};
use crate::train::TableRun;
use pellucid_bits::Level;
use pellucid_data::{ClassTarget, Column, Dataset, Values};
use pellucid_device::gpu::{Emulation, emulated};
use pellucid_device::{Device, DeviceKind, FailAt, Machine, Threads, devices};
use pellucid_learn::learner::{CrossValidationSetup, Fit, cross_validate, plan_folds};
use pellucid_learn::params::{Check, ClassWeights, Valid};
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{Control, Driver, Silent, Stepper};
use proptest::prelude::*;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// Returns the GPUs of this machine or, if there is none, emulated ones whose shared memory fits a whole
/// population, its conditions, or only a small part of it.
pub(crate) fn gpus() -> Vec<Device> {
    let threads = Arc::new(Threads::new(NonZeroUsize::new(1)).expect("a thread"));
    let emulation = |shared_bytes, threads| Emulation {
        shared_bytes,
        threads,
        multiprocessors: 100,
        ..Emulation::default()
    };
    let found = devices(&threads).expect("the devices of this machine").devices;
    let found: Vec<Device> =
        found.into_iter().filter(|device| device.kind() == DeviceKind::Gpu).collect();
    if !found.is_empty() {
        return found;
    }
    [(200 << 10, 64), (28 << 10, 32), (17 << 10, 96)]
        .into_iter()
        .map(|(bytes, wide)| emulated("cuda:0", emulation(bytes, wide), Arc::clone(&threads)))
        .collect()
}

/// Constants of every kind that the kernel supports.
fn life() -> impl Strategy<Value = SystemParams> {
    let mutation = prop_oneof![Just(0.0), Just(1.0), 0.0..0.3_f64];
    let rates =
        (0.05..0.5_f64, mutation, prop_oneof![Just(0.0), Just(0.01), 0.1..0.9_f64], 0.0..1.0_f64);
    let flags = any::<[bool; 4]>();
    let numbers = (10_u32..200, 0_u64..30, 0_u32..12, 1_u32..9);
    (rates, flags, numbers).prop_map(|(rates, flags, numbers)| SystemParams {
        learning_rate: rates.0,
        mutation: rates.1,
        tournament: rates.2,
        crossover_rate: rates.3,
        subsume_children: flags[0],
        subsume_niche: flags[1],
        error_first: flags[2],
        crossover: if flags[3] { Crossover::Uniform } else { Crossover::TwoPoint },
        population: numbers.0,
        breeding_pause: numbers.1,
        subsumption_experience: numbers.2,
        deletion_experience: numbers.2,
        accuracy_power: f64::from(numbers.3),
        ..SystemParams::default()
    })
}

/// Compares agents of the specification and on a GPU after exploring, exploiting and exploring again.
fn same_agents(device: &Device, address: usize, agents: &[Agent], steps: u64) {
    let mut here = agents.to_vec();
    spec::explore(&mut here, address, steps);
    let right = spec::exploit(&mut here, address, steps / 4);
    spec::explore(&mut here, address, steps / 2);
    let mut there = agents.to_vec();
    let mut together = GpuAgents::open(device, address, &there).expect("an emulated GPU");
    together.explore(steps).expect("a working GPU");
    assert_eq!(together.exploit(steps / 4).expect("a working GPU"), right);
    together.explore(steps / 2).expect("a working GPU");
    together.copy_back(&mut there, &Threads::callers()).expect("a working GPU");
    for (number, (here, there)) in here.iter().zip(&there).enumerate() {
        assert_eq!(here.rules_created(), there.rules_created(), "agent {number}");
        assert!(here.state_bytes() == there.state_bytes(), "agent {number}");
    }
    // They continue in the same way.
    spec::explore(&mut here, address, 50);
    spec::explore(&mut there, address, 50);
    for (number, (here, there)) in here.iter().zip(&there).enumerate() {
        assert!(
            here.state_bytes() == there.state_bytes(),
            "agent {number} after further steps on the CPU"
        );
        assert_eq!(there.find_problem(), None);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn agents_with_any_constants(
        lives in prop::collection::vec(
            (life(), prop_oneof![Just(0.0), Just(1.0), 0.0..1.0_f64], any::<u64>()),
            1..4,
        ),
        address in 1_usize..5,
        card in any::<prop::sample::Index>(),
    ) {
        let problem = Multiplexer::new(address);
        let agent = |(life, open, seed)| Agent::new(&problem, life, open, seed).expect("a level");
        let agents: Vec<Agent> = lives.into_iter().map(agent).collect();
        let gpus = gpus();
        same_agents(card.get(&gpus), address, &agents, 200);
    }
}

/// Tests two words of columns, three words (for which the kernel uses four), and sets that do not fit in
/// shared memory.
#[test]
fn agents_with_many_columns_or_large_match_sets() {
    for (address, population, dont_care) in [(6, 120, 0.9), (7, 60, 0.97), (2, 900, 0.98)] {
        let problem = Multiplexer::new(address);
        let life = SystemParams { population, breeding_pause: 3, ..Agent::published() };
        let agents: Vec<Agent> = (0..2)
            .map(|seed| Agent::new(&problem, life.clone(), dont_care, seed).expect("a level"))
            .collect();
        same_agents(&gpus()[0], address, &agents, 300);
    }
}

/// Returns a table of binary columns with missing values; the class depends on three columns.
fn flags(rows: usize, columns: usize, classes: u32, seed: u64) -> Dataset {
    let mut stream = Streams::new(seed).stream(&[]);
    let cells: Vec<Vec<Option<bool>>> = (0..columns)
        .map(|_| (0..rows).map(|_| (!stream.chance(0.05)).then(|| stream.chance(0.5))).collect())
        .collect();
    let holds = |column: usize, row: usize| u32::from(cells[column][row] == Some(true));
    let codes = (0..rows)
        .map(|row| (holds(0, row) + 2 * holds(1, row) * holds(2, row)) % classes)
        .collect();
    let column = |(number, cells): (usize, &Vec<Option<bool>>)| Column {
        name: format!("f{number}"),
        values: Values::Boolean(cells.clone()),
    };
    Dataset {
        name: "flags".to_owned(),
        columns: cells.iter().enumerate().map(column).collect(),
        rows,
        target: Some(ClassTarget {
            name: "class".to_owned(),
            classes: (0..classes).map(|class| format!("c{class}")).collect(),
            codes,
        }),
        ..Dataset::default()
    }
}

fn bytes(run: &TableRun<'_, Ternary>) -> Vec<u8> {
    serde_json::to_vec(run.state()).expect("plain data")
}

fn run<'a>(encoded: &'a Encoded, params: &'a Params) -> TableRun<'a, Ternary> {
    let columns = encoded.examples.domains().len();
    TableRun::new(encoded, params, Ternary::new(columns, 0.6), Level::Portable)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, ..ProptestConfig::default() })]

    #[test]
    fn tables_with_any_constants(
        lives in prop::collection::vec(
            (life(), any::<bool>(), 20_usize..90, 3_usize..80, 2_u32..6, any::<u64>()),
            1..4,
        ),
        card in any::<prop::sample::Index>(),
    ) {
        let cases: Vec<(Encoded, Params)> = lives
            .into_iter()
            .map(|(life, supervised, rows, columns, classes, seed)| {
                let mode = if supervised { Mode::Supervised } else { Mode::Reward };
                let params = Params { mode, life, seed, iterations: Some(1_000), ..Params::default() };
                let data = flags(rows, columns, classes, seed);
                let encoded = Encoded::new(&data, &params.class_weights, &Threads::callers());
                (encoded.expect("a table"), params)
            })
            .collect();
        let mut runs: Vec<_> = cases.iter().map(|(encoded, params)| run(encoded, params)).collect();
        let gpus = gpus();
        prop_assert!(run_on_gpu(&mut runs, card.get(&gpus), || false).expect("an emulated GPU"));
        for (number, ((encoded, params), there)) in cases.iter().zip(&mut runs).enumerate() {
            let mut here = run(encoded, params);
            spec::learn(std::slice::from_mut(&mut here));
            prop_assert!(bytes(&here) == bytes(there), "run {number}");
            // They continue in the same way.
            for _ in 0..60 {
                prop_assert_eq!(here.show(), there.show());
            }
            prop_assert!(bytes(&here) == bytes(there), "run {number} after further steps on the CPU");
        }
    }
}

#[test]
fn runs_are_unchanged_if_a_gpu_fails_or_the_run_is_stopped() {
    let encoded = Encoded::new(&flags(60, 9, 2, 4), &ClassWeights::default(), &Threads::callers())
        .expect("a table");
    let params = Params { iterations: Some(1_000), ..Params::default() };
    let mut runs = [run(&encoded, &params)];
    let before = bytes(&runs[0]);
    let failing = gpus()[0].clone().failing(FailAt::Call(1));
    assert!(run_on_gpu(&mut runs, &failing, || false).is_err());
    assert!(!run_on_gpu(&mut runs, &gpus()[0], || true).expect("an emulated GPU"));
    assert!(bytes(&runs[0]) == before);
}

/// A model that was fitted in lockstep equals the model that is fitted alone.
#[test]
fn models_equal_those_fitted_one_by_one() {
    let threads = Arc::new(Threads::new(NonZeroUsize::new(2)).expect("threads"));
    let cpu = Device::on_threads(Arc::clone(&threads)).expect("the CPU");
    let machine = Machine::new(vec![gpus()[0].clone(), cpu], Arc::clone(&threads));
    let control = Control::new();
    let params = |seed| Params { seed, iterations: Some(1_000), ..Params::default() };
    let mut jobs: Vec<(Dataset, Valid<Params>)> = (0..3)
        .map(|seed| (flags(80, 9, 2, seed), params(seed).check().expect("allowed")))
        .collect();
    // Jobs that the kernel does not support are skipped.
    let condensed = Params { condensation: 0.5, ..params(7) };
    jobs.push((flags(80, 9, 2, 7), condensed.check().expect("allowed")));
    let many = Xcs::capabilities().fit_many.expect("it trains many systems together");
    assert!((many.is_faster)(&jobs[0].0, &jobs[0].1, &machine));
    let found = (many.fit)(&jobs, &machine, &threads, &control);
    assert!(found[3].is_none());
    for ((data, params), found) in jobs.iter().zip(found).take(3) {
        let driver = Driver::new(&control);
        let alone = Machine::processor(NonZeroUsize::new(1)).expect("the CPU");
        let expected =
            Xcs::fit(data, params.clone(), &alone, &driver, &mut Silent).expect("learns");
        let found = found.expect("a model from the GPU");
        assert_eq!(found.model, expected.model);
        assert_eq!(found.train, expected.train);
    }
}

/// Folds that are fitted in advance, inner folds included, have the same scores as those fitted one by one.
#[test]
fn a_cross_validation_is_the_same_with_a_gpu() {
    let threads = Arc::new(Threads::new(NonZeroUsize::new(2)).expect("threads"));
    let cpu = Device::on_threads(Arc::clone(&threads)).expect("the CPU");
    let data = flags(120, 7, 2, 3);
    let params = Params { iterations: Some(1_000), seed: 4, ..Params::default() };
    let folds = plan_folds::<Xcs>(&data, &params, 3, 1).expect("enough rows");
    let params = params.check().expect("allowed");
    let validated = |devices: Vec<Device>| {
        let machine = Machine::new(devices, Arc::clone(&threads));
        let control = Control::new();
        let how = CrossValidationSetup {
            folds: &folds,
            inner: 2,
            control: &control,
            threads: &threads,
            machine: &|| machine.one_of_many(),
            on_fold: &|_| (),
        };
        let result = cross_validate::<Xcs>(&data, &params, &how).expect("learns");
        let values = result.scores().iter().map(|score| score.values.clone()).collect::<Vec<_>>();
        (values, result.decisions)
    };
    assert_eq!(validated(vec![gpus()[0].clone(), cpu.clone()]), validated(vec![cpu]));
}
