//! IRIs and literals in the common syntax of Turtle and SPARQL.

use crate::syntax::{date, literal};
use pellucid_data::{Datatype, is_obeyed};
use pellucid_program::Value;
use std::fmt::Write;

/// Writes an IRI in angle brackets, or a blank node by its label.
pub(super) fn iri(iri: &str) -> String {
    if let Some(label) = iri.strip_prefix("_:") {
        let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
        return format!("_:n{}", label.chars().map(plain).collect::<String>());
    }
    let mut out = String::from("<");
    for letter in iri.chars() {
        if is_foreign(letter) || is_obeyed(letter) {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{:04X}", u32::from(letter));
        } else {
            out.push(letter);
        }
    }
    out + ">"
}

/// Writes an IRI for a query. Some engines replace `\u003E` before parsing, so a name could close
/// its brackets and inject a query. Characters that are not allowed in IRIs are therefore
/// percent-encoded.
pub(super) fn query_iri(name: &str) -> String {
    let encoded = |letter: char| match is_foreign(letter) || is_obeyed(letter) {
        true => letter.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect(),
        false => letter.to_string(),
    };
    match name.starts_with("_:") {
        true => iri(name),
        false => iri(&name.chars().map(encoded).collect::<String>()),
    }
}

/// Whether a character is not allowed in an IRI.
fn is_foreign(letter: char) -> bool {
    letter <= ' ' || "<>\"{}|^`\\".contains(letter)
}

/// Writes a text in double quotes.
pub(super) fn text(text: &str) -> String {
    let mut out = String::from("\"");
    let mut before = ' ';
    for letter in text.chars() {
        match letter {
            // Some engines replace `\u0022` before parsing, even after an escaped backslash.
            'u' | 'U' if before == '\\' => {
                let _ = write!(out, "\\u{:04X}", u32::from(letter));
            }
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            '\n' => out += "\\n",
            '\r' => out += "\\r",
            '\t' => out += "\\t",
            other if is_obeyed(other) => {
                let _ = write!(out, "\\u{:04X}", u32::from(other));
            }
            other => out.push(other),
        }
        before = letter;
    }
    out + "\""
}

/// Writes a value as a literal with the datatype of its property.
pub(super) fn value(value: &Value, datatype: Option<Datatype>) -> String {
    let (lexical, name) = value_parts(value, datatype);
    if name.is_empty() { text(&lexical) } else { format!("{}^^{name}", text(&lexical)) }
}

/// Returns the text of a value and its datatype, with a prefix; an empty one for a plain text.
pub(super) fn value_parts(value: &Value, datatype: Option<Datatype>) -> (String, String) {
    let (lexical, name) = match (value, datatype) {
        (Value::Text(content), Some(Datatype::Boolean)) => (content.clone(), "boolean"),
        (Value::Text(content), _) => return (content.clone(), String::new()),
        (Value::Number(number), Some(Datatype::Text | Datatype::Boolean)) => {
            return (number.to_string(), String::new());
        }
        (Value::Number(number), _) => typed(*number, datatype),
    };
    (lexical, format!("xsd:{name}"))
}

/// Returns the local name of the datatype of a range with these bounds.
pub(super) fn range_name(datatype: Option<Datatype>, ends: &[f64]) -> &'static str {
    let names: Vec<&str> = ends.iter().map(|&end| typed(end, datatype).1).collect();
    match datatype {
        Some(Datatype::Text) => "string",
        // The wider type if they differ.
        Some(Datatype::Date) if names.contains(&"dateTime") => "dateTime",
        Some(Datatype::Integer) if names.contains(&"double") => "double",
        _ => names.first().copied().unwrap_or("double"),
    }
}

fn typed(number: f64, datatype: Option<Datatype>) -> (String, &'static str) {
    if number.is_infinite() {
        return (literal::xsd_infinity(number).to_owned(), "double");
    }
    let plain = (number + 0.0).to_string();
    match datatype {
        Some(Datatype::Integer) if number.fract() == 0.0 => (plain, "integer"),
        Some(Datatype::Date) => match date::text(number) {
            Some(text) if text.contains('T') => (text, "dateTime"),
            Some(text) => (text, "date"),
            None => (format!("{number:e}"), "double"),
        },
        _ if plain.len() > 22 => (format!("{number:e}"), "double"),
        _ => (plain, "double"),
    }
}
