//! The facts that decide a condition: all parts of a true `and`, the first false part of a false
//! one, and vice versa for `or`.

use super::{Cell, Reason, TestedValue, Witness};
use crate::apply::{AppliedRules, Condition, SummaryTest};
use crate::summary::mean_of;
use pellucid_data::Dataset;
use pellucid_data::Values;
use pellucid_export::dates::dated;
use pellucid_program::{Expr, Op, Quantifier, Value};

/// The number of rows shown for a question.
const WITNESSES: usize = 3;

impl AppliedRules {
    /// Returns the facts that decide a rule for an example.
    pub(super) fn reasons(&self, rule: usize, example: usize) -> Vec<Reason> {
        let mut reasons = Vec::new();
        self.decide(&self.conditions[rule], example, &mut reasons);
        reasons
    }

    fn decide(&self, condition: &Condition, example: usize, out: &mut Vec<Reason>) {
        let satisfied = self.satisfied(condition, example);
        let reason = match condition {
            Condition::Constant(_) => return,
            Condition::Not(operand) => return self.decide(operand, example, out),
            // The parts that suffice: all of them, or the first that decides alone.
            Condition::All(operands) | Condition::Any(operands) => {
                let all_count = satisfied == matches!(condition, Condition::All(_));
                let alike = |operand: &&Condition| self.satisfied(operand, example) == satisfied;
                let limit = if all_count { operands.len() } else { 1 };
                let decisive = operands.iter().filter(alike).take(limit);
                return decisive.for_each(|operand| self.decide(operand, example, out));
            }
            Condition::Rows(quantifier, question) => {
                self.rows_reason(*quantifier, *question, satisfied, example)
            }
            Condition::Summary { summary, test } => {
                self.summary_reason(*summary, test, satisfied, example)
            }
        };
        // `min` and `max` of one question have the same reason.
        if !out.contains(&reason) {
            out.push(reason);
        }
    }

    fn rows_reason(
        &self,
        quantifier: Quantifier,
        question: usize,
        satisfied: bool,
        example: usize,
    ) -> Reason {
        let expr = &self.questions[question];
        let members = self.members(example);
        let witness = |row: usize, satisfies: bool| Witness {
            row: row + 1,
            id: self.data.row_id(row).map(str::to_owned),
            satisfies,
            values: values(&self.data, expr, row),
        };
        if self.data.bags.is_none() {
            return Reason::Row(witness(example, satisfied));
        }
        let is_covered = |row: usize| self.covered.get(question, row);
        // If all rows should satisfy it and some do not, those that do not are the reason.
        let shown = quantifier != Quantifier::Only || satisfied;
        Reason::Rows {
            question: self.dated(expr).to_string(),
            covered: members.iter().filter(|&&row| is_covered(row)).count(),
            of: members.len(),
            witnesses: members
                .iter()
                .filter(|&&row| is_covered(row) == shown)
                .take(WITNESSES)
                .map(|&row| witness(row, shown))
                .collect(),
        }
    }

    fn summary_reason(
        &self,
        summary: usize,
        test: &SummaryTest,
        satisfied: bool,
        example: usize,
    ) -> Reason {
        let (name, values) = &self.summaries[summary];
        let test = match *test {
            SummaryTest::Compare(op, number) => {
                Expr::Compare(COLUMN.to_owned(), op, Value::Number(number))
            }
            SummaryTest::Within(interval) => Expr::Within(COLUMN.to_owned(), interval),
        };
        let test = test_text(&test, satisfied);
        match mean_of(name) {
            Some(column) => {
                let value = Some(values[example]).filter(|mean| !mean.is_nan());
                Reason::Mean { column: column.to_owned(), value, test }
            }
            None => Reason::Size { rows: self.members(example).len(), test },
        }
    }
}

/// Returns the values of a row that decide a question.
fn values(data: &Dataset, expr: &Expr, row: usize) -> Vec<TestedValue> {
    let mut out = Vec::new();
    decide(data, expr, row, &mut out);
    out
}

fn decide(data: &Dataset, expr: &Expr, row: usize, out: &mut Vec<TestedValue>) {
    let satisfied = is_true(data, expr, row);
    match expr {
        Expr::Constant(_) | Expr::Related(..) => {}
        Expr::Not(operand) => decide(data, operand, row, out),
        Expr::And(operands) | Expr::Or(operands) => {
            let all_count = satisfied == matches!(expr, Expr::And(_));
            let alike = |operand: &&Expr| is_true(data, operand, row) == satisfied;
            let limit = if all_count { operands.len() } else { 1 };
            let decisive = operands.iter().filter(alike).take(limit);
            decisive.for_each(|operand| decide(data, operand, row, out));
        }
        Expr::Is(column)
        | Expr::Compare(column, ..)
        | Expr::Within(column, _)
        | Expr::OneOf(column, _)
        | Expr::Contains(column, _) => {
            let reading = &data.origin.reading;
            let value = match (cell(data, column, row), reading.date(column)) {
                (Cell::Number(number), Some(format)) => Cell::Text(format.show(number)),
                (other, _) => other,
            };
            let test = test_text(&dated(expr, reading), satisfied);
            out.push(TestedValue { column: column.clone(), value, test });
        }
    }
}

/// Returns whether a question is true for a row, computed from the values themselves.
fn is_true(data: &Dataset, expr: &Expr, row: usize) -> bool {
    match expr {
        Expr::Constant(value) => *value,
        Expr::Not(operand) => !is_true(data, operand, row),
        Expr::And(operands) => operands.iter().all(|operand| is_true(data, operand, row)),
        Expr::Or(operands) => operands.iter().any(|operand| is_true(data, operand, row)),
        Expr::Is(column) => cell(data, column, row) == Cell::Truth(true),
        Expr::Compare(column, op, value) => match cell(data, column, row) {
            Cell::Number(number) => {
                matches!(value, Value::Number(other) if op.holds(number, *other))
            }
            Cell::Text(text) => (text == category(value)) == (*op == Op::Equal),
            Cell::Missing | Cell::Truth(_) => false,
        },
        Expr::Within(column, interval) => {
            matches!(cell(data, column, row), Cell::Number(number) if interval.contains(number))
        }
        Expr::OneOf(column, values) => match cell(data, column, row) {
            Cell::Number(number) => values.contains(&Value::Number(number)),
            Cell::Text(text) => values.iter().any(|value| category(value) == text),
            Cell::Missing | Cell::Truth(_) => false,
        },
        Expr::Contains(column, part) => {
            matches!(cell(data, column, row), Cell::Text(text) if text.contains(part.as_str()))
        }
        // Questions about rows have no roles; the engine has rejected them.
        Expr::Related(..) => false,
    }
}

fn category(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::Number(number) => number.to_string(),
    }
}

fn cell(data: &Dataset, column: &str, row: usize) -> Cell {
    match data.columns.iter().find(|other| other.name == column).map(|found| &found.values) {
        Some(Values::Numeric(numbers)) if !numbers[row].is_nan() => Cell::Number(numbers[row]),
        Some(Values::Boolean(truths)) => truths[row].map_or(Cell::Missing, Cell::Truth),
        Some(Values::Nominal { codes, categories }) => categories
            .get(codes[row] as usize)
            .map_or(Cell::Missing, |text| Cell::Text(text.clone())),
        _ => Cell::Missing,
    }
}

/// Any name without quotes; it is removed again.
const COLUMN: &str = "x";

/// Returns a test without its column, as in `> 2.5`.
fn test_text(expr: &Expr, satisfied: bool) -> String {
    let nameless = match expr {
        Expr::Compare(_, op, value) => Expr::Compare(COLUMN.to_owned(), *op, value.clone()),
        Expr::Within(_, interval) => Expr::Within(COLUMN.to_owned(), *interval),
        Expr::OneOf(_, values) => Expr::OneOf(COLUMN.to_owned(), values.clone()),
        Expr::Contains(_, part) => Expr::Contains(COLUMN.to_owned(), part.clone()),
        // An interval of dates has become a conjunction.
        Expr::And(parts) => {
            let parts: Vec<String> = parts.iter().map(|part| test_text(part, true)).collect();
            let text = parts.join(" and ");
            return if satisfied { text } else { format!("not ({text})") };
        }
        _ => return String::new(),
    };
    let text = nameless.to_string();
    let text = text.strip_prefix(COLUMN).unwrap_or(&text).trim_start();
    if satisfied { text.to_owned() } else { format!("not {text}") }
}
