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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::Options;
    use crate::learn::random_world::{context, planted, random_kb};

    #[test]
    fn parts_that_change_nothing_are_left_out_wherever_they_stand() {
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
            for (idle, needed) in cases {
                let [idle, needed] =
                    [idle, needed].map(|text| text.parse::<Expr>().expect("a formula"));
                assert_eq!(
                    pruned(&mut context, &idle).expect("a processor"),
                    needed,
                    "seed {seed}"
                );
            }
        }
    }

    #[test]
    fn every_part_that_is_kept_is_needed_by_an_example() {
        let mut parts = 0;
        for seed in 0..8 {
            let kb = random_kb(seed, 60);
            let Some(task) = planted(&kb, "A and some r (B)") else { continue };
            let mut context = context(&kb, task, &Options::default(), 1);
            for text in ["A or B or C or some r (B)", "(A or B) and (C or D) and not some s (A)"] {
                let expr: Expr = text.parse().expect("a formula");
                let kept = pruned(&mut context, &expr).expect("a processor");
                let mut covered = |expr: &Expr| {
                    let program = context.programs_mut().add(expr).expect("a sound formula");
                    context.coverage(program).expect("a processor")
                };
                let whole = covered(&kept);
                assert_eq!(whole, covered(&expr), "seed {seed}: {kept}");
                for shorter in without_a_part(&kept) {
                    parts += 1;
                    assert_ne!(covered(&shorter), whole, "seed {seed}: {kept}");
                }
            }
        }
        assert!(parts > 10, "{parts} parts were looked at");
    }
}
