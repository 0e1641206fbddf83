//! Simplification of expressions.
//!
//! Searches often produce redundant conditions: `age > 30 and age > 45`, `purpose = car or purpose
//! != radio`. Here a condition is a set of values of one column, or a set of counts of related individuals.
//! Sets are joined, implied conditions are removed, and the result is written in its shortest form.
//! The result is equivalent to the original for all data, missing values included: nothing is concluded
//! from values that do not occur in the data.

mod categories;
mod counts;
mod implied;
mod ranges;
mod value_set;

use crate::expr::Expr;
use implied::Reasoner;
use value_set::{Subject, value_set};

/// The number of values that a row or an individual can have in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerColumn {
    /// At most one, as in a table: `x > 3 and x <= 5` is an interval.
    One,
    /// Any number, as for properties of individuals: a condition is true if it is true for one of the values.
    Several,
}

/// The maximum number of passes. A change to one part can allow a simplification of another.
const MAX_PASSES: usize = 8;

/// Returns an equivalent expression with at most as many conditions.
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
    for _ in 0..MAX_PASSES {
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
        Expr::And(operands) => simplify_operands(operands, values, true),
        Expr::Or(operands) => simplify_operands(operands, values, false),
        Expr::Not(operand) => match pass(operand, values) {
            Expr::Not(inner) => *inner,
            Expr::Constant(value) => Expr::Constant(!value),
            other => simplify_condition(Expr::Not(Box::new(other)), values),
        },
        Expr::Related(quantifier, role, filler) => {
            let filler = Box::new(pass(filler, values));
            simplify_condition(Expr::Related(*quantifier, role.clone(), filler), values)
        }
        other => simplify_condition(other.clone(), values),
    }
}

/// Returns the shortest form of a single condition: a set of one value becomes `=`, `min 1` becomes `some`.
fn simplify_condition(expr: Expr, values: PerColumn) -> Expr {
    let condition = value_set(&expr, values).and_then(|(subject, set)| set.condition(subject));
    condition.unwrap_or(expr)
}

/// Simplifies the operands of `and`, or of `or`.
fn simplify_operands(operands: &[Expr], values: PerColumn, and: bool) -> Expr {
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
    let mut operands = merge_all(operands, values, and);
    let mut reasoner = Reasoner::new(values);
    if and {
        let all = operands.clone();
        for operand in &mut operands {
            if let Expr::Or(alternatives) = operand {
                // An alternative that contradicts another condition is never true.
                alternatives
                    .retain(|one| !all.iter().any(|other| reasoner.contradicts(one, other)));
                *operand = Expr::or(std::mem::take(alternatives));
            }
        }
    }
    let mut left: Vec<Expr> = Vec::with_capacity(operands.len());
    for operand in operands {
        // Of two equivalent conditions the first stays.
        let mut makes_redundant = |one: &Expr, other: &Expr| {
            if and { reasoner.implies(one, other) } else { reasoner.implies(other, one) }
        };
        if !left.iter().any(|kept| makes_redundant(kept, &operand)) {
            left.retain(|kept| !makes_redundant(&operand, kept));
            left.push(operand);
        }
    }
    if and { Expr::and(left) } else { Expr::or(left) }
}

/// Merges the conditions on one column or one role where a single condition can express them.
fn merge_all(operands: Vec<Expr>, values: PerColumn, and: bool) -> Vec<Expr> {
    let mut merged: Vec<Expr> = Vec::with_capacity(operands.len());
    for operand in operands {
        let found = merged.iter_mut().find_map(|other| {
            let condition = merge(other, &operand, values, and)?;
            Some((other, condition))
        });
        match found {
            Some((other, condition)) => *other = condition,
            None => merged.push(operand),
        }
    }
    merged
}

/// Returns the single condition that expresses two conditions, if there is one.
fn merge(one: &Expr, other: &Expr, values: PerColumn, and: bool) -> Option<Expr> {
    let (subject, set) = value_set(one, values)?;
    let (same, others) = value_set(other, values)?;
    // With several values, one can be above the bound and another below it.
    let one_value = values == PerColumn::One || matches!(subject, Subject::Related(..));
    if subject != same || (and && !one_value) {
        return None;
    }
    set.combine(&others, and)?.condition(subject)
}
