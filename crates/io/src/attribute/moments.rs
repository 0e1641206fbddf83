//! Dates of ARFF: `date "dd.MM.yyyy HH:mm"`, in the letters of Java's `SimpleDateFormat`.

use super::header::form;
use super::token;
use crate::error::ReadProblem;
use pellucid_data::DateFormat;

/// What a date looks like where the file does not say.
const USUAL: &str = "yyyy-MM-dd'T'HH:mm:ss";

const EXPECTED: &str = "a form of dates such as \"yyyy-MM-dd HH:mm:ss\", of the letters y M d H m s S Z X and what stands between them";

/// The format behind the word `date`; nothing stands for the usual one.
pub(super) fn format(text: &str) -> Result<DateFormat, ReadProblem> {
    let pattern = match text {
        "" => USUAL.into(),
        text if text.starts_with('%') => USUAL.into(),
        text if text.starts_with(['"', '\'']) => token::quoted(text)?.0,
        text => text.into(),
    };
    translated(&pattern)
        .and_then(|pattern| pattern.parse().ok())
        .ok_or_else(|| form(&pattern, EXPECTED))
}

/// Whether a format is the year alone: `"yyyy"`.
pub(super) fn is_year(text: &str) -> bool {
    let bare = text.trim_matches(['"', '\'']);
    !bare.is_empty() && bare.bytes().all(|letter| letter == b'y')
}

/// The same pattern in the letters of `strftime`.
fn translated(pattern: &str) -> Option<String> {
    let mut out = String::new();
    let mut letters = pattern.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            // Two quotes stand for one, and a text in quotes for itself.
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
                    ('y' | 'u', 2) => "%y",
                    ('y' | 'u', _) => "%Y",
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
    fn java_s_letters_in_ours() {
        for (java, ours) in [
            ("", "%Y-%m-%dT%H:%M:%S"),
            ("% a comment", "%Y-%m-%dT%H:%M:%S"),
            ("\"yyyy-MM-dd HH:mm:ss\"", "%Y-%m-%d %H:%M:%S"),
            ("'dd.MM.yy'", "%d.%m.%y"),
            ("\"d MMM yyyy\"", "%d %b %Y"),
            ("\"MMMM d, yyyy\"", "%B %d, %Y"),
            ("yyyy-MM-dd'T'HH:mm:ss.SSSZ", "%Y-%m-%dT%H:%M:%S.%f%z"),
        ] {
            let format = format(java).map(|format| format.to_string());
            assert_eq!(format.ok().as_deref(), Some(ours), "{java}");
        }
        for java in ["\"EEE\"", "\"HH:mm\"", "\"yyyy", "\"yyyy-MM-dd hh a\"", "\"yyyy-MM-dd'T\""] {
            let error = format(java).map_err(|problem| problem.to_string());
            assert!(error.is_err(), "{java}");
        }
    }
}
