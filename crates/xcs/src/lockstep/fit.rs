//! Fits many models at once, such as the folds of a cross-validation, as populations in lockstep.

use super::tables::{is_supported, run_on_gpu};
use crate::conditions::Ternary;
use crate::encode::Encoded;
use crate::learner::{Representation, finished};
use crate::model::Classifiers;
use crate::params::Params;
use crate::take_out::take_out;
use crate::train::TableRun;
use pellucid_data::{Dataset, Values};
use pellucid_device::{Device, DeviceKind, Fault, Machine, Threads};
use pellucid_learn::learner::FitResult;
use pellucid_learn::params::Valid;
use pellucid_learn::run::{Control, Run, RunSummary, Stepper, StopReason};

/// The maximum number of cells of a table whose folds are all in memory at the same time.
const MAX_CELLS: usize = 1 << 24;

fn gpus(machine: &Machine) -> Vec<&Device> {
    machine.devices.iter().filter(|device| device.kind() == DeviceKind::Gpu).collect()
}

/// Returns whether there is a GPU and every column is binary, so that a GPU supports the conditions.
pub(crate) fn learns_together(data: &Dataset, params: &Valid<Params>, machine: &Machine) -> bool {
    // GPUs learn classes.
    if data.number.is_some() {
        return false;
    }
    if gpus(machine).is_empty() || data.rows.saturating_mul(data.columns.len()) > MAX_CELLS {
        return false;
    }
    if !data.columns.iter().all(|column| has_two_values(&column.values)) {
        return false;
    }
    let Ok(encoded) = Encoded::new(data, &params.class_weights, &machine.threads) else {
        return false;
    };
    match Representation::of(&encoded, params) {
        Representation::Bits(bits) => {
            is_supported(&TableRun::new(&encoded, params, bits, machine.level()))
        }
        Representation::Lists(_) => false,
    }
}

fn has_two_values(values: &Values) -> bool {
    match values {
        Values::Boolean(_) => true,
        Values::Numeric(numbers) => {
            let mut seen: Vec<f64> = Vec::new();
            numbers.iter().filter(|number| !number.is_nan()).all(|number| {
                if !seen.contains(number) {
                    seen.push(*number);
                }
                seen.len() <= 2
            })
        }
        Values::Nominal { .. } => false,
    }
}

/// Fits the models of all jobs that GPUs support. The result is `None` for the others.
pub(crate) fn fit_together(
    jobs: &[(Dataset, Valid<Params>)],
    machine: &Machine,
    threads: &Threads,
    control: &Control,
) -> Vec<Option<FitResult<Params, Classifiers>>> {
    let began = control.now();
    let encoded: Vec<Option<Encoded>> = threads.map(jobs.len(), |job| {
        let (data, params) = &jobs[job];
        Encoded::new(data, &params.class_weights, &Threads::callers()).ok()
    });
    let mut numbers = Vec::new();
    let mut runs: Vec<TableRun<'_, Ternary>> = Vec::new();
    for (number, ((_, params), encoded)) in jobs.iter().zip(&encoded).enumerate() {
        let Some(encoded) = encoded else { continue };
        if let Representation::Bits(bits) = Representation::of(encoded, params) {
            let run = TableRun::new(encoded, params, bits, machine.level());
            if is_supported(&run) {
                numbers.push(number);
                runs.push(run);
            }
        }
    }
    let done = run_on_gpus(&mut runs, machine, control);
    let seconds = (control.now() - began).as_secs_f64();
    let found = threads.map(runs.len(), |place| {
        let (run, number) = (&runs[place], numbers[place]);
        if !done[place] {
            return None;
        }
        let ((data, params), encoded) = (&jobs[number], encoded[number].as_ref()?);
        let body = take_out(run, encoded, params, &|| false);
        let own = Params::clone(params);
        finished(
            data,
            encoded,
            own,
            body,
            unobserved_run(run, seconds),
            &machine.one_of_many().ok()?,
        )
        .ok()
    });
    let mut all: Vec<Option<FitResult<Params, Classifiers>>> = jobs.iter().map(|_| None).collect();
    numbers.into_iter().zip(found).for_each(|(number, found)| all[number] = found);
    all
}

/// Distributes runs over the GPUs and returns which of them are finished. If a GPU fails, the failure is
/// reported and its runs are unchanged.
fn run_on_gpus(
    runs: &mut [TableRun<'_, Ternary>],
    machine: &Machine,
    control: &Control,
) -> Vec<bool> {
    let gpus = gpus(machine);
    let mut done = vec![false; runs.len()];
    let each = runs.len().div_ceil(gpus.len().max(1)).max(1);
    std::thread::scope(|scope| {
        for ((runs, done), gpu) in runs.chunks_mut(each).zip(done.chunks_mut(each)).zip(gpus) {
            scope.spawn(move || {
                let should_stop = || control.should_stop().is_some();
                match gpu.caught(|| run_on_gpu(runs, gpu, should_stop)) {
                    Ok(all) => done.fill(all),
                    Err(error) => {
                        machine.faults.hear(&Fault { error, left: machine.devices.len() - 1 });
                    }
                }
            });
        }
    });
    done
}

/// Returns the summary of a run without observers.
fn unobserved_run(run: &TableRun<'_, Ternary>, seconds: f64) -> Run {
    let plan = run.plan();
    let summary = RunSummary {
        stop: StopReason::Steps,
        step: plan.steps.unwrap_or(0),
        evaluated: run.end(),
        seconds,
        best: None,
    };
    Run { plan, records: Vec::new(), warnings: Vec::new(), remarks: Vec::new(), summary }
}
