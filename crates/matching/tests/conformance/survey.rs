//! Matches populations with many rows, on every device and on several together, for various shares.

use crate::{Case, Event, allows, case};
use pellucid_bits::Level;
use pellucid_device::{Device, DeviceKind, FailAt, Machine, Schedule};
use pellucid_matching::{Ballot, CodedExamples, Conditions, MISSING, Rows, Survey, Test};
use pellucid_testdevices::{Backend, cases, cpu, cpus, threads};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// All machines that are tested.
fn machines() -> Vec<(String, Machine)> {
    let mut all = Vec::new();
    let cpus = cpus(&[1, 3]).into_iter();
    all.extend(cpus.map(|Backend { name, device }| (name, machine(vec![device]))));
    for gpu in gpus() {
        all.push((format!("{} alone", gpu.name()), machine(vec![gpu])));
    }
    all.extend(beside_gpus());
    all
}

/// GPUs together with the CPU, with fixed shares and with shares by speed.
pub(crate) fn beside_gpus() -> Vec<(String, Machine)> {
    let mut all = Vec::new();
    for gpu in gpus() {
        for load in [0.0, 0.3, 1.0] {
            let beside = machine(vec![gpu.clone(), cpu(2, Level::best())]);
            all.push((format!("{} with a load of {load}", gpu.name()), loaded(beside, load)));
        }
        let twice = machine(vec![gpu.clone(), cpu(1, Level::best()), gpu.clone().with_id("again")]);
        all.push((format!("{} twice, by its speed", gpu.name()), twice));
        let lost = machine(vec![gpu.failing(FailAt::Call(2)), cpu(1, Level::best())]);
        all.push(("a GPU that fails".to_owned(), loaded(lost, 0.9)));
    }
    all
}

fn machine(devices: Vec<Device>) -> Machine {
    Machine::new(devices, threads(2))
}

fn loaded(machine: Machine, load: f64) -> Machine {
    let kinds: Vec<DeviceKind> = machine.devices.iter().map(Device::kind).collect();
    let schedule = Schedule::gpu_load(&kinds, load).expect("a CPU and a GPU");
    Machine { schedule, ..machine }
}

/// The GPUs of this machine, and an emulated one.
pub(crate) fn gpus() -> Vec<Device> {
    #[cfg_attr(not(feature = "emulator"), expect(unused_mut, reason = "nothing is added"))]
    let mut all = pellucid_testdevices::gpus();
    #[cfg(feature = "emulator")]
    all.push(pellucid_testdevices::EmulatedGpu::USUAL.device("cuda:0"));
    all
}

/// Returns the label with the most votes, by a plain count.
fn elected(votes: &BTreeMap<u32, u64>) -> u32 {
    let most = votes.values().copied().max().unwrap_or(0);
    let first = votes.iter().find(|&(_, &votes)| votes == most && most > 0);
    first.map_or(MISSING, |(&label, _)| label)
}

fn check((domains, codes, events): Case, weights: &[u32]) -> Result<(), TestCaseError> {
    let examples = Arc::new(CodedExamples::new(domains.clone(), codes).expect("generated codes"));
    let (mut conditions, mut asked) = (Conditions::default(), Vec::new());
    let mut lists: Vec<&[Test]> = Vec::new();
    for event in &events {
        match event {
            Event::Put(_, tests) => {
                conditions.push(tests);
                lists.push(tests);
            }
            Event::Ask(row) => asked.push(*row as u32),
            Event::Clear(_) => {}
        }
    }
    let ballots: Vec<Ballot> = (0..lists.len())
        .map(|number| Ballot {
            label: (number * 7 % 5) as u32,
            votes: weights[number % weights.len()],
        })
        .collect();
    for rows in [Rows::all(&examples), Rows::new(&asked)] {
        let list = rows.list();
        let mut covered = vec![0_u64; lists.len() * rows.words()];
        let mut labels = Vec::new();
        for (place, &row) in list.iter().enumerate() {
            let mut votes = BTreeMap::new();
            for (number, tests) in lists.iter().enumerate() {
                if allows(&domains, tests, examples.row(row as usize)) {
                    covered[number * rows.words() + place / 64] |= 1 << (place % 64);
                    *votes.entry(ballots[number].label).or_insert(0) +=
                        u64::from(ballots[number].votes);
                }
            }
            labels.push(elected(&votes));
        }
        for (name, machine) in machines() {
            let mut survey = Survey::new(&machine, &examples).expect("a device");
            for time in ["first", "again"] {
                let found = survey.cover(&rows, &conditions).expect("a working device");
                prop_assert_eq!(&found, &covered, "{}, {}", &name, time);
                let found = survey.elect(&rows, &conditions, &ballots).expect("a working device");
                prop_assert_eq!(&found, &labels, "{}, {}", &name, time);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(24), ..ProptestConfig::default() })]

    #[test]
    fn small_populations(
        case in case(1usize..80, 120), weights in prop::collection::vec(0u32..9, 1..9),
    ) {
        check(case, &weights)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(5), ..ProptestConfig::default() })]

    #[test]
    fn populations_over_many_rows(
        case in case(prop::sample::select(vec![511, 512, 513, 1025, 2100]), 400),
        weights in prop::collection::vec(any::<u32>(), 1..9),
    ) {
        check(case, &weights)?;
    }
}
