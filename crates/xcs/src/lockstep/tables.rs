//! Populations that are shown the rows of tables, many of them side by side on a GPU.

use super::{constants, leaving, returned};
use crate::conditions::Ternary;
use crate::encode::Encoded;
use crate::gpu::{self, Constants, Inputs, SystemSetup, Table};
use crate::order::Order;
use crate::params::Mode;
use crate::train::TableRun;
use pellucid_data::MISSING;
use pellucid_device::{Device, DeviceError};

/// Rows that a launch shows at most, so that it can be stopped in between.
const SLICE: u64 = 20_000;

/// What a run is like, as the kernel takes it; nothing for what it does not know.
fn known(run: &TableRun<'_, Ternary>) -> Option<Constants> {
    let params = run.params();
    let constants = constants(run.system(), params.mode == Mode::Supervised)?;
    (params.condensation == 0.0).then_some(constants)
}

/// Whether a run is of a kind that a GPU knows.
pub(crate) fn is_known(run: &TableRun<'_, Ternary>) -> bool {
    known(run).is_some()
}

/// Shows some runs, which a GPU must know, all that they are to be shown. Says whether they are done: not where `should_stop`
/// said so. A run that is not done, or whose device failed, is as it was.
pub(crate) fn live_through(
    runs: &mut [TableRun<'_, Ternary>],
    device: &Device,
    should_stop: impl Fn() -> bool,
) -> Result<bool, DeviceError> {
    let unknown = || {
        DeviceError::new(device.id(), "a run has parameters that the GPU kernel does not support")
    };
    let mut tables = Vec::with_capacity(runs.len());
    let mut systems = Vec::with_capacity(runs.len());
    for (number, run) in runs.iter().enumerate() {
        let constants = known(run).ok_or_else(unknown)?;
        tables.push(packed(run.encoded()));
        let state = leaving(run.system(), None);
        systems.push(SystemSetup { constants, state, inputs: Inputs::Table(number) });
    }
    let mut there = device.open(|hardware| gpu::open(hardware, &systems, &tables))?;
    let mut orders: Vec<Ahead> = runs.iter().map(Ahead::of).collect();
    let ends: Vec<u64> = runs.iter().map(TableRun::end).collect();
    loop {
        let steps: Vec<u32> = orders
            .iter()
            .zip(&ends)
            .map(|(order, end)| u32::try_from((end - order.shown).min(SLICE)).unwrap_or(0))
            .collect();
        if steps.iter().all(|&steps| steps == 0) {
            break;
        }
        if should_stop() {
            return Ok(false);
        }
        let mut rows = Vec::with_capacity(steps.iter().map(|&steps| steps as usize).sum());
        for (order, &steps) in orders.iter_mut().zip(&steps) {
            order.next(steps, &mut rows);
        }
        device.attempt(|| there.run(&steps, true, &rows))?;
    }
    for ((run, state), order) in runs.iter_mut().zip(there.states()?).zip(orders) {
        returned(run.system_mut(), state, order.shown, None);
        run.go_on();
    }
    Ok(true)
}

/// The rows that a run will be shown, one after the other.
struct Ahead {
    order: Order,
    shown: u64,
    round: u64,
    rows: Vec<u32>,
}

impl Ahead {
    fn of(run: &TableRun<'_, Ternary>) -> Ahead {
        let shown = run.system().state.shown;
        let mut ahead = Ahead { order: run.order().clone(), shown, round: 0, rows: Vec::new() };
        ahead.turn(run.encoded().examples.rows() as u64);
        ahead
    }

    fn turn(&mut self, rows: u64) {
        self.round = self.shown / rows.max(1);
        self.order.round(self.round, &mut self.rows);
    }

    fn next(&mut self, steps: u32, into: &mut Vec<u32>) {
        let rows = self.rows.len() as u64;
        for _ in 0..steps {
            if self.shown / rows != self.round {
                self.turn(rows);
            }
            into.push(self.rows[usize::try_from(self.shown % rows).unwrap_or(0)]);
            self.shown += 1;
        }
    }
}

/// Examples of columns of two values, packed.
fn packed(encoded: &Encoded) -> Table {
    let examples = &encoded.examples;
    let words = examples.domains().len().div_ceil(64).max(1);
    let mut rows = vec![0; 2 * words * examples.rows()];
    for (row, to) in rows.chunks_exact_mut(2 * words).enumerate() {
        let (values, known) = to.split_at_mut(words);
        for (column, &code) in examples.row(row).iter().enumerate() {
            if code != MISSING {
                known[column / 64] |= 1 << (column % 64);
                values[column / 64] |= u64::from(code == 1) << (column % 64);
            }
        }
    }
    Table { rows, labels: encoded.classes.clone() }
}
