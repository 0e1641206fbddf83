//! Conditions on dates in readable form: `bought > 18690.5` becomes `bought > '2021-03-04'`.
//!
//! Dates are whole days (or seconds), so a number between two dates separates the same rows as the
//! earlier one with `>` and `<=`, and as the later one with `>=` and `<`.

use pellucid_data::{DateFormat, Reading};
use pellucid_program::{Expr, Interval, Op, Value};

/// Returns the condition with dates in place of the numbers that encode them.
#[must_use]
pub fn dated(expr: &Expr, reading: &Reading) -> Expr {
    if reading.dates.is_empty() {
        return expr.clone();
    }
    let list = |operands: &[Expr]| operands.iter().map(|operand| dated(operand, reading)).collect();
    match expr {
        Expr::Not(operand) => Expr::Not(Box::new(dated(operand, reading))),
        Expr::And(operands) => Expr::And(list(operands)),
        Expr::Or(operands) => Expr::Or(list(operands)),
        Expr::Related(quantifier, role, filler) => {
            Expr::Related(*quantifier, role.clone(), Box::new(dated(filler, reading)))
        }
        Expr::Compare(column, op, Value::Number(number)) => match reading.date(column) {
            Some(format) => compared(column, format, *op, *number),
            None => expr.clone(),
        },
        Expr::Within(column, interval) => match reading.date(column) {
            Some(format) => {
                let (low, high) = ends(interval);
                let part = |(op, number)| compared(column, format, op, number);
                Expr::And(vec![part(low), part(high)])
            }
            None => expr.clone(),
        },
        Expr::OneOf(column, values) => match reading.date(column) {
            Some(format) => {
                let shown = |value: &Value| match value {
                    Value::Number(number) => Value::Text(format.show(*number)),
                    Value::Text(text) => Value::Text(text.clone()),
                };
                Expr::OneOf(column.clone(), values.iter().map(shown).collect())
            }
            None => expr.clone(),
        },
        Expr::Constant(_) | Expr::Is(_) | Expr::Compare(..) | Expr::Contains(..) => expr.clone(),
    }
}

/// Returns an interval as two comparisons.
#[must_use]
pub fn ends(interval: &Interval) -> ((Op, f64), (Op, f64)) {
    let above = if interval.low.closed { Op::GreaterEqual } else { Op::Greater };
    let below = if interval.high.closed { Op::LessEqual } else { Op::Less };
    ((above, interval.low.value), (below, interval.high.value))
}

/// Returns the number of the date that separates the same dates as a number does, if there is one.
#[must_use]
pub fn whole(format: &DateFormat, op: Op, number: f64) -> Option<f64> {
    match op {
        Op::Greater | Op::LessEqual => format.at_most(number),
        Op::GreaterEqual | Op::Less => format.at_least(number),
        // Nothing equals a number between two dates.
        Op::Equal | Op::NotEqual => format.at_most(number).filter(|&whole| whole == number),
    }
}

fn compared(column: &str, format: &DateFormat, op: Op, number: f64) -> Expr {
    let value = match whole(format, op, number) {
        Some(whole) => Value::Text(format.show(whole)),
        None => Value::Number(number),
    };
    Expr::Compare(column.to_owned(), op, value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn reading(pattern: &str) -> Reading {
        let mut reading = Reading::default();
        reading.dates.insert("day".to_owned(), pattern.parse().unwrap());
        reading
    }

    #[test]
    fn numbers_are_shown_as_dates() {
        let shown = |text: &str| dated(&text.parse().unwrap(), &reading("%d.%m.%Y")).to_string();
        assert_eq!(shown("day > 18690.5"), "day > '04.03.2021'");
        assert_eq!(shown("day <= 18690"), "day <= '04.03.2021'");
        assert_eq!(shown("day >= 18690.5"), "day >= '05.03.2021'");
        assert_eq!(shown("day in [0, 1.5)"), "day >= '01.01.1970' and day < '03.01.1970'");
        assert_eq!(
            shown("some row (day > 0 and not x > 0)"),
            "some row (day > '01.01.1970' and not x > 0)"
        );
        assert_eq!(shown("day in {0, 1}"), "day in {'01.01.1970', '02.01.1970'}");
        assert_eq!(shown("day > inf"), "day > inf");
    }

    proptest! {
        /// The date in the text separates the same dates as the number.
        #[test]
        fn dates_separate_as_their_numbers_do(
            number in -1000.0f64..1000.0,
            op in proptest::sample::select(Op::ALL.to_vec()),
        ) {
            let format: DateFormat = "%Y-%m-%d".parse().unwrap();
            let Some(whole) = whole(&format, op, number) else { return Ok(()) };
            for day in -1005..1005 {
                let day = f64::from(day);
                let (by_number, by_date) = (op.holds(day, number), op.holds(day, whole));
                prop_assert_eq!(by_number, by_date, "{} {:?} {}", day, op, number);
            }
        }
    }
}
