//! Builds GPU programs from a batch. The batch is split into parts, which are planned and encoded
//! in parallel on the threads of the CPU.

use super::encode::{self, Extent, Program, Sections};
use crate::batch::{Batch, Planners};
use crate::plan::{PlanLimits, SlotOrder};
use crate::table::Table;
use pellucid_bits::as_u32;
use pellucid_device::Threads;
use std::ops::Range;
use std::sync::Arc;

/// Builds programs from batches.
#[derive(Debug)]
pub(super) struct Builders {
    threads: Arc<Threads>,
    builders: Vec<Builder>,
    /// The number of builders used for the current batch.
    used: usize,
}

/// Builds one program, and keeps its memory between batches.
#[derive(Debug, Default)]
struct Builder {
    planners: Planners,
    program: Program,
    /// Roots that do not fit into a block.
    too_large: Vec<usize>,
}

/// The minimum number of roots for which other threads are used. Waking them takes as long as
/// building a thousand roots.
const MIN_PARALLEL_ROOTS: usize = 4096;

/// Options for building a batch.
#[derive(Clone, Copy, Debug)]
pub(super) struct BuildOptions {
    /// The minimum number of parts.
    pub(super) parts: usize,
    /// The maximum number of slots of a plan.
    pub(super) slots: usize,
    /// Whether to search for conjunctions that several formulas share.
    pub(super) share: bool,
}

impl Builders {
    pub(super) fn new(threads: Arc<Threads>) -> Builders {
        Builders { threads, builders: Vec::new(), used: 0 }
    }

    /// Returns the threads used for building.
    pub(super) fn threads(&self) -> &Threads {
        &self.threads
    }

    /// Returns the number of parts that are built in parallel for `roots` roots.
    pub(super) fn parallel_parts(&self, roots: usize) -> usize {
        if roots < MIN_PARALLEL_ROOTS { 1 } else { self.threads.count() }
    }

    /// Builds a batch. Returns the roots that do not fit into a block.
    pub(super) fn build(
        &mut self,
        table: &Table,
        batch: &Batch<'_>,
        options: BuildOptions,
    ) -> Vec<usize> {
        let size = batch.len().div_ceil(options.parts.max(1)).max(1);
        self.used = batch.len().div_ceil(size);
        if self.builders.len() < self.used {
            self.builders.resize_with(self.used, Builder::default);
        }
        let build = |part: usize, builder: &mut Builder| {
            let start = part * size;
            builder.build(table, batch, start..(start + size).min(batch.len()), options);
        };
        let builders = &mut self.builders[..self.used];
        if batch.len() < MIN_PARALLEL_ROOTS {
            builders.iter_mut().enumerate().for_each(|(part, builder)| build(part, builder));
        } else {
            self.threads.each(builders, build);
        }
        self.builders[..self.used].iter().flat_map(|builder| &builder.too_large).copied().collect()
    }

    pub(super) fn extent(&self) -> Extent {
        encode::extent(self.programs())
    }

    pub(super) fn write(&self, out: &mut [u32]) -> Sections {
        encode::write(self.programs(), out)
    }

    fn programs(&self) -> impl Iterator<Item = &Program> + Clone {
        self.builders[..self.used].iter().map(|builder| &builder.program)
    }
}

impl Builder {
    fn build(
        &mut self,
        table: &Table,
        batch: &Batch<'_>,
        roots: Range<usize>,
        options: BuildOptions,
    ) {
        self.program.clear();
        self.too_large.clear();
        let mut open = vec![roots];
        while let Some(range) = open.pop() {
            // One root may add many comparisons, and the planner stops only after it.
            let (max_slots, share) = (options.slots * 15 / 16, options.share);
            let part = batch.part(range.clone());
            let limits = PlanLimits { max_slots, share, slots: SlotOrder::FirstUse };
            let plans = part.plan(&mut self.planners, table, limits);
            for plan in plans.iter().filter(|plan| !plan.roots.is_empty()) {
                if plan.slots() <= options.slots {
                    self.program.add(table.columns(), plan, as_u32(range.start));
                    continue;
                }
                let roots = plan.roots.iter().map(|&(root, _)| range.start + root as usize);
                let (low, high) = roots
                    .fold((usize::MAX, 0), |(low, high), root| (low.min(root), high.max(root + 1)));
                if high - low == 1 {
                    self.too_large.push(low);
                } else {
                    let middle = low.midpoint(high);
                    open.extend([low..middle, middle..high]);
                }
            }
            self.planners.take_back(plans);
        }
    }
}
