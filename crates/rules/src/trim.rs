//! Conditions that change nothing for any row that was learned from are left out.
//!
//! Breeding leaves much behind that once mattered, or never did: `x > 10` beside `y > 63` where every such row has it. What
//! says the same of all values goes first ([`simplify`]); then whatever can be left out so that every row is covered as before.

use crate::train::RulesError;
use pellucid_cover::Session;
use pellucid_program::{Expr, PerColumn, simplify};

/// A condition on rows without the parts that change nothing for the rows of a session. As much as possible goes at once,
/// and of parts of equal length the last.
pub(crate) fn trimmed(condition: &Expr, session: &mut Session) -> Result<Expr, RulesError> {
    let mut now = simplify(condition, PerColumn::One);
    loop {
        let mut shorter = without_a_part(&now);
        shorter.sort_by_key(conditions);
        let all = std::iter::once(&now).chain(&shorter);
        let programs = session.programs_mut();
        let roots: Result<Vec<_>, _> = all.map(|expr| programs.add(expr)).collect();
        // What was learned from the table can be asked of the table.
        let Ok(roots) = roots else { return Ok(now) };
        let rows = session.cover(&roots)?;
        let as_before = (1..roots.len()).find(|&index| rows.row(index) == rows.row(0));
        match as_before {
            Some(index) => now = simplify(&shorter[index - 1], PerColumn::One),
            None => return Ok(now),
        }
    }
}

/// How many conditions there are to read.
fn conditions(expr: &Expr) -> usize {
    match expr {
        Expr::And(operands) | Expr::Or(operands) => operands.iter().map(conditions).sum(),
        Expr::Not(operand) => conditions(operand),
        _ => 1,
    }
}

/// The same with one operand less, for every operand of every conjunction and disjunction; from the last to the first.
fn without_a_part(expr: &Expr) -> Vec<Expr> {
    let (operands, join): (_, fn(Vec<Expr>) -> Expr) = match expr {
        Expr::And(operands) => (operands, Expr::and),
        Expr::Or(operands) => (operands, Expr::or),
        _ => return Vec::new(),
    };
    let mut shorter = Vec::new();
    for index in (0..operands.len()).rev() {
        let mut left = operands.clone();
        left.remove(index);
        shorter.push(join(left));
        for part in without_a_part(&operands[index]) {
            let mut changed = operands.clone();
            changed[index] = part;
            shorter.push(join(changed));
        }
    }
    shorter
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_cover::{Hypothesis, Labels, Table};
    use pellucid_data::Values;
    use pellucid_device::Device;
    use pellucid_learn::rng::Streams;
    use std::sync::Arc;

    /// Rows in which `b` is true only where `a > 4` is, and some have no `a`.
    fn session(rows: usize, seed: u64) -> Session {
        let mut draw = Streams::new(seed).stream(&["rows".into()]);
        let a: Vec<f64> = (0..rows)
            .map(|_| if draw.chance(0.2) { f64::NAN } else { draw.below(10) as f64 })
            .collect();
        let b = a.iter().map(|&a| if a > 4.0 { a } else { 0.0 }).collect();
        let c = (0..rows).map(|_| draw.below(10) as f64).collect();
        let columns = [("a", a), ("b", b), ("c", c)]
            .map(|(name, numbers)| (name.to_owned(), Values::Numeric(numbers.into())));
        let table = Arc::new(Table::new(columns.to_vec()).unwrap());
        let labels = Labels::rows(&table, &vec![0; rows], 1).unwrap();
        let cpu = Device::processor(std::num::NonZeroUsize::new(1)).unwrap();
        Session::new(table, labels, Hypothesis::Rows, &[cpu]).unwrap()
    }

    #[test]
    fn what_no_row_needs_goes() {
        let mut session = session(500, 1);
        for (written, short) in [
            ("b > 4 and a > 3", "b > 4"),
            ("b > 4 or (a > 6 and c > 2)", "b > 4"),
            ("c > 3 and (c > 20 or b > 5) and a > 1", "c > 3 and b > 5"),
            ("c > 3 and a > 1", "c > 3 and a > 1"),
        ] {
            let told = trimmed(&written.parse().unwrap(), &mut session).unwrap();
            assert_eq!(told.to_string(), short, "from {written}");
        }
    }

    #[test]
    fn every_row_is_covered_as_before_and_nothing_more_can_go() {
        for seed in 0..40 {
            let mut session = session(60, seed);
            let mut draw = Streams::new(seed).stream(&["conditions".into()]);
            let mut condition = |draw: &mut pellucid_learn::rng::Stream| {
                let column = ["a", "b", "c"][draw.index(3)];
                let op = [">", "<="][draw.index(2)];
                format!("{column} {op} {}", draw.below(10))
            };
            let groups: Vec<String> = (0..4)
                .map(|_| format!("({} and {})", condition(&mut draw), condition(&mut draw)))
                .collect();
            let written: Expr = groups.join(" or ").parse().unwrap();
            let told = trimmed(&written, &mut session).unwrap();
            let mut covered = |expr: &Expr| {
                let root = session.programs_mut().add(expr).unwrap();
                session.cover(&[root]).unwrap().ones(0).collect::<Vec<_>>()
            };
            let before = covered(&written);
            assert_eq!(covered(&told), before, "{written} became {told}");
            for shorter in without_a_part(&told) {
                assert_ne!(covered(&shorter), before, "{told} could be {shorter}");
            }
        }
    }
}
