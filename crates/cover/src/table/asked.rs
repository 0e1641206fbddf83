//! A table for questions that are known: numbers that none of them tells apart are one number.
//!
//! Whoever applies a model asks a few questions of very many rows. There is no need to sort a million numbers
//! to know which of them are greater than 5.

use super::rank::{Ranked, rank};
use super::{Table, TableError};
use pellucid_bits::as_u32;
use pellucid_data::{MISSING, Values};
use pellucid_device::Threads;
use pellucid_program::{Domain, Expr};
use std::collections::HashMap;

impl Table {
    /// A table of plain rows, for some questions alone: each holds for the rows that it holds for in a table
    /// of all numbers.
    ///
    /// # Errors
    /// As [`Table::new`].
    pub fn for_questions(
        threads: &Threads,
        columns: Vec<(String, Values)>,
        questions: &[Expr],
    ) -> Result<Table, TableError> {
        let mut asked: HashMap<&str, Vec<f64>> = HashMap::new();
        for (column, number) in questions.iter().flat_map(Expr::numbers) {
            asked.entry(column).or_default().push(number);
        }
        for numbers in asked.values_mut() {
            numbers.sort_unstable_by(f64::total_cmp);
            numbers.dedup();
        }
        let layout = Table::plain(&columns)?;
        Table::build(threads, columns, layout, &|name, values| match values {
            Values::Numeric(values) => {
                Ok(told_apart(&values, asked.get(name).map_or(&[], Vec::as_slice)))
            }
            others => rank(others),
        })
    }
}

/// Ranks numbers by where they lie among others, which ascend: between two of them, or on one. Those that lie
/// in one place are told by one of them.
fn told_apart(values: &[f64], among: &[f64]) -> Ranked {
    let place = |value: f64| {
        let below = among.partition_point(|&other| other < value);
        2 * below + usize::from(among.get(below) == Some(&value))
    };
    let mut met: Vec<Option<f64>> = vec![None; 2 * among.len() + 1];
    let mut ranks: Vec<u32> = Vec::with_capacity(values.len());
    for &value in values {
        if value.is_nan() {
            ranks.push(MISSING);
            continue;
        }
        let place = place(value);
        // Both zeros are one.
        met[place] = Some(value + 0.0);
        ranks.push(as_u32(place));
    }
    let mut next = 0;
    let rank_of: Vec<u32> = met
        .iter()
        .map(|met| {
            let rank = next;
            next += u32::from(met.is_some());
            rank
        })
        .collect();
    for rank in ranks.iter_mut().filter(|rank| **rank != MISSING) {
        *rank = rank_of[*rank as usize];
    }
    Ranked { domain: Domain::Numeric(met.into_iter().flatten().collect()), ranks }
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
        fn questions_hold_for_the_rows_of_a_table_of_all_numbers(
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
            let asked = covered(Table::for_questions(&threads, columns, &questions).unwrap());
            for (number, question) in questions.iter().enumerate() {
                let rows = |covered: &pellucid_bits::BitRows| covered.ones(number).collect::<Vec<_>>();
                prop_assert_eq!(rows(&whole), rows(&asked), "{}", question);
            }
        }
    }
}
