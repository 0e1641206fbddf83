//! The nodes that must be answered before some programs can be.

use super::{Target, World};
use pellucid_program::{Node, ProgramId, Programs};

/// The individuals for which a program must be answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mark(u8);

impl Mark {
    /// The examples.
    pub(super) const EXAMPLES: Mark = Mark(1);
    /// All individuals, because the program is the filler of a role.
    pub(super) const ALL: Mark = Mark(2);

    fn has(self, other: Mark) -> bool {
        self.0 & other.0 != 0
    }
}

/// The nodes that some programs need. Each list is ascending, so operands come before the nodes
/// that use them.
#[derive(Debug, Default)]
pub(super) struct Needs {
    /// Nodes to answer for all individuals.
    pub(super) all: Vec<ProgramId>,
    /// Nodes to answer for the examples.
    pub(super) examples: Vec<ProgramId>,
}

/// The nesting depth of roles in each program, and memory for marks.
#[derive(Debug, Default)]
pub(super) struct Survey {
    depths: Vec<u16>,
    marks: Vec<Mark>,
}

impl Survey {
    /// Adds the programs that are new since the last call.
    pub(super) fn extend(&mut self, programs: &Programs) {
        for id in programs.ids_from(self.depths.len()) {
            let depth = match programs.node(id) {
                Node::Constant(_) | Node::Leaf(..) => 0,
                Node::Not(operand) => self.depth(operand),
                Node::And(operands) | Node::Or(operands) => {
                    operands.iter().map(|&operand| self.depth(operand)).max().unwrap_or(0)
                }
                Node::Related { filler, .. } => self.depth(filler) + 1,
            };
            self.depths.push(depth);
        }
        self.marks.resize(self.depths.len(), Mark::default());
    }

    /// Removes all programs.
    pub(super) fn clear(&mut self) {
        self.depths.clear();
        self.marks.clear();
    }

    /// Returns the nesting depth of roles in a program.
    pub(super) fn depth(&self, id: ProgramId) -> u16 {
        self.depths[id.index()]
    }

    /// Returns the nodes needed to answer some marked programs, except those already known.
    pub(super) fn needs(
        &mut self,
        world: &World,
        programs: &Programs,
        roots: impl IntoIterator<Item = (ProgramId, Mark)>,
        known: impl Fn(ProgramId, Mark) -> bool,
    ) -> Needs {
        let mut needs = Needs::default();
        let mut stack: Vec<(ProgramId, Mark)> = roots.into_iter().collect();
        while let Some((id, mark)) = stack.pop() {
            if self.marks[id.index()].has(mark) || known(id, mark) {
                continue;
            }
            self.marks[id.index()].0 |= mark.0;
            let list = if mark == Mark::EXAMPLES { &mut needs.examples } else { &mut needs.all };
            list.push(id);
            match programs.node(id) {
                Node::Constant(_) | Node::Leaf(..) => {}
                Node::Not(operand) => stack.push((operand, mark)),
                Node::And(operands) | Node::Or(operands) => {
                    stack.extend(operands.iter().map(|&operand| (operand, mark)));
                }
                Node::Related { role, filler, .. } => {
                    // The answer for all individuals is known, and the examples are among them.
                    let answered = mark == Mark::EXAMPLES && known(id, Mark::ALL);
                    if !answered && matches!(world.target(role), Target::Individuals(_)) {
                        stack.push((filler, Mark::ALL));
                    }
                }
            }
        }
        for list in [&mut needs.all, &mut needs.examples] {
            list.sort_unstable();
            list.iter().for_each(|id| self.marks[id.index()] = Mark::default());
        }
        needs
    }
}
