use pellucid_program::{Expr, Quantifier};

/// Removes constants from an expression, unless it is one.
///
/// Query engines differ in their treatment of `FILTER (false)` deep inside a query.
pub(super) fn fold(expr: &Expr) -> Expr {
    let join = |operands: &[Expr], and: bool| {
        let folded: Vec<Expr> = operands.iter().map(fold).collect();
        if folded.contains(&Expr::Constant(!and)) {
            return Expr::Constant(!and);
        }
        let kept = folded.into_iter().filter(|operand| *operand != Expr::Constant(and)).collect();
        if and { Expr::and(kept) } else { Expr::or(kept) }
    };
    match expr {
        Expr::Not(operand) => match fold(operand) {
            Expr::Constant(value) => Expr::Constant(!value),
            Expr::Not(inner) => *inner,
            other => Expr::Not(Box::new(other)),
        },
        Expr::And(operands) => join(operands, true),
        Expr::Or(operands) => join(operands, false),
        Expr::OneOf(_, values) if values.is_empty() => Expr::Constant(false),
        Expr::Related(quantifier, role, filler) => {
            let filler = fold(filler);
            let known = match (quantifier, &filler) {
                (Quantifier::Min(0), _) | (Quantifier::Only, Expr::Constant(true)) => Some(true),
                // No filler satisfies it, so the count is 0.
                (Quantifier::Some | Quantifier::Min(_), Expr::Constant(false)) => Some(false),
                (Quantifier::Max(_), Expr::Constant(false)) => Some(true),
                (Quantifier::Exactly(count), Expr::Constant(false)) => Some(*count == 0),
                _ => None,
            };
            known.map_or_else(
                || Expr::Related(*quantifier, role.clone(), Box::new(filler)),
                Expr::Constant,
            )
        }
        leaf => leaf.clone(),
    }
}
