use pellucid_engine::{Leaf, Node, ProgramId, Programs, Quantifier};

/// How long programs are, as class expressions are measured: a name counts one, and so do `not`, every `and` or `or`
/// between two operands, a quantifier, its number, its role, `inverse`, a comparison and its value.
///
/// Worked out once for every program of a pool.
#[derive(Clone, Debug, Default)]
pub(super) struct Lengths {
    lengths: Vec<u32>,
}

impl Lengths {
    /// The length of a program.
    pub(super) fn of(&mut self, programs: &Programs, id: ProgramId) -> u32 {
        if let Some(&known) = self.lengths.get(id.index())
            && known > 0
        {
            return known;
        }
        let sum = |lengths: &mut Lengths, operands: &[ProgramId]| {
            let parts: u32 = operands.iter().map(|&operand| lengths.of(programs, operand)).sum();
            parts + small(operands.len()) - 1
        };
        let length = match programs.node(id) {
            Node::Constant(_) | Node::Leaf(_, Leaf::Is) => 1,
            Node::Leaf(_, Leaf::Within(_)) => 4,
            Node::Leaf(_, Leaf::AnyNumber(values)) => small(values.len()),
            Node::Leaf(_, Leaf::AnyCategory(values)) => small(values.len()),
            // The property's own name is counted with the quantifier.
            Node::Leaf(..) => 2,
            Node::Not(operand) => 1 + self.of(programs, operand),
            Node::And(operands) | Node::Or(operands) => sum(self, operands),
            Node::Related { quantifier, inverse, filler, .. } => {
                let quantified = match quantifier {
                    Quantifier::Some | Quantifier::Only => 2,
                    Quantifier::Min(_) | Quantifier::Max(_) | Quantifier::Exactly(_) => 3,
                };
                quantified + u32::from(inverse) + self.of(programs, filler)
            }
        };
        if self.lengths.len() <= id.index() {
            self.lengths.resize(programs.len(), 0);
        }
        self.lengths[id.index()] = length;
        length
    }

    /// Forgets all programs.
    pub(super) fn clear(&mut self) {
        self.lengths.clear();
    }
}

/// Operands are far fewer than 2^32.
#[expect(clippy::cast_possible_truncation)]
fn small(number: usize) -> u32 {
    number as u32
}
