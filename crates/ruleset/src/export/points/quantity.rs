//! The number that a condition tests, if it is one test of one number: a column, a summary of a
//! bag, or a count of rows.
//!
//! `some row (x > 3)` means that the highest `x` is above 3, and `min 2 row (x > 3)` that the
//! second highest is. So cut points on the rows of a bag are steps of one number too.

use crate::apply::ROLE;
use crate::summary::{ROWS, mean_of};
use pellucid_data::visible_line;
use pellucid_program::{Edge, Expr, Interval, Op, Quantifier, Role, Value};

/// A number of an example that rules may compare with cut points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Quantity<'a> {
    /// A column of rows, the mean of one over a bag, or the number of a bag's rows, by its name. It
    /// may be missing.
    Named(&'a str),
    /// The nth highest value of a column in a bag; below any number if there are fewer values.
    Highest(&'a str, u32),
    /// The nth lowest value of a column in a bag; above any number if there are fewer values.
    Lowest(&'a str, u32),
    /// The number of a bag's rows that satisfy a condition.
    Count(&'a Expr),
}

/// A range between two cut points: above `low` and at most `high`.
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

    /// Returns the range in which a comparison is true, if it is one range.
    fn of(op: Op, cut: f64) -> Option<Span> {
        match op {
            Op::Greater if cut.is_finite() => Some(Span::above(cut)),
            Op::LessEqual if cut.is_finite() => Some(Span::up_to(cut)),
            _ => None,
        }
    }

    /// Returns the complement, if it is one range.
    fn complement(self) -> Option<Span> {
        match (self.low == f64::NEG_INFINITY, self.high == f64::INFINITY) {
            (false, true) => Some(Span::up_to(self.low)),
            (true, false) => Some(Span::above(self.high)),
            _ => None,
        }
    }

    /// Returns whether another range lies within this one.
    pub(super) fn covers(self, other: Span) -> bool {
        self.low <= other.low && other.high <= self.high
    }
}

/// Returns the number that a condition tests and the range in which it is true, if it is one test
/// of one number.
pub(super) fn quantity_of(when: &Expr) -> Option<(Quantity<'_>, Span)> {
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
        // A negation is also true for a missing number. Only named numbers can be missing.
        Expr::Not(operand) => match quantity_of(operand)? {
            (Quantity::Named(_), _) => None,
            (quantity, span) => Some((quantity, span.complement()?)),
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
        // A row with a missing value makes `only` false, which no count or extreme value expresses.
        Quantifier::Only => return None,
    };
    // At least n rows are beyond a cut point exactly if the nth highest or lowest value is.
    if let Expr::Compare(name, op @ (Op::Greater | Op::LessEqual), Value::Number(cut)) = filler {
        let (nth, is_true) = match (least, most) {
            (0, most) => (most.checked_add(1)?, false),
            (least, u32::MAX) => (least, true),
            _ => return None,
        };
        let span = Span::of(*op, *cut)?;
        let quantity = match op {
            Op::Greater => Quantity::Highest(name, nth),
            _ => Quantity::Lowest(name, nth),
        };
        return Some((quantity, if is_true { span } else { span.complement()? }));
    }
    let is_one_test = matches!(
        filler,
        Expr::Is(_) | Expr::Compare(..) | Expr::Within(..) | Expr::OneOf(..) | Expr::Contains(..)
    );
    if !is_one_test || (least, most) == (0, u32::MAX) {
        return None;
    }
    let low = if least == 0 { f64::NEG_INFINITY } else { f64::from(least) - 1.0 };
    let high = if most == u32::MAX { f64::INFINITY } else { f64::from(most) };
    Some((Quantity::Count(filler), Span { low, high }))
}

/// How a range of a number is written.
pub(super) enum SpanText {
    /// As a condition, to be written as others are.
    Condition(Expr),
    /// In words.
    Words(String),
}

impl Quantity<'_> {
    /// Returns the column whose values are compared with the cut points.
    pub(super) fn column(&self) -> Option<&str> {
        match self {
            Quantity::Highest(name, _) | Quantity::Lowest(name, _) => Some(name),
            Quantity::Named(_) | Quantity::Count(_) => None,
        }
    }

    /// Returns the text for the number lying in a range.
    pub(super) fn within(&self, span: Span, has_bags: bool) -> SpanText {
        let Span { low, high } = span;
        let (first, last) = (low == f64::NEG_INFINITY, high == f64::INFINITY);
        let compare = |name: &str, op, cut| Expr::Compare(name.to_owned(), op, Value::Number(cut));
        match *self {
            Quantity::Named(name) if has_bags => match mean_of(name) {
                _ if name == ROWS => in_order("number of rows", span),
                Some(column) => in_order(&format!("mean of {}", visible_line(column)), span),
                None => in_order(&visible_line(name), span),
            },
            Quantity::Named(name) => SpanText::Condition(match (first, last) {
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
            // These ranges include bags with too few values.
            Quantity::Highest(name, nth) if first => {
                SpanText::Condition(fewer(nth, compare(name, Op::Greater, high)))
            }
            Quantity::Lowest(name, nth) if last => {
                SpanText::Condition(fewer(nth, compare(name, Op::LessEqual, low)))
            }
            Quantity::Highest(name, nth) => in_order(&nth_of(nth, "highest", name), span),
            Quantity::Lowest(name, nth) => in_order(&nth_of(nth, "lowest", name), span),
            Quantity::Count(filler) => SpanText::Condition(counted(filler, span)),
        }
    }
}

fn in_order(name: &str, Span { low, high }: Span) -> SpanText {
    SpanText::Words(match (low == f64::NEG_INFINITY, high == f64::INFINITY) {
        (true, _) => format!("{name} <= {high}"),
        (_, true) => format!("{name} > {low}"),
        _ => format!("{low} < {name} <= {high}"),
    })
}

fn nth_of(nth: u32, what: &str, column: &str) -> String {
    // Written as an expression, the column name gets quotes if it needs them.
    let column = visible_line(&Expr::Is(column.to_owned()).to_string()).into_owned();
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

/// Returns the condition that fewer rows than a number satisfy a condition.
fn fewer(number: u32, filler: Expr) -> Expr {
    Expr::Not(Box::new(related(Quantifier::Min(number), &filler)))
}

/// Returns the condition that the number of rows that satisfy a condition lies in a range.
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
