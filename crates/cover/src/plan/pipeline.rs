//! From roots to plans, whatever the roots are written in.
//!
//! A **front end** knows its own formulas: programs of a pool (`programs`), flat formulas (`formulas`),
//! combinations of given rows (`combine`). It writes one root after the other into the plan at hand, by the
//! few verbs of [`Plan`]: a leaf, a part, groups. The pipeline says when a plan is full and the next begins,
//! gives slots and roots their order, and keeps the memory of plans that were done with.

use super::shape::Shape;
use super::steps::{Groups, Plan};
use pellucid_bits::as_u32;

/// In which order the leaves of a plan lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotOrder {
    /// Those of one column next to each other, comparisons by order first.
    ByColumn,
    /// As they were met, for devices that can write slots in any order.
    AsMet,
}

/// What a device wishes of its plans.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlanLimits {
    /// A plan that has reached so many slots is closed.
    pub(crate) most: usize,
    /// Whether conjunctions that several flat formulas have are looked for, which pays where there are many
    /// rows; among programs they are known anyway.
    pub(crate) share: bool,
    pub(crate) slots: SlotOrder,
}

/// What writes roots into plans.
pub(crate) trait FrontEnd {
    /// Writes a root, with all leaves and parts it needs, and says its shape where that is known anyway.
    fn write(&mut self, plan: &mut Plan, root: usize) -> (Groups, Option<Shape>);

    /// A plan is closed and another begins, in which the slots that were given mean nothing.
    fn forget_slots(&mut self);
}

/// Whether a conjunction is worth a slot: so many times reading its operands, against computing it once,
/// storing it, and reading one slot each time.
#[inline]
pub(crate) fn is_worth_a_slot(uses: usize, operands: usize) -> bool {
    (uses - 1) * (operands - 1) > 2
}

/// Plans that are kept for their memory.
const SPARE: usize = 16;

/// Makes plans, and keeps the memory of those that were done with.
#[derive(Debug, Default)]
pub(crate) struct Pipeline {
    spare: Vec<Plan>,
}

impl Pipeline {
    /// Plans so many roots. A plan that has reached the most slots is closed and the next roots go into
    /// another: slots that do not fit into the cache are worse than leaves computed twice.
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
            if plan.slots() >= limits.most {
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

    /// Takes plans back that were done with: the next will need no new memory.
    pub(crate) fn take_back(&mut self, plans: Vec<Plan>) {
        let room = SPARE.saturating_sub(self.spare.len());
        self.spare.extend(plans.into_iter().take(room).map(|mut plan| {
            plan.clear();
            plan
        }));
    }
}
