//! What has to be known before some programs can be answered.

use super::{Target, World};
use pellucid_program::{Node, ProgramId, Programs};

/// Who a program must be answered for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mark(u8);

impl Mark {
    /// For the examples.
    pub(super) const EXAMPLES: Mark = Mark(1);
    /// For everybody: it is the filler of a role.
    pub(super) const EVERYBODY: Mark = Mark(2);

    fn has(self, other: Mark) -> bool {
        self.0 & other.0 != 0
    }
}

/// What some programs need, each list ascending, so that parts come before what is made of them.
#[derive(Debug, Default)]
pub(super) struct Needs {
    /// Nodes to be answered for everybody.
    pub(super) everybody: Vec<ProgramId>,
    /// Nodes to be answered for the examples.
    pub(super) examples: Vec<ProgramId>,
}

/// By program, how deep roles nest in it; and room for marks.
#[derive(Debug, Default)]
pub(super) struct Survey {
    depths: Vec<u16>,
    marks: Vec<Mark>,
}

impl Survey {
    /// Looks at all programs that were not looked at before.
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

    /// Forgets all programs.
    pub(super) fn clear(&mut self) {
        self.depths.clear();
        self.marks.clear();
    }

    /// How deep roles nest in a program.
    pub(super) fn depth(&self, id: ProgramId) -> u16 {
        self.depths[id.index()]
    }

    /// What is needed to answer some programs with marks, except what is known already.
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
            let list =
                if mark == Mark::EXAMPLES { &mut needs.examples } else { &mut needs.everybody };
            list.push(id);
            match programs.node(id) {
                Node::Constant(_) | Node::Leaf(..) => {}
                Node::Not(operand) => stack.push((operand, mark)),
                Node::And(operands) | Node::Or(operands) => {
                    stack.extend(operands.iter().map(|&operand| (operand, mark)));
                }
                Node::Related { role, filler, .. } => {
                    // Who it holds for among everybody is known: the examples are some of them.
                    let answered = mark == Mark::EXAMPLES && known(id, Mark::EVERYBODY);
                    if !answered && matches!(world.target(role), Target::Individuals(_)) {
                        stack.push((filler, Mark::EVERYBODY));
                    }
                }
            }
        }
        for list in [&mut needs.everybody, &mut needs.examples] {
            list.sort_unstable();
            list.iter().for_each(|id| self.marks[id.index()] = Mark::default());
        }
        needs
    }
}
