//! Random walks: expressions that describe a positive example and the individuals related to it.

use super::super::directed_role::DirectedRole;
use super::super::{LogicError, SearchContext};
use super::symbols::Symbols;
use pellucid_learn::rng::Stream;
use pellucid_program::{ProgramId, Quantifier};

/// The number of properties of an individual in an expression.
const PAIRS: usize = 2;
/// The probability of a second step.
const SECOND_HOP: f64 = 0.5;
/// The probability of joining with `and` instead of `or`.
const AND_PROBABILITY: f64 = 0.7;

/// A property of an individual with one of its objects.
enum Pair {
    Related(DirectedRole, u32),
    Valued(u32, u32),
}

/// Returns the description of a random walk from a random positive example.
pub(super) fn walk(
    context: &mut SearchContext,
    symbols: &Symbols,
    stream: &mut Stream,
) -> Result<ProgramId, LogicError> {
    let Some(&from) = stream.choose(&context.task().positive) else {
        return Ok(context.programs_mut().constant(true));
    };
    let mut whole = class_of(context, symbols, stream, from)?;
    for _ in 0..PAIRS {
        let Some(pair) = pair_of(context, symbols, stream, from) else { break };
        let further = stream.chance(SECOND_HOP);
        let part = restriction(context, symbols, stream, &pair, further)?;
        whole = Some(match whole {
            None => part,
            Some(whole) if stream.chance(AND_PROBABILITY) => {
                context.programs_mut().and(&[whole, part])
            }
            Some(whole) => context.programs_mut().or(&[whole, part]),
        });
    }
    Ok(whole.unwrap_or_else(|| context.programs_mut().constant(true)))
}

/// Returns a random class of an individual.
fn class_of(
    context: &mut SearchContext,
    symbols: &Symbols,
    stream: &mut Stream,
    one: u32,
) -> Result<Option<ProgramId>, LogicError> {
    let members = context.kb().world.classes();
    let is_member = |&&class: &&u32| members[class as usize].get(one as usize);
    let classes: Vec<u32> = symbols.classes.iter().filter(is_member).copied().collect();
    let Some(&class) = stream.choose(&classes) else { return Ok(None) };
    Ok(Some(context.programs_mut().is(class)?))
}

/// Returns a random property of an individual, with a random object.
fn pair_of(
    context: &SearchContext,
    symbols: &Symbols,
    stream: &mut Stream,
    one: u32,
) -> Option<Pair> {
    let world = &context.kb().world;
    let having = |directed_role: &&DirectedRole| !directed_role.edges(world).of(one).is_empty();
    let directed_roles: Vec<DirectedRole> =
        symbols.directed_roles.iter().filter(having).copied().collect();
    let owned = |&&p: &&u32| !world.properties()[p as usize].edges.of(one).is_empty();
    let properties: Vec<u32> = symbols.properties.iter().filter(owned).copied().collect();
    let choice = stream.index(directed_roles.len() + properties.len());
    match (directed_roles.get(choice), choice.checked_sub(directed_roles.len())) {
        (Some(&directed_role), _) => stream
            .choose(directed_role.edges(world).of(one))
            .map(|&object| Pair::Related(directed_role, object)),
        (None, Some(index)) => {
            let &property = properties.get(index)?;
            let values = world.properties()[property as usize].edges.of(one);
            stream.choose(values).map(|&value| Pair::Valued(property, value))
        }
        (None, None) => None,
    }
}

/// Returns the restriction for a pair.
fn restriction(
    context: &mut SearchContext,
    symbols: &Symbols,
    stream: &mut Stream,
    pair: &Pair,
    further: bool,
) -> Result<ProgramId, LogicError> {
    match *pair {
        Pair::Valued(property, rank) => {
            let condition = symbols.condition_for(context, stream, property, rank)?;
            Ok(symbols.has(context, property, condition))
        }
        Pair::Related(DirectedRole { role, inverse }, object) => {
            let next = if further { pair_of(context, symbols, stream, object) } else { None };
            let filler = match next {
                Some(next) => restriction(context, symbols, stream, &next, false)?,
                None => match class_of(context, symbols, stream, object)? {
                    Some(class) => class,
                    None => context.programs_mut().constant(true),
                },
            };
            Ok(context.programs_mut().related(Quantifier::Some, role, inverse, filler))
        }
    }
}
