//! A run that was interrupted and resumed gives the same model as an uninterrupted run.

use crate::cases::{learned, noisy, plain_machine, small};
use pellucid_data::Dataset;
use pellucid_learn::checkpoint::Cadence;
use pellucid_learn::learner::learn;
use pellucid_learn::params::{Check, ClassWeights};
use pellucid_learn::run::{Control, Driver, Observer, Record, Run, Silent, StopReason};
use pellucid_rules::Rules;
use pellucid_rules::params::{Mode, Params};
use std::path::Path;

/// Interrupts the run after some steps.
pub(crate) struct Impatient {
    pub(crate) control: Control,
    pub(crate) steps: u64,
}

impl Observer for Impatient {
    fn record(&mut self, record: &Record) {
        if record.step >= self.steps {
            self.control.interrupt();
        }
    }
}

fn driver(control: &Control, path: &Path) -> Driver {
    Driver::new(control).checkpoint(path, Cadence::Steps(1)).resume(true)
}

/// Runs up to some step, or to the end.
fn part(data: &Dataset, params: &Params, path: &Path, steps: Option<u64>) -> (String, Run) {
    let control = Control::new();
    let mut impatient = steps.map(|steps| Impatient { control: control.clone(), steps });
    let observer: &mut dyn Observer = match &mut impatient {
        Some(impatient) => impatient,
        None => &mut Silent,
    };
    let machine = plain_machine();
    let params = params.clone().check().unwrap();
    let learned =
        learn::<Rules>(data, params, &machine, &driver(&control, path), observer).unwrap();
    (learned.model.to_json().unwrap(), learned.run)
}

fn resumed_is_never_stopped(mode: Mode, has_bags: bool) {
    check(&noisy(5, has_bags), small(mode, 9));
}

pub(crate) fn check(data: &Dataset, params: Params) {
    let mode = params.mode;
    let whole = learned(data, params.clone(), &plain_machine()).unwrap();
    let expected = whole.model.to_json().unwrap();
    let steps = whole.run.summary.step;
    assert!(steps > 2, "{steps} steps leave nothing to interrupt");
    let folder = tempfile::tempdir().unwrap();
    for stop in 1..steps {
        let path = folder.path().join(format!("{stop}"));
        let (_, first) = part(data, &params, &path, Some(stop));
        assert_eq!((first.summary.stop, first.summary.step), (StopReason::Interrupted, stop));
        let (model, second) = part(data, &params, &path, None);
        assert_eq!(second.plan.resumed.map(|resumed| resumed.step), Some(stop));
        assert_eq!(second.summary.step, steps);
        assert_eq!(second.summary.stop, whole.run.summary.stop);
        assert_eq!(second.summary.evaluated, whole.run.summary.evaluated);
        assert_eq!(model, expected, "{mode} taken up after step {stop}");
    }
    // Interrupted after every step.
    let path = folder.path().join("every");
    for stop in 1..steps {
        part(data, &params, &path, Some(stop));
    }
    assert_eq!(part(data, &params, &path, None).0, expected, "{mode}");
    // A finished run stays as it is.
    let (model, again) = part(data, &params, &path, None);
    assert_eq!((model, again.summary.step), (expected, steps));
}

#[test]
fn default_mode() {
    resumed_is_never_stopped(Mode::Default, true);
    resumed_is_never_stopped(Mode::Default, false);
}

#[test]
fn default_mode_with_three_classes_of_different_weight() {
    let mut data = noisy(6, true);
    let target = data.target.as_mut().unwrap();
    target.classes.push("more".into());
    target.codes.iter_mut().step_by(3).for_each(|code| *code = 2);
    let mut params = small(Mode::Default, 9);
    params.class_weights = ClassWeights::Given(vec![("more".into(), 2.5)]);
    check(&data, params);
}

#[test]
fn list_mode() {
    resumed_is_never_stopped(Mode::List, true);
    resumed_is_never_stopped(Mode::List, false);
}

#[test]
fn g3p_mi_mode() {
    resumed_is_never_stopped(Mode::G3pMi, true);
    resumed_is_never_stopped(Mode::G3pMi, false);
}

#[test]
fn pareto_mode() {
    resumed_is_never_stopped(Mode::Pareto, true);
    resumed_is_never_stopped(Mode::Pareto, false);
}

#[test]
fn a_checkpoint_of_other_data_or_another_seed_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    for mode in Mode::ALL {
        let (data, params) = (noisy(5, true), small(mode, 9));
        part(&data, &params, &path, Some(1));
        let mut other = data.clone();
        other.target.as_mut().unwrap().codes.swap(0, 1);
        let flip = |code: &mut u32| *code = 1 - *code;
        other.target.as_mut().unwrap().codes.iter_mut().take(1).for_each(flip);
        for (data, params) in [(&other, params.clone()), (&data, small(mode, 8))] {
            let control = Control::new();
            let params = params.check().unwrap();
            let driver = driver(&control, &path);
            let found = learn::<Rules>(data, params, &plain_machine(), &driver, &mut Silent);
            let error = found.expect_err("another run's checkpoint").to_string();
            assert!(error.contains("checkpoint"), "{mode}: {error}");
        }
        std::fs::remove_file(&path).unwrap();
    }
}
