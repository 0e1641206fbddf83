//! The number format of a file: `1234.5`, `1234,5`, `1.234,5`, `1 234,5`, `1'234.5`.

use crate::cells::number;

/// The decimal separator and the thousands separator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NumberForm {
    pub(crate) decimal: char,
    pub(crate) thousands: Option<char>,
}

impl Default for NumberForm {
    fn default() -> Self {
        Self { decimal: '.', thousands: None }
    }
}

/// The maximum length of a number with separators.
const LONGEST: usize = 64;

impl NumberForm {
    /// Whether this is the plain format of programming languages.
    pub(crate) fn is_plain(self) -> bool {
        self == Self::default()
    }

    /// Parses a number in this format.
    #[inline]
    pub(crate) fn parse(self, text: &str) -> Option<f64> {
        if self.is_plain() { number::parse(text) } else { self.translated(text) }
    }

    /// Converts the number to the plain format and parses it. Digits must be in groups of three or
    /// not grouped.
    fn translated(self, text: &str) -> Option<f64> {
        let mut plain = [0u8; LONGEST];
        let mut length = 0;
        let mut push = |byte: u8| -> Option<()> {
            *plain.get_mut(length)? = byte;
            length += 1;
            Some(())
        };
        // The digits since the last separator, whether there was one, and whether this is the integer part.
        let (mut digits, mut grouped, mut whole) = (0usize, false, true);
        for letter in text.chars() {
            if letter == self.decimal && whole {
                if grouped && digits != 3 {
                    return None;
                }
                whole = false;
                push(b'.')?;
            } else if self.separates(letter) && whole {
                if digits == 0 || digits > 3 || (grouped && digits != 3) {
                    return None;
                }
                (digits, grouped) = (0, true);
            } else if letter.is_ascii_digit() {
                digits += 1;
                push(u8::try_from(letter).ok()?)?;
            } else {
                match letter {
                    '+' | '-' => push(u8::try_from(letter).ok()?)?,
                    // An exponent or infinity.
                    'a'..='z' | 'A'..='Z' => {
                        if grouped && whole && digits != 3 {
                            return None;
                        }
                        whole = false;
                        push(u8::try_from(letter).ok()?)?;
                    }
                    _ => return None,
                }
            }
        }
        if grouped && whole && digits != 3 {
            return None;
        }
        let text = std::str::from_utf8(plain.get(..length)?).ok()?;
        number::parse(text)
    }

    /// Whether a character is the thousands separator; a space stands for spaces of any width.
    fn separates(self, letter: char) -> bool {
        match self.thousands {
            None => false,
            Some(' ') => matches!(letter, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}'),
            Some('\'') => matches!(letter, '\'' | '’'),
            Some(mark) => letter == mark,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn form(decimal: char, thousands: Option<char>) -> NumberForm {
        NumberForm { decimal, thousands }
    }

    #[test]
    fn number_formats_of_many_countries() {
        for (decimal, thousands, text, number) in [
            (',', None, "1234,5", 1234.5),
            (',', None, "-0,25", -0.25),
            (',', None, ",5", 0.5),
            (',', None, "1,5e3", 1500.0),
            (',', Some('.'), "1.234,5", 1234.5),
            (',', Some('.'), "1.234.567", 1_234_567.0),
            (',', Some('.'), "1234,5", 1234.5),
            (',', Some(' '), "1\u{202f}234,5", 1234.5),
            ('.', Some(','), "-1,234.5", -1234.5),
            ('.', Some('\''), "1’234", 1234.0),
            (',', None, "-inf", f64::NEG_INFINITY),
        ] {
            assert_eq!(form(decimal, thousands).parse(text), Some(number), "{text}");
        }
        for (decimal, thousands, text) in [
            (',', None, "1.5"),
            (',', None, "1,2,3"),
            (',', Some('.'), "1.5"),
            (',', Some('.'), "12.34,5"),
            (',', Some('.'), "1234.567"),
            (',', Some('.'), ".123"),
            ('.', Some(','), "1,23"),
            ('.', Some(','), "1,2345"),
            (',', Some('.'), "1.234x"),
            (',', None, ""),
            (',', None, ","),
        ] {
            assert_eq!(form(decimal, thousands).parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn grouping_does_not_change_the_number(whole in 0u64..10_000_000_000, fraction in 0u32..1000) {
            let digits = whole.to_string();
            let mut grouped = String::new();
            for (index, digit) in digits.chars().enumerate() {
                if index > 0 && (digits.len() - index) % 3 == 0 {
                    grouped.push('.');
                }
                grouped.push(digit);
            }
            let plain = format!("{whole}.{fraction}").parse::<f64>().ok();
            prop_assert_eq!(form(',', Some('.')).parse(&format!("{grouped},{fraction}")), plain);
            prop_assert_eq!(form(',', None).parse(&format!("{whole},{fraction}")), plain);
        }

        #[test]
        fn any_text_is_a_number_or_none(text in "\\PC{0,80}") {
            for (decimal, thousands) in [(',', None), (',', Some('.')), ('.', Some(',')), (',', Some(' '))] {
                prop_assert!(!form(decimal, thousands).parse(&text).is_some_and(f64::is_nan));
            }
        }
    }
}
