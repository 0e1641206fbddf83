//! Numbers with something beside them: `12 %`, `$1,200.50`, `€ 3,50`, `12 mg`.
//!
//! A column of them is one of numbers where all cells have the same beside their number. With two of them (`12 mg`, `1 g`) the
//! numbers cannot be compared, and that is said.

use crate::missing::Markers;
use std::collections::BTreeMap;

/// Longer texts behind a number are no units.
const LONGEST: usize = 12;

/// Signs of currencies, which also stand before a number.
const CURRENCIES: [char; 13] = ['$', '€', '£', '¥', '₹', '₽', '₩', '₺', '₪', '₫', '₴', '฿', '¢'];

/// What is known to stand beside the numbers of a column before its cells are looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Beside {
    /// Nobody said it; the cells show it.
    #[default]
    Unknown,
    /// Nothing: a model was learned from bare numbers.
    Nothing,
    /// This unit, which a model knows or the cells have shown.
    Unit(String),
}

impl Beside {
    pub(crate) fn unit(&self) -> Option<&String> {
        match self {
            Self::Unit(unit) => Some(unit),
            Self::Unknown | Self::Nothing => None,
        }
    }
}

/// What the words of a column say about a unit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Guess {
    /// They are no numbers with units.
    None,
    /// They are numbers with this unit.
    One(String),
    /// They are numbers with these units, the most common first.
    Several(Vec<String>),
}

/// Looks at the words of a column, each with the number of rows that hold it. Nearly all rows must hold a number with a unit.
pub(crate) fn guess(words: &[(&str, usize)], markers: &Markers<'_>) -> Guess {
    let (mut all, mut fitting, mut units) = (0, 0, BTreeMap::<&str, usize>::new());
    for &(word, rows) in words.iter().filter(|(word, _)| !markers.among_numbers(word)) {
        all += rows;
        let found = split(word).filter(|(bare, _)| markers.form().parse(bare).is_some());
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
        // Names with numbers in front, such as house numbers with letters, have many.
        Some(_) if nearly_all(fitting) && units.len() * 4 <= words.len() => {
            Guess::Several(units.into_iter().map(|(unit, _)| unit.to_owned()).collect())
        }
        _ => Guess::None,
    }
}

/// The unit that all of some cells have.
pub(crate) fn common<'a>(cells: &[&'a str]) -> Option<&'a str> {
    let (_, unit) = split(cells.first()?)?;
    cells.iter().all(|cell| split(cell).is_some_and(|(_, other)| other == unit)).then_some(unit)
}

/// A number, without its sign where that stands before a currency, and what stands beside it.
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

/// `EUR 5`: a currency by its three letters.
fn coded_currency(text: &str) -> Option<(&str, &str)> {
    let (unit, bare) = text.split_at_checked(3)?;
    let bare = bare.trim_start();
    let sound = unit.bytes().all(|byte| byte.is_ascii_uppercase()) && begins_with_digit(bare);
    // `ABC123` is a code; between a currency and its number there is a blank.
    (sound && text.as_bytes()[3..].first().is_some_and(|byte| !byte.is_ascii_digit()))
        .then_some((bare, unit))
}

fn begins_with_digit(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+', '.', ',']).unwrap_or(text);
    digits.bytes().next().is_some_and(|byte| byte.is_ascii_digit())
}

/// What a text means in a column of numbers with a unit, which may be left out: a number, a missing one (not a number), or
/// neither. The Python module of a model does the same (`ruleset/src/export/cells.rs`).
pub(crate) fn number(text: &str, unit: &str, markers: &Markers<'_>) -> Option<f64> {
    markers.number(text).or_else(|| {
        let (sign, rest) = match text.strip_prefix(['-', '+']) {
            Some(rest) => (&text[..1], rest.trim()),
            None => ("", text.trim()),
        };
        let bare = rest.strip_prefix(unit).or_else(|| rest.strip_suffix(unit))?.trim();
        markers.number(&format!("{sign}{bare}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number_form::NumberForm;
    use crate::options::ReadOptions;

    #[test]
    fn a_number_and_what_stands_beside_it() {
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
    fn a_column_has_one_unit_or_none_that_helps() {
        let options = ReadOptions::default();
        let markers =
            Markers::new(&options).with_form(NumberForm { decimal: ',', thousands: Some('.') });
        let of = |words: &[&str]| {
            guess(&words.iter().map(|&word| (word, 1)).collect::<Vec<_>>(), &markers)
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
    fn the_unit_may_stand_on_either_side_or_be_left_out() {
        let options = ReadOptions::default();
        let markers =
            Markers::new(&options).with_form(NumberForm { decimal: '.', thousands: Some(',') });
        for (text, value) in
            [("$1,200.50", 1200.5), ("-$5", -5.0), ("5 $", 5.0), ("7", 7.0), ("$ 0.25", 0.25)]
        {
            assert_eq!(number(text, "$", &markers), Some(value), "{text}");
        }
        assert!(number("n/a", "$", &markers).is_some_and(f64::is_nan));
        for text in ["€5", "$", "$five", "5 $ each"] {
            assert!(number(text, "$", &markers).is_none_or(f64::is_nan), "{text}");
        }
    }
}
