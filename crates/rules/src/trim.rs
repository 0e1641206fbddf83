//! Pruning of conditions that change nothing for the training examples.
//!
//! Breeding leaves useless parts behind, such as `x > 10` beside `y > 63` if every such row
//! satisfies it. Every part is removed without which the same examples are covered, and the rest is
//! [simplified](simplify).
//!
//! Without a part of a conjunction a rule covers the same examples or more; without an alternative,
//! the same or fewer. So it is enough to count: if the counts are equal, the examples are the same.
//! This also works with distributed rows.

use crate::genome::{Gene, expr};
use crate::grammar::Grammar;
use crate::model::comparisons;
use crate::train::{RulesError, readable};
use pellucid_cover::{FormulaPart, Formulas, Hypothesis, Literal, Session, Table};
use pellucid_program::{Expr, PerColumn, simplify};

/// Returns the condition of a bred rule without the parts that change nothing for the examples of a
/// session.
pub(crate) fn trimmed(
    genes: &[Gene],
    (table, grammar): (&Table, &Grammar),
    session: &mut Session,
) -> Result<Expr, RulesError> {
    let readable = |literal: Literal| readable(literal, table, grammar);
    let leaves: Leaves = genes.iter().map(|gene| (readable(gene.literal), gene.literal)).collect();
    let mut now = expr(genes, &readable);
    // With an upper limit, more covered rows may make a bag negative again, so equal counts prove
    // nothing.
    if !matches!(session.hypothesis(), Hypothesis::Between(..)) {
        while let Some(shorter) = shorter(&now, &leaves, session)? {
            now = shorter;
        }
    }
    Ok(simplify(&now, PerColumn::One))
}

/// The text of each comparison, and its literal for the engine.
type Leaves = Vec<(Expr, Literal)>;

/// Returns the condition without one useless part: the longest possible one, in a tie the last.
fn shorter(now: &Expr, leaves: &Leaves, session: &mut Session) -> Result<Option<Expr>, RulesError> {
    let mut shorter = without_a_part(now);
    shorter.sort_by_key(comparisons);
    let mut formulas = Formulas::new();
    std::iter::once(now).chain(&shorter).for_each(|expr| write(expr, leaves, &mut formulas));
    let counts = session.tally_formulas(&formulas)?;
    let as_before = (0..shorter.len()).find(|&index| counts.of(index + 1) == counts.of(0));
    Ok(as_before.map(|index| shorter.swap_remove(index)))
}

/// Returns all conditions with one operand less in any conjunction or disjunction, from the last to
/// the first.
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

/// Writes the alternatives of an expression; nested alternatives are parts, which precede their
/// uses.
fn groups(expr: &Expr, leaves: &Leaves, formulas: &mut Formulas) {
    let alternatives = match expr {
        Expr::Or(alternatives) => alternatives.as_slice(),
        single => std::slice::from_ref(single),
    };
    let parts: Vec<Vec<Result<Literal, FormulaPart>>> = alternatives
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

    /// A few rows, some with missing values, with or without bags.
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

    /// Returns the examples that are covered.
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
    fn the_same_examples_are_covered_and_nothing_more_can_be_removed() {
        let mut removed = 0;
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
            let trimmed_expr = trimmed(&genes, (&table, &grammar), &mut session).unwrap();
            let before = covered(&written, &mut session);
            assert_eq!(
                covered(&trimmed_expr, &mut session),
                before,
                "{written} became {trimmed_expr}"
            );
            for shorter in without_a_part(&trimmed_expr) {
                assert_ne!(
                    covered(&shorter, &mut session),
                    before,
                    "{trimmed_expr} could be {shorter}"
                );
            }
            removed += comparisons(&written) - comparisons(&trimmed_expr);
        }
        assert!(removed > 0, "nothing was left out");
    }
}
