//! Sets of numbers as sorted lists of intervals.

use crate::expr::{Edge, Expr, Interval, Op, Value};
use std::cmp::Ordering;

/// A boundary of an interval: just before a number or just after it.
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

/// Intervals between cuts in ascending order. None is empty and none touches the next.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ranges(Vec<(Cut, Cut)>);

impl Ranges {
    /// Returns the numbers for which a comparison with `number` is true.
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

    /// Returns the numbers of an interval.
    pub(super) fn within(Interval { low, high }: Interval) -> Ranges {
        let from = Cut { number: low.value, after: !low.closed };
        let to = Cut { number: high.value, after: high.closed };
        Ranges::of(vec![(from, to)])
    }

    /// Returns a set of single numbers.
    pub(super) fn points(numbers: impl Iterator<Item = f64>) -> Ranges {
        Ranges::of(numbers.map(|number| (before(number), after(number))).collect())
    }

    /// Builds the set from intervals in any order, which can be empty or overlap.
    fn of(mut intervals: Vec<(Cut, Cut)>) -> Ranges {
        intervals.retain(|(from, to)| from < to);
        intervals.sort_by(|left, right| left.0.partial_cmp(&right.0).unwrap_or(Ordering::Equal));
        let mut joined: Vec<(Cut, Cut)> = Vec::with_capacity(intervals.len());
        for (from, to) in intervals {
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

    /// Returns the single condition on a column that expresses the set, if there is one.
    pub(super) fn condition(&self, column: &str) -> Option<Expr> {
        let compare = |op, number| Expr::Compare(column.to_owned(), op, Value::Number(number));
        let point = |&(from, to): &(Cut, Cut)| (from.number == to.number).then_some(from.number);
        match self.0[..] {
            [] => Some(Expr::Constant(false)),
            // No condition expresses "any number".
            [(FIRST, LAST)] => None,
            [(FIRST, to)] => {
                Some(compare(if to.after { Op::LessEqual } else { Op::Less }, to.number))
            }
            [(from, LAST)] => {
                Some(compare(if from.after { Op::Greater } else { Op::GreaterEqual }, from.number))
            }
            [interval] if point(&interval).is_some() => Some(compare(Op::Equal, interval.0.number)),
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
