//! Values as text, by datatype.

use super::date;
use super::token::{number, quote};
use crate::kb;
use pellucid_data::Datatype;
use pellucid_program::Value;

/// The namespace of the XML Schema datatypes.
pub(crate) const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

/// A literal in a text.
pub(super) struct Literal {
    pub(super) lexical: String,
    pub(super) quoted: bool,
    /// The datatype after `^^`.
    pub(super) datatype: Option<String>,
}

/// The datatype that a name refers to: a specific one, or any.
pub(super) enum Range {
    Any,
    Of(Datatype),
}

/// Returns the datatype of a prefixed name, a local name or an IRI.
pub(super) fn range(name: &str) -> Option<Range> {
    let local = name.strip_prefix("xsd:").or_else(|| name.strip_prefix(XSD)).unwrap_or(name);
    if let Some(datatype) = kb::literal::datatype(local) {
        return Some(Range::Of(datatype));
    }
    Some(Range::Of(match local {
        "owl:real" | "owl:rational" => Datatype::Real,
        "string" | "normalizedString" | "token" | "anyURI" | "rdf:PlainLiteral"
        | "rdf:langString" => Datatype::Text,
        "rdfs:Literal" | "Literal" | "http://www.w3.org/2000/01/rdf-schema#Literal" => {
            return Some(Range::Any);
        }
        _ => return None,
    }))
}

/// Whether values of two datatypes can be compared.
pub(super) fn comparable(left: Datatype, right: Datatype) -> bool {
    let numeric = |datatype| matches!(datatype, Datatype::Integer | Datatype::Real);
    left == right || (numeric(left) && numeric(right))
}

/// The plural noun for values of a datatype, and an example.
pub(super) fn example(datatype: Datatype) -> (&'static str, &'static str) {
    match datatype {
        Datatype::Integer => ("numbers", "3"),
        Datatype::Real => ("numbers", "3.5"),
        Datatype::Boolean => ("truth values", "true"),
        Datatype::Date => ("dates", "\"2020-01-31\"^^xsd:date"),
        Datatype::Text => ("texts", "\"text\""),
    }
}

/// Converts a literal to a value of a data property. The error says what is accepted.
pub(super) fn value(literal: &Literal, datatype: Datatype) -> Result<Value, String> {
    let declared = literal.datatype.as_deref().and_then(range);
    let fits = match declared {
        Some(Range::Of(declared)) => comparable(declared, datatype) || datatype == Datatype::Text,
        Some(Range::Any) => true,
        // A literal with an unknown datatype is text; without a datatype it has that of the
        // property.
        None => literal.datatype.is_none() || datatype == Datatype::Text,
    };
    let numeric =
        matches!(declared, Some(Range::Of(declared)) if comparable(declared, Datatype::Real));
    let found = match datatype {
        // A number means seconds since 1970.
        Datatype::Date if !literal.quoted || numeric => number(&literal.lexical).map(Value::Number),
        _ if !fits => None,
        Datatype::Integer | Datatype::Real if literal.quoted && declared.is_none() => None,
        Datatype::Integer | Datatype::Real => number(&literal.lexical).map(Value::Number),
        Datatype::Boolean => {
            kb::literal::boolean(&literal.lexical).map(|truth| Value::Text(truth.to_string()))
        }
        Datatype::Date => kb::literal::date(&literal.lexical).map(Value::Number),
        Datatype::Text => Some(Value::Text(literal.lexical.clone())),
    };
    found.ok_or_else(|| {
        let (kinds, one) = example(datatype);
        format!("a {} such as {one}", kinds.trim_end_matches('s'))
    })
}

/// Formats a value as a literal of Manchester syntax.
pub(super) fn manchester(value: &Value, datatype: Option<Datatype>) -> String {
    match (value, datatype) {
        (Value::Number(number), Some(Datatype::Text | Datatype::Boolean)) => {
            quote(&number.to_string(), '"')
        }
        (Value::Number(number), Some(Datatype::Date)) => {
            dated(*number).unwrap_or_else(|| typed_number(*number))
        }
        (Value::Number(number), _) => typed_number(*number),
        (Value::Text(text), Some(Datatype::Boolean)) if matches!(&**text, "true" | "false") => {
            text.clone()
        }
        (Value::Text(text), _) => quote(text, '"'),
    }
}

/// Formats a value in DL syntax: numbers and dates without datatypes.
pub(super) fn dl(value: &Value, datatype: Option<Datatype>) -> String {
    match (value, datatype) {
        (Value::Number(number), Some(Datatype::Date)) => {
            date::text(*number).map_or_else(|| plain_number(*number), |date| quote(&date, '"'))
        }
        (Value::Number(number), Some(Datatype::Integer | Datatype::Real) | None) => {
            plain_number(*number)
        }
        _ => manchester(value, datatype),
    }
}

/// Returns the datatype name for a range with these bounds.
pub(super) fn range_name(datatype: Option<Datatype>, ends: &[f64]) -> &'static str {
    let timed = |&end: &f64| date::text(end).is_none_or(|text| text.contains('T'));
    match datatype {
        Some(Datatype::Integer) if ends.iter().all(|end| end.fract() == 0.0) => "xsd:integer",
        Some(Datatype::Date) if ends.iter().any(timed) => "xsd:dateTime",
        Some(Datatype::Date) => "xsd:date",
        Some(Datatype::Boolean) => "xsd:boolean",
        Some(Datatype::Text) => "xsd:string",
        Some(Datatype::Integer | Datatype::Real) | None => "xsd:double",
    }
}

fn dated(seconds: f64) -> Option<String> {
    let text = date::text(seconds)?;
    let name = if text.contains('T') { "dateTime" } else { "date" };
    Some(format!("\"{text}\"^^xsd:{name}"))
}

/// The maximum length of a number without an exponent.
const MAX_PLAIN_DIGITS: usize = 22;

/// Manchester syntax has no bare literals with an exponent and none for infinity.
fn typed_number(number: f64) -> String {
    let plain = plain_number(number);
    let bare = plain.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'.'));
    let lexical = if number.is_infinite() { xsd_infinity(number) } else { &plain };
    if bare { plain } else { format!("\"{lexical}\"^^xsd:double") }
}

/// The spelling of infinity in XML Schema.
pub(crate) fn xsd_infinity(number: f64) -> &'static str {
    if number > 0.0 { "INF" } else { "-INF" }
}

fn plain_number(number: f64) -> String {
    if number.is_infinite() {
        return if number > 0.0 { "∞" } else { "-∞" }.to_owned();
    }
    // -0 becomes 0, because they are equal in comparisons.
    let plain = (number + 0.0).to_string();
    if plain.len() <= MAX_PLAIN_DIGITS { plain } else { format!("{number:e}") }
}
