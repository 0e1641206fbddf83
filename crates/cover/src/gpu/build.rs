//! Plans and encodes roots, on one thread.

use super::encode::Program;
use crate::batch::{Batch, Planners};
use crate::plan::{PlanLimits, SlotOrder};
use crate::table::Table;
use pellucid_bits::as_u32;
use std::ops::Range;

/// Builds one program, and keeps its memory between batches.
#[derive(Debug, Default)]
pub(super) struct Builder {
    planners: Planners,
    program: Program,
    /// Roots that do not fit into a block.
    too_large: Vec<usize>,
}

/// Options for building a program.
#[derive(Clone, Copy, Debug)]
pub(super) struct BuildOptions {
    /// The maximum number of slots of a plan.
    pub(super) slots: usize,
    /// Whether to search for conjunctions that several flat formulas share.
    pub(super) share: bool,
}

impl Builder {
    /// Returns the program.
    pub(super) fn program(&self) -> &Program {
        &self.program
    }

    /// Returns the roots that do not fit into a block and are not in the program.
    pub(super) fn too_large(&self) -> &[usize] {
        &self.too_large
    }

    /// Builds the program of some roots.
    pub(super) fn build(
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
