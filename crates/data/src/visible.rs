//! Makes names and values safe to show.
//!
//! Names and values come from untrusted files. Control characters can end a line, move the cursor,
//! or reverse the order of letters, so that `71 %` reads `17 %`. Such a character is replaced by
//! its escape, such as `\u202e`, which JSON, Python and Turtle parse as the character.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character controls the output instead of being shown: control characters, line and
/// paragraph separators, and the marks, embeddings, overrides and isolates of bidirectional text.
#[must_use]
pub fn is_obeyed(letter: char) -> bool {
    matches!(letter,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || letter.is_control()
}

/// Returns a text as one line in which every character is visible.
///
/// ```
/// use pellucid_data::visible_line;
/// assert_eq!(visible_line("dark blue"), "dark blue");
/// assert_eq!(visible_line("a\nb\u{202e}c"), "a\\nb\\u202ec");
/// ```
#[must_use]
pub fn visible_line(text: &str) -> Cow<'_, str> {
    escaped(text, is_obeyed)
}

/// Returns a text of several lines in which every character is visible; line ends and tabs stay.
#[must_use]
pub fn visible_text(text: &str) -> Cow<'_, str> {
    escaped(text, |letter| !matches!(letter, '\n' | '\t') && is_obeyed(letter))
}

fn escaped(text: &str, is_hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match letter {
            letter if !is_hidden(letter) => shown.push(letter),
            '\n' => shown += "\\n",
            '\r' => shown += "\\r",
            '\t' => shown += "\\t",
            // Writing to a string cannot fail. All such characters have four hexadecimal digits.
            letter => _ = write!(shown, "\\u{:04x}", u32::from(letter)),
        }
    }
    Cow::Owned(shown)
}

/// Returns a text for HTML or SVG: visible, and with right-to-left words isolated, so that numbers
/// next to them keep their position.
#[must_use]
pub fn isolated(text: &str) -> Cow<'_, str> {
    let text = visible_line(text);
    if !text.contains(runs_from_the_right) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = &*text;
    while let Some(start) = rest.find(runs_from_the_right) {
        let (before, run) = rest.split_at(start);
        // Blanks and punctuation between two such words belong to them, letters and digits do not.
        let end = run.find(|letter: char| letter.is_alphanumeric() && !runs_from_the_right(letter));
        let within = &run[..end.unwrap_or(run.len())];
        let last = within.rfind(runs_from_the_right).unwrap_or(0);
        let length = last + within[last..].chars().next().map_or(0, char::len_utf8);
        out.push_str(before);
        out.push('\u{2068}');
        out.push_str(&run[..length]);
        out.push('\u{2069}');
        rest = &run[length..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Whether a letter is written from right to left: the blocks of Hebrew, Arabic and related scripts.
fn runs_from_the_right(letter: char) -> bool {
    matches!(letter,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
        && letter != '\u{61c}'
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ordinary_text_does_not_change() {
        for plain in ["", "colour = 'dark blue'", "größer ≥ 2", "שלום", "👩‍🔬"] {
            assert!(matches!(visible_line(plain), Cow::Borrowed(same) if same == plain), "{plain}");
        }
        assert_eq!(visible_text("a\n\tb\r\u{1b}[31m"), "a\n\tb\\r\\u001b[31m");
        assert_eq!(isolated("71 % yes"), "71 % yes");
    }

    #[test]
    fn right_to_left_words_are_isolated() {
        assert_eq!(isolated("71 % שלום עולם, 29 % no"), "71 % \u{2068}שלום עולם\u{2069}, 29 % no");
        assert_eq!(isolated("א1ב"), "\u{2068}א\u{2069}1\u{2068}ב\u{2069}");
    }

    proptest! {
        /// No hidden character is left, no visible one is lost, and JSON parses the escapes.
        #[test]
        fn escapes_round_trip(
            text in "[a-z א\u{0}-\u{1f}\u{7f}-\u{9f}\u{2028}-\u{202e}\u{2066}-\u{2069}]{0,30}",
        ) {
            let shown = visible_line(&text);
            prop_assert!(!shown.contains(is_obeyed));
            let back: String = serde_json::from_str(&format!("\"{shown}\"")).expect("JSON escapes");
            prop_assert_eq!(back, &*text);
            let whole = isolated(&text).replace(['\u{2068}', '\u{2069}'], "");
            prop_assert_eq!(whole, &*shown);
        }
    }
}
