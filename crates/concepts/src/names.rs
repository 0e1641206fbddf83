//! Writes sets of names, and numbers, as unambiguous text.

use pellucid_bits::words::members;
use pellucid_data::{CsvQuotes, Names, csv_cell};
use std::borrow::Cow;
use std::io::{self, Write};

/// The text for the empty set.
pub(crate) const EMPTY_SET: &str = "{}";

/// Writes the names of a set, separated by commas. Ambiguous names are quoted, with JSON escapes.
pub(crate) fn write_set(out: &mut impl Write, set: &[u64], names: &Names) -> io::Result<()> {
    let mut is_first = true;
    for member in members(set) {
        if !is_first {
            out.write_all(b", ")?;
        }
        is_first = false;
        out.write_all(quoted(&names.get(member)).as_bytes())?;
    }
    if is_first { out.write_all(EMPTY_SET.as_bytes()) } else { Ok(()) }
}

/// Returns a name as it is written in a set: unchanged, or quoted with JSON escapes.
pub(crate) fn quoted(name: &str) -> Cow<'_, str> {
    if is_plain(name) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(serde_json::Value::from(name).to_string())
    }
}

/// Whether a name is unambiguous among commas and arrows.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name != EMPTY_SET
        && name.trim() == name
        && !name.contains([',', '"', '→', '⇒'])
        && !["->", "=>", "   "].iter().any(|mark| name.contains(mark))
        && !name.contains(char::is_control)
}

/// Returns the names of a set, for JSON.
pub(crate) fn names_of<'a>(set: &[u64], names: &'a Names) -> Vec<Cow<'a, str>> {
    members(set).map(|member| names.get(member)).collect()
}

/// Writes the names of a set as one CSV field.
pub(crate) fn write_field(out: &mut impl Write, set: &[u64], names: &Names) -> io::Result<()> {
    let mut text = Vec::new();
    write_set(&mut text, set, names)?;
    let text = String::from_utf8_lossy(&text);
    out.write_all(csv_cell(&text, CsvQuotes::Split).as_bytes())
}

/// Formats a number, in scientific notation if it is very large or very small.
pub(crate) fn number_text(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || (1e-5..1e16).contains(&size) || !size.is_finite() {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ambiguous_names_are_quoted() {
        let names: Names = [
            "has wings",
            "a, b",
            "a -> b",
            "",
            " x",
            "{}",
            "5\" pipe",
            "line\nbreak",
            "größer (5)",
        ]
        .into_iter()
        .collect();
        let mut text = Vec::new();
        write_set(&mut text, &[0b1_1111_1111], &names).unwrap();
        let expected =
            r#"has wings, "a, b", "a -> b", "", " x", "{}", "5\" pipe", "line\nbreak", größer (5)"#;
        assert_eq!(String::from_utf8(text).unwrap(), expected);
        let mut text = Vec::new();
        write_set(&mut text, &[0], &names).unwrap();
        write_field(&mut text, &[0b11], &names).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), r#"{}"has wings, ""a, b""""#);
    }
}
