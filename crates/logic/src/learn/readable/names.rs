//! Replaces parts of an expression by names with the same meaning in the knowledge base.

use super::complexity;
use crate::learn::directed_role::DirectedRole;
use crate::learn::{LogicError, SearchContext};
use pellucid_bits::Bits;
use pellucid_program::{Expr, Node, Programs, Role};
use pellucid_relate::Target;

/// Returns the expression with names in place of parts that cover the same individuals wherever the part
/// applies: a class, a negated class, or a property in place of an inverse.
pub(super) fn with_names(context: &mut SearchContext, expr: &Expr) -> Result<Expr, LogicError> {
    let all = Bits::ones_of(context.kb().world.len());
    rename(context, expr, &all)
}

/// Replaces the parts of an expression that applies to some individuals.
fn rename(context: &mut SearchContext, expr: &Expr, scope: &Bits) -> Result<Expr, LogicError> {
    if crate::length(expr) > 1
        && let Some(name) = name_of(context, expr, scope)?
    {
        return Ok(name);
    }
    Ok(match expr {
        Expr::And(operands) | Expr::Or(operands) => {
            let renamed = operands.iter().map(|operand| rename(context, operand, scope));
            let renamed = renamed.collect::<Result<Vec<Expr>, LogicError>>()?;
            if matches!(expr, Expr::And(_)) { Expr::and(renamed) } else { Expr::or(renamed) }
        }
        Expr::Not(operand) => Expr::Not(Box::new(rename(context, operand, scope)?)),
        Expr::Related(quantifier, role, filler) => {
            let Some(way) = directed(context, expr)? else { return Ok(expr.clone()) };
            let named = context.allowed().direction(way.role, way.inverse);
            let name = context.kb().world.role_names().get(named.role).to_owned();
            let role =
                if named == way { role.clone() } else { Role { name, inverse: named.inverse } };
            let reached = way.objects(&context.kb().world, scope);
            Expr::Related(*quantifier, role, Box::new(rename(context, filler, &reached)?))
        }
        other => other.clone(),
    })
}

/// The object property of a restriction; `None` for a data property.
fn directed(context: &mut SearchContext, expr: &Expr) -> Result<Option<DirectedRole>, LogicError> {
    let program = context.programs_mut().add(expr)?;
    let node = |programs: &Programs| match programs.node(program) {
        Node::Related { role, inverse, .. } => Some(DirectedRole { role, inverse }),
        _ => None,
    };
    let world = &context.kb().world;
    let found = node(context.programs());
    Ok(found.filter(|way| matches!(world.target(way.role), Target::Individuals(_))))
}

/// Returns the simplest constant, class or negated class that covers the same individuals of a scope; of
/// several classes, the smallest one.
fn name_of(
    context: &mut SearchContext,
    expr: &Expr,
    scope: &Bits,
) -> Result<Option<Expr>, LogicError> {
    if scope.count() == 0 {
        return Ok(None);
    }
    let program = context.programs_mut().add(expr)?;
    let covered = context.reasoner().cover(&[program])?;
    let mut here = Bits::from_blocks(covered.row(0).to_vec(), scope.len());
    here.and_with(scope);
    let mut others = scope.clone();
    others.and_with(&complement(&here));
    let world = context.kb().world.clone();
    let negation = context.options().operators.negation;
    let mut found: Vec<(u64, Expr)> = Vec::new();
    if others.count() == 0 || here.count() == 0 {
        found.push((0, Expr::Constant(others.count() == 0)));
    }
    for &class in &context.allowed().classes {
        let members = &world.classes()[class as usize];
        let mut inside = Bits::clone(members);
        inside.and_with(scope);
        let name = Expr::Is(world.class_names().get(class).to_owned());
        if inside == here {
            found.push((members.count(), name));
        } else if negation && inside == others {
            found.push((members.count(), Expr::Not(Box::new(name))));
        }
    }
    found.retain(|(_, name)| complexity(name) < complexity(expr));
    // Ties go to the class with the smallest number, which comes first.
    Ok(found
        .into_iter()
        .min_by_key(|(members, name)| (complexity(name), *members))
        .map(|(_, name)| name))
}

fn complement(set: &Bits) -> Bits {
    let mut rest = set.clone();
    rest.flip();
    rest
}
