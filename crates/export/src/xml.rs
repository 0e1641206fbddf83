//! Text in XML: HTML pages and SVG pictures.

use pellucid_data::isolated;

/// Returns text on one line, escaped: markup characters and invisible characters are escaped, and
/// right-to-left text is isolated so that it does not reorder the numbers beside it.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in isolated(text).chars() {
        match letter {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '"' => out += "&quot;",
            // XML cannot represent these two.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out
}

/// Returns text of several lines, each [escaped].
#[must_use]
pub fn escaped_lines(text: &str) -> String {
    text.split('\n').map(escaped).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_invisible_characters_are_escaped() {
        let odd = escaped_lines("<a b=\"c\">&\u{1}\u{ffff}\n\u{202e}\u{5d0}");
        let safe = "&lt;a b=&quot;c&quot;&gt;&amp;\\u0001\u{fffd}\n\\u202e\u{2068}\u{5d0}\u{2069}";
        assert_eq!(odd, safe);
        assert_eq!(escaped("a\nb"), "a\\nb");
    }
}
