//! Stable numbers for programs and sets of individuals. Unlike program ids, they are the same in
//! every run and can be stored in a checkpoint.

use pellucid_bits::Block;
use pellucid_learn::fingerprint::Fingerprint;
use pellucid_program::{Leaf, Node, Op, ProgramId, Programs, Quantifier};

/// Fingerprints of programs: equal programs have equal fingerprints, in any order of creation.
///
/// Computed once per program.
#[derive(Clone, Debug, Default)]
pub(super) struct Identities {
    known: Vec<Option<u64>>,
}

impl Identities {
    /// Returns the fingerprint of a program.
    pub(super) fn of(&mut self, programs: &Programs, id: ProgramId) -> u64 {
        if let Some(&Some(known)) = self.known.get(id.index()) {
            return known;
        }
        let start = Fingerprint::new();
        let number = match programs.node(id) {
            Node::Constant(value) => start.with_number(u64::from(value)),
            Node::Leaf(column, leaf) => {
                leaf_number(programs, leaf, start.with_number(2).with_number(u64::from(column)))
            }
            Node::Not(operand) => start.with_number(3).with_number(self.of(programs, operand)),
            Node::And(operands) => self.all(programs, operands, start.with_number(4)),
            Node::Or(operands) => self.all(programs, operands, start.with_number(5)),
            Node::Related { quantifier, role, inverse, filler } => {
                let (sort, count) = match quantifier {
                    Quantifier::Some => (0, 0),
                    Quantifier::Only => (1, 0),
                    Quantifier::Min(count) => (2, count),
                    Quantifier::Max(count) => (3, count),
                    Quantifier::Exactly(count) => (4, count),
                };
                let parts = [6, sort, u64::from(count), u64::from(role), u64::from(inverse)];
                let start = parts.into_iter().fold(start, Fingerprint::with_number);
                start.with_number(self.of(programs, filler))
            }
        };
        if self.known.len() <= id.index() {
            self.known.resize(programs.len(), None);
        }
        self.known[id.index()] = Some(number.value());
        number.value()
    }

    fn all(
        &mut self,
        programs: &Programs,
        operands: &[ProgramId],
        start: Fingerprint,
    ) -> Fingerprint {
        // The pool orders operands independently of their creation.
        let operands = operands.iter().map(|&operand| self.of(programs, operand));
        operands.fold(start, Fingerprint::with_number)
    }

    /// Clears the cache.
    pub(super) fn clear(&mut self) {
        self.known.clear();
    }
}

fn leaf_number(programs: &Programs, leaf: Leaf<'_>, start: Fingerprint) -> Fingerprint {
    let op_number = |op: Op| op as u64;
    match leaf {
        Leaf::Is => start,
        Leaf::Number(op, number) => {
            start.with_number(1).with_number(op_number(op)).with_number(number.to_bits())
        }
        Leaf::Category(op, text) => {
            start.with_number(2).with_number(op_number(op)).with(programs.category(text))
        }
        Leaf::Contains(text) => start.with_number(3).with(programs.category(text)),
        Leaf::Within(interval) => {
            [interval.low, interval.high].into_iter().fold(start.with_number(4), |digest, edge| {
                digest.with_number(edge.value.to_bits()).with_number(u64::from(edge.closed))
            })
        }
        Leaf::AnyNumber(numbers) => numbers
            .iter()
            .fold(start.with_number(5), |digest, number| digest.with_number(number.to_bits())),
        Leaf::AnyCategory(texts) => texts
            .iter()
            .fold(start.with_number(6), |digest, &text| digest.with(programs.category(text))),
    }
}

/// A digest of a set, in two independent halves.
pub(super) type Digest = [u64; 2];

/// Returns the digest of the bits of a set.
pub(super) fn digest(blocks: &[Block]) -> Digest {
    let words = || blocks.iter().flat_map(|block| block.0);
    let half =
        |seed| words().fold(Fingerprint::new().with_number(seed), Fingerprint::with_number).value();
    [half(0), half(1)]
}
