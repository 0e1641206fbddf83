//! Text in XML.

use pellucid_data::isolated;
use std::fmt;

/// Text escaped for XML: markup characters and invisible characters are escaped, line breaks are
/// kept, and right-to-left text is isolated from its surroundings.
pub(crate) struct XmlText<'a>(pub(crate) &'a str);

impl fmt::Display for XmlText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        for (number, line) in self.0.split('\n').enumerate() {
            if number > 0 {
                f.write_char('\n')?;
            }
            for letter in isolated(line).chars() {
                match letter {
                    '&' => f.write_str("&amp;")?,
                    '<' => f.write_str("&lt;")?,
                    '>' => f.write_str("&gt;")?,
                    '"' => f.write_str("&quot;")?,
                    // XML cannot represent these two.
                    '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}')?,
                    letter => f.write_char(letter)?,
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_invisible_characters_are_escaped() {
        let odd = XmlText("<a b=\"c\">&\u{1}\u{ffff}\n\u{202e}\u{5d0}").to_string();
        let safe = "&lt;a b=&quot;c&quot;&gt;&amp;\\u0001\u{fffd}\n\\u202e\u{2068}\u{5d0}\u{2069}";
        assert_eq!(odd, safe);
    }
}
