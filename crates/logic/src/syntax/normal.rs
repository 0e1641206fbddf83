use pellucid_program::{Edge, Expr, Interval, Op, Value};

/// Returns the expression in a normal form without purely syntactic differences.
///
/// Neither syntax distinguishes these, so parsing yields one of them:
///
/// - `x != v` and `not (x = v)`; a set of one value and the value; the empty set and `owl:Nothing`;
/// - nested and flat conjunctions, double and no negation, a negated constant and the other
///   constant;
/// - 0 and -0.
///
/// The order of operands is kept and nothing is simplified: `A and A` is not `A`.
#[must_use]
pub fn normal(expr: &Expr) -> Expr {
    match expr {
        Expr::Constant(_) | Expr::Is(_) | Expr::Contains(..) => expr.clone(),
        Expr::Compare(column, Op::NotEqual, value) => {
            Expr::Not(Box::new(Expr::Compare(column.clone(), Op::Equal, unsigned(value))))
        }
        Expr::Compare(column, op, value) => Expr::Compare(column.clone(), *op, unsigned(value)),
        Expr::Within(column, Interval { low, high }) => {
            let end = |edge: &Edge| Edge { value: edge.value + 0.0, closed: edge.closed };
            Expr::Within(column.clone(), Interval { low: end(low), high: end(high) })
        }
        Expr::OneOf(column, values) => match values.as_slice() {
            [] => Expr::Constant(false),
            [value] => Expr::Compare(column.clone(), Op::Equal, unsigned(value)),
            _ => Expr::OneOf(column.clone(), values.iter().map(unsigned).collect()),
        },
        Expr::Not(operand) => match normal(operand) {
            Expr::Not(inner) => *inner,
            Expr::Constant(value) => Expr::Constant(!value),
            other => Expr::Not(Box::new(other)),
        },
        Expr::And(operands) => Expr::and(operands.iter().map(normal).collect()),
        Expr::Or(operands) => Expr::or(operands.iter().map(normal).collect()),
        Expr::Related(quantifier, role, filler) => {
            Expr::Related(*quantifier, role.clone(), Box::new(normal(filler)))
        }
    }
}

fn unsigned(value: &Value) -> Value {
    match value {
        Value::Number(number) => Value::Number(number + 0.0),
        Value::Text(text) => Value::Text(text.clone()),
    }
}
