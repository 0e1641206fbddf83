//! Which values of a data property satisfy a condition.

use super::spec::value_holds;
use super::{Property, World};
use pellucid_bits::Bits;
use pellucid_program::Domain;
use pellucid_program::{Interval, Leaf, Node, Op, ProgramId, Programs};
use std::ops::Range;

/// The values that satisfy a condition, a bit for each. Numbers are sorted, so a comparison is a range of them; texts are
/// looked at one by one.
pub(super) fn values_of(
    world: &World,
    programs: &Programs,
    condition: ProgramId,
    number: usize,
) -> Bits {
    let property = &world.properties()[number];
    let len = property.edges.object_count();
    let of = |operand: &ProgramId| values_of(world, programs, *operand, number);
    match programs.node(condition) {
        Node::Constant(true) => Bits::ones_of(len),
        Node::Constant(false) => Bits::zeros(len),
        Node::Not(operand) => {
            let mut bits = of(&operand);
            bits.flip();
            bits
        }
        Node::And(operands) => {
            let mut bits = Bits::ones_of(len);
            operands.iter().for_each(|operand| bits.and_with(&of(operand)));
            bits
        }
        Node::Or(operands) => {
            let mut bits = Bits::zeros(len);
            for operand in operands {
                bits.or_with(&of(operand));
            }
            bits
        }
        Node::Leaf(_, leaf) => match range(property, leaf) {
            Some(range) => {
                let mut bits = Bits::zeros(len);
                range.for_each(|value| bits.set(value));
                bits
            }
            None => match (&property.values, leaf) {
                (Domain::Nominal(texts), Leaf::Category(op, text)) => {
                    let text = programs.category(text);
                    texts.iter().map(|other| (other == text) == (op == Op::Equal)).collect()
                }
                _ => (0..len)
                    .map(|value| value_holds(world, programs, condition, number, value))
                    .collect(),
            },
        },
        Node::Related { .. } => unreachable!("values have no roles, which was checked before"),
    }
}

/// Where the numbers that satisfy a question lie, where that is one stretch.
fn range(property: &Property, leaf: Leaf<'_>) -> Option<Range<usize>> {
    let Domain::Numeric(values) = &property.values else { return None };
    let below = |number: f64| values.partition_point(|&value| value < number);
    let up_to = |number: f64| values.partition_point(|&value| value <= number);
    let found = match leaf {
        Leaf::Number(Op::Less, number) => 0..below(number),
        Leaf::Number(Op::LessEqual, number) => 0..up_to(number),
        Leaf::Number(Op::Greater, number) => up_to(number)..values.len(),
        Leaf::Number(Op::GreaterEqual, number) => below(number)..values.len(),
        Leaf::Number(Op::Equal, number) => below(number)..up_to(number),
        Leaf::Within(Interval { low, high }) => {
            let first = if low.closed { below(low.value) } else { up_to(low.value) };
            first..if high.closed { up_to(high.value) } else { below(high.value) }
        }
        _ => return None,
    };
    Some(found)
}
