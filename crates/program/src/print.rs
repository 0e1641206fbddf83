//! Printing of expressions.

use super::expr::{Expr, Interval, Op, Quantifier, Value};
use super::token::is_bare;
use std::fmt::{self, Display, Formatter, Write};

/// Returns the text that replaces a part of an expression, or `None` to keep the usual text.
pub type Otherwise<'a> = dyn Fn(&Expr) -> Option<String> + 'a;

/// Displays an expression in which some parts have replacement text.
pub struct Reworded<'a> {
    expr: &'a Expr,
    otherwise: &'a Otherwise<'a>,
}

impl Expr {
    /// Returns the text of the expression with replacement text for some parts.
    ///
    /// ```
    /// use pellucid_program::Expr;
    ///
    /// let expr: Expr = "x > 1 and colour in {red, blue}".parse()?;
    /// let otherwise = |part: &Expr| match part {
    ///     Expr::OneOf(column, values) => Some(format!("{column} is one of {}", values.len())),
    ///     _ => None,
    /// };
    /// assert_eq!(expr.reworded(&otherwise).to_string(), "x > 1 and colour is one of 2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn reworded<'a>(&'a self, otherwise: &'a Otherwise<'a>) -> Reworded<'a> {
        Reworded { expr: self, otherwise }
    }
}

impl Display for Expr {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        self.reworded(&|_| None).fmt(out)
    }
}

impl Display for Reworded<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        if let Some(text) = (self.otherwise)(self.expr) {
            return out.write_str(&text);
        }
        match self.expr {
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
                self.bracketed(out, operand, brackets)
            }
            Expr::And(operands) => self.joined(out, operands, " and "),
            Expr::Or(operands) => self.joined(out, operands, " or "),
            Expr::Related(quantifier, role, filler) => {
                write!(out, "{quantifier} {}", if role.inverse { "inverse " } else { "" })?;
                name(out, &role.name)?;
                out.write_char(' ')?;
                self.bracketed(out, filler, true)
            }
        }
    }
}

impl Reworded<'_> {
    /// Writes the operands with a connective between them. Nested `and` and `or` get brackets, so that
    /// readers do not need to know which binds tighter.
    fn joined(&self, out: &mut Formatter<'_>, operands: &[Expr], between: &str) -> fmt::Result {
        for (index, operand) in operands.iter().enumerate() {
            if index > 0 {
                out.write_str(between)?;
            }
            self.bracketed(out, operand, matches!(operand, Expr::And(_) | Expr::Or(_)))?;
        }
        Ok(())
    }

    fn bracketed(&self, out: &mut Formatter<'_>, part: &Expr, brackets: bool) -> fmt::Result {
        let part = part.reworded(self.otherwise);
        if brackets { write!(out, "({part})") } else { write!(out, "{part}") }
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
