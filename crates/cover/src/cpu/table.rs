//! A table in main memory, and how a batch is spread over threads.

use super::{Scratch, Sweep, SweepOutput, most_slots};
use crate::Resident;
use crate::batch::{Batch, Planners};
use crate::plan::{Plan, PlanLimits, SlotOrder};
use crate::table::{Layout, TILE_BLOCKS, Table, in_row_order};
use pellucid_bits::{BitRows, Block, Level};
use pellucid_device::{DeviceError, Processor, Workers};
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
    /// What each thread has counted of the batch at hand.
    sums: Workers<Vec<u64>>,
    table: Arc<Table>,
}

/// How many stretches of rows each thread gets at most: many, so that none waits long for the last, and a
/// thread that was held up leaves work to the others.
const STRETCHES: usize = 16;
/// Slots and roots of one block that a stretch has at least, some microseconds of work; to hand out less
/// costs more than it evens out.
const STRETCH_WORK: usize = 1 << 12;

/// Blocks of rows from which on a conjunction that several formulas have is worth finding.
const MANY_BLOCKS: usize = 64;

impl Resident for CpuTable {
    fn tally(&mut self, batch: &Batch<'_>, counts: &mut [u64]) -> Result<(), DeviceError> {
        if batch.is_empty() || batch.width() == 0 {
            return Ok(());
        }
        if self.level == Level::Scalar {
            self.by_roots(batch, counts, |part, counts| part.plain_tally(&self.table, counts));
        } else if self.is_small() {
            // Few rows: planning is most of the work, so the roots are split and each thread plans its own.
            self.by_roots(batch, counts, |part, counts| {
                self.plan_and_sweep(&part, SweepOutput::counts(&part, counts));
            });
        } else {
            self.by_rows(batch, counts);
        }
        Ok(())
    }

    fn cover(&mut self, batch: &Batch<'_>) -> Result<BitRows, DeviceError> {
        if self.level == Level::Scalar {
            return Ok(batch.plain_cover(&self.table));
        }
        let layout = self.table.layout();
        let mut bits = vec![Block::ZERO; batch.len() * layout.blocks()];
        if !bits.is_empty() {
            let mut rows: Vec<&mut [Block]> = bits.chunks_exact_mut(layout.blocks()).collect();
            if self.is_small() {
                self.by_roots(batch, &mut rows, |part, rows| {
                    self.plan_and_sweep(&part, SweepOutput::Cover { bits: rows });
                });
            } else {
                self.cover_by_rows(batch, rows);
            }
        }
        Ok(in_row_order(self.workers.threads(), layout, bits, batch.len()))
    }
}

impl CpuTable {
    pub(crate) fn new(processor: &Processor, table: &Arc<Table>) -> CpuTable {
        CpuTable {
            level: processor.level(),
            workers: processor.workers(),
            sums: Workers::new(Arc::clone(processor.threads())),
            table: Arc::clone(table),
        }
    }

    fn threads(&self) -> usize {
        self.workers.threads().count()
    }

    /// Whether there are too few tiles, or panels of bags, to give every thread some; for one thread they
    /// always are.
    fn is_small(&self) -> bool {
        let threads = self.threads();
        threads == 1
            || self.table.tiles() < 2 * threads
            || stretches(self.table.layout(), threads).len() < threads
    }

    fn plan(&self, batch: &Batch<'_>, worker: &mut Worker) -> Vec<Plan> {
        let share = self.table.layout().blocks() >= MANY_BLOCKS;
        let limits = PlanLimits { most: most_slots(), share, slots: SlotOrder::ByColumn };
        batch.plan(&mut worker.planners, &self.table, limits)
    }

    /// All rows on one thread.
    fn plan_and_sweep(&self, batch: &Batch<'_>, output: SweepOutput<'_, '_>) {
        self.workers.lend(|worker| {
            let plans = self.plan(batch, worker);
            let blocks = 0..self.table.layout().blocks();
            self.sweep(&plans, blocks, output, &mut worker.scratch);
            worker.planners.take_back(plans);
        });
    }

    /// Threads take roots: so many of what comes out belong to each.
    fn by_roots<T: Send>(
        &self,
        batch: &Batch<'_>,
        out: &mut [T],
        work: impl Fn(Batch<'_>, &mut [T]) + Sync,
    ) {
        let (size, width) = (batch.len().div_ceil(self.threads()), out.len() / batch.len());
        let mut parts: Vec<&mut [T]> = out.chunks_mut(size * width).collect();
        self.workers.threads().each(&mut parts, |index, out| {
            let first = index * size;
            work(batch.part(first..(first + size).min(batch.len())), out);
        });
    }

    /// Threads take stretches of rows, and each adds up what it counts in memory of its own.
    fn by_rows(&mut self, batch: &Batch<'_>, counts: &mut [u64]) {
        self.sums.memories().for_each(Vec::clear);
        self.with_plans(batch, |plans| {
            let stretches = self.stretches(plans);
            self.workers.threads().map(stretches.len(), |index| {
                self.sums.lend(|sum| {
                    sum.resize(counts.len(), 0);
                    let (blocks, output) =
                        (stretches[index].clone(), SweepOutput::counts(batch, sum));
                    self.workers.lend(|worker| {
                        self.sweep(plans, blocks, output, &mut worker.scratch);
                    });
                });
            });
        });
        for sum in self.sums.memories() {
            counts.iter_mut().zip(sum).for_each(|(count, more)| *count += *more);
        }
    }

    /// Threads take stretches of rows, and write them for all roots.
    fn cover_by_rows(&self, batch: &Batch<'_>, rows: Vec<&mut [Block]>) {
        struct Stretch<'a> {
            blocks: Range<usize>,
            bits: Vec<&'a mut [Block]>,
        }
        let stretches = stretches(self.table.layout(), self.threads() * STRETCHES);
        let part = |blocks| Stretch { blocks, bits: Vec::with_capacity(batch.len()) };
        let mut parts: Vec<Stretch<'_>> = stretches.into_iter().map(part).collect();
        for mut row in rows {
            for part in &mut parts {
                part.bits.push(row.split_off_mut(..part.blocks.len()).unwrap_or_default());
            }
        }
        self.with_plans(batch, |plans| {
            self.workers.threads().each(&mut parts, |_, part| {
                let (blocks, output) =
                    (part.blocks.clone(), SweepOutput::Cover { bits: &mut part.bits });
                self.workers.lend(|worker| {
                    self.sweep(plans, blocks, output, &mut worker.scratch);
                });
            });
        });
    }

    /// The stretches of rows that threads take for some plans.
    fn stretches(&self, plans: &[Plan]) -> Vec<Range<usize>> {
        let layout = self.table.layout();
        let per_block: usize = plans.iter().map(|plan| plan.slots() + plan.roots.len()).sum();
        let worth = layout.blocks().saturating_mul(per_block) / STRETCH_WORK;
        stretches(layout, worth.clamp(self.threads(), self.threads() * STRETCHES))
    }

    /// Makes plans that all threads use.
    fn with_plans(&self, batch: &Batch<'_>, work: impl FnOnce(&[Plan])) {
        let plans = self.workers.lend(|worker| self.plan(batch, worker));
        work(&plans);
        self.workers.lend(|worker| worker.planners.take_back(plans));
    }

    fn sweep(
        &self,
        plans: &[Plan],
        blocks: Range<usize>,
        output: SweepOutput<'_, '_>,
        scratch: &mut Scratch,
    ) {
        self.level.run(Sweep { table: &self.table, plans, blocks, output, scratch });
    }
}

impl<'a> SweepOutput<'a, '_> {
    /// Counts of all roots of a batch.
    fn counts(batch: &Batch<'a>, counts: &'a mut [u64]) -> Self {
        SweepOutput::Tally { labels: batch.labels, hypothesis: batch.hypothesis, counts }
    }
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
