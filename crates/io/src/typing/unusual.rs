//! Notes values of a column that are probably not what they seem: numbers that stand for a missing value,
//! and texts that differ only in case or spaces.

use crate::columns::parsed::{ParsedColumn, RowPositions};
use crate::columns::roles::AssignedRole;
use crate::columns::spellings::letters;
use crate::source::error::shorten;
use pellucid_data::{Message, Values, message, parameter};
use std::collections::{BTreeMap, BTreeSet};

/// The numbers that often stand for a missing value.
const SENTINELS: [f64; 11] =
    [-1.0, -9.0, -99.0, -999.0, -9999.0, -99999.0, 99.0, 999.0, 9999.0, 99999.0, 999_999.0];
/// The number of distinct values that the rest of a column has at least; fewer are codes.
const MIN_DISTINCT: usize = 10;
/// The maximum number of distinct texts to compare.
const MOST_TEXTS: usize = 1000;
/// The number of pairs of texts that a note lists.
const SHOWN: usize = 3;

/// Notes the unusual values of a column.
pub(crate) fn note(parsed: &ParsedColumn, positions: &RowPositions, notes: &mut Vec<Message>) {
    if parsed.role == AssignedRole::Target || parsed.date.is_some() {
        return;
    }
    match &parsed.column.values {
        Values::Numeric(numbers) => note_sentinels(&parsed.column.name, numbers, positions, notes),
        Values::Nominal { categories, .. } if categories.len() <= MOST_TEXTS => {
            note_spellings(&parsed.column.name, categories, notes);
        }
        Values::Nominal { .. } | Values::Boolean(_) => {}
    }
}

/// A number that probably stands for a missing value.
#[derive(Debug, PartialEq)]
struct Sentinel {
    value: f64,
    rows: usize,
    /// The range of the other values.
    rest: (f64, f64),
}

fn note_sentinels(name: &str, numbers: &[f64], positions: &RowPositions, notes: &mut Vec<Message>) {
    for Sentinel { value, rows, rest: (low, high) } in sentinels(numbers) {
        let found = format!(
            "column '{}' holds {value} in {rows} rows, and its other values are {low} to {high}; ",
            shorten(name)
        );
        notes.push(match positions {
            RowPositions::Lines(_) => message!(
                "{found}use `",
                parameter("missing").with(value),
                "` if {value} means a missing value"
            ),
            RowPositions::Rows => {
                format!("{found}replace {value} if it means a missing value").into()
            }
        });
    }
}

/// Returns the numbers that probably stand for a missing value: the lowest number if no other is
/// negative, and the highest number if it is far from the others.
fn sentinels(numbers: &[f64]) -> Vec<Sentinel> {
    let known = || numbers.iter().copied().filter(|number| number.is_finite());
    let (low, high) =
        (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
    let is_candidate = |value: &f64| SENTINELS.contains(value);
    let mut found: Vec<f64> = [low, high].into_iter().filter(is_candidate).collect();
    found.dedup();
    let rest = |value: &f64| !found.contains(value);
    let least = known().filter(rest).fold(f64::INFINITY, f64::min);
    let most = known().filter(rest).fold(f64::NEG_INFINITY, f64::max);
    let mut distinct = BTreeSet::new();
    let is_varied = known().filter(rest).any(|value| {
        distinct.insert(value.to_bits());
        distinct.len() >= MIN_DISTINCT
    });
    if !is_varied {
        return Vec::new();
    }
    let is_apart = |value: f64| match value < 0.0 {
        true => least >= 0.0,
        false => value - most > most - least,
    };
    let counted = found.iter().map(|&value| {
        let rows = known().filter(|&other| other == value).count();
        Sentinel { value, rows, rest: (least, most) }
    });
    counted.filter(|sentinel| sentinel.rows > 1 && is_apart(sentinel.value)).collect()
}

fn note_spellings(name: &str, texts: &[String], notes: &mut Vec<Message>) {
    let pairs = similar(texts);
    if pairs.is_empty() {
        return;
    }
    let shown: Vec<String> = pairs
        .iter()
        .take(SHOWN)
        .map(|(one, other)| format!("'{}' and '{}'", shorten(one), shorten(other)))
        .collect();
    let more = if pairs.len() > SHOWN { ", …" } else { "" };
    let (column, shown) = (shorten(name), shown.join(", "));
    notes.push(message!(
        "column '{column}' has values that differ only in case or spaces: {shown}{more}; use one spelling if \
         they mean the same, or `",
        parameter("merge_spellings").with(name),
        "` to merge them"
    ));
}

/// Returns the pairs of texts that differ only in case or spaces.
fn similar(texts: &[String]) -> Vec<(&str, &str)> {
    let mut by_letters: BTreeMap<String, &str> = BTreeMap::new();
    let mut pairs = Vec::new();
    for text in texts {
        let letters = letters(text);
        match by_letters.get(&letters) {
            Some(first) => pairs.push((*first, text.as_str())),
            None => {
                by_letters.insert(letters, text);
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::{Sentinel, sentinels, similar};

    /// Returns ages from 20 to 79, and some more numbers.
    fn ages(more: &[f64]) -> Vec<f64> {
        (20..80).map(f64::from).chain(more.iter().copied()).collect()
    }

    #[test]
    fn numbers_far_from_the_others_may_mean_missing() {
        let found = |value| vec![Sentinel { value, rows: 2, rest: (20.0, 79.0) }];
        assert_eq!(sentinels(&ages(&[999.0, 999.0])), found(999.0));
        assert_eq!(sentinels(&ages(&[-1.0, -1.0])), found(-1.0));
        assert_eq!(sentinels(&ages(&[-1.0, 999.0, -1.0, 999.0])).len(), 2);
        assert_eq!(sentinels(&ages(&[f64::NAN, -9.0, -9.0])), found(-9.0));
    }

    #[test]
    fn plausible_numbers_are_not_noted() {
        // Once is an outlier, 99 is an age, and other numbers are negative, too.
        assert_eq!(sentinels(&ages(&[999.0])), []);
        assert_eq!(sentinels(&ages(&[99.0, 99.0])), []);
        assert_eq!(sentinels(&ages(&[-1.0, -1.0, -0.5])), []);
        assert_eq!(sentinels(&ages(&[-1.0, -1.0, -2.0])), []);
        // Codes.
        assert_eq!(sentinels(&[-1.0, 0.0, 1.0, -1.0, 0.0, 1.0]), []);
        assert_eq!(sentinels(&[]), []);
        assert_eq!(sentinels(&[999.0; 20]), []);
    }

    #[test]
    fn spellings_are_compared_without_case_and_spaces() {
        let texts = ["full-time", "part time", "Full-Time", "parttime", "none"].map(str::to_owned);
        assert_eq!(similar(&texts), [("full-time", "Full-Time"), ("part time", "parttime")]);
        assert_eq!(similar(&["a".to_owned(), "b".to_owned()]), []);
    }
}
