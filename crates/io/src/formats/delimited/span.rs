//! Finds the table in a file: skips Excel's `sep=` line, titles above the column names, and totals,
//! remarks and empty rows below the last row. Everything but the `sep=` line is noted.

use super::record::{CsvDialect, DelimitedRecord, Records};
use crate::cells::parser::CellParser;
use crate::source::error::shorten;
use pellucid_data::{Message, message, parameter};

/// The maximum number of lines above the column names and below the last row, not counting empty ones.
pub(super) const MOST_LINES: usize = 10;

/// The first words of a line of totals, in lower case.
const TOTALS: [&str; 16] = [
    "total",
    "totals",
    "grand total",
    "sum",
    "average",
    "mean",
    "gesamt",
    "summe",
    "insgesamt",
    "mittelwert",
    "durchschnitt",
    "somme",
    "moyenne",
    "suma",
    "totale",
    "gesamtsumme",
];

/// A part of a file, and the line at which it begins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextSpan<'a> {
    pub(crate) text: &'a str,
    pub(crate) line: u64,
}

impl<'a> TextSpan<'a> {
    /// Removes Excel's first line `sep=;`, and returns its separator.
    pub(crate) fn opened(text: &'a str) -> (Self, Option<char>) {
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        let named = first.trim().get(..4).filter(|start| start.eq_ignore_ascii_case("sep="));
        let mut letters = first.trim_end_matches(['\r', '\n']).trim_start().chars().skip(4);
        match (named, letters.next(), letters.next()) {
            (Some(_), Some(separator), None) if separator.is_ascii() => {
                (Self { text: rest, line: 2 }, Some(separator))
            }
            _ => (Self { text, line: 1 }, None),
        }
    }

    /// Removes the first `count` lines, not counting blank ones.
    pub(crate) fn without_lines(self, count: usize) -> Self {
        let Self { mut text, mut line } = self;
        let mut left = count;
        while left > 0 && !text.is_empty() {
            let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
            left -= usize::from(!first.trim().is_empty());
            (text, line) = (rest, line + 1);
        }
        Self { text, line }
    }

    /// Removes titles above the column names. If cells of the first record are empty, a later
    /// record holds the names if it has no empty cells, no numbers, and numbers below it.
    pub(crate) fn starting_at_names(
        self,
        dialect: CsvDialect,
        limit: usize,
        parser: &CellParser<'_>,
        notes: &mut Vec<Message>,
    ) -> Self {
        let mut records = Records::starting_at(self.text, dialect, limit, self.line);
        let mut first = DelimitedRecord::default();
        if !matches!(records.next(&mut first), Ok(true)) {
            return self;
        }
        // In a table from pandas the first column may have no name; that is not a title.
        if first.values.len() < 3 || first.values.iter().skip(1).all(|value| !value.is_empty()) {
            return self;
        }
        let (mut below_first, mut starts) = (Vec::new(), Vec::new());
        let mut record = DelimitedRecord::default();
        let mut before = records.position();
        while below_first.len() < 2 * MOST_LINES && matches!(records.next(&mut record), Ok(true)) {
            starts.push(before);
            below_first.push(record.clone());
            before = records.position();
        }
        let is_number = |text: &str| parser.number(text).is_some_and(f64::is_finite);
        let is_full = |record: &DelimitedRecord<'_>| {
            record.values.len() == first.values.len()
                && record.values.iter().all(|value| !value.is_empty() && !is_number(value))
        };
        let numbers_below = |index: usize| {
            let below = &below_first[index + 1..];
            let column = |column: usize| {
                let mut values = below.iter().filter_map(|record| record.values.get(column));
                below.len() > 1 && values.all(|value| is_number(value))
            };
            (0..first.values.len()).any(column)
        };
        let names = (0..below_first.len().min(MOST_LINES))
            .find(|&index| is_full(&below_first[index]) && numbers_below(index));
        let Some(names) = names else { return self };
        let start = starts[names];
        let title = first.values.iter().find(|value| !value.is_empty());
        let title = title.map(|title| format!(" ('{}' …)", shorten(title))).unwrap_or_default();
        let line = below_first[names].line;
        notes.push(message!(
            "treated line {line} as column names and skipped the lines above it{title}; use `",
            parameter("header"),
            "` to treat the first line as column names"
        ));
        // The blank lines before the record belong to the lines above it.
        let text = &self.text[start..];
        let skipped = text.len() - text.trim_start_matches(['\r', '\n']).len();
        Self { text: &text[skipped..], line }
    }

    /// Removes empty rows, totals and remarks below the last row. The sample does not contain the
    /// column names.
    pub(crate) fn without_end(
        self,
        dialect: CsvDialect,
        columns: usize,
        sample: &[DelimitedRecord<'_>],
        notes: &mut Vec<Message>,
    ) -> Self {
        let mut text = self.text;
        if dialect.by_blanks() || columns < 2 {
            return self;
        }
        // If tabs separate values, a row of tabs is an empty row.
        let is_blank = |letter: char| {
            letter.is_whitespace() && u32::from(letter) != u32::from(dialect.delimiter)
        };
        let (mut skipped, mut empty) = (0, 0_usize);
        while skipped < MOST_LINES {
            let trimmed = text.trim_end_matches(is_blank);
            let start = trimmed.rfind('\n').map_or(0, |end| end + 1);
            let last = &trimmed[start..];
            if start == 0 {
                break;
            }
            let mut record = DelimitedRecord::default();
            let mut records = Records::new(last, dialect, last.len() + 1);
            if !matches!(records.next(&mut record), Ok(true)) {
                break;
            }
            let Some(what) = beyond(&record, columns, sample) else { break };
            if is_inside_quotes(dialect, &text[..start], last) {
                break;
            }
            if what.is_empty() {
                empty += 1;
            } else {
                skipped += 1;
                let line = self.line + text[..start].matches('\n').count() as u64;
                let shown = record.values.iter().find(|value| !value.is_empty());
                let shown = shown.map(|shown| shorten(shown)).unwrap_or_default();
                notes.push(message!("skipped line {line} ('{shown}'), because {what}"));
            }
            text = &text[..start];
        }
        if empty > 0 {
            let rows = if empty == 1 { "row" } else { "rows" };
            notes.push(message!("skipped {empty} empty {rows} at the end"));
        }
        Self { text, ..self }
    }
}

/// Whether a last line begins inside a quoted value. Every quote before it opens or closes a value,
/// or is half of a doubled quote, so an odd number of quotes leaves a value open.
fn is_inside_quotes(dialect: CsvDialect, before: &str, last: &str) -> bool {
    let Some(quote) = dialect.quote.filter(|quote| last.as_bytes().contains(quote)) else {
        return false;
    };
    before.bytes().filter(|&byte| byte == quote).count() % 2 == 1
}

/// Returns why a last line is not a row of the table; an empty text for an empty row.
fn beyond(
    record: &DelimitedRecord<'_>,
    columns: usize,
    sample: &[DelimitedRecord<'_>],
) -> Option<&'static str> {
    let values = &record.values;
    let has_letter = |text: &str| text.chars().any(char::is_alphabetic);
    let mut filled = values.iter().enumerate().filter(|(_, value)| !value.is_empty());
    let Some((index, first)) = filled.next() else { return Some("") };
    if values.len() == 1 {
        return has_letter(first).then_some("it is not a row of the table");
    }
    let alone = filled.next().is_none();
    if alone && columns > 2 && has_letter(first) && first.contains([' ', ':']) {
        return Some("it is not a row of the table");
    }
    let word = first.trim_end_matches(':').trim_end().to_lowercase();
    let occurs = |other: &&DelimitedRecord<'_>| other.values.get(index) == Some(first);
    // The sample may hold the line itself.
    let is_common = sample.iter().filter(occurs).count() > 1;
    (TOTALS.contains(&word.as_str()) && !is_common).then_some("it holds totals")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::options::ReadOptions;

    const COMMAS: CsvDialect = CsvDialect { delimiter: b',', quote: Some(b'"') };

    fn span(text: &str) -> TextSpan<'_> {
        TextSpan { text, line: 1 }
    }

    #[test]
    fn the_separator_line_of_excel_is_removed() {
        let (rest, separator) = TextSpan::opened("sep=;\r\na;b\n");
        assert_eq!((rest.text, rest.line, separator), ("a;b\n", 2, Some(';')));
        let (rest, separator) = TextSpan::opened("Sep=\t\na\tb\n");
        assert_eq!((rest.line, separator), (2, Some('\t')));
        for text in ["sep,a\n", "sep=;;\n", "separate\n", "", "sep="] {
            assert_eq!(TextSpan::opened(text).1, None, "{text}");
        }
    }

    #[test]
    fn titles_are_skipped() {
        let options = ReadOptions::default();
        let parser = CellParser::new(&options);
        let begin = |text: &'static str| {
            span(text).starting_at_names(COMMAS, 1000, &parser, &mut Vec::new()).line
        };
        assert_eq!(begin("My list,,\n,,\nid,age,ill\n1,2,x\n2,3,y\n"), 3);
        assert_eq!(begin("Person,,Result\nid,age,ill\n1,2,x\n2,3,y\n"), 2);
        // A missing column name is not a title.
        assert_eq!(begin(",age,ill\n1,2,x\n2,3,y\n"), 1);
        assert_eq!(begin("id,age,\n1,2,x\n2,3,y\n"), 1);
        assert_eq!(begin("id,,\na,b,c\nd,e,f\n"), 1);
    }

    #[test]
    fn totals_and_remarks_are_not_rows() {
        let end = |text: &'static str| {
            span(text).without_end(COMMAS, 3, &[], &mut Vec::new()).text.lines().count()
        };
        assert_eq!(end("a,b,c\n1,2,3\nTotal,2,3\n"), 2);
        assert_eq!(end("a,b,c\n1,2,3\n,,\n,,\n"), 2);
        assert_eq!(end("a,b,c\n1,2,3\n\nSource: survey\n"), 3);
        assert_eq!(end("a,b,c\n1,2,3\nSource: survey,,\n"), 2);
        assert_eq!(end("a,b,c\n1,2,3\nx,,\n"), 3);
        assert_eq!(end("a,b,c\n1,2,3\n4\n"), 3);
        assert_eq!(end("a,b,c\n1,2,3\n4,5\n"), 3);
        assert_eq!(end("a,b,c\n"), 1);
        // A total may be in quotes; a line inside a quoted text is not a total.
        assert_eq!(end("a,b,c\n1,2,3\nTotal,\"1,980.00\",\n"), 2);
        assert_eq!(end("a,b,c\n1,\"x \"\"y\"\"\",3\n\"Total\",\"1,980.00\",\n"), 2);
        assert_eq!(end("a,b,c\n1,2,\"see\nTotal,\"\"1,980\"\",\"\n"), 3);
    }
}
