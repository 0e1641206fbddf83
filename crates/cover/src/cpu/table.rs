//! A table in main memory, and how a batch is split over threads.

use super::{Scratch, Sweep, SweepOutput, max_slots};
use crate::Resident;
use crate::batch::{Batch, Planners};
use crate::plan::{Plan, PlanLimits, SlotOrder};
use crate::table::{Layout, TILE_BLOCKS, Table, in_row_order};
use pellucid_bits::{BitRows, Block, Level};
use pellucid_device::{DeviceError, Processor, Workers};
use std::ops::Range;
use std::sync::Arc;

/// The memory of a thread that works on a batch.
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
    /// The counts of each thread for the current batch.
    sums: Workers<Vec<u64>>,
    table: Arc<Table>,
}

/// The maximum number of row ranges per thread. A large number evens out the load: no thread waits
/// long for the last one, and a delayed thread leaves work to the others.
const RANGES_PER_THREAD: usize = 16;
/// The minimum work of a range, in slots and roots of one block: a few microseconds. Smaller ranges
/// cost more than they even out.
const MIN_RANGE_WORK: usize = 1 << 12;

/// The minimum number of blocks of rows for which shared conjunctions are worth finding.
const MANY_BLOCKS: usize = 64;

impl Resident for CpuTable {
    fn tally(&mut self, batch: &Batch<'_>, counts: &mut [u64]) -> Result<(), DeviceError> {
        if batch.is_empty() || batch.width() == 0 {
            return Ok(());
        }
        if self.level == Level::Scalar {
            self.by_roots(batch, counts, |part, counts| part.plain_tally(&self.table, counts));
        } else if self.is_small() {
            // Few rows: planning is most of the work, so the roots are split and each thread plans
            // its own roots.
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

    /// Returns whether there are too few tiles, or panels of bags, to give every thread some. For
    /// one thread this is always true.
    fn is_small(&self) -> bool {
        let threads = self.threads();
        threads == 1
            || self.table.tiles() < 2 * threads
            || ranges(self.table.layout(), threads).len() < threads
    }

    fn plan(&self, batch: &Batch<'_>, worker: &mut Worker) -> Vec<Plan> {
        let share = self.table.layout().blocks() >= MANY_BLOCKS;
        let limits = PlanLimits { max_slots: max_slots(), share, slots: SlotOrder::ByColumn };
        batch.plan(&mut worker.planners, &self.table, limits)
    }

    /// Plans a batch and processes all rows on one thread.
    fn plan_and_sweep(&self, batch: &Batch<'_>, output: SweepOutput<'_, '_>) {
        self.workers.lend(|worker| {
            let plans = self.plan(batch, worker);
            let blocks = 0..self.table.layout().blocks();
            self.sweep(&plans, blocks, output, &mut worker.scratch);
            worker.planners.take_back(plans);
        });
    }

    /// Splits the roots over threads. `out` has the same number of entries for each root.
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

    /// Splits the rows over threads. Each thread counts in its own memory.
    fn by_rows(&mut self, batch: &Batch<'_>, counts: &mut [u64]) {
        self.sums.memories().for_each(Vec::clear);
        self.with_plans(batch, |plans| {
            let ranges = self.ranges(plans);
            self.workers.threads().map(ranges.len(), |index| {
                self.sums.lend(|sum| {
                    sum.resize(counts.len(), 0);
                    let (blocks, output) = (ranges[index].clone(), SweepOutput::counts(batch, sum));
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

    /// Splits the rows over threads. Each thread writes its rows for all roots.
    fn cover_by_rows(&self, batch: &Batch<'_>, rows: Vec<&mut [Block]>) {
        struct RangeOutput<'a> {
            blocks: Range<usize>,
            bits: Vec<&'a mut [Block]>,
        }
        let ranges = ranges(self.table.layout(), self.threads() * RANGES_PER_THREAD);
        let part = |blocks| RangeOutput { blocks, bits: Vec::with_capacity(batch.len()) };
        let mut parts: Vec<RangeOutput<'_>> = ranges.into_iter().map(part).collect();
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

    /// Returns the ranges of rows that threads take for some plans.
    fn ranges(&self, plans: &[Plan]) -> Vec<Range<usize>> {
        let layout = self.table.layout();
        let per_block: usize = plans.iter().map(|plan| plan.slots() + plan.roots.len()).sum();
        let worth = layout.blocks().saturating_mul(per_block) / MIN_RANGE_WORK;
        ranges(layout, worth.clamp(self.threads(), self.threads() * RANGES_PER_THREAD))
    }

    /// Makes plans and lends them to `work`, where all threads use them.
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
    /// Returns the output for the counts of all roots of a batch.
    fn counts(batch: &Batch<'a>, counts: &'a mut [u64]) -> Self {
        SweepOutput::Tally { labels: batch.labels, hypothesis: batch.hypothesis, counts }
    }
}

/// Divides the blocks of a table into about `parts` ranges, at tile boundaries, or at panel
/// boundaries if there are bags.
fn ranges(layout: &Layout, parts: usize) -> Vec<Range<usize>> {
    let step = layout.blocks().div_ceil(parts.max(1)).next_multiple_of(TILE_BLOCKS).max(1);
    let ends: Vec<usize> = match layout {
        Layout::Plain { .. } => {
            (step..layout.blocks()).step_by(step).chain([layout.blocks()]).collect()
        }
        Layout::Bags(bags) => {
            bags.panels().iter().map(|panel| panel.first_block + panel.height).collect()
        }
    };
    let mut ranges = Vec::new();
    let mut start = 0;
    for (index, &end) in ends.iter().enumerate() {
        if end - start >= step || index + 1 == ends.len() {
            ranges.push(start..end);
            start = end;
        }
    }
    ranges
}
