//! Turns programs into plans. A conjunction gets a slot if it is used often enough or if it is
//! nested deeper than two levels.

use super::nodes::{Lit, NodeView, Nodes};
use super::pipeline::{FrontEnd, Pipeline, PlanLimits, is_worth_a_slot};
use super::shape::Shape;
use super::steps::{Groups, LeafJob, Plan};
use pellucid_bits::as_u32;

/// Marks a literal without a slot.
const NONE: u32 = u32::MAX;

/// Plans programs. It keeps its tables between batches, so that a small batch costs little.
#[derive(Debug, Default)]
pub(crate) struct ProgramPlanner {
    /// By literal: its slot in this plan.
    slots: Vec<u32>,
    /// By node: the number of parents and roots that use it in this plan.
    uses: Vec<u32>,
    /// Entries to reset after planning.
    touched_lits: Vec<Lit>,
    touched_nodes: Vec<usize>,
    /// Operands of the current node, with the length of the group each one makes.
    shape: Vec<(u32, Lit)>,
    /// The slots and lengths of the groups being written, innermost last.
    literals: Vec<u32>,
    lengths: Vec<u32>,
}

impl ProgramPlanner {
    /// Plans distinct roots; root `i` of the plans' output is `roots[i]`.
    pub(crate) fn plan(
        &mut self,
        pipeline: &mut Pipeline,
        nodes: &Nodes,
        roots: &[Lit],
        limits: PlanLimits,
    ) -> Vec<Plan> {
        self.slots.resize(2 * nodes.len(), NONE);
        self.uses.resize(nodes.len(), 0);
        self.count_uses(nodes, roots);
        let mut front = Front { planner: self, nodes, roots };
        let plans = pipeline.plan(&mut front, roots.len(), limits);
        front.forget_slots();
        self.touched_nodes.drain(..).for_each(|node| self.uses[node] = 0);
        plans
    }

    fn count_uses(&mut self, nodes: &Nodes, roots: &[Lit]) {
        let mut pending: Vec<usize> = roots.iter().map(|root| root.node()).collect();
        while let Some(node) = pending.pop() {
            let NodeView::And(operands) = nodes.node(node) else { continue };
            self.uses[node] += 1;
            if self.uses[node] == 1 {
                self.touched_nodes.push(node);
                if !nodes.is_flat(node) {
                    pending.extend(operands.iter().map(|operand| operand.node()));
                }
            }
        }
    }

    /// Returns whether a conjunction is worth a slot.
    fn is_worth_keeping(&self, node: usize, operands: &[Lit]) -> bool {
        is_worth_a_slot(self.uses[node] as usize, operands.len())
    }

    /// Returns whether a literal is or will be a slot, not a nested formula.
    fn is_slot(&self, nodes: &Nodes, lit: Lit) -> bool {
        match nodes.node(lit.node()) {
            NodeView::And(operands) => {
                self.slots[lit.index()] != NONE || self.is_worth_keeping(lit.node(), operands)
            }
            NodeView::Leaf(..) | NodeView::True => true,
        }
    }

    /// Writes the groups of a literal. A root, unlike a part, may use the slot of its own literal.
    fn groups(&mut self, nodes: &Nodes, plan: &mut Plan, lit: Lit, root: bool) -> Groups {
        let operands = match nodes.node(lit.node()) {
            NodeView::True => return self.push(nodes, plan, &[], lit == Lit::TRUE),
            NodeView::Leaf(..) => return self.push(nodes, plan, &[(1, lit)], false),
            NodeView::And(_) if root && self.is_slot(nodes, lit) => {
                self.slot(nodes, plan, lit);
                return self.push(nodes, plan, &[(1, lit)], false);
            }
            NodeView::And(operands) => operands,
        };
        let mut shape = std::mem::take(&mut self.shape);
        shape.clear();
        let flat = |planner: &ProgramPlanner, operand: Lit| match nodes.node(operand.node()) {
            _ if planner.is_slot(nodes, operand) => true,
            NodeView::And(inner) => inner.iter().all(|&lit| planner.is_slot(nodes, lit)),
            _ => true,
        };
        let all_slots = operands.iter().all(|&operand| self.is_slot(nodes, operand));
        let complement = if lit.negated() {
            // A disjunction: each operand, negated, is a group.
            shape.extend(
                operands.iter().map(|&operand| (self.group_length(nodes, !operand), !operand)),
            );
            false
        } else if !all_slots && operands.iter().all(|&operand| flat(self, operand)) {
            // A conjunction of disjunctions: the complement of the disjunction of the negated operands.
            shape.extend(
                operands.iter().map(|&operand| (self.group_length(nodes, !operand), !operand)),
            );
            true
        } else {
            let groups = self.one_group(nodes, plan, operands);
            self.shape = shape;
            return groups;
        };
        shape.sort_unstable();
        let groups = self.push(nodes, plan, &shape, complement);
        self.shape = shape;
        groups
    }

    fn group_length(&self, nodes: &Nodes, lit: Lit) -> u32 {
        match nodes.node(lit.node()) {
            NodeView::And(inner) if !lit.negated() && !self.is_slot(nodes, lit) => {
                as_u32(inner.len())
            }
            _ => 1,
        }
    }

    /// Writes one conjunction of slots.
    fn one_group(&mut self, nodes: &Nodes, plan: &mut Plan, operands: &[Lit]) -> Groups {
        let literals = self.literals.len();
        for &operand in operands {
            let slot = self.slot(nodes, plan, operand);
            self.literals.push(slot);
        }
        let length = std::iter::once(as_u32(operands.len()));
        plan.write_groups(self.literals.drain(literals..), length, false)
    }

    /// Writes a disjunction of groups, each a slot or a conjunction of slots.
    fn push(
        &mut self,
        nodes: &Nodes,
        plan: &mut Plan,
        shape: &[(u32, Lit)],
        complement: bool,
    ) -> Groups {
        // The groups are collected first and written at the end, because creating a slot may itself
        // write groups.
        let (literals, lengths) = (self.literals.len(), self.lengths.len());
        for &(_, lit) in shape {
            let before = self.literals.len();
            match nodes.node(lit.node()) {
                NodeView::And(inner) if !lit.negated() && !self.is_slot(nodes, lit) => {
                    for &operand in inner {
                        let slot = self.slot(nodes, plan, operand);
                        self.literals.push(slot);
                    }
                }
                _ => {
                    let slot = self.slot(nodes, plan, lit);
                    self.literals.push(slot);
                }
            }
            self.lengths.push(as_u32(self.literals.len() - before));
        }
        plan.write_groups(
            self.literals.drain(literals..),
            self.lengths.drain(lengths..),
            complement,
        )
    }

    /// Returns the slot of a literal, and creates it if necessary.
    fn slot(&mut self, nodes: &Nodes, plan: &mut Plan, lit: Lit) -> u32 {
        let known = self.slots[lit.index()];
        if known != NONE {
            return known;
        }
        let slot = match nodes.node(lit.node()) {
            NodeView::Leaf(column, test) => {
                plan.leaf(LeafJob { column, test, negate: lit.negated() })
            }
            NodeView::And(_) | NodeView::True => {
                let opposite = self.slots[(!lit).index()];
                let groups = if opposite == NONE {
                    self.groups(nodes, plan, lit, false)
                } else {
                    self.push(nodes, plan, &[(1, !lit)], true)
                };
                plan.part(groups)
            }
        };
        self.slots[lit.index()] = slot;
        self.touched_lits.push(lit);
        slot
    }
}

/// The front end for programs.
struct Front<'a> {
    planner: &'a mut ProgramPlanner,
    nodes: &'a Nodes,
    roots: &'a [Lit],
}

impl FrontEnd for Front<'_> {
    fn write(&mut self, plan: &mut Plan, root: usize) -> (Groups, Option<Shape>) {
        (self.planner.groups(self.nodes, plan, self.roots[root], true), None)
    }

    fn forget_slots(&mut self) {
        let ProgramPlanner { touched_lits, slots, .. } = &mut *self.planner;
        touched_lits.drain(..).for_each(|lit| slots[lit.index()] = NONE);
    }
}
