//! The specification: evaluates one individual and one node at a time.
//!
//! This code uses no bitmaps, runs of edges or batches. It favors simplicity over speed and must
//! not be removed.

use super::{Target, World};
use pellucid_program::Domain;
use pellucid_program::{Leaf, Node, Op, ProgramId, Programs, Quantifier};

/// Returns whether a program is true for an individual.
///
/// # Panics
/// If a filler applies a condition on classes to a value, or a condition on values to an
/// individual. [`check`](fn@crate::check) rejects such programs.
#[must_use]
pub fn holds(world: &World, programs: &Programs, root: ProgramId, individual: u32) -> bool {
    holds_by(world, programs, root, individual, &|filler, other| {
        holds(world, programs, filler, other)
    })
}

/// [`holds`], where `filler_holds` returns whether a filler is true for an individual. With it, a
/// caller that evaluates many individuals need not follow every path of roles again for each.
///
/// # Panics
/// See [`holds`].
pub(crate) fn holds_by(
    world: &World,
    programs: &Programs,
    root: ProgramId,
    individual: u32,
    filler_holds: &dyn Fn(ProgramId, u32) -> bool,
) -> bool {
    let of = |operand: ProgramId| holds_by(world, programs, operand, individual, filler_holds);
    match programs.node(root) {
        Node::Constant(value) => value,
        Node::Leaf(column, leaf) if column == world.individual_column() => {
            text_holds(programs, leaf, world.individuals().get(individual))
        }
        Node::Leaf(column, _) => world.classes()[column as usize].get(individual as usize),
        Node::Not(operand) => !of(operand),
        Node::And(operands) => operands.iter().all(|&operand| of(operand)),
        Node::Or(operands) => operands.iter().any(|&operand| of(operand)),
        Node::Related { quantifier, role, inverse, filler } => {
            let (all, hits) = match world.target(role) {
                Target::Individuals(role) => {
                    let links = &world.roles()[role];
                    let edges = if inverse { &links.inverse } else { &links.forward };
                    let fillers = edges.of(individual);
                    let holding = fillers.iter().filter(|&&other| filler_holds(filler, other));
                    (fillers.len(), holding.count())
                }
                Target::Values(property) => {
                    let fillers = world.properties()[property].edges.of(individual);
                    let holding = fillers.iter().filter(|&&value| {
                        value_holds(world, programs, filler, property, value as usize)
                    });
                    (fillers.len(), holding.count())
                }
            };
            match quantifier {
                Quantifier::Some => hits > 0,
                Quantifier::Only => hits == all,
                Quantifier::Min(count) => hits >= count as usize,
                Quantifier::Max(count) => hits <= count as usize,
                Quantifier::Exactly(count) => hits == count as usize,
            }
        }
    }
}

/// Returns whether a program is true for a value of a data property, given by its index among the
/// distinct values.
///
/// # Panics
/// If the program contains anything but conditions on values of the property.
#[must_use]
pub fn value_holds(
    world: &World,
    programs: &Programs,
    root: ProgramId,
    property: usize,
    value: usize,
) -> bool {
    let of = |operand: &ProgramId| value_holds(world, programs, *operand, property, value);
    match programs.node(root) {
        Node::Constant(value) => value,
        Node::Not(operand) => !of(&operand),
        Node::And(operands) => operands.iter().all(of),
        Node::Or(operands) => operands.iter().any(of),
        Node::Leaf(column, leaf) => {
            assert_eq!(
                column,
                world.value_column(property),
                "a condition on the values of the property"
            );
            match &world.properties()[property].values {
                Domain::Numeric(values) => number_holds(leaf, values[value]),
                Domain::Nominal(texts) => text_holds(programs, leaf, &texts[value]),
                Domain::Boolean => text_holds(programs, leaf, ["false", "true"][value]),
            }
        }
        Node::Related { .. } => unreachable!("values have no roles"),
    }
}

fn number_holds(leaf: Leaf<'_>, number: f64) -> bool {
    match leaf {
        Leaf::Number(op, other) => op.holds(number, other),
        Leaf::Within(interval) => interval.contains(number),
        Leaf::AnyNumber(numbers) => numbers.contains(&number),
        Leaf::Is | Leaf::Category(..) | Leaf::AnyCategory(_) | Leaf::Contains(_) => false,
    }
}

fn text_holds(programs: &Programs, leaf: Leaf<'_>, text: &str) -> bool {
    match leaf {
        Leaf::Category(Op::NotEqual, other) => programs.category(other) != text,
        Leaf::Category(_, other) => programs.category(other) == text,
        Leaf::AnyCategory(others) => others.iter().any(|&other| programs.category(other) == text),
        Leaf::Contains(part) => text.contains(programs.category(part)),
        Leaf::Is | Leaf::Number(..) | Leaf::Within(_) | Leaf::AnyNumber(_) => false,
    }
}
