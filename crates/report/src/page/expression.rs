//! Conditions in the JSON of a page: arrays that start with a letter for the kind of the condition.

use pellucid_learn::model::Column;
use pellucid_program::{Expr, Quantifier, Value as Literal};
use serde_json::{Value, json};
use std::collections::HashMap;

/// The columns of a model by name.
pub(crate) struct ColumnIndex<'a>(HashMap<&'a str, usize>);

impl<'a> ColumnIndex<'a> {
    pub(crate) fn new(columns: &'a [Column]) -> ColumnIndex<'a> {
        ColumnIndex(columns.iter().enumerate().map(|(at, column)| (&*column.name, at)).collect())
    }

    /// Returns the index of a column, or its name if it is a summary of bags.
    fn of(&self, name: &str) -> Value {
        self.0.get(name).map_or_else(|| json!(name), |at| json!(at))
    }

    /// Returns a condition as JSON.
    pub(crate) fn encode(&self, expr: &Expr) -> Value {
        let list = |operands: &[Expr]| -> Vec<Value> {
            operands.iter().map(|operand| self.encode(operand)).collect()
        };
        match expr {
            Expr::Constant(value) => json!(["constant", value]),
            Expr::Is(name) => json!(["is", self.of(name)]),
            Expr::Compare(name, op, value) => {
                json!(["compare", self.of(name), op.symbol(), literal(value)])
            }
            Expr::Within(name, interval) => {
                let (low, high) = (interval.low, interval.high);
                let ends = [number(low.value), number(high.value)];
                json!(["within", self.of(name), ends, [low.closed, high.closed]])
            }
            Expr::OneOf(name, values) => {
                let values: Vec<Value> = values.iter().map(literal).collect();
                json!(["one", self.of(name), values])
            }
            Expr::Contains(name, text) => json!(["contains", self.of(name), text]),
            Expr::Not(operand) => json!(["not", self.encode(operand)]),
            Expr::And(operands) => json!(["and", list(operands)]),
            Expr::Or(operands) => json!(["or", list(operands)]),
            Expr::Related(quantifier, _, operand) => {
                let (name, count) = match *quantifier {
                    Quantifier::Some => ("some", 1),
                    Quantifier::Only => ("only", 0),
                    Quantifier::Min(count) => ("min", count),
                    Quantifier::Max(count) => ("max", count),
                    Quantifier::Exactly(count) => ("exactly", count),
                };
                json!(["rows", name, count, self.encode(operand)])
            }
        }
    }
}

fn literal(value: &Literal) -> Value {
    match value {
        Literal::Number(value) => number(*value),
        Literal::Text(text) => json!({ "text": text }),
    }
}

/// Returns a number as JSON. JSON has no infinity, so infinite numbers are strings.
pub(super) fn number(number: f64) -> Value {
    match number {
        f64::INFINITY => json!("Infinity"),
        f64::NEG_INFINITY => json!("-Infinity"),
        number => json!(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_arrays() {
        let columns = [Column::numeric("x"), Column::nominal("c", vec!["a".into()])];
        let index = ColumnIndex::new(&columns);
        let encoded = |text: &str| index.encode(&text.parse().expect("a condition")).to_string();
        assert_eq!(
            encoded("1 <= x < 2 and not c in {a, 'b'}"),
            r#"["and",[["within",0,[1.0,2.0],[true,false]],["not",["one",1,[{"text":"a"},{"text":"b"}]]]]]"#
        );
        assert_eq!(encoded("min 3 row (x > 0.5)"), r#"["rows","min",3,["compare",0,">",0.5]]"#);
        assert_eq!(number(f64::INFINITY), json!("Infinity"));
    }
}
