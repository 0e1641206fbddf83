//! Expressions as text.

use super::expr::{Expr, Interval, Op, Quantifier, Value};
use super::token::is_bare;
use std::fmt::{self, Display, Formatter, Write};

impl Display for Expr {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Constant(value) => write!(out, "{value}"),
            Expr::Is(column) => name(out, column),
            Expr::Compare(column, op, value) => {
                name(out, column)?;
                write!(out, " {} {value}", op.symbol())
            }
            Expr::Within(column, Interval { low, high }) => {
                let op = |closed| if closed { Op::LessEqual } else { Op::Less }.symbol();
                write!(out, "{} {} ", low.value, op(low.closed))?;
                name(out, column)?;
                write!(out, " {} {}", op(high.closed), high.value)
            }
            Expr::OneOf(column, values) => {
                name(out, column)?;
                out.write_str(" in {")?;
                for (index, value) in values.iter().enumerate() {
                    write!(out, "{}{value}", if index > 0 { ", " } else { "" })?;
                }
                out.write_char('}')
            }
            Expr::Contains(column, text) => {
                name(out, column)?;
                out.write_str(" contains ")?;
                quoted(out, text, '\'')
            }
            Expr::Not(operand) => {
                out.write_str("not ")?;
                let brackets = matches!(**operand, Expr::And(_) | Expr::Or(_) | Expr::Within(..));
                bracketed(out, operand, brackets)
            }
            Expr::And(operands) => joined(out, operands, " and "),
            Expr::Or(operands) => joined(out, operands, " or "),
            Expr::Related(quantifier, role, filler) => {
                write!(out, "{quantifier} {}", if role.inverse { "inverse " } else { "" })?;
                name(out, &role.name)?;
                out.write_char(' ')?;
                bracketed(out, filler, true)
            }
        }
    }
}

impl Display for Value {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => write!(out, "{number}"),
            Value::Text(text) if is_bare(text) => out.write_str(text),
            Value::Text(text) => quoted(out, text, '\''),
        }
    }
}

impl Display for Quantifier {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Quantifier::Some => out.write_str("some"),
            Quantifier::Only => out.write_str("only"),
            Quantifier::Min(count) => write!(out, "min {count}"),
            Quantifier::Max(count) => write!(out, "max {count}"),
            Quantifier::Exactly(count) => write!(out, "exactly {count}"),
        }
    }
}

/// Operands in a row; `and` and `or` in each other get brackets, so that nobody has to know which binds tighter.
fn joined(out: &mut Formatter<'_>, operands: &[Expr], between: &str) -> fmt::Result {
    for (index, operand) in operands.iter().enumerate() {
        if index > 0 {
            out.write_str(between)?;
        }
        bracketed(out, operand, matches!(operand, Expr::And(_) | Expr::Or(_)))?;
    }
    Ok(())
}

fn bracketed(out: &mut Formatter<'_>, expr: &Expr, brackets: bool) -> fmt::Result {
    if brackets { write!(out, "({expr})") } else { write!(out, "{expr}") }
}

fn name(out: &mut Formatter<'_>, name: &str) -> fmt::Result {
    if is_bare(name) { out.write_str(name) } else { quoted(out, name, '"') }
}

fn quoted(out: &mut Formatter<'_>, text: &str, quote: char) -> fmt::Result {
    out.write_char(quote)?;
    for letter in text.chars() {
        if letter == quote {
            out.write_char(quote)?;
        }
        out.write_char(letter)?;
    }
    out.write_char(quote)
}
