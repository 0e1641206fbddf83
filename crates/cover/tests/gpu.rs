//! Tests of GPU behavior: failures, too little memory, and one GPU used as two devices. The
//! conformance suite tests the counts.

#![cfg(feature = "emulator")]
#![allow(clippy::cast_possible_truncation, reason = "small sizes")]

use pellucid_cover::{Formulas, Hypothesis, Labels, Literal, Session, Table, Tallies};
use pellucid_data::Values;
use pellucid_device::gpu::{Emulation, emulated};
use pellucid_device::{Device, DeviceErrorKind, Schedule};
use pellucid_testdevices::threads;
use std::sync::Arc;

const ROWS: usize = 5000;

/// Returns a table with three columns and bags of seven rows, and labels of two classes.
fn table() -> (Arc<Table>, Labels) {
    let column =
        |step: usize| Values::Numeric((0..ROWS).map(|row| (row * step % 97) as f64).collect());
    let columns = vec![("a".into(), column(5)), ("b".into(), column(11)), ("c".into(), column(31))];
    let bags: Vec<u32> = (0..ROWS).map(|row| (row / 7) as u32).collect();
    let table = Table::with_bags(columns, &bags).expect("a table");
    let codes: Vec<u32> = (0..ROWS.div_ceil(7)).map(|bag| (bag % 3 == 0).into()).collect();
    let labels = Labels::bags(&table, &codes, 2).expect("labels");
    (Arc::new(table), labels)
}

fn formulas() -> Formulas {
    let mut formulas = Formulas::new();
    for root in 0..90u32 {
        for group in 0..1 + root % 3 {
            for literal in 0..1 + (root + group) % 6 {
                let number = root * 7 + group * 13 + literal * 29;
                formulas.literal(Literal::new(number % 3, number % 96, number % 2 == 0));
            }
            formulas.end_group();
        }
        formulas.end_root();
    }
    formulas
}

fn gpu(emulation: Emulation) -> Device {
    emulated("cuda:0", emulation, threads(1))
}

fn cpu() -> Device {
    Device::on_threads(threads(1)).expect("a CPU")
}

fn session(devices: &[Device]) -> Session {
    let (table, labels) = table();
    Session::new(table, labels, Hypothesis::Between(2, 4), devices).expect("a session")
}

fn expected() -> Tallies {
    session(&[cpu()]).tally_formulas(&formulas()).expect("tallies")
}

/// Lets each allocation, copy and kernel fail in turn, also while the table is in transfer.
#[test]
fn the_cpu_takes_over_after_any_gpu_failure() {
    let (formulas, expected) = (formulas(), expected());
    let mut failures = 0;
    for fails_at in 0..40 {
        let failing = gpu(Emulation { fails_at: Some(fails_at), ..Emulation::default() });
        let mut session = session(&[failing, cpu()]);
        session.set_schedule(Schedule::Shares(vec![0.5, 0.5]));
        for round in 0..2 {
            session.forget_counts();
            let tallies = session.tally_formulas(&formulas).expect("the CPU still works");
            assert_eq!(tallies, expected, "operation {fails_at}, round {round}");
        }
        let rows = session.cover_formulas(&formulas).expect("the CPU still works");
        assert_eq!(rows.rows(), formulas.len());
        let faults = session.take_faults();
        assert!(faults.len() <= 1, "{faults:?}");
        for fault in &faults {
            assert_eq!((fault.error.device.as_str(), fault.left), ("cuda:0", 1));
            assert!(fault.error.reason.contains("simulated failure"), "{fault:?}");
        }
        failures += faults.len();
    }
    // Two rounds and a coverage take more than ten operations, so most of the simulated failures
    // occur.
    assert!(failures > 10, "{failures}");
}

#[test]
fn a_failure_of_the_only_gpu_is_an_error() {
    let failing = gpu(Emulation { fails_at: Some(9), ..Emulation::default() });
    let mut session = session(&[failing]);
    let mut result = Ok(());
    for _ in 0..9 {
        session.forget_counts();
        result = result.and(session.tally_formulas(&formulas()).map(|_| ()));
    }
    let error = result.expect_err("it fails at the ninth operation").to_string();
    assert!(error.starts_with("device cuda:0: "), "{error}");
}

/// Planes that do not fit are streamed through the GPU for every batch.
#[test]
fn a_table_that_does_not_fit_is_still_counted() {
    let (formulas, expected) = (formulas(), expected());
    for memory in [0, 1 << 10, 4 << 10, 32 << 10] {
        let small = gpu(Emulation { memory: Some(memory), ..Emulation::default() });
        let mut session = session(&[small]);
        for _ in 0..3 {
            session.forget_counts();
            assert_eq!(session.tally_formulas(&formulas).expect("tallies"), expected, "{memory}");
        }
    }
}

/// The formulas are sent in several trips, each of which needs all planes.
#[test]
fn rows_that_do_not_fit_are_counted_in_several_trips() {
    let (table, _) = table();
    let codes: Vec<u32> = (0..ROWS).map(|row| (row % 5 < 2).into()).collect();
    let rows = |devices: &[Device]| {
        let labels = Labels::rows(&table, &codes, 2).expect("labels");
        Session::new(Arc::clone(&table), labels, Hypothesis::Rows, devices).expect("a session")
    };
    let formulas = formulas();
    let expected = rows(&[cpu()]).tally_formulas(&formulas).expect("tallies");
    for memory in [0, 4 << 10, 32 << 10, 16 << 20] {
        for threads in [1, 3] {
            let emulation = Emulation { memory: Some(memory), ..Emulation::default() };
            let small = emulated("cuda:0", emulation, self::threads(threads));
            let mut session = rows(&[small]);
            for _ in 0..2 {
                session.forget_counts();
                let tallies = session.tally_formulas(&formulas).expect("tallies");
                assert_eq!(tallies, expected, "{memory} bytes, {threads} threads");
            }
        }
    }
}

/// All GPU memory of a session comes from its budget. With a small budget fewer blocks run. If it
/// is too small, the other devices take over the work.
#[test]
fn a_session_keeps_within_the_budget_of_its_gpu() {
    let (formulas, expected) = (formulas(), expected());
    let mut refused = Vec::new();
    for budget in [4 << 10, 64 << 10, 256 << 10, 1 << 20, 16 << 20] {
        let small = gpu(Emulation { budget: Some(budget), ..Emulation::default() });
        let mut session = session(&[small, cpu()]);
        session.set_schedule(Schedule::Shares(vec![1.0, 0.0]));
        for _ in 0..2 {
            session.forget_counts();
            assert_eq!(session.tally_formulas(&formulas).expect("tallies"), expected, "{budget}");
        }
        for fault in session.take_faults() {
            assert_eq!(fault.error.kind, DeviceErrorKind::TooSmall, "{fault}");
            refused.push(budget);
        }
    }
    assert!(refused.contains(&(4 << 10)) && !refused.contains(&(16 << 20)), "{refused:?}");
}

#[test]
fn one_gpu_as_two_devices_and_the_cpu_agree() {
    let (formulas, expected) = (formulas(), expected());
    let one = gpu(Emulation::default());
    let devices = [one.clone(), one, cpu()];
    for schedule in [Schedule::Idle, Schedule::Shares(vec![0.3, 0.5, 0.2])] {
        let mut session = session(&devices);
        session.set_schedule(schedule);
        for _ in 0..4 {
            session.forget_counts();
            assert_eq!(session.tally_formulas(&formulas).expect("tallies"), expected);
        }
        assert!(session.take_faults().is_empty());
    }
}
