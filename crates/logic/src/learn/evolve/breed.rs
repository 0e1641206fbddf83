//! How a generation comes from the one before.

use super::super::{LogicError, SearchContext};
use super::grow::{grow, quantifier, restrict};
use super::tree::{Spot, height, replace, spots};
use super::walk::walk;
use super::words::Words;
use pellucid_learn::rng::Stream;
use pellucid_program::{Leaf, Node, ProgramId};
use pellucid_relate::Target;

/// How many take part in a tournament.
const TOURNAMENT: usize = 7;
/// How often two parents are crossed; else one is mutated.
const CROSSED: f64 = 0.6;
/// How high a tree may be.
const HIGHEST: usize = 17;
/// How high a part may be that mutation makes.
const NEW_PART: u32 = 2;
/// How often a child that is too large, or already there, is drawn again.
pub(super) const TRIES: usize = 4;

/// The place of the best of some that are drawn; places are ordered by fitness, the best first.
fn tournament(stream: &mut Stream, population: usize) -> usize {
    (0..TOURNAMENT).map(|_| stream.index(population)).min().unwrap_or(0)
}

/// One child of a population in the order of fitness; nothing if it came out too large.
pub(super) fn child(
    context: &mut SearchContext,
    words: &Words,
    stream: &mut Stream,
    population: &[ProgramId],
) -> Result<Option<ProgramId>, LogicError> {
    let kb = context.kb().clone();
    let parent = population[tournament(stream, population.len())];
    let places = spots(context.programs(), &kb.world, parent);
    let child = if stream.chance(CROSSED) {
        let other = population[tournament(stream, population.len())];
        let others = spots(context.programs(), &kb.world, other);
        cross(context, stream, &places, &others)
    } else {
        mutate(context, words, stream, &places)?
    };
    let fits = context.length(child) <= context.options().length
        && height(&spots(context.programs(), &kb.world, child)) <= HIGHEST;
    Ok(fits.then_some(child))
}

/// A part of one parent gives way to a part of the other that asks about the same sort of thing.
fn cross(
    context: &mut SearchContext,
    stream: &mut Stream,
    one: &[Spot],
    other: &[Spot],
) -> ProgramId {
    let at = stream.index(one.len());
    let fitting: Vec<&Spot> = other.iter().filter(|spot| spot.values == one[at].values).collect();
    match stream.choose(&fitting) {
        Some(&spot) => replace(context.programs_mut(), one, at, spot.part),
        None => one[0].part,
    }
}

/// A part gives way to something new, or something is joined to it, or it changes a little, or only it is left.
fn mutate(
    context: &mut SearchContext,
    words: &Words,
    stream: &mut Stream,
    places: &[Spot],
) -> Result<ProgramId, LogicError> {
    let at = stream.index(places.len());
    let Spot { part, values, .. } = places[at];
    let changed = match stream.index(4) {
        0 => fresh(context, words, stream, values)?,
        1 => {
            let more = fresh(context, words, stream, values)?;
            let and = stream.chance(0.5);
            let programs = context.programs_mut();
            if and { programs.and(&[part, more]) } else { programs.or(&[part, more]) }
        }
        2 => without(context, stream, part),
        _ => tweak(context, words, stream, part, values)?,
    };
    Ok(replace(context.programs_mut(), places, at, changed))
}

/// A new part, grown or walked.
fn fresh(
    context: &mut SearchContext,
    words: &Words,
    stream: &mut Stream,
    values: Option<usize>,
) -> Result<ProgramId, LogicError> {
    match values.and_then(|property| u32::try_from(property).ok()) {
        Some(property) => words.condition(context, stream, property),
        None if stream.chance(0.2) => walk(context, words, stream),
        None => grow(context, words, stream, NEW_PART),
    }
}

/// A part without one of its operands.
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

/// A part a little changed: a class above, below or beside, another quantifier or role, another value.
fn tweak(
    context: &mut SearchContext,
    words: &Words,
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
                near.filter(|class| words.classes.contains(class)).copied().collect();
            let anywhere = near.is_empty() || stream.chance(0.5);
            let next = stream.choose(if anywhere { &words.classes } else { &near }).copied();
            Ok(context.programs_mut().is(next.unwrap_or(class))?)
        }
        Node::Related { quantifier: old, role, inverse, filler } => {
            if matches!(context.kb().world.target(role), Target::Values(_)) {
                return fresh(context, words, stream, values);
            }
            match stream.choose(&words.ways).copied() {
                Some(way) if stream.chance(0.5) => {
                    Ok(restrict(context, old, way.role, way.inverse, filler))
                }
                _ => {
                    let quantifier = quantifier(context, stream);
                    Ok(restrict(context, quantifier, role, inverse, filler))
                }
            }
        }
        _ => fresh(context, words, stream, values),
    }
}
