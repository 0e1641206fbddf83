//! Dates in expressions: `born > '01.02.1980'` asks about the number that the date is in the table.

use pellucid_data::Reading;
use pellucid_program::{Expr, Value};

/// The same expression with the numbers of dates, where a column holds dates and is compared with one. What is no date in the
/// column's form stays as it is, and the table will have its say.
pub(super) fn numbered(expr: Expr, reading: &Reading) -> Expr {
    let number = |column: &str, value: Value| match (&value, reading.date(column)) {
        (Value::Text(text), Some(format)) => format.parse(text).map_or(value, Value::Number),
        _ => value,
    };
    let list = |operands: Vec<Expr>| {
        operands.into_iter().map(|operand| numbered(operand, reading)).collect()
    };
    match expr {
        Expr::Not(operand) => Expr::Not(Box::new(numbered(*operand, reading))),
        Expr::And(operands) => Expr::And(list(operands)),
        Expr::Or(operands) => Expr::Or(list(operands)),
        Expr::Related(quantifier, role, filler) => {
            Expr::Related(quantifier, role, Box::new(numbered(*filler, reading)))
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
