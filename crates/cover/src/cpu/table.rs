//! A table in main memory, and how a batch is spread over threads.

use super::{Scratch, Sweep, Wanted, most_slots};
use crate::Resident;
use crate::batch::{Batch, Planners};
use crate::plan::{Plan, PlanLimits, SlotOrder};
use crate::table::{Layout, TILE_BLOCKS, Table, in_row_order};
use pellucid_bits::{BitRows, Block, Level};
use pellucid_device::{DeviceError, Processor, Workers};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// What a thread needs to work on a batch.
#[derive(Debug, Default)]
struct Worker {
    planners: Planners,
    scratch: Scratch,
}

/// A table in main memory.
#[derive(Debug)]
pub(crate) struct CpuTable {
    level: Level,
    workers: Arc<Workers<Worker>>,
    table: Arc<Table>,
}

/// How many stretches of rows each thread gets: many, so that none waits long for the last, and a thread that was held up
/// leaves work to the others.
const STRETCHES: usize = 16;

/// Blocks of rows from which on a conjunction that several formulas have is worth finding.
const MANY_BLOCKS: usize = 64;

impl Resident for CpuTable {
    fn tally(&mut self, batch: &Batch<'_>, counts: &mut [u64]) -> Result<(), DeviceError> {
        let classes = batch.classes();
        if self.level == Level::Scalar {
            self.by_roots(batch, counts, |part, counts| part.plain_tally(&self.table, counts));
        } else if self.threads() == 1 {
            self.workers.lend(|worker| self.plan_and_sweep(*batch, worker, counts));
        } else if self.is_small() {
            // Few rows: planning is most of the work, so the roots are split and each thread plans its own.
            self.by_roots(batch, counts, |part, counts| {
                self.workers.lend(|worker| self.plan_and_sweep(part, worker, counts));
            });
        } else {
            let plans = self.workers.lend(|worker| self.plan(batch, worker));
            let stretches = stretches(self.table.layout(), self.threads() * STRETCHES);
            let none = || vec![0; batch.len() * classes];
            let count = |mut counts: Vec<u64>, blocks| {
                self.workers.lend(|worker| self.sweep(*batch, &plans, blocks, worker, &mut counts));
                counts
            };
            let sum = self.workers.threads().install(|| {
                stretches.into_par_iter().with_max_len(1).fold(none, count).reduce_with(added)
            });
            let sum = sum.into_iter().flatten();
            counts.iter_mut().zip(sum).for_each(|(count, sum)| *count += sum);
        }
        Ok(())
    }

    fn cover(&mut self, batch: &Batch<'_>) -> Result<BitRows, DeviceError> {
        if self.level == Level::Scalar {
            return Ok(batch.plain_cover(&self.table));
        }
        let layout = self.table.layout();
        let mut bits = vec![Block::ZERO; batch.len() * layout.blocks()];
        self.workers.lend(|worker| {
            let plans = self.plan(batch, worker);
            let (blocks, scratch) = (0..layout.blocks(), &mut worker.scratch);
            let wanted = Wanted::Cover { bits: &mut bits };
            self.level.run(Sweep { table: &self.table, plans: &plans, blocks, wanted, scratch });
        });
        Ok(in_row_order(layout, bits, batch.len()))
    }
}

impl CpuTable {
    pub(crate) fn new(processor: &Processor, table: &Arc<Table>) -> CpuTable {
        let (level, workers) = (processor.level(), processor.workers());
        CpuTable { level, workers, table: Arc::clone(table) }
    }

    fn threads(&self) -> usize {
        self.workers.threads().count()
    }

    /// Whether there are too few tiles, or panels of bags, to give every thread some.
    fn is_small(&self) -> bool {
        let threads = self.threads();
        self.table.tiles() < 2 * threads || stretches(self.table.layout(), threads).len() < threads
    }

    fn plan(&self, batch: &Batch<'_>, worker: &mut Worker) -> Vec<Plan> {
        let share = self.table.layout().blocks() >= MANY_BLOCKS;
        let limits = PlanLimits { most: most_slots(), share, slots: SlotOrder::ByColumn };
        batch.plan(&mut worker.planners, &self.table, limits)
    }

    /// All rows on one thread.
    fn plan_and_sweep(&self, batch: Batch<'_>, worker: &mut Worker, counts: &mut [u64]) {
        let plans = self.plan(&batch, worker);
        self.sweep(batch, &plans, 0..self.table.layout().blocks(), worker, counts);
        worker.planners.take_back(plans);
    }

    fn by_roots(
        &self,
        batch: &Batch<'_>,
        counts: &mut [u64],
        work: impl Fn(Batch<'_>, &mut [u64]) + Sync,
    ) {
        if batch.is_empty() || batch.classes() == 0 {
            return;
        }
        if self.threads() == 1 {
            return work(*batch, counts);
        }
        let size = batch.len().div_ceil(self.threads());
        self.workers.threads().install(|| {
            counts.par_chunks_mut(size * batch.classes()).enumerate().for_each(
                |(index, counts)| {
                    let first = index * size;
                    work(batch.part(first..(first + size).min(batch.len())), counts);
                },
            );
        });
    }

    fn sweep(
        &self,
        batch: Batch<'_>,
        plans: &[Plan],
        blocks: Range<usize>,
        worker: &mut Worker,
        counts: &mut [u64],
    ) {
        let wanted = Wanted::Tally { labels: batch.labels, hypothesis: batch.hypothesis, counts };
        let (table, scratch) = (&*self.table, &mut worker.scratch);
        self.level.run(Sweep { table, plans, blocks, wanted, scratch });
    }
}

fn added(mut sum: Vec<u64>, part: Vec<u64>) -> Vec<u64> {
    sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
    sum
}

/// Cuts the blocks of a table into about `parts` stretches: at tiles, or at panels where there are bags.
fn stretches(layout: &Layout, parts: usize) -> Vec<Range<usize>> {
    let step = layout.blocks().div_ceil(parts.max(1)).next_multiple_of(TILE_BLOCKS).max(1);
    let ends: Vec<usize> = match layout {
        Layout::Plain { .. } => {
            (step..layout.blocks()).step_by(step).chain([layout.blocks()]).collect()
        }
        Layout::Bags(bags) => {
            bags.panels().iter().map(|panel| panel.first_block + panel.height).collect()
        }
    };
    let mut stretches = Vec::new();
    let mut start = 0;
    for (index, &end) in ends.iter().enumerate() {
        if end - start >= step || index + 1 == ends.len() {
            stretches.push(start..end);
            start = end;
        }
    }
    stretches
}
