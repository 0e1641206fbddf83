//! Text for HTML pages and SVG pictures.

use pellucid_data::isolated;

/// Returns escaped text: markup characters and invisible characters are escaped, and right-to-left
/// text is isolated so that it does not reorder the numbers beside it.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in isolated(text).chars() {
        match letter {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '"' => out += "&quot;",
            '\u{fffe}' | '\u{ffff}' => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}
