//! Texts, numbers and the reading of cells in Python.
//!
//! A module needs only Python 3. A row is a dictionary from column names to values; values may also
//! be text, as from `csv.DictReader`, which is parsed as the training table was.

mod cells;

pub use cells::{helpers, imports};

use crate::wrap::paragraph;
use pellucid_data::visible_line;

/// Returns the start of a docstring, broken into lines. Invisible characters, and quotes that could
/// end it, are escaped.
#[must_use]
pub fn docstring(text: &str, indent: &str) -> String {
    let text = visible_line(text).replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\"");
    let first = format!("{indent}\"\"\"");
    // A quote at the very end would merge with the closing quotes.
    let is_bare =
        |rest: &str| rest.bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 0;
    let text = match text.strip_suffix('"') {
        Some(rest) if is_bare(rest) => format!("{rest}\\\""),
        _ => text,
    };
    paragraph(&first, indent.len(), &text)
}

/// Returns a number as a Python literal.
#[must_use]
pub fn number(number: f64) -> String {
    if number.is_finite() { format!("{number:?}") } else { format!("float(\"{number}\")") }
}

/// Returns text as a Python literal: JSON's escapes are valid in Python, and invisible characters
/// are escaped too.
#[must_use]
pub fn string(text: &str) -> String {
    visible_line(&serde_json::Value::from(text).to_string()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_end_their_literal() {
        assert_eq!(string("it's \"7\"\n"), "\"it's \\\"7\\\"\\n\"");
        assert_eq!(string("a\u{202e}b"), "\"a\\u202eb\"");
        assert_eq!(docstring("7\"", "").trim_end(), "\"\"\"7\\\"");
        assert_eq!(docstring("a\"\"\"b", "").trim_end(), "\"\"\"a\\\"\\\"\\\"b");
    }

    #[test]
    fn numbers_are_literals() {
        assert_eq!([number(3.0), number(0.1)], ["3.0", "0.1"]);
        assert_eq!(number(f64::NEG_INFINITY), "float(\"-inf\")");
    }
}
