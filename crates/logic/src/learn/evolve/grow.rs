use super::super::{LogicError, SearchContext};
use super::words::Words;
use pellucid_learn::rng::Stream;
use pellucid_program::{ProgramId, Quantifier};

/// A random expression about individuals, at most so high.
pub(super) fn grow(
    context: &mut SearchContext,
    words: &Words,
    stream: &mut Stream,
    height: u32,
) -> Result<ProgramId, LogicError> {
    if height == 0 || stream.chance(0.3) {
        return terminal(context, words, stream);
    }
    match stream.index(5) {
        0 => {
            let parts = [
                grow(context, words, stream, height - 1)?,
                grow(context, words, stream, height - 1)?,
            ];
            Ok(context.programs_mut().and(&parts))
        }
        1 => {
            let parts = [
                grow(context, words, stream, height - 1)?,
                grow(context, words, stream, height - 1)?,
            ];
            Ok(context.programs_mut().or(&parts))
        }
        _ => {
            let Some(&way) = stream.choose(&words.ways) else {
                return terminal(context, words, stream);
            };
            let quantifier = quantifier(context, stream);
            let filler = grow(context, words, stream, height - 1)?;
            Ok(restrict(context, quantifier, way.role, way.inverse, filler))
        }
    }
}

/// A class or its negation, a value, or somebody related.
fn terminal(
    context: &mut SearchContext,
    words: &Words,
    stream: &mut Stream,
) -> Result<ProgramId, LogicError> {
    let kinds = [words.classes.len(), words.ways.len(), words.properties.len()];
    let weights = kinds.map(|count| if count == 0 { 0.0 } else { 2.0 + count.min(8) as f64 });
    match stream.weighted(&weights) {
        Some(0) => {
            let class = words.classes[stream.index(words.classes.len())];
            let class = context.programs_mut().is(class)?;
            let negated = context.options().operators.negation && stream.chance(0.25);
            Ok(if negated { context.programs_mut().not(class) } else { class })
        }
        Some(1) => {
            let way = words.ways[stream.index(words.ways.len())];
            let programs = context.programs_mut();
            let anybody = programs.constant(true);
            Ok(programs.related(Quantifier::Some, way.role, way.inverse, anybody))
        }
        Some(_) => {
            let property = words.properties[stream.index(words.properties.len())];
            let condition = words.condition(context, stream, property)?;
            Ok(words.has(context, property, condition))
        }
        None => Ok(context.programs_mut().constant(true)),
    }
}

/// A random quantifier among those allowed; `some` more often than others, and small numbers more often than large ones.
pub(super) fn quantifier(context: &SearchContext, stream: &mut Stream) -> Quantifier {
    let operators = &context.options().operators;
    let count = operators.cardinality.min(1 + u32::try_from(stream.gap(0.5)).unwrap_or(u32::MAX));
    match stream.index(8) {
        0 if operators.universal => Quantifier::Only,
        1 if operators.cardinality > 1 => Quantifier::Min(count.max(2)),
        2 if operators.cardinality > 1 => Quantifier::Max(count),
        _ => Quantifier::Some,
    }
}

/// A restriction in the chosen meaning.
pub(super) fn restrict(
    context: &mut SearchContext,
    quantifier: Quantifier,
    role: u32,
    inverse: bool,
    filler: ProgramId,
) -> ProgramId {
    match quantifier {
        Quantifier::Only => context.only(role, inverse, filler),
        Quantifier::Max(count) => context.max(count, role, inverse, filler),
        other => context.programs_mut().related(other, role, inverse, filler),
    }
}
