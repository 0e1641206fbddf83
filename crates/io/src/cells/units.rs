//! Numbers with units: `12 %`, `$1,200.50`, `€ 3,50`, `12 mg`.
//!
//! A column of them is numeric if all cells have the same unit. Numbers with different units (`12 mg`, `1 g`)
//! cannot be compared; such a column stays text, and a note says so.

use crate::cells::parser::CellParser;
use std::collections::BTreeMap;

/// The maximum length of a unit.
const LONGEST: usize = 12;

/// Currency signs, which may also precede the number.
const CURRENCIES: [char; 13] = ['$', '€', '£', '¥', '₹', '₽', '₩', '₺', '₪', '₫', '₴', '฿', '¢'];

/// What is known about the unit of a column before its cells are parsed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum UnitHint {
    /// To be detected from the cells.
    #[default]
    Unknown,
    /// None: the model was trained on numbers without a unit.
    NoUnit,
    /// This unit, from the model or from the cells.
    Unit(String),
}

impl UnitHint {
    pub(crate) fn known(&self) -> Option<&String> {
        match self {
            Self::Unit(unit) => Some(unit),
            Self::Unknown | Self::NoUnit => None,
        }
    }
}

/// The units in the cells of a column.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Guess {
    /// The cells are not numbers with units.
    None,
    /// The cells are numbers with this unit.
    One(String),
    /// The cells are numbers with these units, the most common first.
    Several(Vec<String>),
}

/// Detects the unit of a column from its distinct texts and their row counts. Nearly all rows must
/// hold a number with a unit.
pub(crate) fn guess(words: &[(&str, usize)], parser: &CellParser<'_>) -> Guess {
    let (mut all, mut fitting, mut units) = (0, 0, BTreeMap::<&str, usize>::new());
    for &(word, rows) in words.iter().filter(|(word, _)| !parser.is_missing_number(word)) {
        all += rows;
        let found = split(word).filter(|(bare, _)| parser.form().parse(bare).is_some());
        if let Some((_, unit)) = found {
            *units.entry(unit).or_default() += rows;
            fitting += rows;
        }
    }
    let nearly_all = |rows: usize| {
        let strays = all - rows;
        rows > 0 && (strays * 20 <= all || (strays == 1 && rows >= 4))
    };
    let mut units: Vec<(&str, usize)> = units.into_iter().collect();
    units.sort_by_key(|&(_, rows)| std::cmp::Reverse(rows));
    match units.first() {
        Some(&(unit, rows)) if nearly_all(rows) => Guess::One(unit.to_owned()),
        // Names that begin with a number, such as house numbers, would have many different units.
        Some(_) if nearly_all(fitting) && units.len() * 4 <= words.len() => {
            Guess::Several(units.into_iter().map(|(unit, _)| unit.to_owned()).collect())
        }
        _ => Guess::None,
    }
}

/// Returns the unit that all cells have in common.
pub(crate) fn common<'a>(cells: &[&'a str]) -> Option<&'a str> {
    let (_, unit) = split(cells.first()?)?;
    cells.iter().all(|cell| split(cell).is_some_and(|(_, other)| other == unit)).then_some(unit)
}

/// Splits a cell into its number, without a sign before a currency, and its unit.
pub(crate) fn split(text: &str) -> Option<(&str, &str)> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text).trim_start();
    if let Some(currency) = unsigned.chars().next().filter(|letter| CURRENCIES.contains(letter)) {
        let (unit, bare) = unsigned.split_at(currency.len_utf8());
        return Some((bare.trim_start(), unit)).filter(|(bare, _)| begins_with_digit(bare));
    }
    if !begins_with_digit(unsigned) {
        return coded_currency(unsigned);
    }
    let in_number = |letter: char| {
        letter.is_ascii_digit()
            || letter.is_whitespace()
            || matches!(letter, '.' | ',' | '\'' | '’')
    };
    let at = unsigned.find(|letter| !in_number(letter))?;
    let (bare, unit) = (unsigned[..at].trim_end(), &unsigned[at..]);
    let begins = unit.chars().next().is_some_and(|letter| {
        letter.is_alphabetic() || matches!(letter, '%' | '‰' | '°') || CURRENCIES.contains(&letter)
    });
    let sound = begins && unit.chars().count() <= LONGEST && !unit.contains(char::is_whitespace);
    sound.then_some((bare, unit))
}

/// Splits a number with a three-letter currency code, such as `EUR 5`.
fn coded_currency(text: &str) -> Option<(&str, &str)> {
    let (unit, bare) = text.split_at_checked(3)?;
    let bare = bare.trim_start();
    let sound = unit.bytes().all(|byte| byte.is_ascii_uppercase()) && begins_with_digit(bare);
    // `ABC123` is a code: a currency and its number are separated by a blank.
    (sound && text.as_bytes()[3..].first().is_some_and(|byte| !byte.is_ascii_digit()))
        .then_some((bare, unit))
}

fn begins_with_digit(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+', '.', ',']).unwrap_or(text);
    digits.bytes().next().is_some_and(|byte| byte.is_ascii_digit())
}

/// Parses a cell in a column of numbers with an optional unit: a number, NaN if it is missing, or `None`. The
/// exported Python module of a model does the same (`ruleset/src/export/cells.rs`).
pub(crate) fn number(text: &str, unit: &str, parser: &CellParser<'_>) -> Option<f64> {
    parser.number(text).or_else(|| {
        let (sign, rest) = match text.strip_prefix(['-', '+']) {
            Some(rest) => (&text[..1], rest.trim()),
            None => ("", text.trim()),
        };
        let bare = rest.strip_prefix(unit).or_else(|| rest.strip_suffix(unit))?.trim();
        parser.number(&format!("{sign}{bare}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::number_form::NumberForm;
    use crate::source::options::ReadOptions;

    #[test]
    fn cells_are_split_into_number_and_unit() {
        for (text, bare, unit) in [
            ("12 %", "12", "%"),
            ("12%", "12", "%"),
            ("-3.5\u{a0}%", "3.5", "%"),
            ("$1,200.50", "1,200.50", "$"),
            ("-$5", "5", "$"),
            ("$-5", "-5", "$"),
            ("€ 3,50", "3,50", "€"),
            ("3,50 €", "3,50", "€"),
            ("EUR 7", "7", "EUR"),
            ("7 EUR", "7", "EUR"),
            ("1 200 kg", "1 200", "kg"),
            ("37,2 °C", "37,2", "°C"),
            ("5 m2", "5", "m2"),
        ] {
            assert_eq!(split(text), Some((bare, unit)), "{text}");
        }
        for text in [
            "",
            "12",
            "%",
            "$",
            "abc",
            "12-14",
            "3-door",
            "12:30",
            "1 Main Street",
            "ABC123",
            "$x",
            "12 of the best kind",
        ] {
            assert_eq!(split(text), None, "{text}");
        }
    }

    #[test]
    fn the_unit_of_a_column_is_detected() {
        let options = ReadOptions::default();
        let parser =
            CellParser::new(&options).with_form(NumberForm { decimal: ',', thousands: Some('.') });
        let of = |words: &[&str]| {
            guess(&words.iter().map(|&word| (word, 1)).collect::<Vec<_>>(), &parser)
        };
        assert_eq!(of(&["1 %", "2,5 %", "n/a"]), Guess::One("%".into()));
        assert_eq!(of(&["1 mg", "2 mg", "3 mg", "4 mg", "viel"]), Guess::One("mg".into()));
        assert_eq!(of(&["1 mg", "2 mg", "viel"]), Guess::None);
        let two = ["1 g", "2 mg", "3 mg", "4 mg", "5 mg", "6 mg", "7 mg", "8 g"];
        assert_eq!(of(&two), Guess::Several(vec!["mg".into(), "g".into()]));
        assert_eq!(of(&["1a", "2b", "3c", "4d"]), Guess::None);
        assert_eq!(of(&["red", "green"]), Guess::None);
        assert_eq!(of(&[]), Guess::None);
    }

    #[test]
    fn the_unit_may_be_on_either_side_or_absent() {
        let options = ReadOptions::default();
        let parser =
            CellParser::new(&options).with_form(NumberForm { decimal: '.', thousands: Some(',') });
        for (text, value) in
            [("$1,200.50", 1200.5), ("-$5", -5.0), ("5 $", 5.0), ("7", 7.0), ("$ 0.25", 0.25)]
        {
            assert_eq!(number(text, "$", &parser), Some(value), "{text}");
        }
        assert!(number("n/a", "$", &parser).is_some_and(f64::is_nan));
        for text in ["€5", "$", "$five", "5 $ each"] {
            assert!(number(text, "$", &parser).is_none_or(f64::is_nan), "{text}");
        }
    }
}
