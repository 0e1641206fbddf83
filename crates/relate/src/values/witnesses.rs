//! Where few individuals have very many texts: texts are looked at until it is known who has enough, and no
//! further.

use super::{Conditions, Values, simplest};
use crate::recipe::AtLeast;
use crate::set::Set;
use pellucid_bits::{Bits, as_u32};
use pellucid_program::{Domain, Leaf, Node, ProgramId};

/// Values of an individual from which on it pays to look at them one by one.
const LONG: usize = 512;
/// Texts of an individual that are looked at in vain, on average; then all are searched together.
const PATIENCE: usize = 32;

impl Conditions<'_> {
    /// As many values that satisfy a condition as tell who has at least so many of them: whoever has enough
    /// values that do has enough of these, too. Nothing where all values had better be searched.
    pub(crate) fn witnesses(self, condition: ProgramId, asked: AtLeast) -> Option<Values> {
        let property = &self.world.properties()[self.property];
        let edges = &property.edges;
        let Domain::Nominal(texts) = &property.values else { return None };
        if edges.is_empty() || edges.len() < edges.holders() * LONG {
            return None;
        }
        let (leaf, negated) = match self.programs.node(condition) {
            Node::Not(operand) => (self.programs.node(operand), true),
            node => (node, false),
        };
        let Node::Leaf(_, Leaf::Contains(part)) = leaf else { return None };
        let part = self.programs.category(part);
        // What is asked for is outside the condition, or the condition is a negation, but not both.
        let wanted = negated == asked.outside;
        let mut looks = edges.holders() * PATIENCE;
        let mut found = Vec::new();
        for subject in edges.subjects().ones() {
            let mut left = asked.number;
            for &value in edges.of(as_u32(subject)) {
                if left == 0 {
                    break;
                }
                looks = looks.checked_sub(1)?;
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
        // They are asked for as they are, whatever the question says of the condition.
        Some(Values { set, outside: asked.outside })
    }
}
