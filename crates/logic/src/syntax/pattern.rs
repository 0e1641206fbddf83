//! Containment as a regular expression of XML Schema.
//!
//! `.*a\.b.*` means that a text contains `a.b`. No other form of pattern is supported. (Strictly,
//! `.` does not match line breaks, so a text of several lines matches if one of its lines does.)

/// The characters with a special meaning in a pattern.
const SPECIAL: &str = "\\|.?*+(){}[]-^$";

/// Returns the pattern for texts that contain this text.
#[must_use]
pub(crate) fn containing(text: &str) -> String {
    let mut pattern = String::from(".*");
    for letter in text.chars() {
        match letter {
            '\n' => pattern.push_str("\\n"),
            '\r' => pattern.push_str("\\r"),
            '\t' => pattern.push_str("\\t"),
            _ => {
                if SPECIAL.contains(letter) {
                    pattern.push('\\');
                }
                pattern.push(letter);
            }
        }
    }
    pattern + ".*"
}

/// Returns the text of a containment pattern; `None` for any other pattern.
#[must_use]
pub(crate) fn contained(pattern: &str) -> Option<String> {
    let mut letters = pattern.strip_prefix(".*")?.chars();
    let mut text = String::new();
    loop {
        match letters.next()? {
            '\\' => text.push(match letters.next()? {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                letter if SPECIAL.contains(letter) => letter,
                _ => return None,
            }),
            '.' => return (letters.as_str() == "*").then_some(text),
            // Unescaped, it is literal outside square brackets, and those are rejected.
            '-' => text.push('-'),
            letter if SPECIAL.contains(letter) => return None,
            letter => text.push(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_containment_is_supported() {
        assert_eq!(contained(".*abc.*").as_deref(), Some("abc"));
        assert_eq!(contained(".*a-b.*").as_deref(), Some("a-b"));
        assert_eq!(contained(".*.*").as_deref(), Some(""));
        for other in ["abc", ".*abc", "abc.*", ".*a|b.*", ".*a.b.*", ".*\\d.*", ".*a\\", ""] {
            assert_eq!(contained(other), None, "{other}");
        }
    }

    proptest! {
        #[test]
        fn round_trips(text in any::<String>()) {
            prop_assert_eq!(contained(&containing(&text)), Some(text));
        }
    }
}
