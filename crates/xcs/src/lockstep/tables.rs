//! Populations that learn from the rows of tables, many of them in parallel on a GPU.

use super::{constants, export_state, import_state};
use crate::conditions::Ternary;
use crate::encode::Encoded;
use crate::gpu::{self, Constants, Inputs, SystemSetup, Table};
use crate::order::Order;
use crate::params::Mode;
use crate::train::TableRun;
use pellucid_data::MISSING;
use pellucid_device::{Device, DeviceError};

/// The maximum number of rows per launch, so that a run can be stopped between launches.
const SLICE: u64 = 20_000;

/// Returns the constants of a run for the kernel, or `None` if the kernel does not support the run.
fn gpu_constants(run: &TableRun<'_, Ternary>) -> Option<Constants> {
    let params = run.params();
    let constants = constants(run.system(), params.mode == Mode::Supervised)?;
    (params.condensation == 0.0).then_some(constants)
}

/// Returns whether the kernel supports a run.
pub(crate) fn is_supported(run: &TableRun<'_, Ternary>) -> bool {
    gpu_constants(run).is_some()
}

/// Runs all steps of runs that the kernel supports. Returns whether they are finished: `false` if
/// `should_stop` returned true. If the runs are not finished or the device fails, they are unchanged.
pub(crate) fn run_on_gpu(
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
        let constants = gpu_constants(run).ok_or_else(unknown)?;
        tables.push(pack_table(run.encoded()));
        let state = export_state(run.system(), None);
        systems.push(SystemSetup { constants, state, inputs: Inputs::Table(number) });
    }
    let mut there = device.open(|hardware| gpu::open(hardware, &systems, &tables))?;
    let mut orders: Vec<RowSequence> = runs.iter().map(RowSequence::of).collect();
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
        import_state(run.system_mut(), state, order.shown, None);
        run.go_on();
    }
    Ok(true)
}

/// The sequence of the next rows of a run.
struct RowSequence {
    order: Order,
    shown: u64,
    round: u64,
    rows: Vec<u32>,
}

impl RowSequence {
    fn of(run: &TableRun<'_, Ternary>) -> RowSequence {
        let shown = run.system().state.shown;
        let mut sequence =
            RowSequence { order: run.order().clone(), shown, round: 0, rows: Vec::new() };
        sequence.start_round(run.encoded().examples.rows() as u64);
        sequence
    }

    fn start_round(&mut self, rows: u64) {
        self.round = self.shown / rows.max(1);
        self.order.round(self.round, &mut self.rows);
    }

    fn next(&mut self, steps: u32, into: &mut Vec<u32>) {
        let rows = self.rows.len() as u64;
        for _ in 0..steps {
            if self.shown / rows != self.round {
                self.start_round(rows);
            }
            into.push(self.rows[usize::try_from(self.shown % rows).unwrap_or(0)]);
            self.shown += 1;
        }
    }
}

/// Packs examples with binary columns into words.
fn pack_table(encoded: &Encoded) -> Table {
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
