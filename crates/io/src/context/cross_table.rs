//! A table of crosses as CSV or TSV: a line for every object, a cell for every attribute.
//!
//! `1 X x true yes` are crosses; `0 . - false no` and empty cells are not. Case is ignored. The
//! first line names the attributes unless it consists of marks; the first column names the objects
//! unless it consists of marks. A blank corner means that both have names.

use super::options::ContextOptions;
use super::rows::{CrossRows, numbered};
use crate::formats::delimited::guess;
use crate::formats::delimited::record::{DelimitedRecord, Records};
use crate::formats::delimited::span::TextSpan;
use crate::source::error::{Position, ReadError, ReadProblem, shorten};
use crate::source::options::{Header, ReadOptions};
use pellucid_data::{Context, Names};

const MARKS: &str = "a cross (1, X, true, yes) or no cross (0, ., -, false, no or an empty cell)";

/// Returns whether a cell is a cross; `None` if it is not a mark.
fn mark(cell: &str) -> Option<bool> {
    let is = |word: &str| cell.eq_ignore_ascii_case(word);
    match cell.as_bytes() {
        [] | [b'0' | b'.' | b'-'] => Some(false),
        [b'1' | b'X' | b'x'] => Some(true),
        [_] => None,
        _ if is("false") || is("no") => Some(false),
        _ => (is("true") || is("yes")).then_some(true),
    }
}

/// Reads a table; `extension` is the lower-case extension of the file.
pub(super) fn read(
    text: &str,
    name: &str,
    extension: &str,
    options: &ContextOptions,
) -> Result<Context, ReadError> {
    let mut notes = Vec::new();
    let mut known = ReadOptions::default().limits(options.limits);
    known.delimiter = options.delimiter;
    let (dialect, titles) = guess::dialect(text, extension, &known, &mut notes)?;
    let span = TextSpan { text, line: 1 }.without_lines(titles);
    let longest = options.limits.max_line_bytes;
    let mut records = Records::starting_at(span.text, dialect, longest, span.line);
    let mut record = DelimitedRecord::default();
    if !records.next(&mut record)? {
        return Err(ReadProblem::EmptyContext.into());
    }
    let width = record.values.len();
    numbered(width)?;
    let header = has_header(&record, options.header);
    let mut table = Table::default();
    if header {
        table.corner = record.values.first().is_some_and(|corner| corner.is_empty());
        table.names = record.values.iter().map(ToString::to_string).collect();
    } else {
        table.push(&record)?;
    }
    while records.next(&mut record)? {
        if record.values.len() != width {
            let problem = ReadProblem::Ragged { found: record.values.len(), expected: width };
            return Err(ReadError::at(Position::Line(record.line), problem));
        }
        table.push(&record)?;
    }
    let mut context = table.context(name, width)?;
    if !header {
        notes.push("treated the first line as crosses and named the attributes 1, 2, …".into());
    }
    context.notes.splice(0..0, notes);
    Ok(context)
}

/// Whether the first line holds names: a cell after the first is not a mark, or the corner is blank.
fn has_header(first: &DelimitedRecord<'_>, header: Header) -> bool {
    let is_name = |cell: &str| mark(cell).is_none();
    match header {
        Header::Yes => true,
        Header::No => false,
        Header::Auto => match first.values.split_first() {
            Some((corner, [])) => corner.is_empty() || is_name(corner),
            Some((corner, rest)) => corner.is_empty() || rest.iter().any(|cell| is_name(cell)),
            None => false,
        },
    }
}

/// The rows so far. A cross in the first column counts as attribute 0 until that column is known to
/// hold names.
#[derive(Default)]
struct Table {
    /// The cells of the header; empty without a header.
    names: Vec<String>,
    /// Whether the header begins with a blank cell.
    corner: bool,
    rows: CrossRows,
    /// The cells of the first column.
    first: Vec<String>,
    /// Whether one of them is not a mark.
    named: bool,
}

impl Table {
    fn push(&mut self, record: &DelimitedRecord<'_>) -> Result<(), ReadError> {
        for (attribute, cell) in (0..).zip(&record.values) {
            match mark(cell) {
                Some(true) => self.rows.push(attribute),
                Some(false) => {}
                None if attribute == 0 => self.named = true,
                None => {
                    let position =
                        Position::Value { line: record.line, column: attribute as usize + 1 };
                    let problem = ReadProblem::ManyValued { found: shorten(cell), expected: MARKS };
                    return Err(ReadError::at(position, problem));
                }
            }
        }
        self.first.push(record.values.first().map(ToString::to_string).unwrap_or_default());
        self.rows.end_row();
        Ok(())
    }

    fn context(mut self, name: &str, width: usize) -> Result<Context, ReadError> {
        let named = self.named || self.corner;
        let relation = self.rows.relation(width)?;
        let (objects, attributes) = if named {
            (Names::Listed(self.first), width - 1)
        } else {
            (Names::Numbered { first: 1, count: self.first.len() }, width)
        };
        let relation = if named {
            let mut rows = CrossRows::default();
            for row in relation.rows() {
                row.iter().filter(|&&column| column > 0).for_each(|&column| rows.push(column - 1));
                rows.end_row();
            }
            rows.relation(attributes)?
        } else {
            relation
        };
        let attributes = if self.names.is_empty() {
            Names::Numbered { first: 1, count: attributes }
        } else {
            Names::Listed(self.names.split_off(usize::from(named)))
        };
        let mut context = Context::new(name, objects, attributes, relation);
        if named && !self.corner {
            context.notes.push("treated the first column as the names of the objects".into());
        }
        Ok(context)
    }
}
