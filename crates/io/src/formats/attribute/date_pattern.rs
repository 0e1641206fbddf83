//! Date formats of ARFF: `date "dd.MM.yyyy HH:mm"`, in the letters of Java's `SimpleDateFormat`.

use super::header::DeclaredKind;
use super::token;
use crate::source::error::ReadProblem;

/// The default date format.
const USUAL: &str = "yyyy-MM-dd'T'HH:mm:ss";

/// The supported letters.
pub(super) const LETTERS: &str = "y M L d H m s S Z X";

/// Parses the format after the word `date`; an empty text means the default.
///
/// # Errors
/// Fails if a quote is not closed.
pub(super) fn kind(text: &str) -> Result<DeclaredKind, ReadProblem> {
    let pattern = match text {
        "" => USUAL.into(),
        text if text.starts_with('%') => USUAL.into(),
        text if text.starts_with(['"', '\'']) => token::quoted(text)?.0,
        text => text.into(),
    };
    let format = translated(&pattern).and_then(|pattern| pattern.parse().ok());
    Ok(format.map_or_else(|| DeclaredKind::UnknownDate(pattern.into_owned()), DeclaredKind::Date))
}

/// Whether a format is only a year: `"yyyy"`.
pub(super) fn is_year(text: &str) -> bool {
    let bare = text.trim_matches(['"', '\'']);
    !bare.is_empty() && bare.bytes().all(|letter| letter == b'y')
}

/// Converts a pattern to the letters of `strftime`.
fn translated(pattern: &str) -> Option<String> {
    let mut out = String::new();
    let mut letters = pattern.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            // Two quotes are a literal quote, and quoted text is literal.
            '\'' if letters.next_if_eq(&'\'').is_some() => out.push('\''),
            '\'' => loop {
                match letters.next()? {
                    '\'' if letters.next_if_eq(&'\'').is_some() => out.push('\''),
                    '\'' => break,
                    other => literal(other, &mut out),
                }
            },
            letter if letter.is_ascii_alphabetic() => {
                let mut count = 1;
                while letters.next_if_eq(&letter).is_some() {
                    count += 1;
                }
                out.push_str(match (letter, count) {
                    ('y', 2) => "%y",
                    ('y', _) => "%Y",
                    ('M' | 'L', 1 | 2) => "%m",
                    ('M' | 'L', 3) => "%b",
                    ('M' | 'L', _) => "%B",
                    ('d', 1 | 2) => "%d",
                    ('H', 1 | 2) => "%H",
                    ('m', 1 | 2) => "%M",
                    ('s', 1 | 2) => "%S",
                    ('S', _) => "%f",
                    ('Z' | 'X', _) => "%z",
                    _ => return None,
                });
            }
            other => literal(other, &mut out),
        }
    }
    Some(out)
}

fn literal(letter: char, out: &mut String) {
    if letter == '%' {
        out.push('%');
    }
    out.push(letter);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn java_patterns_are_converted() {
        for (java, ours) in [
            ("", "%Y-%m-%dT%H:%M:%S"),
            ("% a comment", "%Y-%m-%dT%H:%M:%S"),
            ("\"yyyy-MM-dd HH:mm:ss\"", "%Y-%m-%d %H:%M:%S"),
            ("'dd.MM.yy'", "%d.%m.%y"),
            ("\"d MMM yyyy\"", "%d %b %Y"),
            ("\"MMMM d, yyyy\"", "%B %d, %Y"),
            ("yyyy-MM-dd'T'HH:mm:ss.SSSZ", "%Y-%m-%dT%H:%M:%S.%f%z"),
        ] {
            let Ok(DeclaredKind::Date(format)) = kind(java) else { panic!("{java}") };
            assert_eq!(format.to_string(), ours, "{java}");
        }
        // `u` is the day of the week.
        for java in ["EEE", "HH:mm", "yyyy-MM-dd hh a", "yyyy-MM-dd'T", "uuuu-MM-dd"] {
            let found = kind(&format!("\"{java}\""));
            assert_eq!(found.ok(), Some(DeclaredKind::UnknownDate(java.to_owned())));
        }
        assert!(kind("\"yyyy").is_err());
    }
}
