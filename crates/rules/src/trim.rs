//! Conditions that change nothing for any example that was learned from are left out.
//!
//! Breeding leaves much behind that once mattered, or never did: `x > 10` beside `y > 63` where every such row has it. Whatever
//! can be left out so that the same examples are covered is left out, and the rest is [said in fewer words](simplify).
//!
//! Without a condition that must hold too a rule covers the same examples or more, and without an alternative the same or
//! fewer. So it is enough to count: where the counts stay, the examples do. That also serves where the rows lie elsewhere.

use crate::genome::{Gene, expr};
use crate::grammar::Grammar;
use crate::model::comparisons;
use crate::train::{RulesError, readable};
use pellucid_cover::{Formulas, Hypothesis, Literal, Part, Session, Table};
use pellucid_program::{Expr, PerColumn, simplify};

/// What a bred rule says of a row, without the parts that change nothing for the examples of a session.
pub(crate) fn trimmed(
    genes: &[Gene],
    (table, grammar): (&Table, &Grammar),
    session: &mut Session,
) -> Result<Expr, RulesError> {
    let readable = |literal: Literal| readable(literal, table, grammar);
    let leaves: Leaves = genes.iter().map(|gene| (readable(gene.literal), gene.literal)).collect();
    let mut now = expr(genes, &readable);
    // More covered rows may make a bag positive and then negative again: counts alone would not tell.
    if !matches!(session.hypothesis(), Hypothesis::Between(..)) {
        while let Some(shorter) = shorter(&now, &leaves, session)? {
            now = shorter;
        }
    }
    Ok(simplify(&now, PerColumn::One))
}

/// How a comparison reads, and what it is for the engine.
type Leaves = Vec<(Expr, Literal)>;

/// The same with one part less that nobody needs: as long a part as possible, and of equal ones the last.
fn shorter(now: &Expr, leaves: &Leaves, session: &mut Session) -> Result<Option<Expr>, RulesError> {
    let mut shorter = without_a_part(now);
    shorter.sort_by_key(comparisons);
    let mut formulas = Formulas::new();
    std::iter::once(now).chain(&shorter).for_each(|expr| write(expr, leaves, &mut formulas));
    let counts = session.tally_formulas(&formulas)?;
    let as_before = (0..shorter.len()).find(|&index| counts.of(index + 1) == counts.of(0));
    Ok(as_before.map(|index| shorter.swap_remove(index)))
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

/// Writes an expression as the next root of some formulas.
fn write(expr: &Expr, leaves: &Leaves, formulas: &mut Formulas) {
    groups(expr, leaves, formulas);
    formulas.end_root();
}

/// Writes the alternatives of an expression; alternatives within them are parts, which stand before what uses them.
fn groups(expr: &Expr, leaves: &Leaves, formulas: &mut Formulas) {
    let alternatives = match expr {
        Expr::Or(alternatives) => alternatives.as_slice(),
        single => std::slice::from_ref(single),
    };
    let parts: Vec<Vec<Result<Literal, Part>>> = alternatives
        .iter()
        .map(|alternative| {
            let all = match alternative {
                Expr::And(all) => all.as_slice(),
                single => std::slice::from_ref(single),
            };
            let mut part = |operand: &Expr| match operand {
                Expr::And(_) | Expr::Or(_) => {
                    groups(operand, leaves, formulas);
                    Err(formulas.end_part())
                }
                leaf => Ok(literal_of(leaf, leaves)),
            };
            all.iter().map(&mut part).collect()
        })
        .collect();
    for group in parts {
        for part in group {
            match part {
                Ok(literal) => formulas.literal(literal),
                Err(part) => formulas.part(part),
            }
        }
        formulas.end_group();
    }
}

fn literal_of(leaf: &Expr, leaves: &Leaves) -> Literal {
    let found = leaves.iter().find(|(known, _)| known == leaf);
    found.expect("a rule is made of its comparisons").1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genome::Link;
    use crate::grammar::{Grammar, Vocabulary};
    use pellucid_cover::Labels;
    use pellucid_data::Values;
    use pellucid_device::Device;
    use pellucid_learn::rng::{Stream, Streams};
    use std::sync::Arc;

    /// Few rows, some of them without a value, alone or in bags.
    fn session(seed: u64, draw: &mut Stream) -> Session {
        let rows = 60;
        let mut column = |name: &str| {
            let numbers: Vec<f64> = (0..rows)
                .map(|_| if draw.chance(0.1) { f64::NAN } else { draw.below(10) as f64 })
                .collect();
            (name.to_owned(), Values::Numeric(numbers.into()))
        };
        let columns = vec![column("a"), column("b"), column("c")];
        let bags: Vec<u32> = (0..rows).map(|row| row / 3).collect();
        let (table, hypothesis) = match seed % 3 {
            0 => (Table::new(columns), Hypothesis::Rows),
            1 => (Table::with_bags(columns, &bags), Hypothesis::Presence),
            _ => (Table::with_bags(columns, &bags), Hypothesis::AtLeast(2)),
        };
        let table = Arc::new(table.unwrap());
        let labels = match hypothesis {
            Hypothesis::Rows => Labels::rows(&table, &[0; 60], 1),
            _ => Labels::bags(&table, &[0; 20], 1),
        };
        let cpu = Device::processor(std::num::NonZeroUsize::new(1)).unwrap();
        Session::new(table, labels.unwrap(), hypothesis, &[cpu]).unwrap()
    }

    /// The examples that hold, by what is asked of their rows.
    fn covered(expr: &Expr, session: &mut Session) -> Vec<usize> {
        let root = session.programs_mut().add(expr).unwrap();
        let rows: Vec<usize> = session.cover(&[root]).unwrap().ones(0).collect();
        match session.hypothesis() {
            Hypothesis::Rows => rows,
            hypothesis => (0..20)
                .filter(|bag| hypothesis.holds(rows.iter().filter(|&row| row / 3 == *bag).count()))
                .collect(),
        }
    }

    #[test]
    fn the_same_examples_are_covered_and_nothing_more_can_go() {
        let mut went = 0;
        for seed in 0..60 {
            let mut draw = Streams::new(seed).stream(&["rows".into()]);
            let mut session = session(seed, &mut draw);
            let table = Arc::clone(session.table());
            let vocabulary = Vocabulary::new(&Grammar::default(), &table).unwrap();
            let links = [Link::And, Link::Or, Link::FlippedAnd, Link::FlippedOr];
            let genes: Vec<Gene> = (0..8)
                .map(|number| Gene {
                    literal: vocabulary.comparison(&mut draw),
                    link: if number == 7 { Link::End } else { links[draw.index(4)] },
                })
                .collect();
            let grammar = Grammar::default();
            let written = expr(&genes, &|literal| readable(literal, &table, &grammar));
            let told = trimmed(&genes, (&table, &grammar), &mut session).unwrap();
            let before = covered(&written, &mut session);
            assert_eq!(covered(&told, &mut session), before, "{written} became {told}");
            for shorter in without_a_part(&told) {
                assert_ne!(covered(&shorter, &mut session), before, "{told} could be {shorter}");
            }
            went += comparisons(&written) - comparisons(&told);
        }
        assert!(went > 0, "nothing was left out");
    }
}
