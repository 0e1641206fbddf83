//! Variation operators: crossover and mutation.

use super::super::{LogicError, SearchContext};
use super::grow::{grow, quantifier, restrict};
use super::symbols::Symbols;
use super::tree::{TreePosition, height, replace, tree_positions};
use super::walk::walk;
use pellucid_learn::rng::Stream;
use pellucid_program::{Leaf, Node, ProgramId};
use pellucid_relate::Target;
use std::cell::OnceCell;

/// The tournament size.
const TOURNAMENT: usize = 7;
/// The probability of crossover; otherwise one parent is mutated.
const CROSSOVER_PROBABILITY: f64 = 0.6;
/// The maximum height of a tree.
const MAX_HEIGHT: usize = 17;
/// The maximum height of a new subtree.
const MAX_NEW_HEIGHT: u32 = 2;
/// The number of attempts to draw an offspring that is small enough and new.
pub(super) const TRIES: usize = 4;

/// Returns the index of the winner of a tournament; indices are in descending order of fitness.
fn tournament(stream: &mut Stream, population: usize) -> usize {
    (0..TOURNAMENT).map(|_| stream.index(population)).min().unwrap_or(0)
}

/// The parents of a generation, in descending order of fitness.
pub(super) struct Parents {
    programs: Vec<ProgramId>,
    /// The positions of each parent, which may have many offspring.
    positions: Vec<OnceCell<Vec<TreePosition>>>,
}

impl Parents {
    pub(super) fn new(programs: Vec<ProgramId>) -> Parents {
        Parents { positions: vec![OnceCell::new(); programs.len()], programs }
    }

    /// Returns the positions of the winner of a tournament.
    fn choose(&self, context: &SearchContext, stream: &mut Stream) -> &[TreePosition] {
        let winner = tournament(stream, self.programs.len());
        self.positions[winner].get_or_init(|| {
            tree_positions(context.programs(), &context.kb().world, self.programs[winner])
        })
    }
}

/// Returns an offspring; `None` if it is too large.
pub(super) fn offspring(
    context: &mut SearchContext,
    symbols: &Symbols,
    stream: &mut Stream,
    parents: &Parents,
) -> Result<Option<ProgramId>, LogicError> {
    let positions = parents.choose(context, stream);
    let child = if stream.chance(CROSSOVER_PROBABILITY) {
        let others = parents.choose(context, stream);
        cross(context, stream, positions, others)
    } else {
        mutate(context, symbols, stream, positions)?
    };
    let length = context.length(child);
    Ok((length <= context.options().length && is_low(context, child, length)).then_some(child))
}

/// Whether a tree is not too high. Every node on a path adds to the length, so short ones are not.
fn is_low(context: &SearchContext, program: ProgramId, length: u32) -> bool {
    length as usize <= MAX_HEIGHT
        || height(&tree_positions(context.programs(), &context.kb().world, program)) <= MAX_HEIGHT
}

/// Replaces a subtree of one parent by a subtree of the other with the same type.
fn cross(
    context: &mut SearchContext,
    stream: &mut Stream,
    one: &[TreePosition],
    other: &[TreePosition],
) -> ProgramId {
    let at = stream.index(one.len());
    let fitting: Vec<&TreePosition> =
        other.iter().filter(|position| position.values == one[at].values).collect();
    match stream.choose(&fitting) {
        Some(&position) => replace(context.programs_mut(), one, at, position.part),
        None => one[0].part,
    }
}

/// Replaces, extends, shrinks or tweaks a subtree.
fn mutate(
    context: &mut SearchContext,
    symbols: &Symbols,
    stream: &mut Stream,
    positions: &[TreePosition],
) -> Result<ProgramId, LogicError> {
    let at = stream.index(positions.len());
    let TreePosition { part, values, .. } = positions[at];
    let changed = match stream.index(4) {
        0 => new_subtree(context, symbols, stream, values)?,
        1 => {
            let more = new_subtree(context, symbols, stream, values)?;
            let and = stream.chance(0.5);
            let programs = context.programs_mut();
            if and { programs.and(&[part, more]) } else { programs.or(&[part, more]) }
        }
        2 => without(context, stream, part),
        _ => tweak(context, symbols, stream, part, values)?,
    };
    Ok(replace(context.programs_mut(), positions, at, changed))
}

/// Returns a new subtree.
fn new_subtree(
    context: &mut SearchContext,
    symbols: &Symbols,
    stream: &mut Stream,
    values: Option<usize>,
) -> Result<ProgramId, LogicError> {
    match values.and_then(|property| u32::try_from(property).ok()) {
        Some(property) => symbols.condition(context, stream, property),
        None if stream.chance(0.2) => walk(context, symbols, stream),
        None => grow(context, symbols, stream, MAX_NEW_HEIGHT),
    }
}

/// Returns a subtree without one of its operands.
fn without(context: &mut SearchContext, stream: &mut Stream, part: ProgramId) -> ProgramId {
    match context.programs().node(part) {
        Node::And(operands) => {
            let mut operands = operands.to_vec();
            operands.remove(stream.index(operands.len()));
            context.programs_mut().and(&operands)
        }
        Node::Or(operands) => {
            let mut operands = operands.to_vec();
            operands.remove(stream.index(operands.len()));
            context.programs_mut().or(&operands)
        }
        Node::Not(operand) => operand,
        _ => context.programs_mut().constant(true),
    }
}

/// Changes a subtree slightly: a related class, another quantifier or role, another value.
fn tweak(
    context: &mut SearchContext,
    symbols: &Symbols,
    stream: &mut Stream,
    part: ProgramId,
    values: Option<usize>,
) -> Result<ProgramId, LogicError> {
    match context.programs().node(part) {
        Node::Leaf(class, Leaf::Is) => {
            let negate = context.options().operators.negation && stream.chance(0.2);
            if negate {
                return Ok(context.programs_mut().not(part));
            }
            let classes = &context.kb().classes;
            let near = [&classes.parents, &classes.children].into_iter();
            let near = near.flat_map(|side| side.get(class as usize).into_iter().flatten());
            let near: Vec<u32> =
                near.filter(|class| symbols.classes.contains(class)).copied().collect();
            let anywhere = near.is_empty() || stream.chance(0.5);
            let next = stream.choose(if anywhere { &symbols.classes } else { &near }).copied();
            Ok(context.programs_mut().is(next.unwrap_or(class))?)
        }
        Node::Related { quantifier: old, role, inverse, filler } => {
            if matches!(context.kb().world.target(role), Target::Values(_)) {
                return new_subtree(context, symbols, stream, values);
            }
            match stream.choose(&symbols.directed_roles).copied() {
                Some(directed_role) if stream.chance(0.5) => {
                    Ok(restrict(context, old, directed_role.role, directed_role.inverse, filler))
                }
                _ => {
                    let quantifier = quantifier(context, stream);
                    Ok(restrict(context, quantifier, role, inverse, filler))
                }
            }
        }
        _ => new_subtree(context, symbols, stream, values),
    }
}
