//! Text as it may stand in XML.

use std::fmt;

/// Any text, written so that XML takes it for text: marks escaped, and what XML has no way to say replaced.
pub(crate) struct XmlText<'a>(pub(crate) &'a str);

impl fmt::Display for XmlText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        for letter in self.0.chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\n' => f.write_char('\n')?,
                '\t' | '\r' => f.write_char(' ')?,
                '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {
                    f.write_char('\u{fffd}')?;
                }
                letter => f.write_char(letter)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_opens_or_closes_anything() {
        let odd = XmlText("<a b=\"c\">&\u{1}\u{ffff}\t\u{5d0}").to_string();
        assert_eq!(odd, "&lt;a b=&quot;c&quot;&gt;&amp;\u{fffd}\u{fffd} \u{5d0}");
    }
}
