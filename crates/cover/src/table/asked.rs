//! Tables for a known set of questions: numbers that no question separates get the same rank.
//!
//! Applying a model means evaluating a few questions on very many rows. There is no need to sort a
//! million numbers to find those greater than 5.

use super::rank::{RankedColumn, rank};
use super::{Table, TableError};
use pellucid_bits::as_u32;
use pellucid_data::{MISSING, Values};
use pellucid_device::Threads;
use pellucid_program::{Domain, Expr};
use std::collections::HashMap;

impl Table {
    /// Builds a table of plain rows for the given questions only. Each question covers the same
    /// rows as in a table of all numbers.
    ///
    /// # Errors
    /// As [`Table::new`].
    pub fn for_questions(
        threads: &Threads,
        columns: Vec<(String, Values)>,
        questions: &[Expr],
    ) -> Result<Table, TableError> {
        let mut thresholds_of: HashMap<&str, Vec<f64>> = HashMap::new();
        for (column, number) in questions.iter().flat_map(Expr::numbers) {
            thresholds_of.entry(column).or_default().push(number);
        }
        for numbers in thresholds_of.values_mut() {
            numbers.sort_unstable_by(f64::total_cmp);
            numbers.dedup();
        }
        let layout = Table::plain(&columns)?;
        Table::build(threads, columns, layout, &|name, values| match values {
            Values::Numeric(values) => {
                Ok(rank_by_thresholds(&values, thresholds_of.get(name).map_or(&[], Vec::as_slice)))
            }
            others => rank(others),
        })
    }
}

/// Ranks numbers by their position relative to thresholds in ascending order: between two of them,
/// or equal to one. Numbers in the same position are represented by one of them.
fn rank_by_thresholds(values: &[f64], thresholds: &[f64]) -> RankedColumn {
    let position = |value: f64| {
        let below = thresholds.partition_point(|&other| other < value);
        2 * below + usize::from(thresholds.get(below) == Some(&value))
    };
    let mut representative: Vec<Option<f64>> = vec![None; 2 * thresholds.len() + 1];
    let mut ranks: Vec<u32> = Vec::with_capacity(values.len());
    for &value in values {
        if value.is_nan() {
            ranks.push(MISSING);
            continue;
        }
        let position = position(value);
        // Both zeros count as one number.
        representative[position] = Some(value + 0.0);
        ranks.push(as_u32(position));
    }
    let mut next = 0;
    let rank_of: Vec<u32> = representative
        .iter()
        .map(|number| {
            let rank = next;
            next += u32::from(number.is_some());
            rank
        })
        .collect();
    for rank in ranks.iter_mut().filter(|rank| **rank != MISSING) {
        *rank = rank_of[*rank as usize];
    }
    RankedColumn { domain: Domain::Numeric(representative.into_iter().flatten().collect()), ranks }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hypothesis, Labels, Session};
    use pellucid_device::Device;
    use pellucid_program::{Edge, Interval, Op, Value};
    use proptest::prelude::*;
    use std::num::NonZeroUsize;
    use std::sync::Arc;

    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![
            6 => (-3i8..4).prop_map(|half| f64::from(half) / 2.0),
            1 => prop::sample::select(vec![-0.0, f64::INFINITY, f64::NEG_INFINITY]),
        ]
    }

    fn question() -> impl Strategy<Value = Expr> {
        let op = prop::sample::select(vec![
            Op::Less,
            Op::LessEqual,
            Op::Greater,
            Op::GreaterEqual,
            Op::Equal,
            Op::NotEqual,
        ]);
        let edge = || {
            (number(), any::<bool>()).prop_map(|(number, closed)| Edge { value: number, closed })
        };
        let single = prop_oneof![
            (op, number()).prop_map(|(op, number)| Expr::Compare(
                "x".into(),
                op,
                Value::Number(number)
            )),
            (edge(), edge())
                .prop_map(|(low, high)| Expr::Within("x".into(), Interval { low, high })),
            prop::collection::vec(number().prop_map(Value::Number), 1..4)
                .prop_map(|values| Expr::OneOf("x".into(), values)),
            Just(Expr::Is("b".into())),
        ];
        let negated = single
            .prop_flat_map(|expr| prop_oneof![Just(expr.clone()), Just(Expr::Not(Box::new(expr)))]);
        prop::collection::vec(negated, 1..4).prop_map(Expr::and)
    }

    proptest! {
        #[test]
        fn questions_cover_the_same_rows_as_in_a_table_of_all_numbers(
            numbers in prop::collection::vec(prop_oneof![4 => number(), 1 => Just(f64::NAN)], 1..90),
            questions in prop::collection::vec(question(), 1..6),
        ) {
            let yes = |row: usize| Some(row.is_multiple_of(3)).filter(|_| !row.is_multiple_of(7));
            let columns = vec![
                ("x".to_owned(), Values::Numeric(numbers.clone().into())),
                ("b".to_owned(), Values::Boolean((0..numbers.len()).map(yes).collect())),
            ];
            let threads = Threads::callers();
            let covered = |table: Table| {
                let labels = Labels::rows(&table, &vec![0; table.rows()], 1).unwrap();
                let cpu = Device::processor(NonZeroUsize::new(1)).unwrap();
                let mut session = Session::new(Arc::new(table), labels, Hypothesis::Rows, &[cpu]).unwrap();
                let roots: Vec<_> =
                    questions.iter().map(|question| session.programs_mut().add(question).unwrap()).collect();
                session.cover(&roots).unwrap()
            };
            let whole = covered(Table::new(columns.clone()).unwrap());
            let reduced = covered(Table::for_questions(&threads, columns, &questions).unwrap());
            for (number, question) in questions.iter().enumerate() {
                let rows = |covered: &pellucid_bits::BitRows| covered.ones(number).collect::<Vec<_>>();
                prop_assert_eq!(rows(&whole), rows(&reduced), "{}", question);
            }
        }
    }
}
