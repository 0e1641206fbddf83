//! The same in fewer words.
//!
//! What a search puts together by chance repeats itself: `age > 30 and age > 45`, `purpose = car or purpose
//! != radio`. A condition here is a set of values of one column, or of numbers of related individuals; sets
//! are joined, what follows from something else is left out, and what is left is written as a person would.
//! It never means anything else than before, whatever the data, missing values included: nothing is concluded
//! from values that do not occur.

mod counts;
mod implied;
mod question;
mod ranges;
mod words;

use crate::expr::Expr;
use implied::Reasoner;
use question::{About, question};

/// How many values a row or an individual has in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerColumn {
    /// One at most, as in a table: `x > 3 and x <= 5` is an interval.
    One,
    /// Any number, as for properties of individuals: a condition holds where it holds for one of them.
    Several,
}

/// How often the whole is gone over: what one part becomes may help another.
const PASSES: usize = 8;

/// The same in fewer words.
///
/// ```
/// use pellucid_program::{Expr, PerColumn, simplify};
/// let expr: Expr = "x > 3 and (x > 1 or y = b) and x <= 5 and (y = a or y = c)".parse()?;
/// assert_eq!(simplify(&expr, PerColumn::One).to_string(), "3 < x <= 5 and y in {a, c}");
/// let expr: Expr = "not some part (heavy) or min 2 part (heavy)".parse()?;
/// assert_eq!(simplify(&expr, PerColumn::Several).to_string(), "not exactly 1 part (heavy)");
/// # Ok::<(), pellucid_program::ParseError>(())
/// ```
#[must_use]
pub fn simplify(expr: &Expr, values: PerColumn) -> Expr {
    let mut now = expr.clone();
    for _ in 0..PASSES {
        let next = pass(&now, values);
        if next == now {
            break;
        }
        now = next;
    }
    now
}

fn pass(expr: &Expr, values: PerColumn) -> Expr {
    match expr {
        Expr::And(operands) => joined(operands, values, true),
        Expr::Or(operands) => joined(operands, values, false),
        Expr::Not(operand) => match pass(operand, values) {
            Expr::Not(inner) => *inner,
            Expr::Constant(value) => Expr::Constant(!value),
            other => plain(Expr::Not(Box::new(other)), values),
        },
        Expr::Related(quantifier, role, filler) => {
            let filler = Box::new(pass(filler, values));
            plain(Expr::Related(*quantifier, role.clone(), filler), values)
        }
        other => plain(other.clone(), values),
    }
}

/// A single condition as one writes it: a set of one value is that value, `min 1` is `some`.
fn plain(expr: Expr, values: PerColumn) -> Expr {
    let said = question(&expr, values).and_then(|(about, asked)| asked.condition(about));
    said.unwrap_or(expr)
}

/// What is left of the operands of `and`, or of `or`.
fn joined(operands: &[Expr], values: PerColumn, and: bool) -> Expr {
    let simple = operands.iter().map(|operand| pass(operand, values)).collect();
    let mut operands = match if and { Expr::and(simple) } else { Expr::or(simple) } {
        Expr::And(operands) if and => operands,
        Expr::Or(operands) if !and => operands,
        single => return single,
    };
    operands.retain(|operand| *operand != Expr::Constant(and));
    if operands.contains(&Expr::Constant(!and)) {
        return Expr::Constant(!and);
    }
    let mut operands = merged(operands, values, and);
    let mut reasoner = Reasoner::new(values);
    if and {
        let all = operands.clone();
        for operand in &mut operands {
            if let Expr::Or(alternatives) = operand {
                // What another condition rules out is no alternative.
                alternatives
                    .retain(|one| !all.iter().any(|other| reasoner.contradicts(one, other)));
                *operand = Expr::or(std::mem::take(alternatives));
            }
        }
    }
    let mut left: Vec<Expr> = Vec::with_capacity(operands.len());
    for operand in operands {
        // Of two that say the same the first stays.
        let mut says = |one: &Expr, other: &Expr| {
            if and { reasoner.implies(one, other) } else { reasoner.implies(other, one) }
        };
        if !left.iter().any(|kept| says(kept, &operand)) {
            left.retain(|kept| !says(&operand, kept));
            left.push(operand);
        }
    }
    if and { Expr::and(left) } else { Expr::or(left) }
}

/// Joins the conditions on one column, or on one role, where one condition can say all of them.
fn merged(operands: Vec<Expr>, values: PerColumn, and: bool) -> Vec<Expr> {
    let mut merged: Vec<Expr> = Vec::with_capacity(operands.len());
    for operand in operands {
        let found = merged.iter_mut().find_map(|other| {
            let said = together(other, &operand, values, and)?;
            Some((other, said))
        });
        match found {
            Some((other, said)) => *other = said,
            None => merged.push(operand),
        }
    }
    merged
}

/// The one condition that says two of them.
fn together(one: &Expr, other: &Expr, values: PerColumn, and: bool) -> Option<Expr> {
    let (about, asked) = question(one, values)?;
    let (same, others) = question(other, values)?;
    // Of several values one may lie above and another below.
    let one_value = values == PerColumn::One || matches!(about, About::Related(..));
    if about != same || (and && !one_value) {
        return None;
    }
    asked.joined(&others, and)?.condition(about)
}
