//! A table of edges as CSV or TSV: a column for the module that uses another, one for the module that is
//! used, and optionally one for the weight.

use super::builder::{GraphBuilder, weight};
use super::options::GraphOptions;
use crate::cells::number;
use crate::formats::delimited::guess;
use crate::formats::delimited::record::{DelimitedRecord, Records};
use crate::formats::delimited::span::TextSpan;
use crate::source::error::{Position, ReadError, ReadProblem, listed, shorten};
use crate::source::options::{Header, ReadOptions};
use pellucid_data::{DependencyGraph, message, parameter};

/// The names of the columns, in lower case.
const FROM: [&str; 9] =
    ["from", "source", "src", "caller", "importer", "importing", "module", "client", "user"];
const TO: [&str; 10] = [
    "to",
    "target",
    "dst",
    "dest",
    "destination",
    "callee",
    "imported",
    "dependency",
    "depends_on",
    "uses",
];
const WEIGHT: [&str; 6] = ["weight", "count", "calls", "strength", "n", "value"];

/// The positions of the columns.
#[derive(Clone, Copy)]
struct EdgeColumns {
    from: usize,
    to: usize,
    weight: Option<usize>,
}

/// Reads a table; `extension` is the lower-case extension of the file.
pub(super) fn read(
    text: &str,
    name: &str,
    extension: &str,
    options: &GraphOptions,
) -> Result<DependencyGraph, ReadError> {
    let mut builder = GraphBuilder::default();
    let mut known = ReadOptions::default().limits(options.limits);
    known.delimiter = options.delimiter;
    let (dialect, titles) = guess::dialect(text, extension, &known, &mut builder.notes)?;
    let span = TextSpan { text, line: 1 }.without_lines(titles);
    let mut records =
        Records::starting_at(span.text, dialect, options.limits.max_line_bytes, span.line);
    let mut record = DelimitedRecord::default();
    if !records.next(&mut record)? {
        return Err(ReadProblem::NoEdges.into());
    }
    let width = record.values.len();
    let columns = columns(&record)?;
    let mut has_record = true;
    if has_header(&record, columns, options.header) {
        let named: Vec<&str> = [Some(columns.from), Some(columns.to), columns.weight]
            .into_iter()
            .flatten()
            .map(|column| &*record.values[column])
            .collect();
        let (named, other) = (listed(&named), parameter("no_header"));
        builder.notes.push(message!(
            "treated the first line as column names and read the columns {named}; use `",
            other,
            "` to change it"
        ));
        has_record = records.next(&mut record)?;
    }
    while has_record {
        if record.values.len() != width {
            let problem = ReadProblem::Ragged { found: record.values.len(), expected: width };
            return Err(ReadError::at(Position::Line(record.line), problem));
        }
        add(&record, columns, &mut builder)?;
        has_record = records.next(&mut record)?;
    }
    builder.finish(name)
}

/// Adds the edge of a record.
fn add(
    record: &DelimitedRecord<'_>,
    columns: EdgeColumns,
    builder: &mut GraphBuilder,
) -> Result<(), ReadError> {
    let position = |column: usize| Position::Value { line: record.line, column: column + 1 };
    let module = |column: usize| match &*record.values[column] {
        "" => {
            let expected = "the name of a module".to_owned();
            let problem = ReadProblem::Form { found: String::new(), expected };
            Err(ReadError::at(position(column), problem))
        }
        name => Ok(name),
    };
    let (from, to) = (builder.module(module(columns.from)?)?, builder.module(module(columns.to)?)?);
    let weight = columns
        .weight
        .map(|column| weight(&record.values[column], position(column)))
        .transpose()?;
    Ok(builder.edge(from, to, weight)?)
}

/// Returns the columns by the names in the first record, or else the first two and perhaps the third.
fn columns(first: &DelimitedRecord<'_>) -> Result<EdgeColumns, ReadError> {
    let named = |names: &[&str]| {
        let is_named = |value: &str| names.iter().any(|name| value.eq_ignore_ascii_case(name));
        first.values.iter().position(|value| is_named(value))
    };
    let width = first.values.len();
    match (named(&FROM), named(&TO)) {
        (Some(from), Some(to)) if from != to => {
            return Ok(EdgeColumns { from, to, weight: named(&WEIGHT) });
        }
        _ => {}
    }
    if !(2..=3).contains(&width) {
        let found = first.values.iter().map(|value| shorten(value)).collect::<Vec<_>>().join(", ");
        let expected = "two columns FROM and TO and optionally a weight, or columns named 'from' \
                        and 'to'";
        let problem = ReadProblem::Form { found: shorten(&found), expected: expected.to_owned() };
        return Err(ReadError::at(Position::Line(first.line), problem));
    }
    Ok(EdgeColumns { from: 0, to: 1, weight: (width == 3).then_some(2) })
}

/// Whether the first record holds names: it names both columns, or a word stands above the weights.
fn has_header(first: &DelimitedRecord<'_>, columns: EdgeColumns, header: Header) -> bool {
    let is_one_of = |column: usize, names: &[&str]| {
        names.iter().any(|name| first.values[column].eq_ignore_ascii_case(name))
    };
    match header {
        Header::Yes => true,
        Header::No => false,
        Header::Auto => {
            let is_named = is_one_of(columns.from, &FROM) && is_one_of(columns.to, &TO);
            let is_word = |column: usize| number::parse(first.values[column].trim()).is_none();
            is_named || columns.weight.is_some_and(is_word)
        }
    }
}
