//! Detects the date format of a text column.

use pellucid_data::{DateFormat, is_missing_among_numbers};

/// The date patterns, the most common first. If two of them match with different days, the format
/// is ambiguous.
const DAYS: [&str; 19] = [
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%d.%m.%Y",
    "%d.%m.%y",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d-%m-%Y",
    "%m-%d-%Y",
    "%d/%m/%y",
    "%m/%d/%y",
    "%d %b %Y",
    "%d %B %Y",
    "%d-%b-%Y",
    "%d-%b-%y",
    "%b %d, %Y",
    "%B %d, %Y",
    "%d. %B %Y",
    "%Y-%m",
];

/// The patterns of times after a date.
const TIMES: [&str; 13] = [
    "",
    " %H:%M",
    " %H:%M:%S",
    ", %H:%M",
    "T%H:%M",
    "T%H:%M:%S",
    "T%H:%M:%SZ",
    " %H:%M:%S.%f",
    "T%H:%M:%S.%f",
    "T%H:%M:%S.%fZ",
    "T%H:%M:%S%z",
    " %H:%M:%S%z",
    "T%H:%M:%S.%f%z",
];

/// The number of texts to check before all are checked.
const LOOKED_AT: usize = 20;

/// The date formats that match the texts of a column.
#[derive(Debug, PartialEq)]
pub(crate) enum Guess {
    /// The texts are not dates.
    None,
    /// They are dates in this format.
    One(DateFormat),
    /// They are dates, and more than one format matches.
    Several(Vec<DateFormat>),
    /// They are dates in two formats.
    Mixed(DateFormat, DateFormat),
}

/// Detects the date format of a column from its distinct texts and their row counts. Nearly all
/// rows must hold dates.
pub(crate) fn guess(words: &[(&str, usize)]) -> Guess {
    let words: Vec<(&str, usize)> =
        words.iter().copied().filter(|(word, _)| !is_missing_among_numbers(word)).collect();
    let rows = |fits: &dyn Fn(&str) -> bool, words: &[(&str, usize)]| -> usize {
        words.iter().filter(|(word, _)| fits(word)).map(|(_, rows)| rows).sum()
    };
    let sample = &words[..words.len().min(LOOKED_AT)];
    let all = rows(&|_| true, &words);
    let mut fitting: Vec<DateFormat> = Vec::new();
    // Every date has a digit, so a column of plain words needs no further check.
    if sample.iter().filter(|(word, _)| word.bytes().any(|byte| byte.is_ascii_digit())).count() * 2
        < sample.len()
    {
        return Guess::None;
    }
    for day in DAYS {
        for time in TIMES.iter().filter(|time| time.is_empty() || day.contains("%d")) {
            let Ok(format) = format!("{day}{time}").parse::<DateFormat>() else { continue };
            let fits = |word: &str| format.parse(word).is_some();
            let first = sample.iter().filter(|(word, _)| fits(word)).count();
            if first == 0 || first * 10 < sample.len() * 8 {
                continue;
            }
            let found = rows(&fits, &words);
            let strays = all - found;
            if found > 0 && (strays * 20 <= all || (strays == 1 && found >= 4)) {
                fitting.push(format);
            }
        }
    }
    let Some(first) = fitting.first().cloned() else { return mixed(&words, all) };
    let differs =
        |other: &DateFormat| words.iter().any(|(word, _)| other.parse(word) != first.parse(word));
    let fits_all = |format: &DateFormat| words.iter().all(|(word, _)| format.parse(word).is_some());
    // A format that matches every text takes precedence over one that matches nearly every text.
    if let [best] = &fitting.iter().filter(|format| fits_all(format)).collect::<Vec<_>>()[..] {
        return Guess::One((*best).clone());
    }
    let others: Vec<DateFormat> =
        fitting.iter().filter(|format| differs(format)).cloned().collect();
    if others.is_empty() {
        return Guess::One(first);
    }
    Guess::Several(std::iter::once(first).chain(others).collect())
}

/// Finds two formats that together match nearly all rows, each of them at least one row in ten.
fn mixed(words: &[(&str, usize)], all: usize) -> Guess {
    let parsed = DAYS.iter().filter_map(|day| day.parse::<DateFormat>().ok());
    let mut held: Vec<(DateFormat, usize)> = parsed
        .map(|format| {
            let fits = |(word, _): &&(&str, usize)| format.parse(word).is_some();
            let rows = words.iter().filter(fits).map(|(_, rows)| rows).sum();
            (format, rows)
        })
        .filter(|&(_, rows)| rows > 0 && rows * 10 >= all)
        .collect();
    held.sort_by_key(|&(_, rows)| std::cmp::Reverse(rows));
    let Some((first, _)) = held.first().cloned() else { return Guess::None };
    let together = |other: &DateFormat| -> usize {
        let fits =
            |(word, _): &&(&str, usize)| first.parse(word).is_some() || other.parse(word).is_some();
        words.iter().filter(fits).map(|(_, rows)| rows).sum()
    };
    let other = held.into_iter().skip(1).find(|(other, _)| (all - together(other)) * 20 <= all);
    other.map_or(Guess::None, |(other, _)| Guess::Mixed(first, other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guessed(words: &[&str]) -> String {
        let words: Vec<(&str, usize)> = words.iter().map(|&word| (word, 1)).collect();
        match guess(&words) {
            Guess::None => "none".to_owned(),
            Guess::One(format) => format.to_string(),
            Guess::Mixed(one, other) => format!("{one} and {other}"),
            Guess::Several(formats) => {
                formats.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
            }
        }
    }

    #[test]
    fn formats_are_detected() {
        assert_eq!(guessed(&["2024-01-02", "2024-12-31"]), "%Y-%m-%d");
        assert_eq!(guessed(&["1.2.2024", "31.12.2024", "n/a"]), "%d.%m.%Y");
        assert_eq!(guessed(&["01/02/2024", "31/12/2024"]), "%d/%m/%Y");
        assert_eq!(guessed(&["01/02/2024", "12/31/2024"]), "%m/%d/%Y");
        assert_eq!(guessed(&["01/02/2024", "03/04/2024"]), "%d/%m/%Y or %m/%d/%Y");
        assert_eq!(guessed(&["3 Mar 2024", "4 May 2024"]), "%d %b %Y");
        assert_eq!(guessed(&["2024-01-02T03:04:05Z"]), "%Y-%m-%dT%H:%M:%SZ");
        assert_eq!(guessed(&["2024-01-02 03:04"]), "%Y-%m-%d %H:%M");
        assert_eq!(guessed(&["2024-01", "2024-02"]), "%Y-%m");
        assert_eq!(guessed(&["red", "green"]), "none");
        assert_eq!(guessed(&["2024-01-02", "31.12.2024", "30.12.2024"]), "%d.%m.%Y and %Y-%m-%d");
        assert_eq!(guessed(&["a1", "b2", "2024-01-02"]), "none");
        assert_eq!(guessed(&[]), "none");
    }

    #[test]
    fn one_stray_text_does_not_hide_dates() {
        assert_eq!(
            guessed(&["2024-01-02", "2024-01-03", "2024-01-04", "2024-01-05", "soon"]),
            "%Y-%m-%d"
        );
        assert_eq!(guessed(&["2024-01-02", "2024-01-03", "soon"]), "none");
    }
}
