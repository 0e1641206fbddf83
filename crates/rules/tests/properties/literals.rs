//! A readable comparison separates rows as the comparison by rank does.

use crate::cases::{columns, literal_holds, plain_machine, stream};
use pellucid_cover::{Hypothesis, Labels, Literal, Session, Table};
use pellucid_program::{Domain, Expr};
use pellucid_rules::cut::{between, near};
use pellucid_rules::grammar::Grammar;
use pellucid_rules::train::readable;
use proptest::prelude::*;
use std::sync::Arc;

proptest! {
    #![proptest_config(ProptestConfig { cases: pellucid_testdata::cases(80), ..ProptestConfig::default() })]

    #[test]
    fn readable_comparisons_separate_rows_as_ranks_do(seed: u64, rows in 1usize..60) {
        let table = Arc::new(Table::new(columns(&mut stream(seed), rows)).unwrap());
        let labels = Labels::rows(&table, &vec![0; rows], 1).unwrap();
        let devices = plain_machine().devices;
        let mut session =
            Session::new(Arc::clone(&table), labels, Hypothesis::Rows, &devices).unwrap();
        let mut literals = Vec::new();
        for (index, column) in (0u32..).zip(table.columns()) {
            let ranks =
                if *column.domain() == Domain::Boolean { 1 } else { column.ranks() as u32 };
            for rank in 0..ranks {
                literals.extend([false, true].map(|opposite| Literal::new(index, rank, opposite)));
            }
        }
        let mut roots = Vec::new();
        for &literal in &literals {
            let expr = readable(literal, &table, &Grammar::default());
            let text = expr.to_string();
            prop_assert_eq!(text.parse::<Expr>(), Ok(expr.clone()), "{}", text);
            roots.push(session.programs_mut().add(&expr).unwrap());
        }
        let covered = session.cover(&roots).unwrap();
        for (index, &literal) in literals.iter().enumerate() {
            for row in 0..rows {
                prop_assert_eq!(
                    covered.get(index, row),
                    literal_holds(literal, &table, row),
                    "row {} and {}", row, readable(literal, &table, &Grammar::default())
                );
            }
        }
    }

    #[test]
    fn cut_points_separate_neighbors(
        mut numbers in prop::collection::vec(prop_oneof![
            any::<i16>().prop_map(|number| f64::from(number) / 100.0),
            -1e-6..1e-6,
            prop::num::f64::NORMAL,
            prop::sample::select(vec![0.0, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 5e-324]),
        ], 2..30),
        at in 0.0f64..1.0,
        share in 0.0f64..1.0,
    ) {
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        for pair in numbers.windows(2) {
            let (low, high) = (pair[0], pair[1]);
            let wanted = low + at * (high - low);
            for cut in [between(low, high), near(wanted, low, high, share)] {
                prop_assert!(low <= cut && cut < high, "{} {} {}", low, cut, high);
                prop_assert_eq!(cut.to_string().parse::<f64>(), Ok(cut));
            }
        }
    }
}
