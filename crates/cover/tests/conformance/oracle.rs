//! Computes the expected result from the raw values, as the documentation defines it.

use crate::case::Case;
use pellucid_cover::UNCOUNTED;
use pellucid_data::{MISSING, Values};
use pellucid_program::{Expr, Op, Value};

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) rows: Vec<Vec<usize>>,
    pub(crate) counts: Vec<Vec<u64>>,
}

pub(crate) fn answer(case: &Case) -> Answer {
    let mut answer = Answer { rows: Vec::new(), counts: Vec::new() };
    for expr in &case.exprs {
        let rows: Vec<usize> = (0..case.rows).filter(|&row| covers(case, expr, row)).collect();
        let mut counts = vec![0; case.classes];
        match &case.bag_of_row {
            None => rows.iter().for_each(|&row| count(&mut counts, case, row)),
            Some(bag_of_row) => {
                for bag in 0..case.codes.len() {
                    let covered =
                        rows.iter().filter(|&&row| bag_of_row[row] as usize == bag).count();
                    if case.hypothesis.holds(covered) {
                        count(&mut counts, case, bag);
                    }
                }
            }
        }
        answer.rows.push(rows);
        answer.counts.push(counts);
    }
    answer
}

fn count(counts: &mut [u64], case: &Case, example: usize) {
    if let Some(weights) = &case.weights {
        for (count, weights) in counts.iter_mut().zip(weights) {
            *count += u64::from(weights[example]);
        }
    } else if case.codes[example] != UNCOUNTED {
        counts[case.codes[example] as usize] += 1;
    }
}

fn covers(case: &Case, expr: &Expr, row: usize) -> bool {
    let values = |name: &str| {
        &case.columns.iter().find(|(column, _)| column == name).expect("a known column").1
    };
    let compare = |name: &str, test: &dyn Fn(Cell<'_>) -> bool| match values(name) {
        Values::Numeric(numbers) if numbers[row].is_nan() => false,
        Values::Numeric(numbers) => test(Cell::Number(numbers[row])),
        Values::Nominal { codes, .. } if codes[row] == MISSING => false,
        Values::Nominal { codes, categories } => test(Cell::Text(&categories[codes[row] as usize])),
        Values::Boolean(truths) => truths[row].is_some_and(|truth| test(Cell::Truth(truth))),
    };
    match expr {
        Expr::Constant(value) => *value,
        Expr::Is(name) => compare(name, &|cell| matches!(cell, Cell::Truth(true))),
        Expr::Compare(name, op, value) => compare(name, &|cell| compares(cell, *op, value)),
        Expr::Within(name, interval) => compare(name, &|cell| {
            let Cell::Number(number) = cell else { return false };
            let above = if interval.low.closed {
                number >= interval.low.value
            } else {
                number > interval.low.value
            };
            let below = if interval.high.closed {
                number <= interval.high.value
            } else {
                number < interval.high.value
            };
            above && below
        }),
        Expr::OneOf(name, values) => {
            compare(name, &|cell| values.iter().any(|value| compares(cell, Op::Equal, value)))
        }
        Expr::Contains(name, part) => {
            compare(name, &|cell| matches!(cell, Cell::Text(text) if text.contains(part.as_str())))
        }
        Expr::Not(operand) => !covers(case, operand, row),
        Expr::And(operands) => operands.iter().all(|operand| covers(case, operand, row)),
        Expr::Or(operands) => operands.iter().any(|operand| covers(case, operand, row)),
        Expr::Related(..) => unreachable!("not generated"),
    }
}

#[derive(Clone, Copy)]
enum Cell<'a> {
    Number(f64),
    Text(&'a str),
    Truth(bool),
}

fn compares(cell: Cell<'_>, op: Op, value: &Value) -> bool {
    match (cell, value) {
        (Cell::Number(left), Value::Number(right)) => match op {
            Op::Greater => left > *right,
            Op::GreaterEqual => left >= *right,
            Op::Less => left < *right,
            Op::LessEqual => left <= *right,
            Op::Equal => left == *right,
            Op::NotEqual => left != *right,
        },
        (Cell::Text(left), Value::Text(right)) => (left == right) == (op == Op::Equal),
        _ => unreachable!("programs of the wrong kind are not generated"),
    }
}
