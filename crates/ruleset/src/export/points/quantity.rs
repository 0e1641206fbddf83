//! What a rule asks about, where it asks one thing of one number: a column, a summary of a bag, how many rows have something.
//!
//! That some row has `x > 3` is that the greatest `x` is above 3, and that two have is that the second greatest is; so rules
//! with cuts on the rows of a bag are steps of one number too.

use crate::apply::ROLE;
use crate::export::prose::visible;
use crate::summary::{ROWS, mean_of};
use pellucid_program::{Edge, Expr, Interval, Op, Quantifier, Role, Value};

/// A number of an example that rules may have cuts on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Quantity<'a> {
    /// A column of rows, the mean of one over a bag, or the number of a bag's rows, by its name. It may be missing.
    Named(&'a str),
    /// The greatest value of a column in a bag, or the second or a later one; less than any number where there are too few.
    Greatest(&'a str, u32),
    /// The least value; more than any number where there are too few.
    Least(&'a str, u32),
    /// How many rows of a bag have something.
    Count(&'a Expr),
}

/// From one cut to another: above `low` and at most `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Span {
    fn above(low: f64) -> Span {
        Span { low, high: f64::INFINITY }
    }

    fn up_to(high: f64) -> Span {
        Span { low: f64::NEG_INFINITY, high }
    }

    /// Where a comparison holds, if that is a span.
    fn of(op: Op, cut: f64) -> Option<Span> {
        match op {
            Op::Greater if cut.is_finite() => Some(Span::above(cut)),
            Op::LessEqual if cut.is_finite() => Some(Span::up_to(cut)),
            _ => None,
        }
    }

    /// Everything else, where that is one span.
    fn others(self) -> Option<Span> {
        match (self.low == f64::NEG_INFINITY, self.high == f64::INFINITY) {
            (false, true) => Some(Span::up_to(self.low)),
            (true, false) => Some(Span::above(self.high)),
            _ => None,
        }
    }

    /// Whether all of another span lies within.
    pub(super) fn covers(self, other: Span) -> bool {
        self.low <= other.low && other.high <= self.high
    }
}

/// The number that a condition asks about and where it holds, if it asks one thing of one number.
pub(super) fn asked(when: &Expr) -> Option<(Quantity<'_>, Span)> {
    match when {
        Expr::Compare(name, op, Value::Number(cut)) => {
            Some((Quantity::Named(name), Span::of(*op, *cut)?))
        }
        Expr::Within(name, Interval { low, high }) => {
            let is_span = !low.closed && high.closed;
            let is_span = is_span && low.value.is_finite() && high.value.is_finite();
            let span = Span { low: low.value, high: high.value };
            is_span.then_some((Quantity::Named(name), span))
        }
        Expr::Related(quantifier, role, filler) if role.name == ROLE && !role.inverse => {
            rows(*quantifier, filler)
        }
        // What is denied also holds where a number is missing; those of bags never are.
        Expr::Not(operand) => match asked(operand)? {
            (Quantity::Named(_), _) => None,
            (quantity, span) => Some((quantity, span.others()?)),
        },
        _ => None,
    }
}

fn rows(quantifier: Quantifier, filler: &Expr) -> Option<(Quantity<'_>, Span)> {
    let (least, most) = match quantifier {
        Quantifier::Some => (1, u32::MAX),
        Quantifier::Min(least) => (least, u32::MAX),
        Quantifier::Max(most) => (0, most),
        Quantifier::Exactly(number) => (number, number),
        // A row whose value is missing does not have it either.
        Quantifier::Only => return None,
    };
    // That at least so many rows are beyond a cut is said by one of the greatest or least values.
    if let Expr::Compare(name, op @ (Op::Greater | Op::LessEqual), Value::Number(cut)) = filler {
        let (nth, holds) = match (least, most) {
            (0, most) => (most.checked_add(1)?, false),
            (least, u32::MAX) => (least, true),
            _ => return None,
        };
        let span = Span::of(*op, *cut)?;
        let quantity = match op {
            Op::Greater => Quantity::Greatest(name, nth),
            _ => Quantity::Least(name, nth),
        };
        return Some((quantity, if holds { span } else { span.others()? }));
    }
    let is_one_thing = matches!(
        filler,
        Expr::Is(_) | Expr::Compare(..) | Expr::Within(..) | Expr::OneOf(..) | Expr::Contains(..)
    );
    if !is_one_thing || (least, most) == (0, u32::MAX) {
        return None;
    }
    let low = if least == 0 { f64::NEG_INFINITY } else { f64::from(least) - 1.0 };
    let high = if most == u32::MAX { f64::INFINITY } else { f64::from(most) };
    Some((Quantity::Count(filler), Span { low, high }))
}

/// What is said of a span of a number.
pub(super) enum Said {
    /// A condition, to be told as others are.
    Condition(Expr),
    /// Words.
    Words(String),
}

impl Quantity<'_> {
    /// The column whose values stand in the cuts.
    pub(super) fn column(&self) -> Option<&str> {
        match self {
            Quantity::Greatest(name, _) | Quantity::Least(name, _) => Some(name),
            Quantity::Named(_) | Quantity::Count(_) => None,
        }
    }

    /// That the number lies in a span.
    pub(super) fn within(&self, span: Span, has_bags: bool) -> Said {
        let Span { low, high } = span;
        let (first, last) = (low == f64::NEG_INFINITY, high == f64::INFINITY);
        let compare = |name: &str, op, cut| Expr::Compare(name.to_owned(), op, Value::Number(cut));
        match *self {
            Quantity::Named(name) if has_bags => match mean_of(name) {
                _ if name == ROWS => in_order("number of rows", span),
                Some(column) => in_order(&format!("mean of {}", visible(column)), span),
                None => in_order(&visible(name), span),
            },
            Quantity::Named(name) => Said::Condition(match (first, last) {
                (true, _) => compare(name, Op::LessEqual, high),
                (_, true) => compare(name, Op::Greater, low),
                _ => {
                    let low = Edge { value: low, closed: false };
                    Expr::Within(
                        name.to_owned(),
                        Interval { low, high: Edge { value: high, closed: true } },
                    )
                }
            }),
            // Also where there are no values at all.
            Quantity::Greatest(name, nth) if first => {
                Said::Condition(fewer(nth, compare(name, Op::Greater, high)))
            }
            Quantity::Least(name, nth) if last => {
                Said::Condition(fewer(nth, compare(name, Op::LessEqual, low)))
            }
            Quantity::Greatest(name, nth) => in_order(&nth_of(nth, "greatest", name), span),
            Quantity::Least(name, nth) => in_order(&nth_of(nth, "least", name), span),
            Quantity::Count(filler) => Said::Condition(counted(filler, span)),
        }
    }
}

fn in_order(name: &str, Span { low, high }: Span) -> Said {
    Said::Words(match (low == f64::NEG_INFINITY, high == f64::INFINITY) {
        (true, _) => format!("{name} <= {high}"),
        (_, true) => format!("{name} > {low}"),
        _ => format!("{low} < {name} <= {high}"),
    })
}

fn nth_of(nth: u32, what: &str, column: &str) -> String {
    // A column by itself is an expression, so it gets quotes where an expression needs them.
    let column = visible(&Expr::Is(column.to_owned()).to_string());
    match nth {
        1 => format!("{what} {column}"),
        2 => format!("2nd {what} {column}"),
        3 => format!("3rd {what} {column}"),
        nth => format!("{nth}th {what} {column}"),
    }
}

fn related(quantifier: Quantifier, filler: &Expr) -> Expr {
    let role = Role { name: ROLE.to_owned(), inverse: false };
    Expr::Related(quantifier, role, Box::new(filler.clone()))
}

/// That fewer rows than so many have something.
fn fewer(number: u32, filler: Expr) -> Expr {
    Expr::Not(Box::new(related(Quantifier::Min(number), &filler)))
}

/// That the number of rows that have something lies in a span.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "numbers of rows")]
fn counted(filler: &Expr, Span { low, high }: Span) -> Expr {
    match (low == f64::NEG_INFINITY, high == f64::INFINITY) {
        (true, _) => related(Quantifier::Max(high as u32), filler),
        (_, true) => related(Quantifier::Min(low as u32 + 1), filler),
        _ if low + 1.0 == high => related(Quantifier::Exactly(high as u32), filler),
        _ => Expr::And(vec![
            related(Quantifier::Min(low as u32 + 1), filler),
            related(Quantifier::Max(high as u32), filler),
        ]),
    }
}
