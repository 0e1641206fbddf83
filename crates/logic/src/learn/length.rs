use pellucid_program::{Leaf, Node, Op, ProgramId, Programs, Quantifier};

/// The lengths of programs, as [`length`](crate::length()) counts them; computed once per program.
#[derive(Clone, Debug, Default)]
pub(super) struct LengthCache {
    lengths: Vec<u32>,
}

impl LengthCache {
    /// Returns the length of a program.
    pub(super) fn of(&mut self, programs: &Programs, id: ProgramId) -> u32 {
        if let Some(&known) = self.lengths.get(id.index())
            && known > 0
        {
            return known;
        }
        let sum = |lengths: &mut LengthCache, operands: &[ProgramId]| {
            let parts: u32 = operands.iter().map(|&operand| lengths.of(programs, operand)).sum();
            parts + to_u32(operands.len()) - 1
        };
        let length = match programs.node(id) {
            Node::Constant(_) | Node::Leaf(_, Leaf::Is) => 1,
            Node::Leaf(_, Leaf::Number(Op::Equal, _) | Leaf::Category(Op::Equal, _)) => 1,
            Node::Leaf(_, Leaf::Within(_)) => 5,
            Node::Leaf(_, Leaf::AnyNumber(values)) => 1 + to_u32(values.len()),
            Node::Leaf(_, Leaf::AnyCategory(values)) => 1 + to_u32(values.len()),
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

    /// Clears the cache.
    pub(super) fn clear(&mut self) {
        self.lengths.clear();
    }
}

/// The number of operands is far below 2^32.
#[expect(clippy::cast_possible_truncation)]
fn to_u32(number: usize) -> u32 {
    number as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_program::{Kind, Schema};

    #[test]
    fn programs_have_the_lengths_of_their_expressions() {
        let columns = [
            ("a", Kind::Boolean),
            ("b", Kind::Boolean),
            ("n", Kind::Numeric),
            ("t", Kind::Nominal),
        ];
        let mut programs = Programs::new(Schema::new(columns).with_roles(["r"]));
        let mut lengths = LengthCache::default();
        for text in [
            "true",
            "a and not b",
            "min 3 inverse r (a or b or not a and b)",
            "some r (n >= 2)",
            "some r (n = 2)",
            "some r (n in [1, 3))",
            "some r (n in {1, 2, 3})",
            "only r (t in {x, y})",
            "some r (t != x) or some r (t contains 'x')",
        ] {
            let program = programs.parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let expected = crate::length(&programs.expr(program));
            assert_eq!(lengths.of(&programs, program) as usize, expected, "{text}");
        }
    }
}
