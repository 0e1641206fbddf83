//! A batch as programs: cut into parts, which are planned and encoded side by side on the processor's threads.

use super::encode::{self, Extent, Program, Sections};
use crate::batch::{Batch, Planners};
use crate::plan::{PlanLimits, SlotOrder};
use crate::table::Table;
use pellucid_bits::as_u32;
use pellucid_device::Threads;
use std::ops::Range;
use std::sync::Arc;

/// What makes programs of batches.
#[derive(Debug)]
pub(super) struct Builders {
    threads: Arc<Threads>,
    builders: Vec<Builder>,
    /// How many of them have something of the batch at hand.
    used: usize,
}

/// What makes one program, with the memory it keeps between batches.
#[derive(Debug, Default)]
struct Builder {
    planners: Planners,
    program: Program,
    /// Roots that no block has room for.
    too_large: Vec<usize>,
}

/// Roots from which on other threads help: to wake them takes as long as to build a thousand.
const WORTH_WAKING: usize = 4096;

/// How a batch is built.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cutting {
    /// Into how many parts it is cut at least.
    pub(super) parts: usize,
    /// Slots that a plan may have.
    pub(super) slots: usize,
    /// Whether conjunctions that several formulas have are looked for.
    pub(super) share: bool,
}

impl Builders {
    pub(super) fn new(threads: Arc<Threads>) -> Builders {
        Builders { threads, builders: Vec::new(), used: 0 }
    }

    /// The threads that it builds on.
    pub(super) fn threads(&self) -> &Threads {
        &self.threads
    }

    /// How many parts of so many roots are built at a time.
    pub(super) fn beside(&self, roots: usize) -> usize {
        if roots < WORTH_WAKING { 1 } else { self.threads.count() }
    }

    /// Builds a batch. Roots that no block has room for are given back.
    pub(super) fn build(
        &mut self,
        table: &Table,
        batch: &Batch<'_>,
        cutting: Cutting,
    ) -> Vec<usize> {
        let size = batch.len().div_ceil(cutting.parts.max(1)).max(1);
        self.used = batch.len().div_ceil(size);
        if self.builders.len() < self.used {
            self.builders.resize_with(self.used, Builder::default);
        }
        let build = |part: usize, builder: &mut Builder| {
            let start = part * size;
            builder.build(table, batch, start..(start + size).min(batch.len()), cutting);
        };
        let builders = &mut self.builders[..self.used];
        if batch.len() < WORTH_WAKING {
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
    fn build(&mut self, table: &Table, batch: &Batch<'_>, roots: Range<usize>, cutting: Cutting) {
        self.program.clear();
        self.too_large.clear();
        let mut open = vec![roots];
        while let Some(range) = open.pop() {
            // A root may bring many comparisons of its own, and the planner stops only after it.
            let (most, share) = (cutting.slots * 15 / 16, cutting.share);
            let part = batch.part(range.clone());
            let limits = PlanLimits { most, share, slots: SlotOrder::AsMet };
            let plans = part.plan(&mut self.planners, table, limits);
            for plan in plans.iter().filter(|plan| !plan.roots.is_empty()) {
                if plan.slots() <= cutting.slots {
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
