//! Cells of CSV files.

use std::borrow::Cow;

/// Which cells of a CSV file are quoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CsvQuotes {
    /// Cells with a comma, a quote or a line break, which would be split otherwise.
    Split,
    /// Also empty cells and cells with spaces at either end, which some readers change.
    Changed,
    /// Also cells with any character that is a delimiter, a quote or a space to some reader.
    Doubtful,
}

impl CsvQuotes {
    fn include(self, text: &str) -> bool {
        let splits = |letter: char| matches!(letter, ',' | '"' | '\n' | '\r');
        match self {
            CsvQuotes::Split => text.contains(splits),
            CsvQuotes::Changed => text.is_empty() || text.trim() != text || text.contains(splits),
            CsvQuotes::Doubtful => {
                let doubtful = |letter| matches!(letter, ';' | '|' | '\'' | '\t' | ' ');
                text.is_empty() || text.contains(|letter| splits(letter) || doubtful(letter))
            }
        }
    }
}

/// Returns a text as a CSV cell, in quotes if necessary.
///
/// ```
/// use pellucid_data::{CsvQuotes, csv_cell};
/// assert_eq!(csv_cell("dark blue", CsvQuotes::Split), "dark blue");
/// assert_eq!(csv_cell("dark blue", CsvQuotes::Doubtful), "\"dark blue\"");
/// assert_eq!(csv_cell("7\" nails", CsvQuotes::Split), "\"7\"\" nails\"");
/// ```
#[must_use]
pub fn csv_cell(text: &str, quotes: CsvQuotes) -> Cow<'_, str> {
    match quotes.include(text) {
        true => Cow::Owned(format!("\"{}\"", text.replace('"', "\"\""))),
        false => Cow::Borrowed(text),
    }
}

/// Returns a CSV cell that spreadsheets do not evaluate as a formula: text that begins with `=`,
/// `+`, `-`, `@`, a tab or a carriage return gets a leading apostrophe.
///
/// ```
/// use pellucid_data::as_spreadsheet_text;
/// assert_eq!(as_spreadsheet_text("=1+1"), "'=1+1");
/// assert_eq!(as_spreadsheet_text("one = 1"), "one = 1");
/// ```
#[must_use]
pub fn as_spreadsheet_text(cell: &str) -> Cow<'_, str> {
    match cell.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        true => Cow::Owned(format!("'{cell}")),
        false => Cow::Borrowed(cell),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: [CsvQuotes; 3] = [CsvQuotes::Split, CsvQuotes::Changed, CsvQuotes::Doubtful];

    #[test]
    fn quotes_are_chosen_by_what_a_reader_would_change() {
        let quoted = |text: &str| ALL.map(|quotes| csv_cell(text, quotes) != text);
        assert_eq!(quoted("plain"), [false, false, false]);
        assert_eq!(quoted("it's"), [false, false, true]);
        assert_eq!(quoted("a b"), [false, false, true]);
        assert_eq!(quoted(" a"), [false, true, true]);
        assert_eq!(quoted(""), [false, true, true]);
        assert_eq!(quoted("a,b"), [true, true, true]);
    }

    proptest! {
        #[test]
        fn a_cell_without_its_quotes_is_the_text(text in "[a-c ,;|'\"\t\r\n]{0,8}") {
            for quotes in ALL {
                let cell = csv_cell(&text, quotes);
                let inner = cell.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
                match inner.filter(|_| text != *cell) {
                    Some(inner) => prop_assert_eq!(inner.replace("\"\"", "\""), &*text),
                    None => prop_assert!(!cell.contains([',', '"', '\r', '\n'])),
                }
            }
        }
    }
}
