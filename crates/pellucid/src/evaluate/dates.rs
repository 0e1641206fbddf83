//! Dates in expressions, such as `born > '01.02.1980'`, which the table stores as numbers.

use pellucid_data::Reading;
use pellucid_program::{Expr, Value};

/// Converts the dates that columns of dates are compared with to numbers. A text that is not a date
/// in the format of the column is not changed; the table reports the error.
pub(super) fn convert_dates(expr: Expr, reading: &Reading) -> Expr {
    let number = |column: &str, value: Value| match (&value, reading.date(column)) {
        (Value::Text(text), Some(format)) => format.parse(text).map_or(value, Value::Number),
        _ => value,
    };
    let list = |operands: Vec<Expr>| {
        operands.into_iter().map(|operand| convert_dates(operand, reading)).collect()
    };
    match expr {
        Expr::Not(operand) => Expr::Not(Box::new(convert_dates(*operand, reading))),
        Expr::And(operands) => Expr::And(list(operands)),
        Expr::Or(operands) => Expr::Or(list(operands)),
        Expr::Related(quantifier, role, filler) => {
            Expr::Related(quantifier, role, Box::new(convert_dates(*filler, reading)))
        }
        Expr::Compare(column, op, value) => {
            let value = number(&column, value);
            Expr::Compare(column, op, value)
        }
        Expr::OneOf(column, values) => {
            let values = values.into_iter().map(|value| number(&column, value)).collect();
            Expr::OneOf(column, values)
        }
        other => other,
    }
}
