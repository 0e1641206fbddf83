//! The texts that stand for a missing value when nobody says otherwise.

/// In any column.
pub const MISSING_MARKS: [&str; 10] =
    ["", "?", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "#N/A"];

/// Among numbers and dates also these, in letters of either case. A column of words may mean something by them: a roof that
/// is `none` is no roof, and not one that nobody knows.
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

/// Whether a text among numbers or dates stands for a missing one.
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
    fn every_mark_is_known_among_numbers_in_either_case() {
        for mark in MISSING_MARKS.into_iter().chain(MISSING_AMONG_NUMBERS) {
            assert!(is_missing_among_numbers(mark), "{mark}");
            assert!(is_missing_among_numbers(&mark.to_uppercase()), "{mark}");
        }
        for text in ["0", "none at all", "-1", "red"] {
            assert!(!is_missing_among_numbers(text), "{text}");
        }
    }
}
