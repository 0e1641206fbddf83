//! Literals and facets in the datatypes of the data.
//!
//! For a reasoner, `"1.5"^^xsd:double` and `"1.5"^^xsd:decimal` are different values. So conditions
//! are written in the datatypes that the values of a property have, and in each of them if there are
//! several.

use super::graph::RdfNode;
use super::owl::range;
use super::term::{range_name, value_parts};
use crate::syntax::{NameResolver, date, pattern};
use pellucid_data::{Datatype, literal};
use pellucid_program::{Op, Value};

/// The number of seconds of a day.
const DAY: f64 = 86_400.0;

/// The datatypes of the values of a property.
pub(super) struct ValueTypes<'n> {
    datatype: Option<Datatype>,
    /// As the data have them; empty if that is unknown.
    types: &'n [String],
}

/// What the datatypes of XML Schema are restrictions of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    Integer,
    Decimal,
    Float,
    Double,
    Date,
    DateTime,
}

impl Base {
    fn of(datatype: &str) -> Option<Base> {
        let local = datatype.strip_prefix("xsd:")?;
        Some(match (local, literal::datatype(local)?) {
            (_, Datatype::Integer) => Base::Integer,
            ("decimal", _) => Base::Decimal,
            ("float", _) => Base::Float,
            (_, Datatype::Real) => Base::Double,
            ("date", _) => Base::Date,
            (_, Datatype::Date) => Base::DateTime,
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Base::Integer => "xsd:integer",
            Base::Decimal => "xsd:decimal",
            Base::Float => "xsd:float",
            Base::Double => "xsd:double",
            Base::Date => "xsd:date",
            Base::DateTime => "xsd:dateTime",
        }
    }

    /// Returns the distance of values that have one, and 0 for the others.
    fn step(self) -> f64 {
        match self {
            Base::Integer => 1.0,
            Base::Date => DAY,
            _ => 0.0,
        }
    }

    /// Returns a number as it is written; `None` if the datatype does not have it.
    fn text(self, number: f64) -> Option<String> {
        let plain = (number + 0.0).to_string();
        match self {
            Base::Integer => (number.fract() == 0.0 && number.is_finite()).then_some(plain),
            Base::Decimal => number.is_finite().then_some(plain),
            Base::Float | Base::Double if number.is_infinite() => {
                Some(crate::syntax::literal::xsd_infinity(number).to_owned())
            }
            Base::Float | Base::Double if plain.len() > 22 => Some(format!("{number:e}")),
            Base::Float | Base::Double => Some(plain),
            Base::Date => date::text(number).filter(|text| !text.contains('T')),
            Base::DateTime => date::text(number).map(|text| match text.contains('T') {
                true => text,
                false => format!("{text}T00:00:00Z"),
            }),
        }
    }

    /// Returns the same condition with a bound that the datatype has: `> 1.5` is `>= 2` for
    /// integers.
    fn bound(self, op: Op, number: f64) -> (Op, f64) {
        let step = self.step();
        let whole = number / step;
        if step == 0.0 || whole.fract() == 0.0 || !whole.is_finite() {
            return (op, number);
        }
        match op {
            Op::Greater | Op::GreaterEqual => (Op::GreaterEqual, whole.ceil() * step),
            _ => (Op::LessEqual, whole.floor() * step),
        }
    }
}

impl<'n> ValueTypes<'n> {
    pub(super) fn of(property: &str, names: &'n dyn NameResolver) -> ValueTypes<'n> {
        ValueTypes { datatype: names.datatype(property), types: names.value_types(property) }
    }

    /// Returns the distinct bases of the datatypes.
    fn bases(&self) -> Vec<Base> {
        let mut bases: Vec<Base> = Vec::new();
        for base in self.types.iter().filter_map(|datatype| Base::of(datatype)) {
            if !bases.contains(&base) {
                bases.push(base);
            }
        }
        bases
    }

    /// Returns a value in each of the datatypes.
    pub(super) fn literals(&self, value: &Value) -> Vec<RdfNode> {
        let found: Vec<RdfNode> = match value {
            Value::Number(number) => {
                let bases = self.bases().into_iter();
                bases
                    .filter_map(|base| Some(RdfNode::literal(base.text(*number)?, base.name())))
                    .collect()
            }
            Value::Text(text) => {
                let literal = |datatype: &String| match datatype.strip_prefix('@') {
                    Some(language) => RdfNode::Literal {
                        text: text.clone(),
                        datatype: String::new(),
                        language: language.to_owned(),
                    },
                    None if datatype == "xsd:string" || datatype.starts_with("rdf:") => {
                        RdfNode::literal(text.clone(), "")
                    }
                    None => RdfNode::literal(text.clone(), datatype),
                };
                self.types.iter().map(literal).collect()
            }
        };
        if found.is_empty() {
            let (text, datatype) = value_parts(value, self.datatype);
            return vec![RdfNode::literal(text, &datatype)];
        }
        found
    }

    /// Returns a condition on numbers or dates.
    pub(super) fn facets(&self, conditions: &[(Op, f64)]) -> RdfNode {
        let of_base = |base: Base| {
            let facets: Option<Vec<RdfNode>> = conditions
                .iter()
                .map(|&(op, number)| {
                    let (op, number) = base.bound(op, number);
                    Some(facet(op, RdfNode::literal(base.text(number)?, base.name())))
                })
                .collect();
            Some(restricted(base.name(), facets?))
        };
        let mut ranges: Vec<RdfNode> = self.bases().into_iter().filter_map(of_base).collect();
        match ranges.len() {
            0 => {
                let ends: Vec<f64> = conditions.iter().map(|&(_, number)| number).collect();
                let name = format!("xsd:{}", range_name(self.datatype, &ends));
                let facet = |&(op, number): &(Op, f64)| {
                    let (text, datatype) = value_parts(&Value::Number(number), self.datatype);
                    facet(op, RdfNode::literal(text, &datatype))
                };
                restricted(&name, conditions.iter().map(facet).collect())
            }
            1 => ranges.swap_remove(0),
            _ => range("owl:unionOf", RdfNode::List(ranges)),
        }
    }

    /// Returns the condition that a text contains another one.
    pub(super) fn pattern(&self, part: &str) -> RdfNode {
        let pattern = RdfNode::literal(pattern::containing(part), "");
        let name = format!("xsd:{}", range_name(self.datatype, &[]));
        restricted(&name, vec![RdfNode::Inline(vec![("xsd:pattern", pattern)])])
    }
}

/// Returns a facet.
fn facet(op: Op, bound: RdfNode) -> RdfNode {
    let name = match op {
        Op::Greater => "xsd:minExclusive",
        Op::GreaterEqual => "xsd:minInclusive",
        Op::Less => "xsd:maxExclusive",
        _ => "xsd:maxInclusive",
    };
    RdfNode::Inline(vec![(name, bound)])
}

/// Returns a datatype with facets.
fn restricted(datatype: &str, facets: Vec<RdfNode>) -> RdfNode {
    RdfNode::Block(vec![
        ("a", RdfNode::Name("rdfs:Datatype".to_owned())),
        ("owl:onDatatype", RdfNode::Name(datatype.to_owned())),
        ("owl:withRestrictions", RdfNode::Row(facets)),
    ])
}

#[cfg(test)]
mod tests {
    use super::{Base, Op};

    #[test]
    fn bounds_are_values_of_the_datatype() {
        assert_eq!(Base::Integer.bound(Op::Greater, 1.5), (Op::GreaterEqual, 2.0));
        assert_eq!(Base::Integer.bound(Op::Less, 1.5), (Op::LessEqual, 1.0));
        assert_eq!(Base::Integer.bound(Op::Less, 2.0), (Op::Less, 2.0));
        assert_eq!(Base::Date.bound(Op::LessEqual, 90_000.0), (Op::LessEqual, 86_400.0));
        assert_eq!(Base::Decimal.bound(Op::Less, 1.5), (Op::Less, 1.5));
        assert_eq!(Base::of("xsd:unsignedByte"), Some(Base::Integer));
        assert_eq!(Base::of("xsd:string"), None);
        assert_eq!(Base::Decimal.text(1e-7).as_deref(), Some("0.0000001"));
        assert_eq!(Base::DateTime.text(86_400.0).as_deref(), Some("1970-01-02T00:00:00Z"));
    }
}
