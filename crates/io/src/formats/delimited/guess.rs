//! Detects the delimiter, the quotes and the header of delimited text.

use pellucid_data::{Message, message, parameter};
use std::borrow::Cow;

use super::record::{CsvDialect, DelimitedRecord, Records};
use super::span::{MOST_LINES, TextSpan};
use crate::cells::number;
use crate::cells::parser::CellParser;
use crate::source::error::{ReadError, ReadProblem, shorten};
use crate::source::options::{Header, Quoting, ReadOptions};
use crate::source::signature;

/// The number of records to detect the delimiter from.
const LINES: usize = 32;
/// The number of records, and of bytes, to detect the header and the column types from.
const SAMPLE_RECORDS: usize = 1000;
const SAMPLE_BYTES: usize = 4 << 20;

/// The delimiters to try.
const CANDIDATES: [(u8, &str); 5] = [
    (b'\t', "tabs"),
    (b';', "semicolons"),
    (b'|', "vertical bars"),
    (b',', "commas"),
    (b' ', "spaces"),
];

/// Detects the delimiter, the quotes and the number of title lines above the table, and notes the
/// assumptions.
pub(crate) fn dialect(
    text: &str,
    extension: &str,
    options: &ReadOptions,
    notes: &mut Vec<Message>,
) -> Result<(CsvDialect, usize), ReadError> {
    let quote = match options.quoting {
        Quoting::None => None,
        Quoting::Char(quote) => Some(one_byte(quote, "quote")?),
        Quoting::Auto => Some(guess_quote(text, notes)),
    };
    let limit = options.limits.max_line_bytes;
    // Millions of values in a line would fill the memory before they are counted.
    let first = first_lines(text).next().unwrap_or_default();
    let candidates = CANDIDATES.iter().map(|&(byte, _)| byte).filter(|&byte| byte != b' ');
    let given = options.delimiter.and_then(|given| u8::try_from(given).ok());
    for delimiter in candidates.chain(given) {
        let found = first.bytes().filter(|&byte| byte == delimiter).count() + 1;
        options.limits.check_columns(found)?;
    }
    let (delimiter, titles) = match options.delimiter {
        Some(delimiter) => (one_byte(delimiter, "delimiter")?, 0),
        None if extension == "tsv" => (b'\t', 0),
        None => guess_delimiter(text, quote, limit, notes)?,
    };
    if Some(delimiter) == quote {
        let same = "the delimiter and the quote are the same character; expected different ones";
        return Err(ReadProblem::Options(same.into()).into());
    }
    Ok((CsvDialect { delimiter, quote }, titles))
}

fn one_byte(character: char, what: &str) -> Result<u8, ReadProblem> {
    u8::try_from(character)
        .ok()
        .filter(|byte| byte.is_ascii() && !matches!(byte, b'\n' | b'\r'))
        .ok_or_else(|| {
            let found = character.escape_default();
            ReadProblem::Options(message!(
                "found the {what} '{found}'; expected one ASCII character"
            ))
        })
}

fn first_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim().is_empty()).take(LINES)
}

/// Returns double quotes, unless the first lines have only values in single quotes.
fn guess_quote(text: &str, notes: &mut Vec<Message>) -> u8 {
    let single = |value: &str| value.len() > 1 && value.starts_with('\'') && value.ends_with('\'');
    let has_double = first_lines(text).any(|line| line.contains('"'));
    let has_single = first_lines(text)
        .any(|line| line.split([',', ';', '\t', '|']).any(|value| single(value.trim())));
    if has_single && !has_double {
        notes.push("assumed values are quoted with single quotes".into());
        b'\''
    } else {
        b'"'
    }
}

/// Returns the first delimiter that splits each of the first lines into the same number of values,
/// two or more.
///
/// Commas come late because numbers contain them, and blanks come last because they follow commas.
fn guess_delimiter(
    text: &str,
    quote: Option<u8>,
    limit: usize,
    notes: &mut Vec<Message>,
) -> Result<(u8, usize), ReadProblem> {
    let trials = CANDIDATES
        .map(|(delimiter, _)| SplitTrial::new(text, CsvDialect { delimiter, quote }, limit));
    // If no delimiter splits all lines evenly, the one that splits the most lines gives the
    // clearest error. Blanks also occur in text, so they count only between numbers.
    let first = first_lines(text).next().unwrap_or_default();
    let blanks_too = first.split_whitespace().all(|word| number::parse(word).is_some());
    let most = || {
        (0..CANDIDATES.len() - usize::from(!blanks_too)).max_by_key(|&index| trials[index].lines())
    };
    let best = trials
        .iter()
        .position(|trial| trial.is_even() && !trial.splits_quotes)
        .or_else(|| trials.iter().position(SplitTrial::is_even))
        .or_else(|| most().filter(|&index| trials[index].lines() > 0));
    let even = best.is_some_and(|index| trials[index].is_even());
    if !even && let Some((index, titles)) = below_titles(text, quote, limit) {
        let (delimiter, name) = CANDIDATES[index];
        let first = shorten(first_lines(text).next().unwrap_or_default().trim());
        let lines = if titles == 1 { "line".to_owned() } else { format!("{titles} lines") };
        notes.push(message!(
            "skipped the first {lines} ('{first}') above the table; assumed values are separated by \
             {name}; use `",
            parameter("delimiter"),
            "` to change it"
        ));
        return Ok((delimiter, titles));
    }
    if !even && signature::is_prose(text) {
        let what = "prose; expected a table with one line per row and the same separator \
                    between all values";
        return Err(ReadProblem::NotTable { what });
    }
    Ok(match best {
        Some(index) => {
            let (delimiter, name) = CANDIDATES[index];
            if delimiter != b',' {
                notes.push(message!(
                    "assumed values are separated by {name}; use `",
                    parameter("delimiter"),
                    "` to change it"
                ));
            }
            (delimiter, 0)
        }
        None => (b',', 0),
    })
}

/// Returns the index of the delimiter that splits the text evenly below some title lines, and the
/// number of those lines.
fn below_titles(text: &str, quote: Option<u8>, limit: usize) -> Option<(usize, usize)> {
    (1..=MOST_LINES).find_map(|titles| {
        let rest = TextSpan { text, line: 1 }.without_lines(titles).text;
        let above: Vec<&str> = first_lines(text).take(titles).collect();
        let index = (0..CANDIDATES.len() - 1).find(|&index| {
            let (delimiter, _) = CANDIDATES[index];
            let dialect = CsvDialect { delimiter, quote };
            let trial = SplitTrial::new(rest, dialect, limit);
            // Two values may be a sentence with a comma.
            let wide =
                trial.counts.first().is_some_and(|&count| count > 2) && trial.counts.len() > 2;
            let bare = |line: &&str| {
                let mut parts = line.split(char::from(delimiter));
                parts.next();
                parts.all(|part| part.trim().is_empty())
            };
            wide && trial.is_even() && !trial.splits_quotes && above.iter().all(bare)
        });
        index.map(|index| (index, titles))
    })
}

/// The result of splitting the first records at one delimiter.
struct SplitTrial {
    /// The number of values of each record; 0 for a record that cannot be split.
    counts: Vec<usize>,
    /// Whether an unquoted value contains a quote, which means that a quoted value was probably split.
    splits_quotes: bool,
}

impl SplitTrial {
    fn new(text: &str, dialect: CsvDialect, limit: usize) -> Self {
        let mut records = Records::new(text, dialect, limit);
        let mut record = DelimitedRecord::default();
        let mut trial = Self { counts: Vec::new(), splits_quotes: false };
        while trial.counts.len() < LINES {
            match records.next(&mut record) {
                Ok(true) => {
                    trial.counts.push(record.values.len());
                    trial.splits_quotes |= splits_quotes(&record, dialect);
                }
                Ok(false) => break,
                Err(_) => {
                    trial.counts.push(0);
                    break;
                }
            }
        }
        trial
    }

    /// Whether all records have the same number of values, two or more.
    fn is_even(&self) -> bool {
        self.counts.first().is_some_and(|&n| n > 1 && self.counts.iter().all(|&m| m == n))
    }

    /// Returns the number of records with two values or more.
    fn lines(&self) -> usize {
        self.counts.iter().filter(|&&count| count > 1).count()
    }
}

/// Whether an unquoted value contains a quote. A quoted value with a quote is not a slice of the text.
fn splits_quotes(record: &DelimitedRecord<'_>, dialect: CsvDialect) -> bool {
    let holds_quote =
        |text: &str| dialect.quote.is_some_and(|quote| text.as_bytes().contains(&quote));
    record.values.iter().any(|value| matches!(value, Cow::Borrowed(text) if holds_quote(text)))
}

/// Returns the first records; an error in them would also occur when the whole file is read.
pub(crate) fn sample<'a>(
    span: TextSpan<'a>,
    dialect: CsvDialect,
    limit: usize,
) -> Result<Vec<DelimitedRecord<'a>>, ReadError> {
    let mut records = Records::starting_at(span.text, dialect, limit, span.line);
    let mut sample = Vec::new();
    let mut record = DelimitedRecord::default();
    while sample.len() < SAMPLE_RECORDS
        && records.position() < SAMPLE_BYTES
        && records.next(&mut record)?
    {
        sample.push(record.clone());
    }
    Ok(sample)
}

/// Whether the first record holds the column names. If the caller does not say so, it does if it
/// has at least half of the names that a model expects, or if
/// - none of its values is a number, and
/// - a column below it holds numbers, apart from a stray cell; or, in a table without such a
///   column, its values are all present, all different, and none occurs again in its own column.
///
/// Adds a note, unless a note names the line with the column names already.
pub(crate) fn has_header(
    sample: &[DelimitedRecord<'_>],
    options: &ReadOptions,
    parser: &CellParser<'_>,
    is_noted: bool,
    notes: &mut Vec<Message>,
) -> bool {
    let found = match options.header {
        Header::Yes => return true,
        Header::No => return false,
        Header::Auto if names_expected(sample, options) => true,
        Header::Auto => guess_header(sample, parser),
    };
    if found && is_noted {
        return true;
    }
    let (treated, other) = match found {
        true => ("column names", "no_header"),
        false => ("data and named the columns x1, x2, …", "header"),
    };
    let other = parameter(other);
    notes.push(message!("treated the first line as {treated}; use `", other, "` to change it"));
    found
}

/// Whether the first record holds at least half of the names that a model expects, whatever the
/// rows below it hold: a row of data does not contain the names of its own columns.
fn names_expected(sample: &[DelimitedRecord<'_>], options: &ReadOptions) -> bool {
    let Some(first) = sample.first() else { return false };
    let is_there = |name: &str| first.values.iter().any(|value| *value == name);
    let found = options.expected.iter().filter(|column| is_there(&column.name)).count();
    found > 0 && 2 * found >= options.expected.len()
}

fn guess_header(sample: &[DelimitedRecord<'_>], parser: &CellParser<'_>) -> bool {
    let Some((first, rest)) = sample.split_first() else { return false };
    let is_number = |text: &str| parser.form().parse(text).is_some_and(f64::is_finite);
    if first.values.iter().any(|value| is_number(value)) {
        return false;
    }
    let below = |column: usize| rest.iter().filter_map(move |record| record.values.get(column));
    let numbers_below = |column: usize| {
        let (mut odd, mut fitting) = (0usize, 0usize);
        for value in below(column) {
            match parser.number(value) {
                None => odd += 1,
                Some(number) => fitting += usize::from(!number.is_nan()),
            }
        }
        fitting > 0 && (odd * 20 <= odd + fitting || (odd == 1 && fitting >= 4))
    };
    let named = |column: usize| !parser.is_missing(&first.values[column]);
    if (0..first.values.len()).any(|column| named(column) && numbers_below(column)) {
        return true;
    }
    let mut names: Vec<&str> = first.values.iter().map(AsRef::as_ref).collect();
    names.sort_unstable();
    let differ = names.windows(2).all(|pair| pair[0] != pair[1]);
    let recurs = |column: usize| below(column).any(|value| *value == first.values[column]);
    differ && (0..first.values.len()).all(|column| named(column) && !recurs(column))
}
