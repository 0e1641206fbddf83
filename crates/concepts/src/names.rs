//! Sets of names in text, so that it is always clear where a name ends.

use pellucid_bits::words::members;
use pellucid_data::Names;
use std::borrow::Cow;
use std::io::{self, Write};

/// What stands for a set without members.
pub(crate) const NOTHING: &str = "{}";

/// Writes a set's names, with a comma between them. A name that could be taken for something else stands in quotes, with
/// the escapes of JSON.
pub(crate) fn write_set(out: &mut impl Write, set: &[u64], names: &Names) -> io::Result<()> {
    let mut is_first = true;
    for member in members(set) {
        if !is_first {
            out.write_all(b", ")?;
        }
        is_first = false;
        out.write_all(quoted(&names.get(member)).as_bytes())?;
    }
    if is_first { out.write_all(NOTHING.as_bytes()) } else { Ok(()) }
}

/// A name as it stands in a set: itself, or in quotes with the escapes of JSON.
pub(crate) fn quoted(name: &str) -> Cow<'_, str> {
    if is_plain(name) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(serde_json::Value::from(name).to_string())
    }
}

/// Whether a name can stand for itself among commas and arrows.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name != NOTHING
        && name.trim() == name
        && !name.contains([',', '"', '→', '⇒'])
        && !["->", "=>", "   "].iter().any(|mark| name.contains(mark))
        && !name.contains(char::is_control)
}

/// A set's names, for JSON.
pub(crate) fn listed<'a>(set: &[u64], names: &'a Names) -> Vec<Cow<'a, str>> {
    members(set).map(|member| names.get(member)).collect()
}

/// Writes a set's names as one field of CSV.
pub(crate) fn write_field(out: &mut impl Write, set: &[u64], names: &Names) -> io::Result<()> {
    let mut text = Vec::new();
    write_set(&mut text, set, names)?;
    if text.iter().any(|byte| b",\"\r\n".contains(byte)) {
        out.write_all(b"\"")?;
        for byte in text {
            out.write_all(if byte == b'"' { b"\"\"" } else { std::slice::from_ref(&byte) })?;
        }
        out.write_all(b"\"")
    } else {
        out.write_all(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_could_be_mistaken_stand_in_quotes() {
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
