//! A plan: lists of steps over numbered slots.
//!
//! A **slot** holds the bits of one literal or part for the rows of one tile. The plan defines the
//! content of the slots. First come the **leaves**, one per distinct test and polarity, sorted by
//! column so that a column's planes are read once while they are in the cache. Then come the
//! **parts**: subformulas that several roots share or that are nested too deeply. The **roots**
//! come last.
//!
//! A part or root is a list of [`Groups`]: an OR of ANDs of slots, optionally complemented. Two
//! levels are enough: a deeper subformula becomes a separate part, and an AND of ORs is the
//! complement of an OR of ANDs of negated leaves.
//!
//! Roots are sorted by their shape (the lengths of their groups, shortest first), so that the
//! branch predictor of the CPU sees the same loop many times in a row.

use super::nodes::Test;
use super::pipeline::SlotOrder;
use super::shape::{Shape, sort_by_shape};
use pellucid_bits::as_u32;

/// One distinct test, plain or negated. Its slot is its index in [`Plan::leaves`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LeafJob {
    pub(crate) column: u32,
    pub(crate) test: Test,
    pub(crate) negate: bool,
}

/// An OR of ANDs of slots.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Groups {
    first_literal: u32,
    first_length: u32,
    groups: u32,
    pub(crate) complement: bool,
}

/// The steps that compute some roots.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// The leaves, which take the first slots.
    pub(crate) leaves: Vec<LeafJob>,
    /// The parts, which take the slots after the leaves. Each uses only leaves and earlier parts.
    pub(crate) parts: Vec<Groups>,
    /// The index of each root in the batch, and its groups.
    pub(crate) roots: Vec<(u32, Groups)>,
    /// The shapes of the roots, in the order in which they were added.
    shapes: Vec<Shape>,
    literals: Vec<u32>,
    lengths: Vec<u32>,
}

impl Plan {
    /// Returns the number of slots.
    pub(crate) fn slots(&self) -> usize {
        self.leaves.len() + self.parts.len()
    }

    /// Clears the plan but keeps the allocated memory.
    pub(crate) fn clear(&mut self) {
        self.leaves.clear();
        self.parts.clear();
        self.roots.clear();
        self.shapes.clear();
        self.literals.clear();
        self.lengths.clear();
    }

    /// Adds a leaf. Returns its slot number, which is provisional until the plan is closed.
    pub(crate) fn leaf(&mut self, job: LeafJob) -> u32 {
        self.leaves.push(job);
        as_u32(self.leaves.len() - 1)
    }

    /// Adds a part. Returns its slot number, which is provisional until the plan is closed.
    pub(crate) fn part(&mut self, groups: Groups) -> u32 {
        self.parts.push(groups);
        PART | as_u32(self.parts.len() - 1)
    }

    /// Begins a part or root without groups.
    pub(crate) fn begin(&self) -> Groups {
        Groups {
            first_literal: as_u32(self.literals.len()),
            first_length: as_u32(self.lengths.len()),
            groups: 0,
            complement: false,
        }
    }

    /// Adds the slots of several items to the current group. The function returns the slot of an
    /// item, and may add leaves.
    #[inline]
    pub(crate) fn literals<T: Copy>(
        &mut self,
        items: &[T],
        mut slot: impl FnMut(&mut Vec<LeafJob>, T) -> u32,
    ) {
        let Plan { literals, leaves, .. } = self;
        literals.extend(items.iter().map(|&item| slot(leaves, item)));
    }

    /// Adds a slot to the current group.
    #[inline]
    pub(crate) fn literal(&mut self, slot: u32) {
        self.literals.push(slot);
    }

    /// Ends a group of `slots` slots.
    #[inline]
    pub(crate) fn end_group(&mut self, groups: &mut Groups, slots: usize) {
        self.lengths.push(as_u32(slots));
        groups.groups += 1;
    }

    /// Ends several groups, whose slots follow each other: the first starts at `start`, and each ends
    /// at an end.
    #[inline]
    pub(crate) fn end_groups(&mut self, groups: &mut Groups, mut start: u32, ends: &[u32]) {
        self.lengths.extend(ends.iter().map(|&end| end - std::mem::replace(&mut start, end)));
        groups.groups += as_u32(ends.len());
    }

    /// Writes a complete part or root: an OR of groups with the given lengths, whose slots follow
    /// each other.
    pub(crate) fn write_groups(
        &mut self,
        slots: impl Iterator<Item = u32>,
        lengths: impl Iterator<Item = u32>,
        complement: bool,
    ) -> Groups {
        let groups = self.begin();
        self.literals.extend(slots);
        self.lengths.extend(lengths);
        let count = as_u32(self.lengths.len()) - groups.first_length;
        Groups { groups: count, complement, ..groups }
    }

    /// Adds a root. If no shape is given, it is computed.
    pub(crate) fn root(&mut self, index: u32, groups: Groups, shape: Option<Shape>) {
        let lengths = || self.groups(groups).0.iter().map(|&length| length as usize);
        let shape = shape.unwrap_or_else(|| Shape::of(lengths()));
        self.roots.push((index, groups));
        self.shapes.push(shape);
    }

    /// Closes the plan: sorts the roots and numbers the slots.
    pub(crate) fn close(&mut self, slots: SlotOrder) {
        sort_by_shape(&self.shapes, &mut self.roots);
        match slots {
            SlotOrder::ByColumn => number_slots(self),
            SlotOrder::FirstUse if self.parts.is_empty() => {}
            SlotOrder::FirstUse => {
                let leaves = as_u32(self.leaves.len());
                for literal in self.literals.iter_mut().filter(|literal| **literal & PART != 0) {
                    *literal = leaves + (*literal & !PART);
                }
            }
        }
    }

    /// Returns the indices of the leaves sorted by column, comparisons by order first.
    pub(crate) fn leaves_by_column(&self) -> Vec<u32> {
        let key = |leaf: &LeafJob| 2 * leaf.column as usize + usize::from(!leaf.test.is_by_order());
        // A counting sort: there are few columns, and the order within a column does not matter.
        let keys = self.leaves.iter().map(|leaf| key(leaf) + 1).max().unwrap_or(0);
        let mut next = vec![0u32; keys + 1];
        self.leaves.iter().for_each(|leaf| next[key(leaf) + 1] += 1);
        for key in 0..keys {
            next[key + 1] += next[key];
        }
        let mut order = vec![0; self.leaves.len()];
        for (index, leaf) in (0u32..).zip(&self.leaves) {
            let position = &mut next[key(leaf)];
            order[*position as usize] = index;
            *position += 1;
        }
        order
    }

    /// Returns the lengths of the groups, and the literals from the first literal of the first
    /// group on.
    pub(crate) fn groups(&self, groups: Groups) -> (&[u32], &[u32]) {
        let first = groups.first_length as usize;
        (
            &self.lengths[first..first + groups.groups as usize],
            &self.literals[groups.first_literal as usize..],
        )
    }
}

/// Marks a provisional slot number of a part.
const PART: u32 = 1 << 31;

/// Numbers the slots: leaves by column, comparisons by order first, then parts.
fn number_slots(plan: &mut Plan) {
    let order = plan.leaves_by_column();
    let mut position = vec![0; order.len()];
    (0u32..).zip(&order).for_each(|(slot, &leaf)| position[leaf as usize] = slot);
    plan.leaves = order.iter().map(|&leaf| plan.leaves[leaf as usize]).collect();
    let leaves = as_u32(plan.leaves.len());
    for literal in &mut plan.literals {
        *literal = if *literal & PART == 0 {
            position[*literal as usize]
        } else {
            leaves + (*literal & !PART)
        };
    }
}
