//! One suite for every backend: generated tables, bags and programs. The oracle walks the
//! expression in `f64` over the raw values and shares no code with the engine.
//!
//! A backend is a device in the registry of `pellucid_testdevices`. It is complete when this suite
//! passes on it.

#![allow(clippy::cast_possible_truncation, reason = "generated sizes are small")]

mod case;
mod formulas;
mod oracle;

use case::{Case, Shape};
use pellucid_bits::{BitRows, Level};
use pellucid_cover::{Hypothesis, Labels, Session, Table, Tallies, probed_schedule};
use pellucid_device::{Device, FaultListener, Schedule};
use pellucid_testdevices::{Backend, EmulatedGpu, backends, cases, cpu};
use proptest::prelude::*;
use std::sync::Arc;

/// The GPU kernels on the CPU: with the usual sizes, with memory for only a few slots, and with
/// memory for only a small part of the table.
const EMULATED: [EmulatedGpu; 3] = [
    EmulatedGpu::USUAL,
    EmulatedGpu {
        name: "emulated GPU of 60 slots",
        host_threads: 2,
        shared_bytes: 8 << 10,
        threads: 32,
        ..EmulatedGpu::USUAL
    },
    EmulatedGpu {
        name: "emulated GPU of 16 KiB",
        memory: Some(16 << 10),
        threads: 96,
        ..EmulatedGpu::USUAL
    },
];

/// Returns every backend on this machine, with one thread and with several.
fn devices() -> Vec<Backend> {
    backends(&[1, 2, 3], &EMULATED)
}

fn session(case: &Case, table: &Arc<Table>, labels: &Labels, device: &Device) -> Session {
    Session::new(Arc::clone(table), labels.clone(), case.hypothesis, std::slice::from_ref(device))
        .expect("a session")
}

fn evaluate(case: &Case, mut session: Session) -> (Tallies, BitRows) {
    let roots: Vec<_> = case
        .exprs
        .iter()
        .map(|expr| session.programs_mut().add(expr).expect("a program"))
        .collect();
    (session.tally(&roots).expect("tallies"), session.cover(&roots).expect("coverage"))
}

fn check(case: &Case) {
    let table = Arc::new(case.table());
    let labels = case.labels(&table);
    let expected = oracle::answer(case);
    for Backend { name, device } in devices() {
        let (tallies, rows) = evaluate(case, session(case, &table, &labels, &device));
        for (index, expr) in case.exprs.iter().enumerate() {
            let covered: Vec<usize> = rows.ones(index).collect();
            assert_eq!(covered, expected.rows[index], "{name}: rows covered by {expr}");
            assert_eq!(
                tallies.of(index),
                expected.counts[index],
                "{name}: {} of {expr}",
                case.hypothesis
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(160), ..ProptestConfig::default() })]

    #[test]
    fn small_tables(seed: u64, rows in 0usize..140, bags: bool) {
        check(&Case::new(seed, &Shape { rows, columns: 6, roots: 12, bags }));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(24), ..ProptestConfig::default() })]

    #[test]
    fn around_word_block_and_tile_edges(
        seed: u64,
        rows in prop::sample::select(vec![
            0, 1, 63, 64, 65, 511, 512, 513, 1023, 1025, 4095, 4096, 4097, 8191, 8193, 9000,
        ]),
        bags: bool,
    ) {
        check(&Case::new(seed, &Shape { rows, columns: 4, roots: 6, bags }));
    }

    #[test]
    fn many_roots_that_share_parts(seed: u64, rows in 500usize..3000, bags: bool) {
        check(&Case::new(seed, &Shape { rows, columns: 3, roots: 60, bags }));
    }
}

#[test]
fn more_distinct_values_than_fit_into_sixteen_bits() {
    let rows = 70_000;
    check(&Case::distinct(rows));
}

#[test]
fn nesting_to_the_limit() {
    check(&Case::deep(300));
}

#[test]
fn many_slots_reduce_the_height_of_a_tile() {
    check(&Case::wide());
}

#[test]
fn bags_of_one_row_to_a_thousand() {
    for hypothesis in [
        Hypothesis::Presence,
        Hypothesis::AtLeast(3),
        Hypothesis::AtLeast(200),
        Hypothesis::Between(2, 40),
    ] {
        check(&Case::ragged(hypothesis));
    }
}

#[test]
fn every_schedule_gives_the_same_counts() {
    let case = Case::new(7, &Shape { rows: 3000, columns: 5, roots: 900, bags: true });
    let table = Arc::new(case.table());
    let labels = case.labels(&table);
    let cpu = |count| cpu(count, Level::Portable);
    let (expected, _) = evaluate(&case, session(&case, &table, &labels, &cpu(1)));
    let devices = [cpu(1), cpu(2), cpu(1)];
    for schedule in [
        Schedule::Idle,
        probed_schedule(&devices, &FaultListener::default()).expect("a probe"),
        Schedule::Shares(vec![0.9, 0.0, 0.1]),
        Schedule::Shares(vec![]),
    ] {
        let mut session =
            Session::new(Arc::clone(&table), labels.clone(), case.hypothesis, &devices)
                .expect("a session");
        session.set_schedule(schedule.clone());
        let (tallies, _) = evaluate(&case, session);
        assert_eq!(tallies, expected, "{schedule:?}");
    }
}
