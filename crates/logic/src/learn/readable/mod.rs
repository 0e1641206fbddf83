//! Rewrites a learned expression as a person would write it.
//!
//! A search may join an operand that covers only what others cover, ask for a class where any individual will
//! do, or come back through an inverse. No training example supports such a part, so it is removed or
//! generalized at any depth, even if that changes the predictions for other individuals. Parts with a name of
//! their own get that name; this changes no prediction in the knowledge base.

mod names;
mod rewrites;
#[cfg(test)]
mod tests;

use super::{LogicError, SearchContext};
use pellucid_program::{Expr, PerColumn, ProgramId, simplify};

/// Returns the simplest expression found that covers the same training examples.
///
/// Each step takes the simplest rewritten expression that covers the same examples.
pub(super) fn readable(context: &mut SearchContext, expr: &Expr) -> Result<Expr, LogicError> {
    let mut expr = simplify(expr, PerColumn::Several);
    let whole = context.programs_mut().add(&expr)?;
    let covered = context.coverage(whole)?;
    loop {
        if let Some(next) = simplest_equal(context, &expr, covered)? {
            expr = next;
            continue;
        }
        let named = names::with_names(context, &expr)?;
        if named == expr {
            return Ok(simplify(&expr, PerColumn::Several));
        }
        expr = named;
    }
}

/// Returns the simplest rewritten expression with this coverage; `None` if there is none.
fn simplest_equal(
    context: &mut SearchContext,
    expr: &Expr,
    covered: u128,
) -> Result<Option<Expr>, LogicError> {
    let now = complexity(expr);
    let mut simpler = rewrites::simpler(expr);
    simpler.retain(|expr| complexity(expr) < now);
    simpler.sort_by_cached_key(|expr| (complexity(expr), expr.to_string()));
    simpler.dedup();
    for expr in simpler {
        let program: ProgramId = context.programs_mut().add(&expr)?;
        if context.coverage(program)? == covered {
            return Ok(Some(expr));
        }
    }
    Ok(None)
}

/// How hard an expression is to read: its length, then its inverses, negations and names.
pub(super) fn complexity(expr: &Expr) -> [usize; 4] {
    let mut counts = [crate::length(expr), 0, 0, 0];
    let mut open = vec![expr];
    while let Some(part) = open.pop() {
        match part {
            Expr::Constant(_) => {}
            Expr::Not(operand) => {
                counts[2] += 1;
                open.push(operand);
            }
            Expr::And(operands) | Expr::Or(operands) => open.extend(operands),
            Expr::Related(_, role, filler) => {
                counts[1] += usize::from(role.inverse);
                counts[3] += 1;
                open.push(filler);
            }
            _ => counts[3] += 1,
        }
    }
    counts
}
