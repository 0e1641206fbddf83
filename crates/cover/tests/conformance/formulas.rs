//! Tests flat formulas on every backend against the same expressions in the oracle.

use crate::case::{Case, Shape};
use crate::{devices, oracle, session};
use pellucid_cover::{FormulaPart, Formulas, Literal, Table};
use pellucid_data::Values;
use pellucid_program::Expr;
use pellucid_testdevices::{Backend, Draw, cases};
use proptest::prelude::*;
use std::sync::Arc;

/// Returns a random literal of the table, sometimes with a rank that occurs in no row.
fn literal(draw: &mut Draw, table: &Table) -> Literal {
    // A nominal column may have no categories, and then it has no literals.
    let usable: Vec<u32> = (0u32..)
        .zip(table.columns())
        .filter(|(_, column)| column.ranks() > 0)
        .map(|(number, _)| number)
        .collect();
    let column = usable[draw.below(usable.len() as u32) as usize];
    let column_of = &table.columns()[column as usize];
    let ranks = match column_of.domain() {
        pellucid_program::Domain::Boolean => 1,
        _ => column_of.ranks() as u32,
    };
    Literal::new(column, draw.below(ranks), draw.below(2) == 1)
}

/// Returns a boolean column, so that every table has a usable column.
fn truth_values(seed: u64, rows: usize) -> Values {
    let mut draw = Draw::new(seed);
    let value = |_| (draw.below(5) > 0).then(|| draw.below(2) == 1);
    Values::Boolean((0..rows).map(value).collect())
}

/// Returns whether a column has literals.
fn is_usable(values: &Values) -> bool {
    match values {
        Values::Numeric(numbers) => numbers.iter().any(|number| !number.is_nan()),
        Values::Nominal { categories, .. } => !categories.is_empty(),
        Values::Boolean(_) => true,
    }
}

/// Writes the groups of a formula and returns the equivalent expression.
fn groups(
    draw: &mut Draw,
    table: &Table,
    formulas: &mut Formulas,
    parts: &[(FormulaPart, Expr)],
) -> Expr {
    let groups = (0..draw.below(4)).map(|_| {
        let tokens = (0..draw.below(5)).map(|_| match draw.below(5) {
            0 if !parts.is_empty() => {
                let (part, expr) = &parts[draw.below(parts.len() as u32) as usize];
                formulas.part(*part);
                expr.clone()
            }
            _ => {
                let literal = literal(draw, table);
                formulas.literal(literal);
                literal.expr(table)
            }
        });
        let expr = Expr::and(tokens.collect());
        formulas.end_group();
        expr
    });
    Expr::or(groups.collect())
}

/// Returns formulas over the table of a case, appended from two lists, and the equivalent
/// expressions.
fn formulas(seed: u64, table: &Table, roots: usize) -> (Formulas, Vec<Expr>) {
    let mut draw = Draw::new(seed);
    let (mut all, mut exprs) = (Formulas::new(), Vec::new());
    for _ in 0..2 {
        let (mut formulas, mut parts) = (Formulas::new(), Vec::new());
        for _ in 0..roots.div_ceil(2) {
            let expr = groups(&mut draw, table, &mut formulas, &parts);
            if draw.below(6) == 0 {
                parts.push((formulas.end_part(), expr));
            } else {
                formulas.end_root();
                exprs.push(expr);
            }
        }
        all.append(&formulas);
    }
    (all, exprs)
}

fn check(seed: u64, shape: &Shape) {
    let mut case = Case::new(seed, shape);
    if !case.columns.iter().any(|(_, values)| is_usable(values)) {
        case.columns[0].1 = truth_values(seed ^ 2, shape.rows);
    }
    let table = Arc::new(case.table());
    let labels = case.labels(&table);
    let (formulas, exprs) = formulas(seed ^ 1, &table, shape.roots);
    case.exprs = exprs;
    let expected = oracle::answer(&case);
    for Backend { name, device } in devices() {
        let mut session = session(&case, &table, &labels, &device);
        let tallies = session.tally_formulas(&formulas).expect("tallies");
        let again = session.tally_formulas(&formulas).expect("remembered tallies");
        assert_eq!(again, tallies, "{name}");
        let rows = session.cover_formulas(&formulas).expect("coverage");
        assert_eq!(tallies.len(), case.exprs.len());
        for (index, expr) in case.exprs.iter().enumerate() {
            let covered: Vec<usize> = rows.ones(index).collect();
            assert_eq!(covered, expected.rows[index], "{name}: rows covered by {expr}");
            assert_eq!(tallies.of(index), expected.counts[index], "{name}: {expr}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(120), ..ProptestConfig::default() })]

    #[test]
    fn small_tables(seed: u64, rows in 1usize..140, bags: bool) {
        check(seed, &Shape { rows, columns: 5, roots: 14, bags });
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(12), ..ProptestConfig::default() })]

    #[test]
    fn many_comparisons_of_a_column(seed: u64, rows in 300usize..1400, bags: bool) {
        check(seed, &Shape { rows, columns: 2, roots: 80, bags });
    }
}

proptest! {
    // The emulator takes seconds per case.
    #![proptest_config(ProptestConfig { cases: cases(4), ..ProptestConfig::default() })]

    #[test]
    fn shared_conjunctions_on_many_rows(seed: u64, rows in 33_000usize..36_000, bags: bool) {
        // Two columns of few values, so the same conjunctions occur repeatedly.
        check(seed, &Shape { rows, columns: 2, roots: 40, bags });
    }
}
