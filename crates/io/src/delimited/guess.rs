//! What delimited text does not say about itself: its delimiter, its quotes, and whether it has a header.

use std::borrow::Cow;

use super::frame::{Framed, MOST_LINES};
use super::record::{CsvDialect, DelimitedRecord, Records};
use crate::error::{ReadError, ReadProblem, shorten};
use crate::foreign;
use crate::missing::Markers;
use crate::number;
use crate::options::{Header, Quoting, ReadOptions};

/// Records looked at for guessing a delimiter.
const LINES: usize = 32;
/// Records, and bytes of them, looked at for guessing a header and column types.
const SAMPLE_RECORDS: usize = 1000;
const SAMPLE_BYTES: usize = 4 << 20;

/// What may stand between values.
const CANDIDATES: [(u8, &str); 5] =
    [(b'\t', "tabs"), (b';', "semicolons"), (b'|', "bars"), (b',', "commas"), (b' ', "blanks")];

/// Decides delimiter and quotes, noting what was guessed, and how many lines of titles stand above the table.
pub(crate) fn dialect(
    text: &str,
    extension: &str,
    options: &ReadOptions,
    notes: &mut Vec<String>,
) -> Result<(CsvDialect, usize), ReadError> {
    let quote = match options.quoting {
        Quoting::None => None,
        Quoting::Char(quote) => Some(one_byte(quote, "quote")?),
        Quoting::Auto => Some(guess_quote(text, notes)),
    };
    let limit = options.limits.max_line_bytes;
    // Millions of values in a line would fill the memory before anybody has counted them.
    let first = first_lines(text).next().unwrap_or_default();
    let candidates = CANDIDATES.iter().map(|&(byte, _)| byte).filter(|&byte| byte != b' ');
    let told = options.delimiter.and_then(|told| u8::try_from(told).ok());
    for delimiter in candidates.chain(told) {
        let found = first.bytes().filter(|&byte| byte == delimiter).count() + 1;
        options.limits.check_columns(found)?;
    }
    let (delimiter, titles) = match options.delimiter {
        Some(delimiter) => (one_byte(delimiter, "delimiter")?, 0),
        None if extension == "tsv" => (b'\t', 0),
        None => guess_delimiter(text, quote, limit, notes)?,
    };
    if Some(delimiter) == quote {
        let same = "the delimiter and the quote are the same character".to_owned();
        return Err(ReadProblem::Options(same).into());
    }
    Ok((CsvDialect { delimiter, quote }, titles))
}

fn one_byte(character: char, what: &str) -> Result<u8, ReadProblem> {
    u8::try_from(character)
        .ok()
        .filter(|byte| byte.is_ascii() && !matches!(byte, b'\n' | b'\r'))
        .ok_or_else(|| {
            ReadProblem::Options(format!(
                "the {what} '{}' is not one ASCII character",
                character.escape_default()
            ))
        })
}

fn first_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim().is_empty()).take(LINES)
}

/// Double quotes, unless the first lines have none and hold values that begin and end with single ones.
fn guess_quote(text: &str, notes: &mut Vec<String>) -> u8 {
    let single = |value: &str| value.len() > 1 && value.starts_with('\'') && value.ends_with('\'');
    let has_double = first_lines(text).any(|line| line.contains('"'));
    let has_single = first_lines(text)
        .any(|line| line.split([',', ';', '\t', '|']).any(|value| single(value.trim())));
    if has_single && !has_double {
        notes.push("values were taken as quoted by single quotes".to_owned());
        b'\''
    } else {
        b'"'
    }
}

/// The first of tab, semicolon, bar, comma and blanks that cuts the first lines into equally many values, two or more.
///
/// Commas come late because they also stand inside numbers, and blanks last because they follow commas.
fn guess_delimiter(
    text: &str,
    quote: Option<u8>,
    limit: usize,
    notes: &mut Vec<String>,
) -> Result<(u8, usize), ReadProblem> {
    let cuts =
        CANDIDATES.map(|(delimiter, _)| Cut::new(text, CsvDialect { delimiter, quote }, limit));
    // Where no candidate fits, the one that cuts most lines gives the clearest complaint about the odd line. Blanks
    // also stand in texts, so they count only where numbers stand between them.
    let first = first_lines(text).next().unwrap_or_default();
    let blanks_too = first.split_whitespace().all(|word| number::parse(word).is_some());
    let most = || {
        (0..CANDIDATES.len() - usize::from(!blanks_too)).max_by_key(|&index| cuts[index].lines())
    };
    let best = cuts
        .iter()
        .position(|cut| cut.is_even() && !cut.torn)
        .or_else(|| cuts.iter().position(Cut::is_even))
        .or_else(|| most().filter(|&index| cuts[index].lines() > 0));
    let even = best.is_some_and(|index| cuts[index].is_even());
    if !even && let Some((index, titles)) = below_titles(text, quote, limit) {
        let (delimiter, name) = CANDIDATES[index];
        let first = first_lines(text).next().unwrap_or_default().trim();
        notes.push(format!(
            "the first {} passed over, as no values are separated there ('{}'); after that values are separated by {name}",
            if titles == 1 { "line was".to_owned() } else { format!("{titles} lines were") },
            shorten(first)
        ));
        return Ok((delimiter, titles));
    }
    if !even && foreign::is_prose(text) {
        let what = "made of sentences; a table has a line for each row, and the same separator between all values";
        return Err(ReadProblem::Foreign { what });
    }
    Ok(match best {
        Some(index) => {
            let (delimiter, name) = CANDIDATES[index];
            if delimiter != b',' {
                notes.push(format!("values were taken as separated by {name}"));
            }
            (delimiter, 0)
        }
        None => (b',', 0),
    })
}

/// Which candidate cuts a text evenly once some first lines, in which it separates nothing, are left out; and how many.
fn below_titles(text: &str, quote: Option<u8>, limit: usize) -> Option<(usize, usize)> {
    (1..=MOST_LINES).find_map(|titles| {
        let rest = Framed { text, line: 1 }.without_lines(titles).text;
        let above: Vec<&str> = first_lines(text).take(titles).collect();
        let index = (0..CANDIDATES.len() - 1).find(|&index| {
            let (delimiter, _) = CANDIDATES[index];
            let dialect = CsvDialect { delimiter, quote };
            let cut = Cut::new(rest, dialect, limit);
            // Two columns may be a sentence with a comma.
            let wide = cut.counts.first().is_some_and(|&count| count > 2) && cut.counts.len() > 2;
            let bare = |line: &&str| {
                let mut parts = line.split(char::from(delimiter));
                parts.next();
                parts.all(|part| part.trim().is_empty())
            };
            wide && cut.is_even() && !cut.torn && above.iter().all(bare)
        });
        index.map(|index| (index, titles))
    })
}

/// How one candidate cuts the first records.
struct Cut {
    /// How many values each record has; one that cannot be cut this way has none.
    counts: Vec<usize>,
    /// Whether a bare value holds a quote: then the cut probably went through a quoted value.
    torn: bool,
}

impl Cut {
    fn new(text: &str, dialect: CsvDialect, limit: usize) -> Self {
        let mut records = Records::new(text, dialect, limit);
        let mut record = DelimitedRecord::default();
        let mut cut = Self { counts: Vec::new(), torn: false };
        while cut.counts.len() < LINES {
            match records.next(&mut record) {
                Ok(true) => {
                    cut.counts.push(record.values.len());
                    cut.torn |= is_torn(&record, dialect);
                }
                Ok(false) => break,
                Err(_) => {
                    cut.counts.push(0);
                    break;
                }
            }
        }
        cut
    }

    /// Whether all records have equally many values, two or more.
    fn is_even(&self) -> bool {
        self.counts.first().is_some_and(|&n| n > 1 && self.counts.iter().all(|&m| m == n))
    }

    /// How many records have two values or more.
    fn lines(&self) -> usize {
        self.counts.iter().filter(|&&count| count > 1).count()
    }
}

/// Whether a bare value holds a quote; a quoted one that does is no slice of the text.
fn is_torn(record: &DelimitedRecord<'_>, dialect: CsvDialect) -> bool {
    let holds_quote =
        |text: &str| dialect.quote.is_some_and(|quote| text.as_bytes().contains(&quote));
    record.values.iter().any(|value| matches!(value, Cow::Borrowed(text) if holds_quote(text)))
}

/// The first records, for guessing; errors in them show up again when all is read.
pub(crate) fn sample<'a>(
    framed: Framed<'a>,
    dialect: CsvDialect,
    limit: usize,
) -> Result<Vec<DelimitedRecord<'a>>, ReadError> {
    let mut records = Records::starting_at(framed.text, dialect, limit, framed.line);
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

/// Whether the first record holds names. Where the caller leaves that open, it does when at least half of the columns
/// that a model expects are named in it, or when
/// - none of its values is a number, and
/// - a column below it holds numbers, save a stray cell; or, in a table without such a column, when its values are all there, all
///   different, and none occurs again in its own column.
pub(crate) fn has_header(
    sample: &[DelimitedRecord<'_>],
    options: &ReadOptions,
    markers: &Markers<'_>,
    notes: &mut Vec<String>,
) -> bool {
    let found = match options.header {
        Header::Yes => return true,
        Header::No => return false,
        Header::Auto if names_expected(sample, options) => true,
        Header::Auto => guess_header(sample, markers),
    };
    let what = if found { "names of columns" } else { "data, so columns are called x1, x2, …" };
    notes.push(format!("the first line was taken as {what}"));
    found
}

/// Whether the first record holds at least half of the names that a model expects. Its cells may be as odd as they like
/// below: no row of data holds the names of its own columns.
fn names_expected(sample: &[DelimitedRecord<'_>], options: &ReadOptions) -> bool {
    let Some(first) = sample.first() else { return false };
    let is_there = |name: &str| first.values.iter().any(|value| *value == name);
    let found = options.expected.iter().filter(|column| is_there(&column.name)).count();
    found > 0 && 2 * found >= options.expected.len()
}

fn guess_header(sample: &[DelimitedRecord<'_>], markers: &Markers<'_>) -> bool {
    let Some((first, rest)) = sample.split_first() else { return false };
    let is_number = |text: &str| markers.form().parse(text).is_some_and(f64::is_finite);
    if first.values.iter().any(|value| is_number(value)) {
        return false;
    }
    let below = |column: usize| rest.iter().filter_map(move |record| record.values.get(column));
    let numbers_below = |column: usize| {
        let (mut odd, mut fitting) = (0usize, 0usize);
        for value in below(column) {
            match markers.number(value) {
                None => odd += 1,
                Some(number) => fitting += usize::from(!number.is_nan()),
            }
        }
        fitting > 0 && (odd * 20 <= odd + fitting || (odd == 1 && fitting >= 4))
    };
    let named = |column: usize| !markers.contain(&first.values[column]);
    if (0..first.values.len()).any(|column| named(column) && numbers_below(column)) {
        return true;
    }
    let mut names: Vec<&str> = first.values.iter().map(AsRef::as_ref).collect();
    names.sort_unstable();
    let differ = names.windows(2).all(|pair| pair[0] != pair[1]);
    let recurs = |column: usize| below(column).any(|value| *value == first.values[column]);
    differ && (0..first.values.len()).all(|column| named(column) && !recurs(column))
}
