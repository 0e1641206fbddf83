//! Expressions that differ from another in one place, where they ask for less.

use pellucid_program::{Edge, Expr, Op, Quantifier, Role, Value};

/// Returns all expressions with one part rewritten. They may cover other individuals.
pub(super) fn simpler(expr: &Expr) -> Vec<Expr> {
    let mut found = at_this_place(expr);
    match expr {
        Expr::And(operands) => found.extend(within(operands, Expr::and)),
        Expr::Or(operands) => found.extend(within(operands, Expr::or)),
        Expr::Not(operand) => {
            found.extend(simpler(operand).into_iter().map(|part| Expr::Not(Box::new(part))));
        }
        Expr::Related(quantifier, role, filler) => {
            let with = |filler| Expr::Related(*quantifier, role.clone(), Box::new(filler));
            found.extend(simpler(filler).into_iter().map(with));
        }
        _ => {}
    }
    found
}

/// Rewrites one of several operands.
fn within(operands: &[Expr], join: fn(Vec<Expr>) -> Expr) -> Vec<Expr> {
    let rewritten = |(at, operand): (usize, &Expr)| {
        let with = move |part| {
            let mut operands = operands.to_vec();
            operands[at] = part;
            join(operands)
        };
        simpler(operand).into_iter().map(with).collect::<Vec<Expr>>()
    };
    operands.iter().enumerate().flat_map(rewritten).collect()
}

/// Returns the alternatives to an expression as a whole.
fn at_this_place(expr: &Expr) -> Vec<Expr> {
    match expr {
        Expr::And(operands) => without_one(operands, Expr::and),
        Expr::Or(operands) => without_one(operands, Expr::or),
        Expr::Within(column, interval) => {
            let compare = |edge: Edge, closed, open| {
                let op = if edge.closed { closed } else { open };
                Expr::Compare(column.clone(), op, Value::Number(edge.value))
            };
            vec![
                compare(interval.low, Op::GreaterEqual, Op::Greater),
                compare(interval.high, Op::LessEqual, Op::Less),
            ]
        }
        Expr::Related(quantifier, role, filler) => of_restriction(*quantifier, role, filler),
        _ => Vec::new(),
    }
}

fn without_one(operands: &[Expr], join: fn(Vec<Expr>) -> Expr) -> Vec<Expr> {
    let without = |left_out: usize| {
        let kept = operands.iter().enumerate().filter(|&(at, _)| at != left_out);
        join(kept.map(|(_, operand)| operand.clone()).collect())
    };
    (0..operands.len()).map(without).collect()
}

/// Returns weaker restrictions, and those that ask the individual itself instead of coming back to it.
fn of_restriction(quantifier: Quantifier, role: &Role, filler: &Expr) -> Vec<Expr> {
    let related =
        |quantifier, filler: Expr| Expr::Related(quantifier, role.clone(), Box::new(filler));
    let mut found = Vec::new();
    if quantifier != Quantifier::Only {
        found.push(related(quantifier, Expr::Constant(true)));
    }
    if let Quantifier::Min(_) | Quantifier::Exactly(_) = quantifier {
        found.push(related(Quantifier::Some, filler.clone()));
        found.push(related(Quantifier::Some, Expr::Constant(true)));
    }
    let operands = match filler {
        Expr::And(operands) => operands.as_slice(),
        single => std::slice::from_ref(single),
    };
    for (at, operand) in operands.iter().enumerate() {
        let Expr::Related(_, back, inner) = operand else { continue };
        if back.name == role.name && back.inverse != role.inverse {
            let mut rest = operands.to_vec();
            rest.remove(at);
            let inner = (**inner).clone();
            found.push(inner.clone());
            found.push(Expr::and(vec![inner, related(quantifier, Expr::and(rest))]));
        }
    }
    found
}
