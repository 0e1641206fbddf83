//! Text as it may stand in pages and pictures.

use pellucid_data::isolated;

/// Returns a text that means nothing but itself: no mark in it opens or closes anything, every character can be seen, and words
/// written from right to left do not move the numbers beside them.
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
