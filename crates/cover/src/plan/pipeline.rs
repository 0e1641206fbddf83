//! Turns roots of any form into plans.
//!
//! A **front end** reads one form of roots: programs of a pool (`programs`), flat formulas
//! (`formulas`) or combinations of given rows (`combine`). It writes one root after the other into
//! the current plan with the methods of [`Plan`]: a leaf, a part, groups. The pipeline decides when
//! a plan is full, orders slots and roots, and reuses the memory of old plans.

use super::shape::Shape;
use super::steps::{Groups, Plan};
use pellucid_bits::as_u32;

/// The order of the leaves in a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotOrder {
    /// Leaves of one column are adjacent, comparisons by order first.
    ByColumn,
    /// In order of first use, for devices that can write slots in any order.
    FirstUse,
}

/// The requirements of a device on its plans.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlanLimits {
    /// A plan with at least this number of slots is closed.
    pub(crate) max_slots: usize,
    /// Whether to search for conjunctions that several flat formulas share. This is worth it for
    /// many rows. For programs, shared conjunctions are already known.
    pub(crate) share: bool,
    pub(crate) slots: SlotOrder,
}

/// Writes roots into plans.
pub(crate) trait FrontEnd {
    /// Writes a root with all leaves and parts it needs. Returns its groups, and its shape if that
    /// is already known.
    fn write(&mut self, plan: &mut Plan, root: usize) -> (Groups, Option<Shape>);

    /// Forgets all slots, because a new plan begins.
    fn forget_slots(&mut self);
}

/// Returns whether a conjunction is worth a slot. Without a slot, each use reads all operands. With
/// a slot, it is computed and stored once, and each use reads one slot.
#[inline]
pub(crate) fn is_worth_a_slot(uses: usize, operands: usize) -> bool {
    (uses - 1) * (operands - 1) > 2
}

/// The maximum number of old plans kept for reuse.
const MAX_SPARE: usize = 16;

/// Makes plans, and reuses the memory of old ones.
#[derive(Debug, Default)]
pub(crate) struct Pipeline {
    spare: Vec<Plan>,
}

impl Pipeline {
    /// Plans `roots` roots. When a plan reaches the maximum number of slots, the next roots go into
    /// another plan: slots that do not fit into the cache cost more than computing a leaf twice.
    #[inline]
    pub(crate) fn plan(
        &mut self,
        front: &mut impl FrontEnd,
        roots: usize,
        limits: PlanLimits,
    ) -> Vec<Plan> {
        let mut plans = Vec::new();
        let mut plan = self.spare.pop().unwrap_or_default();
        for root in 0..roots {
            if plan.slots() >= limits.max_slots {
                plan.close(limits.slots);
                front.forget_slots();
                let next = self.spare.pop().unwrap_or_default();
                plans.push(std::mem::replace(&mut plan, next));
            }
            let (groups, shape) = front.write(&mut plan, root);
            plan.root(as_u32(root), groups, shape);
        }
        plan.close(limits.slots);
        plans.push(plan);
        plans
    }

    /// Takes back plans that are no longer needed, so that the next plans can reuse their memory.
    pub(crate) fn take_back(&mut self, plans: Vec<Plan>) {
        let room = MAX_SPARE.saturating_sub(self.spare.len());
        self.spare.extend(plans.into_iter().take(room).map(|mut plan| {
            plan.clear();
            plan
        }));
    }
}
