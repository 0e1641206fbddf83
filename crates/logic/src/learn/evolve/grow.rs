use super::super::{LogicError, SearchContext};
use super::symbols::Symbols;
use pellucid_learn::rng::Stream;
use pellucid_program::{ProgramId, Quantifier};

/// Returns a random expression about individuals with a bounded height.
pub(super) fn grow(
    context: &mut SearchContext,
    symbols: &Symbols,
    stream: &mut Stream,
    height: u32,
) -> Result<ProgramId, LogicError> {
    if height == 0 || stream.chance(0.3) {
        return terminal(context, symbols, stream);
    }
    match stream.index(5) {
        0 => {
            let parts = [
                grow(context, symbols, stream, height - 1)?,
                grow(context, symbols, stream, height - 1)?,
            ];
            Ok(context.programs_mut().and(&parts))
        }
        1 => {
            let parts = [
                grow(context, symbols, stream, height - 1)?,
                grow(context, symbols, stream, height - 1)?,
            ];
            Ok(context.programs_mut().or(&parts))
        }
        _ => {
            let Some(&directed_role) = stream.choose(&symbols.directed_roles) else {
                return terminal(context, symbols, stream);
            };
            let quantifier = quantifier(context, stream);
            let filler = grow(context, symbols, stream, height - 1)?;
            Ok(restrict(context, quantifier, directed_role.role, directed_role.inverse, filler))
        }
    }
}

/// Returns a class or its negation, a condition on a value, or an unqualified restriction.
fn terminal(
    context: &mut SearchContext,
    symbols: &Symbols,
    stream: &mut Stream,
) -> Result<ProgramId, LogicError> {
    let kinds = [symbols.classes.len(), symbols.directed_roles.len(), symbols.properties.len()];
    let weights = kinds.map(|count| if count == 0 { 0.0 } else { 2.0 + count.min(8) as f64 });
    match stream.weighted(&weights) {
        Some(0) => {
            let class = symbols.classes[stream.index(symbols.classes.len())];
            let class = context.programs_mut().is(class)?;
            let negated = context.options().operators.negation && stream.chance(0.25);
            Ok(if negated { context.programs_mut().not(class) } else { class })
        }
        Some(1) => {
            let directed_role = symbols.directed_roles[stream.index(symbols.directed_roles.len())];
            let programs = context.programs_mut();
            let thing = programs.constant(true);
            Ok(programs.related(Quantifier::Some, directed_role.role, directed_role.inverse, thing))
        }
        Some(_) => {
            let property = symbols.properties[stream.index(symbols.properties.len())];
            let condition = symbols.condition(context, stream, property)?;
            Ok(symbols.has(context, property, condition))
        }
        None => Ok(context.programs_mut().constant(true)),
    }
}

/// Returns a random allowed quantifier. `some` and small numbers are more likely.
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

/// Returns a restriction in the selected semantics.
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
