//! A batch of roots as lists of steps over numbered slots.
//!
//! A **slot** holds the bits of one literal or part for the rows of one tile. The plan says what goes into the slots:
//! first **leaves**, one per distinct test and polarity, sorted by column so that a column's planes are read once while
//! they are hot; then **parts**, sub-formulas that several roots share or that nest too deep; then the **roots**.
//!
//! A part or root is a list of [`Groups`]: an OR of ANDs of slots, optionally complemented. Two levels are enough: what
//! lies deeper becomes a part of its own, and an AND of ORs is the complement of an OR of ANDs of negated leaves.
//!
//! Roots are sorted by their shape (the lengths of their groups, shortest first), so that the processor's branch
//! predictor sees the same loop many times in a row.

use super::bind::{Bound, BoundNode, Lit, Test};
use super::shape::{Shape, sort_by_shape};
use pellucid_bits::as_u32;

/// One distinct test, wanted as it is or negated; its slot is its place in [`Plan::leaves`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LeafJob {
    pub(crate) column: u32,
    pub(crate) test: Test,
    pub(crate) negate: bool,
}

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
    /// Whether conjunctions that several flat formulas have are looked for, which pays where there are many rows; among
    /// programs they are known anyway.
    pub(crate) share: bool,
    pub(crate) slots: SlotOrder,
}

/// An OR of ANDs of slots.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Groups {
    first_literal: u32,
    first_length: u32,
    groups: u32,
    pub(crate) complement: bool,
}

/// What to compute.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// Slots 0 and up.
    pub(crate) leaves: Vec<LeafJob>,
    /// The slots after the leaves; each uses leaves and earlier parts only.
    pub(crate) parts: Vec<Groups>,
    /// Which root of the batch, and how it is computed.
    pub(crate) roots: Vec<(u32, Groups)>,
    /// Of the roots, in the order in which they came.
    shapes: Vec<Shape>,
    literals: Vec<u32>,
    lengths: Vec<u32>,
}

impl Plan {
    /// How many slots there are.
    pub(crate) fn slots(&self) -> usize {
        self.leaves.len() + self.parts.len()
    }

    /// Empties the plan but keeps the memory it took.
    pub(crate) fn clear(&mut self) {
        self.leaves.clear();
        self.parts.clear();
        self.roots.clear();
        self.shapes.clear();
        self.literals.clear();
        self.lengths.clear();
    }

    /// A leaf's slot while the plan is under construction.
    pub(crate) fn leaf(&mut self, job: LeafJob) -> u32 {
        self.leaves.push(job);
        as_u32(self.leaves.len() - 1)
    }

    /// A part's slot while the plan is under construction.
    pub(crate) fn part(&mut self, groups: Groups) -> u32 {
        self.parts.push(groups);
        PART | as_u32(self.parts.len() - 1)
    }

    /// Begins a part or root: no groups yet.
    pub(crate) fn begin(&self) -> Groups {
        Groups {
            first_literal: as_u32(self.literals.len()),
            first_length: as_u32(self.lengths.len()),
            groups: 0,
            complement: false,
        }
    }

    /// Makes room for so many more slots.
    pub(crate) fn expect_literals(&mut self, number: usize) {
        self.literals.reserve(number);
    }

    /// Adds a slot to the group under construction.
    #[inline]
    pub(crate) fn literal(&mut self, slot: u32) {
        self.literals.push(slot);
    }

    /// Ends a group of so many slots.
    #[inline]
    pub(crate) fn end_group(&mut self, groups: &mut Groups, slots: usize) {
        self.lengths.push(as_u32(slots));
        groups.groups += 1;
    }

    /// Adds a root of some shape; where none is given it is found out.
    pub(crate) fn root(&mut self, index: u32, groups: Groups, shape: Option<Shape>) {
        let lengths = || self.groups(groups).0.iter().map(|&length| length as usize);
        let shape = shape.unwrap_or_else(|| Shape::of(lengths()));
        self.roots.push((index, groups));
        self.shapes.push(shape);
    }

    /// No more roots will come: they and the slots get their final order.
    pub(crate) fn close(&mut self, slots: SlotOrder) {
        sort_by_shape(&self.shapes, &mut self.roots);
        match slots {
            SlotOrder::ByColumn => number_slots(self),
            SlotOrder::AsMet if self.parts.is_empty() => {}
            SlotOrder::AsMet => {
                let leaves = as_u32(self.leaves.len());
                for literal in self.literals.iter_mut().filter(|literal| **literal & PART != 0) {
                    *literal = leaves + (*literal & !PART);
                }
            }
        }
    }

    /// The numbers of the leaves, those of one column next to each other, comparisons by order first.
    pub(crate) fn leaves_by_column(&self) -> Vec<u32> {
        let key = |leaf: &LeafJob| 2 * leaf.column as usize + usize::from(!leaf.test.is_by_order());
        // A counting sort: columns are few, and the order within one does not matter.
        let keys = self.leaves.iter().map(|leaf| key(leaf) + 1).max().unwrap_or(0);
        let mut next = vec![0u32; keys + 1];
        self.leaves.iter().for_each(|leaf| next[key(leaf) + 1] += 1);
        for key in 0..keys {
            next[key + 1] += next[key];
        }
        let mut order = vec![0; self.leaves.len()];
        for (index, leaf) in (0u32..).zip(&self.leaves) {
            let place = &mut next[key(leaf)];
            order[*place as usize] = index;
            *place += 1;
        }
        order
    }

    /// The lengths of the groups, and from the first literal of the first group on.
    pub(crate) fn groups(&self, groups: Groups) -> (&[u32], &[u32]) {
        let first = groups.first_length as usize;
        (
            &self.lengths[first..first + groups.groups as usize],
            &self.literals[groups.first_literal as usize..],
        )
    }
}

/// No slot yet.
const NONE: u32 = u32::MAX;
/// In slot numbers under construction: a part, not a leaf.
const PART: u32 = 1 << 31;

/// Makes plans; keeps its tables between batches so that a small batch costs little.
#[derive(Debug, Default)]
pub(crate) struct Planner {
    /// By literal: the slot it has in this plan.
    slots: Vec<u32>,
    /// By node: how many parents and roots use it in this plan.
    uses: Vec<u32>,
    /// What to clean up afterwards.
    touched_lits: Vec<Lit>,
    touched_nodes: Vec<usize>,
    /// Operands of the node at hand with the length of the group each makes.
    shape: Vec<(u32, Lit)>,
    /// Slots and lengths of the groups under construction, innermost last.
    literals: Vec<u32>,
    lengths: Vec<u32>,
}

impl Planner {
    /// Plans distinct roots; root `i` of the plans' output is `roots[i]`. A plan that has reached the most slots is
    /// closed and the next roots go into another: slots that do not fit into the cache are worse than leaves computed
    /// twice.
    pub(crate) fn plan(&mut self, bound: &Bound, roots: &[Lit], limits: PlanLimits) -> Vec<Plan> {
        self.slots.resize(2 * bound.len(), NONE);
        self.uses.resize(bound.len(), 0);
        self.count_uses(bound, roots);
        let mut plans = vec![Plan::default()];
        for (index, &root) in (0u32..).zip(roots) {
            let mut plan = plans.pop().unwrap_or_default();
            if plan.slots() >= limits.most {
                self.close(&mut plan, limits.slots);
                plans.push(plan);
                plan = Plan::default();
            }
            let groups = self.groups(bound, &mut plan, root, true);
            plan.root(index, groups, None);
            plans.push(plan);
        }
        plans.last_mut().into_iter().for_each(|plan| self.close(plan, limits.slots));
        self.touched_nodes.drain(..).for_each(|node| self.uses[node] = 0);
        plans
    }

    fn close(&mut self, plan: &mut Plan, slots: SlotOrder) {
        plan.close(slots);
        self.touched_lits.drain(..).for_each(|lit| self.slots[lit.index()] = NONE);
    }

    fn count_uses(&mut self, bound: &Bound, roots: &[Lit]) {
        let mut pending: Vec<usize> = roots.iter().map(|root| root.node()).collect();
        while let Some(node) = pending.pop() {
            let BoundNode::And(operands) = bound.node(node) else { continue };
            self.uses[node] += 1;
            if self.uses[node] == 1 {
                self.touched_nodes.push(node);
                if !bound.is_flat(node) {
                    pending.extend(operands.iter().map(|operand| operand.node()));
                }
            }
        }
    }

    /// Whether a conjunction is worth a slot: `uses` times reading its `n` operands, against computing it once, storing
    /// it, and reading one slot each time.
    fn is_kept(&self, node: usize, operands: &[Lit]) -> bool {
        (self.uses[node] as usize - 1) * (operands.len() - 1) > 2
    }

    /// Whether a literal is, or will be, a slot rather than a nested formula.
    fn is_slot(&self, bound: &Bound, lit: Lit) -> bool {
        match bound.node(lit.node()) {
            BoundNode::And(operands) => {
                self.slots[lit.index()] != NONE || self.is_kept(lit.node(), operands)
            }
            BoundNode::Leaf(..) | BoundNode::True => true,
        }
    }

    /// The groups of a literal. A root, unlike a part, may use the slot that its own literal has.
    fn groups(&mut self, bound: &Bound, plan: &mut Plan, lit: Lit, root: bool) -> Groups {
        let operands = match bound.node(lit.node()) {
            BoundNode::True => return self.push(bound, plan, &[], lit == Lit::TRUE),
            BoundNode::Leaf(..) => return self.push(bound, plan, &[(1, lit)], false),
            BoundNode::And(_) if root && self.is_slot(bound, lit) => {
                self.slot(bound, plan, lit);
                return self.push(bound, plan, &[(1, lit)], false);
            }
            BoundNode::And(operands) => operands,
        };
        let mut shape = std::mem::take(&mut self.shape);
        shape.clear();
        let flat = |planner: &Planner, operand: Lit| match bound.node(operand.node()) {
            _ if planner.is_slot(bound, operand) => true,
            BoundNode::And(inner) => inner.iter().all(|&lit| planner.is_slot(bound, lit)),
            _ => true,
        };
        let all_slots = operands.iter().all(|&operand| self.is_slot(bound, operand));
        let complement = if lit.negated() {
            // A disjunction: each operand, negated, is a group.
            shape.extend(
                operands.iter().map(|&operand| (self.group_length(bound, !operand), !operand)),
            );
            false
        } else if !all_slots && operands.iter().all(|&operand| flat(self, operand)) {
            // A conjunction of disjunctions: the complement of the disjunction of the negated operands.
            shape.extend(
                operands.iter().map(|&operand| (self.group_length(bound, !operand), !operand)),
            );
            true
        } else {
            let groups = self.one_group(bound, plan, operands);
            self.shape = shape;
            return groups;
        };
        shape.sort_unstable();
        let groups = self.push(bound, plan, &shape, complement);
        self.shape = shape;
        groups
    }

    fn group_length(&self, bound: &Bound, lit: Lit) -> u32 {
        match bound.node(lit.node()) {
            BoundNode::And(inner) if !lit.negated() && !self.is_slot(bound, lit) => {
                as_u32(inner.len())
            }
            _ => 1,
        }
    }

    /// Writes a single conjunction of slots.
    fn one_group(&mut self, bound: &Bound, plan: &mut Plan, operands: &[Lit]) -> Groups {
        let literals = self.literals.len();
        for &operand in operands {
            let slot = self.slot(bound, plan, operand);
            self.literals.push(slot);
        }
        let (first_literal, first_length) =
            (as_u32(plan.literals.len()), as_u32(plan.lengths.len()));
        plan.literals.extend(self.literals.drain(literals..));
        plan.lengths.push(as_u32(operands.len()));
        Groups { first_literal, first_length, groups: 1, complement: false }
    }

    /// Writes a disjunction of groups, each a slot or a conjunction of slots.
    fn push(
        &mut self,
        bound: &Bound,
        plan: &mut Plan,
        shape: &[(u32, Lit)],
        complement: bool,
    ) -> Groups {
        // Gathered apart and written at the end, because making a slot may itself write groups.
        let (literals, lengths) = (self.literals.len(), self.lengths.len());
        for &(_, lit) in shape {
            let before = self.literals.len();
            match bound.node(lit.node()) {
                BoundNode::And(inner) if !lit.negated() && !self.is_slot(bound, lit) => {
                    for &operand in inner {
                        let slot = self.slot(bound, plan, operand);
                        self.literals.push(slot);
                    }
                }
                _ => {
                    let slot = self.slot(bound, plan, lit);
                    self.literals.push(slot);
                }
            }
            self.lengths.push(as_u32(self.literals.len() - before));
        }
        let groups = Groups {
            first_literal: as_u32(plan.literals.len()),
            first_length: as_u32(plan.lengths.len()),
            groups: as_u32(shape.len()),
            complement,
        };
        plan.literals.extend(self.literals.drain(literals..));
        plan.lengths.extend(self.lengths.drain(lengths..));
        groups
    }

    /// The slot of a literal, made where it has none.
    fn slot(&mut self, bound: &Bound, plan: &mut Plan, lit: Lit) -> u32 {
        let known = self.slots[lit.index()];
        if known != NONE {
            return known;
        }
        let slot = match bound.node(lit.node()) {
            BoundNode::Leaf(column, test) => {
                plan.leaf(LeafJob { column, test, negate: lit.negated() })
            }
            BoundNode::And(_) | BoundNode::True => {
                let opposite = self.slots[(!lit).index()];
                let groups = if opposite == NONE {
                    self.groups(bound, plan, lit, false)
                } else {
                    self.push(bound, plan, &[(1, !lit)], true)
                };
                plan.part(groups)
            }
        };
        self.slots[lit.index()] = slot;
        self.touched_lits.push(lit);
        slot
    }
}

/// Leaves by column, comparisons by order first; parts after them.
fn number_slots(plan: &mut Plan) {
    let order = plan.leaves_by_column();
    let mut place = vec![0; order.len()];
    (0u32..).zip(&order).for_each(|(slot, &leaf)| place[leaf as usize] = slot);
    plan.leaves = order.iter().map(|&leaf| plan.leaves[leaf as usize]).collect();
    let leaves = as_u32(plan.leaves.len());
    for literal in &mut plan.literals {
        *literal = if *literal & PART == 0 {
            place[*literal as usize]
        } else {
            leaves + (*literal & !PART)
        };
    }
}
