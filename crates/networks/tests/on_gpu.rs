//! The model is the same whether the CPU or a GPU breeds the generations.

#![cfg(feature = "emulator")]

use pellucid_data::{ClassTarget, Column, Dataset, Values};
use pellucid_device::gpu::{Emulation, emulated};
use pellucid_device::{Device, Threads};
use pellucid_learn::checkpoint::Cadence;
use pellucid_learn::learner::{Fit, FitResult, Machine};
use pellucid_learn::params::Check;
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{Control, Driver, Observer, Record};
use pellucid_networks::Network;
use pellucid_networks::model::NetworkEnsemble;
use pellucid_networks::params::{Mode, Params};
use std::num::NonZeroUsize;
use std::sync::Arc;

/// Enough rows for a GPU to bracket thresholds on 70 % of them.
const ROWS: usize = 6200;

fn table() -> Dataset {
    let mut stream = Streams::new(3).stream(&["table".into()]);
    let mut columns = vec![Vec::new(); 3];
    let mut codes = Vec::new();
    for _ in 0..ROWS {
        let row = [stream.normal(), stream.normal(), stream.normal()];
        let likely = 1.0 / (1.0 + (3.0 - row[0] - row[1] * row[1]).exp());
        codes.push(u32::from(stream.chance(likely)));
        columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
    }
    let column = |(number, values): (usize, Vec<f64>)| Column {
        name: format!("x{number}"),
        values: Values::Numeric(values.into()),
    };
    let classes = vec!["no".into(), "yes".into()];
    Dataset {
        name: "table".into(),
        columns: columns.into_iter().enumerate().map(column).collect(),
        rows: ROWS,
        target: Some(ClassTarget { name: "answers".into(), classes, codes }),
        ..Dataset::default()
    }
}

fn params() -> Params {
    let mut params = Params { mode: Mode::Paper, seed: 5, ..Params::default() };
    params.breeding.population = Some(6);
    params.breeding.generations = Some(9);
    params
}

fn cpu() -> Machine {
    Machine::processor(NonZeroUsize::new(1)).expect("a CPU")
}

fn gpu() -> Machine {
    let threads = Arc::new(Threads::new(NonZeroUsize::new(1)).expect("a thread"));
    let device: Device = emulated("cuda:0", Emulation::default(), Arc::clone(&threads));
    Machine::new(vec![device], threads)
}

/// Records the steps and interrupts the run after one of them.
struct Steps<'a>(Vec<Record>, u64, &'a Control);

impl Observer for Steps<'_> {
    fn record(&mut self, record: &Record) {
        self.0.push(record.clone());
        if record.step >= self.1 {
            self.2.interrupt();
        }
    }
}

fn learned(
    machine: &Machine,
    driver: &Driver,
    steps: &mut Steps<'_>,
) -> FitResult<Params, NetworkEnsemble> {
    let params = params().check().expect("allowed");
    Network::fit(&table(), params, machine, driver, steps).expect("a model")
}

#[test]
fn a_gpu_gives_the_same_model_as_the_cpu() {
    let run = |machine: Machine| {
        let control = Control::new();
        let mut steps = Steps(Vec::new(), u64::MAX, &control);
        let model = learned(&machine, &Driver::new(&control), &mut steps).model;
        let summary = |record: &Record| (record.step, record.evaluated, record.values.clone());
        (model.to_json().expect("JSON"), steps.0.iter().map(summary).collect::<Vec<_>>())
    };
    let (expected, found) = (run(cpu()), run(gpu()));
    assert_eq!(found.1.len(), 9);
    assert_eq!(found, expected);
}

#[test]
fn a_run_can_be_resumed_on_another_device() {
    let whole = {
        let control = Control::new();
        learned(&cpu(), &Driver::new(&control), &mut Steps(Vec::new(), u64::MAX, &control))
    };
    for (first, then) in [(gpu(), cpu()), (cpu(), gpu()), (gpu(), gpu())] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.ckpt");
        let control = Control::new();
        let driver = Driver::new(&control).checkpoint(&path, Cadence::default());
        learned(&first, &driver, &mut Steps(Vec::new(), 4, &control));
        let control = Control::new();
        let driver = Driver::new(&control).checkpoint(&path, Cadence::default()).resume(true);
        let resumed = learned(&then, &driver, &mut Steps(Vec::new(), u64::MAX, &control));
        let json = |of: &FitResult<Params, NetworkEnsemble>| of.model.to_json().expect("JSON");
        assert_eq!(json(&resumed), json(&whole));
    }
}
