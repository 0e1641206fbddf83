//! Removes operands that the examples do not support.
//!
//! A search may join a disjunct that covers only what others cover, or a conjunct that excludes
//! nothing. No training example supports such an operand, so it is removed at any depth, even if
//! that changes the predictions for other individuals.

use super::{LogicError, SearchContext};
use pellucid_program::{Expr, ProgramId};

/// Returns the expression without operands whose removal does not change the coverage of the
/// training examples. If several can be removed, the one that leaves the shortest expression is
/// removed first.
pub(super) fn prune(context: &mut SearchContext, expr: &Expr) -> Result<Expr, LogicError> {
    let mut expr = expr.clone();
    let whole = context.programs_mut().add(&expr)?;
    let covered = context.coverage(whole)?;
    loop {
        let mut shorter = without_one_operand(&expr);
        shorter.sort_by_key(crate::length);
        let programs: Vec<ProgramId> = shorter
            .iter()
            .map(|expr| context.programs_mut().add(expr))
            .collect::<Result<_, _>>()?;
        let mut next = None;
        for (index, &program) in programs.iter().enumerate() {
            if context.coverage(program)? == covered {
                next = Some(index);
                break;
            }
        }
        match next {
            Some(index) => expr = shorter.swap_remove(index),
            None => return Ok(expr),
        }
    }
}

/// Returns all expressions that lack one operand of one conjunction or disjunction.
fn without_one_operand(expr: &Expr) -> Vec<Expr> {
    match expr {
        Expr::And(operands) => of_operands(operands, Expr::and),
        Expr::Or(operands) => of_operands(operands, Expr::or),
        Expr::Not(operand) => {
            without_one_operand(operand).into_iter().map(|part| Expr::Not(Box::new(part))).collect()
        }
        Expr::Related(quantifier, role, filler) => without_one_operand(filler)
            .into_iter()
            .map(|part| Expr::Related(*quantifier, role.clone(), Box::new(part)))
            .collect(),
        _ => Vec::new(),
    }
}

fn of_operands(operands: &[Expr], join: fn(Vec<Expr>) -> Expr) -> Vec<Expr> {
    let mut all = Vec::new();
    for (index, operand) in operands.iter().enumerate() {
        let others = || {
            let others = operands.iter().enumerate().filter(|(other, _)| *other != index);
            others.map(|(_, operand)| operand.clone())
        };
        all.push(join(others().collect()));
        for part in without_one_operand(operand) {
            let mut kept = operands.to_vec();
            kept[index] = part;
            all.push(join(kept));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::Options;
    use crate::learn::random_world::{context, planted, random_kb};

    #[test]
    fn redundant_operands_are_removed_at_any_depth() {
        let cases = [
            ("A or (A and B)", "A"),
            ("A and (A or some r (B))", "A"),
            ("some r (B or (B and C))", "some r (B)"),
            ("not (A or (A and B))", "not A"),
        ];
        for seed in 0..8 {
            let kb = random_kb(seed, 60);
            let Some(task) = planted(&kb, "A") else { continue };
            let mut context = context(&kb, task, &Options::default(), 1);
            for (redundant, needed) in cases {
                let [redundant, needed] =
                    [redundant, needed].map(|text| text.parse::<Expr>().expect("a formula"));
                assert_eq!(prune(&mut context, &redundant).expect("a CPU"), needed, "seed {seed}");
            }
        }
    }

    #[test]
    fn every_kept_operand_is_needed_by_an_example() {
        let mut parts = 0;
        for seed in 0..8 {
            let kb = random_kb(seed, 60);
            let Some(task) = planted(&kb, "A and some r (B)") else { continue };
            let mut context = context(&kb, task, &Options::default(), 1);
            for text in ["A or B or C or some r (B)", "(A or B) and (C or D) and not some s (A)"] {
                let expr: Expr = text.parse().expect("a formula");
                let kept = prune(&mut context, &expr).expect("a CPU");
                let mut covered = |expr: &Expr| {
                    let program = context.programs_mut().add(expr).expect("a sound formula");
                    context.coverage(program).expect("a CPU")
                };
                let whole = covered(&kept);
                assert_eq!(whole, covered(&expr), "seed {seed}: {kept}");
                for shorter in without_one_operand(&kept) {
                    parts += 1;
                    assert_ne!(covered(&shorter), whole, "seed {seed}: {kept}");
                }
            }
        }
        assert!(parts > 10, "only {parts} operands were checked");
    }
}
