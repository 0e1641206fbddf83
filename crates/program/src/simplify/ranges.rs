//! Sets of numbers as stretches of the line.

use crate::expr::{Edge, Expr, Interval, Op, Value};
use std::cmp::Ordering;

/// A place between numbers: just before one, or just after it.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Cut {
    number: f64,
    after: bool,
}

const FIRST: Cut = Cut { number: f64::NEG_INFINITY, after: false };
const LAST: Cut = Cut { number: f64::INFINITY, after: true };

fn before(number: f64) -> Cut {
    Cut { number, after: false }
}

fn after(number: f64) -> Cut {
    Cut { number, after: true }
}

/// Stretches between cuts, in order; none is empty and none touches the next.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ranges(Vec<(Cut, Cut)>);

impl Ranges {
    /// The numbers that stand so to a number.
    pub(super) fn compared(op: Op, number: f64) -> Ranges {
        Ranges::of(match op {
            Op::Greater => vec![(after(number), LAST)],
            Op::GreaterEqual => vec![(before(number), LAST)],
            Op::Less => vec![(FIRST, before(number))],
            Op::LessEqual => vec![(FIRST, after(number))],
            Op::Equal => vec![(before(number), after(number))],
            Op::NotEqual => vec![(FIRST, before(number)), (after(number), LAST)],
        })
    }

    /// The numbers of an interval.
    pub(super) fn within(Interval { low, high }: Interval) -> Ranges {
        let from = Cut { number: low.value, after: !low.closed };
        let to = Cut { number: high.value, after: high.closed };
        Ranges::of(vec![(from, to)])
    }

    /// Some numbers.
    pub(super) fn points(numbers: impl Iterator<Item = f64>) -> Ranges {
        Ranges::of(numbers.map(|number| (before(number), after(number))).collect())
    }

    /// Stretches in any order, some of them empty or over each other.
    fn of(mut stretches: Vec<(Cut, Cut)>) -> Ranges {
        stretches.retain(|(from, to)| from < to);
        stretches.sort_by(|left, right| left.0.partial_cmp(&right.0).unwrap_or(Ordering::Equal));
        let mut joined: Vec<(Cut, Cut)> = Vec::with_capacity(stretches.len());
        for (from, to) in stretches {
            match joined.last_mut() {
                Some(last) if from <= last.1 => last.1 = if to > last.1 { to } else { last.1 },
                _ => joined.push((from, to)),
            }
        }
        Ranges(joined)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn union(&self, other: &Ranges) -> Ranges {
        Ranges::of(self.0.iter().chain(&other.0).copied().collect())
    }

    pub(super) fn intersection(&self, other: &Ranges) -> Ranges {
        let later = |left: Cut, right: Cut| if left > right { left } else { right };
        let earlier = |left: Cut, right: Cut| if left < right { left } else { right };
        let both = |left: &(Cut, Cut)| {
            let left = *left;
            other.0.iter().map(move |right| (later(left.0, right.0), earlier(left.1, right.1)))
        };
        Ranges::of(self.0.iter().flat_map(both).collect())
    }

    /// The one condition on a column that says it, if there is one.
    pub(super) fn condition(&self, column: &str) -> Option<Expr> {
        let compare = |op, number| Expr::Compare(column.to_owned(), op, Value::Number(number));
        let point = |&(from, to): &(Cut, Cut)| (from.number == to.number).then_some(from.number);
        match self.0[..] {
            [] => Some(Expr::Constant(false)),
            // Any number at all: no condition says that.
            [(FIRST, LAST)] => None,
            [(FIRST, to)] => {
                Some(compare(if to.after { Op::LessEqual } else { Op::Less }, to.number))
            }
            [(from, LAST)] => {
                Some(compare(if from.after { Op::Greater } else { Op::GreaterEqual }, from.number))
            }
            [stretch] if point(&stretch).is_some() => Some(compare(Op::Equal, stretch.0.number)),
            [(from, to)] => {
                let low = Edge { value: from.number, closed: !from.after };
                let high = Edge { value: to.number, closed: to.after };
                Some(Expr::Within(column.to_owned(), Interval { low, high }))
            }
            [(FIRST, to), (from, LAST)] if to == before(from.number) && from.after => {
                Some(compare(Op::NotEqual, from.number))
            }
            _ => {
                let points: Option<Vec<f64>> = self.0.iter().map(point).collect();
                let values = points?.into_iter().map(Value::Number).collect();
                Some(Expr::OneOf(column.to_owned(), values))
            }
        }
    }
}
