//! Expressions without parts that the examples do not need.
//!
//! A search joins what it finds, and a disjunct may cover only what others cover too, or a conjunct exclude nobody. Such a part
//! has no evidence: the training examples are told apart in the same way without it. So it is left out, wherever in the
//! expression it stands, even if other individuals of the knowledge base would be judged otherwise with it.

use super::{LogicError, SearchContext};
use pellucid_program::{Expr, ProgramId};

/// The expression with every part left out whose loss no training example notices. Of several parts that could go, the one
/// goes first that leaves the shortest expression; of equals the first.
pub(super) fn pruned(context: &mut SearchContext, expr: &Expr) -> Result<Expr, LogicError> {
    let mut expr = expr.clone();
    let whole = context.programs_mut().add(&expr)?;
    let covered = context.coverage(whole)?;
    loop {
        let mut shorter = without_a_part(&expr);
        shorter.sort_by_key(crate::length);
        let programs: Vec<ProgramId> = shorter
            .iter()
            .map(|expr| context.programs_mut().add(expr))
            .collect::<Result<_, _>>()?;
        let mut next = None;
        for (place, &program) in programs.iter().enumerate() {
            if context.coverage(program)? == covered {
                next = Some(place);
                break;
            }
        }
        match next {
            Some(place) => expr = shorter.swap_remove(place),
            None => return Ok(expr),
        }
    }
}

/// All expressions that lack one operand of one conjunction or disjunction.
fn without_a_part(expr: &Expr) -> Vec<Expr> {
    match expr {
        Expr::And(operands) => of_operands(operands, Expr::and),
        Expr::Or(operands) => of_operands(operands, Expr::or),
        Expr::Not(operand) => {
            without_a_part(operand).into_iter().map(|part| Expr::Not(Box::new(part))).collect()
        }
        Expr::Related(quantifier, role, filler) => without_a_part(filler)
            .into_iter()
            .map(|part| Expr::Related(*quantifier, role.clone(), Box::new(part)))
            .collect(),
        _ => Vec::new(),
    }
}

fn of_operands(operands: &[Expr], join: fn(Vec<Expr>) -> Expr) -> Vec<Expr> {
    let mut all = Vec::new();
    for (place, operand) in operands.iter().enumerate() {
        let others = || {
            let others = operands.iter().enumerate().filter(|(other, _)| *other != place);
            others.map(|(_, operand)| operand.clone())
        };
        all.push(join(others().collect()));
        for part in without_a_part(operand) {
            let mut kept = operands.to_vec();
            kept[place] = part;
            all.push(join(kept));
        }
    }
    all
}
