//! Tests that no more threads run than requested. It is a separate test binary because it counts
//! the threads of the process.

#![cfg(target_os = "linux")]
#![allow(clippy::cast_possible_truncation, reason = "small sizes")]

use pellucid_cover::{Formulas, Hypothesis, Labels, Literal, Session, Table};
use pellucid_data::Values;
use pellucid_device::{Device, Threads};
use std::num::NonZeroUsize;
use std::sync::Arc;

const ROWS: usize = 30_000;

/// Returns the number of threads of this process.
fn running() -> usize {
    std::fs::read_dir("/proc/self/task").expect("the list of threads").count()
}

/// Returns twenty columns, with rows in bags of five.
fn columns() -> (Vec<(String, Values)>, Vec<u32>) {
    let column = |step: usize| (0..ROWS).map(|row| (row * step % 97) as f64).collect();
    let named = (1..21).map(|step| (format!("c{step}"), Values::Numeric(column(step))));
    (named.collect(), (0..ROWS).map(|row| (row / 5) as u32).collect())
}

fn formulas() -> Formulas {
    let mut formulas = Formulas::new();
    for root in 0..5000u32 {
        formulas.literal(Literal::new(root % 20, root % 50, root % 2 == 0));
        formulas.end_group();
        formulas.end_root();
    }
    formulas
}

/// Builds a table and evaluates formulas and programs on some devices.
fn work(threads: &Threads, devices: &[Device]) {
    let (columns, bags) = columns();
    let table = Table::with_bags_on(threads, columns, &bags).expect("a table");
    let labels = Labels::bags(&table, &vec![0; ROWS / 5], 1).expect("labels");
    let mut session =
        Session::new(Arc::new(table), labels, Hypothesis::Presence, devices).expect("a session");
    session.tally_formulas(&formulas()).expect("tallies");
    let root = session.programs_mut().parse("c1 > 40 or c2 <= 3").expect("a program");
    session.cover(&[root]).expect("coverage");
}

fn devices(threads: &Arc<Threads>) -> Vec<Device> {
    #[allow(unused_mut, reason = "one more with the emulator")]
    let mut devices = vec![Device::on_threads(Arc::clone(threads)).expect("a CPU")];
    #[cfg(feature = "emulator")]
    {
        use pellucid_device::gpu::{Emulation, emulated};
        devices.push(emulated("cuda:0", Emulation::default(), Arc::clone(threads)));
    }
    devices
}

#[test]
fn no_more_threads_run_than_requested() {
    let before = running();
    let (columns, _) = columns();
    Table::new(columns).expect("a table");
    for count in [1, 3] {
        let threads = Arc::new(Threads::new(NonZeroUsize::new(count)).expect("threads"));
        for device in devices(&threads) {
            work(&threads, &[device]);
        }
        let pool = if count == 1 { 0 } else { count };
        assert_eq!(running(), before + pool, "requested {count}");
    }
}
