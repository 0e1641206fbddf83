//! The default marks of missing values.

/// The marks of missing values in any column.
pub const MISSING_MARKS: [&str; 10] =
    ["", "?", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "#N/A"];

/// Further marks in columns of numbers and dates; case is ignored. In a text column they may be
/// values: a roof of type `none` is not a missing value.
pub const MISSING_AMONG_NUMBERS: [&str; 31] = [
    "?",
    "??",
    "-",
    "--",
    "---",
    "–",
    "—",
    ".",
    "..",
    "...",
    "…",
    "*",
    "na",
    "n/a",
    "n.a.",
    "n.a",
    "nan",
    "null",
    "nil",
    "none",
    "missing",
    "unknown",
    "not available",
    "k.a.",
    "#n/a",
    "#na",
    "#value!",
    "#div/0!",
    "#ref!",
    "#num!",
    "#null!",
];

/// Whether a text marks a missing value in a column of numbers or dates.
#[must_use]
pub fn is_missing_among_numbers(text: &str) -> bool {
    const LONGEST: usize = 13;
    text.len() <= LONGEST
        && (text.is_empty()
            || MISSING_AMONG_NUMBERS.iter().any(|mark| mark.eq_ignore_ascii_case(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_is_recognized_in_either_case() {
        for mark in MISSING_MARKS.into_iter().chain(MISSING_AMONG_NUMBERS) {
            assert!(is_missing_among_numbers(mark), "{mark}");
            assert!(is_missing_among_numbers(&mark.to_uppercase()), "{mark}");
        }
        for text in ["0", "none at all", "-1", "red"] {
            assert!(!is_missing_among_numbers(text), "{text}");
        }
    }
}
