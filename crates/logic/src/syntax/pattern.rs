//! Containment as a regular expression of XML Schema, and back.
//!
//! `.*a\.b.*` says that a text contains `a.b`. That is the only shape of pattern that is understood. (To the letter, `.`
//! stands for any character but the end of a line; a text of several lines contains what one of its lines contains.)

/// What means something in a pattern.
const SPECIAL: &str = "\\|.?*+(){}[]-^$";

/// The pattern that says: contains this text.
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

/// The text that a pattern asks for, where it only asks for that.
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
            // Bare, it means itself; not so between square brackets, but those are refused.
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
    fn only_containment_is_understood() {
        assert_eq!(contained(".*abc.*").as_deref(), Some("abc"));
        assert_eq!(contained(".*a-b.*").as_deref(), Some("a-b"));
        assert_eq!(contained(".*.*").as_deref(), Some(""));
        for other in ["abc", ".*abc", "abc.*", ".*a|b.*", ".*a.b.*", ".*\\d.*", ".*a\\", ""] {
            assert_eq!(contained(other), None, "{other}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(text in any::<String>()) {
            prop_assert_eq!(contained(&containing(&text)), Some(text));
        }
    }
}
