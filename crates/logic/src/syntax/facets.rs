//! Combines conditions on values.

use pellucid_program::{Edge, Expr, Interval, Op, Value};

/// Returns a condition for one of some values; a comparison if there is only one.
pub(super) fn one_of(column: &str, mut values: Vec<Value>) -> Expr {
    match values.len() {
        1 => Expr::Compare(column.to_owned(), Op::Equal, values.swap_remove(0)),
        _ => Expr::OneOf(column.to_owned(), values),
    }
}

/// Combines facets. A lower and an upper bound become an interval.
pub(super) fn between(facets: Vec<Expr>) -> Expr {
    let end = |facet: &Expr| match facet {
        Expr::Compare(_, op, Value::Number(number)) => Some((*op, *number)),
        _ => None,
    };
    if let [first, second] = facets.as_slice()
        && let (Some(first), Some(second)) = (end(first), end(second))
        && let Expr::Compare(property, ..) = &facets[0]
    {
        let lower = |op| matches!(op, Op::Greater | Op::GreaterEqual);
        let ends = match (lower(first.0), lower(second.0)) {
            (true, false) => Some((first, second)),
            (false, true) => Some((second, first)),
            _ => None,
        };
        if let Some((low, high)) = ends {
            let low = Edge { value: low.1, closed: low.0 == Op::GreaterEqual };
            let high = Edge { value: high.1, closed: high.0 == Op::LessEqual };
            return Expr::Within(property.clone(), Interval { low, high });
        }
    }
    Expr::and(facets)
}
