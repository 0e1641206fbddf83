//! Random walks: expressions that hold for a positive example because they say what it is and whom it is related to.

use super::super::role_way::RoleWay;
use super::super::{LogicError, SearchContext};
use super::words::Words;
use pellucid_learn::rng::Stream;
use pellucid_program::{ProgramId, Quantifier};

/// How many of an individual's properties an expression mentions.
const PAIRS: usize = 2;
/// How often a walk goes one role further.
const SECOND_HOP: f64 = 0.5;
/// How often parts are joined by `and`; else by `or`.
const BY_AND: f64 = 0.7;

/// A property of an individual.
enum Pair {
    Related(RoleWay, u32),
    Valued(u32, u32),
}

/// What a walk from a random positive example says.
pub(super) fn walk(
    context: &mut SearchContext,
    words: &Words,
    stream: &mut Stream,
) -> Result<ProgramId, LogicError> {
    let Some(&from) = stream.choose(&context.task().positive) else {
        return Ok(context.programs_mut().constant(true));
    };
    let mut whole = class_of(context, words, stream, from)?;
    for _ in 0..PAIRS {
        let Some(pair) = pair_of(context, words, stream, from) else { break };
        let further = stream.chance(SECOND_HOP);
        let part = restriction(context, words, stream, &pair, further)?;
        whole = Some(match whole {
            None => part,
            Some(whole) if stream.chance(BY_AND) => context.programs_mut().and(&[whole, part]),
            Some(whole) => context.programs_mut().or(&[whole, part]),
        });
    }
    Ok(whole.unwrap_or_else(|| context.programs_mut().constant(true)))
}

/// A class that an individual is in.
fn class_of(
    context: &mut SearchContext,
    words: &Words,
    stream: &mut Stream,
    one: u32,
) -> Result<Option<ProgramId>, LogicError> {
    let members = context.kb().world.classes();
    let holds = |&&class: &&u32| members[class as usize].get(one as usize);
    let classes: Vec<u32> = words.classes.iter().filter(holds).copied().collect();
    let Some(&class) = stream.choose(&classes) else { return Ok(None) };
    Ok(Some(context.programs_mut().is(class)?))
}

/// Something that an individual has: any of its properties, then any of that property's objects.
fn pair_of(context: &SearchContext, words: &Words, stream: &mut Stream, one: u32) -> Option<Pair> {
    let world = &context.kb().world;
    let having = |way: &&RoleWay| !way.edges(world).of(one).is_empty();
    let ways: Vec<RoleWay> = words.ways.iter().filter(having).copied().collect();
    let owned = |&&p: &&u32| !world.properties()[p as usize].edges.of(one).is_empty();
    let properties: Vec<u32> = words.properties.iter().filter(owned).copied().collect();
    let choice = stream.index(ways.len() + properties.len());
    match (ways.get(choice), choice.checked_sub(ways.len())) {
        (Some(&way), _) => {
            stream.choose(way.edges(world).of(one)).map(|&object| Pair::Related(way, object))
        }
        (None, Some(place)) => {
            let &property = properties.get(place)?;
            let values = world.properties()[property as usize].edges.of(one);
            stream.choose(values).map(|&value| Pair::Valued(property, value))
        }
        (None, None) => None,
    }
}

/// A pair as a restriction.
fn restriction(
    context: &mut SearchContext,
    words: &Words,
    stream: &mut Stream,
    pair: &Pair,
    further: bool,
) -> Result<ProgramId, LogicError> {
    match *pair {
        Pair::Valued(property, rank) => {
            let condition = words.condition_for(context, stream, property, rank)?;
            Ok(words.has(context, property, condition))
        }
        Pair::Related(RoleWay { role, inverse }, object) => {
            let next = if further { pair_of(context, words, stream, object) } else { None };
            let filler = match next {
                Some(next) => restriction(context, words, stream, &next, false)?,
                None => match class_of(context, words, stream, object)? {
                    Some(class) => class,
                    None => context.programs_mut().constant(true),
                },
            };
            Ok(context.programs_mut().related(Quantifier::Some, role, inverse, filler))
        }
    }
}
