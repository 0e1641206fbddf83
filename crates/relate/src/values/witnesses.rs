//! A search for individuals with very many texts: it stops as soon as the result is known for each
//! of them.

use super::{Conditions, Values, simplest};
use crate::recipe::AtLeast;
use crate::set::Set;
use pellucid_bits::{Bits, as_u32};
use pellucid_program::{Domain, Leaf, Node, ProgramId};

/// The number of values per individual from which testing them one by one pays off.
const MANY_VALUES: usize = 512;
/// The average number of texts tested per individual before the search gives up and all texts are
/// searched together.
const TESTS_PER_INDIVIDUAL: usize = 32;

impl Conditions<'_> {
    /// Returns values that satisfy a condition, as few as needed to decide which individuals have
    /// the requested number of them. Returns `None` if searching all values is better.
    pub(crate) fn witnesses(self, condition: ProgramId, asked: AtLeast) -> Option<Values> {
        let property = &self.world.properties()[self.property];
        let edges = &property.edges;
        let Domain::Nominal(texts) = &property.values else { return None };
        if edges.is_empty() || edges.len() < edges.subjects_with_edges() * MANY_VALUES {
            return None;
        }
        let (leaf, negated) = match self.programs.node(condition) {
            Node::Not(operand) => (self.programs.node(operand), true),
            node => (node, false),
        };
        let Node::Leaf(_, Leaf::Contains(part)) = leaf else { return None };
        let part = self.programs.category(part);
        // Matching texts are needed unless exactly one of the condition and the question is
        // negated.
        let wanted = negated == asked.outside;
        let mut tests_left = edges.subjects_with_edges() * TESTS_PER_INDIVIDUAL;
        let mut found = Vec::new();
        for subject in edges.subjects().ones() {
            let mut left = asked.number;
            for &value in edges.of(as_u32(subject)) {
                if left == 0 {
                    break;
                }
                tests_left = tests_left.checked_sub(1)?;
                if texts[value as usize].contains(part) == wanted {
                    found.push(value);
                    left -= 1;
                }
            }
        }
        let set = match found[..] {
            [] => Set::NONE,
            [one] => Set::Run(one..one + 1),
            _ => {
                let mut bits = Bits::zeros(texts.len());
                found.iter().for_each(|&value| bits.set(value as usize));
                simplest(bits)
            }
        };
        // The values are returned as found, so that the negation of the question does not apply to
        // them.
        Some(Values { set, outside: asked.outside })
    }
}
