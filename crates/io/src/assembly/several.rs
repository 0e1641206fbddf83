//! A table in several text files or spreadsheets with the same column names.

use std::fs::File;
use std::path::{Path, PathBuf};

use crate::assembly::table_text::TableText;
use crate::cells::number;
use crate::columns::parsed::ParsedTable;
use crate::source::error::{Position, ReadError, ReadProblem, shorten};
use crate::source::options::{Format, Header, ReadOptions};
use crate::source::parts::shown;
use pellucid_data::message;

/// A part of the joined text.
struct Part {
    name: String,
    /// The line of the joined text at which the part begins, and the number of its own lines before
    /// that one.
    start: u64,
    skipped: u64,
}

/// Reads the columns of several files as one table.
pub(super) fn read(files: &[PathBuf], options: &ReadOptions) -> Result<ParsedTable, ReadError> {
    let mut whole = open(&files[0], options)?;
    let first_name = files[0].display().to_string();
    let has_names = has_names(&whole.text, options);
    let mut parts = vec![Part { name: first_name.clone(), start: 1, skipped: 0 }];
    for file in &files[1..] {
        let part = open(file, options)?;
        let name = file.display().to_string();
        if part.is_sheet != whole.is_sheet {
            let other =
                "the file is of another format than the first one; expected the same format";
            return Err(ReadError::from(ReadProblem::Options(other.into())).in_file(&name));
        }
        if !whole.text.ends_with('\n') {
            whole.text.push('\n');
        }
        let start = whole.text.matches('\n').count() as u64 + 1;
        let (skipped, rest) = match has_names {
            true => after_names(&whole.text, &part.text, &first_name)
                .map_err(|error| error.in_file(&name))?,
            false => (0, &*part.text),
        };
        parts.push(Part { name, start, skipped });
        whole.text.push_str(rest);
    }
    let all = shown(files);
    whole
        .notes
        .push(message!("read {all} as one table; lines are counted on from one file to the next"));
    whole.parse(&first_name, options).map_err(|error| locate(error, &parts))
}

fn open(path: &Path, options: &ReadOptions) -> Result<TableText, ReadError> {
    let name = path.display().to_string();
    let fail = |error: ReadError| error.in_file(&name);
    let mut file = File::open(path).map_err(|error| fail(ReadProblem::Io(error).into()))?;
    let text = TableText::read(&mut file, options).map_err(fail)?;
    match text.format(&name, options) {
        Format::Delimited | Format::Spreadsheet => Ok(text),
        _ => {
            let only = "only CSV files and spreadsheets can be read as parts of one table";
            Err(fail(ReadProblem::Options(only.into()).into()))
        }
    }
}

/// Returns the first line that is not blank, its number from 0, and the text after it.
fn first_line(text: &str) -> (u64, &str, &str) {
    let (mut number, mut rest) = (0, text);
    loop {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        if !line.trim().is_empty() || after.is_empty() {
            return (number, line.trim(), after);
        }
        (number, rest) = (number + 1, after);
    }
}

/// Whether the files begin with column names: as the caller says, or else if the first line of the
/// first file has no numbers.
fn has_names(text: &str, options: &ReadOptions) -> bool {
    let is_number = |cell: &str| number::parse(cell.trim().trim_matches('"')).is_some();
    match options.header {
        Header::Yes => true,
        Header::No => false,
        Header::Auto => !first_line(text).1.split([',', ';', '\t', '|']).any(is_number),
    }
}

/// Returns the number of lines up to the column names of a part, and the text after them; it is an
/// error if the names differ from those of the first part.
fn after_names<'a>(
    first: &str,
    part: &'a str,
    first_name: &str,
) -> Result<(u64, &'a str), ReadError> {
    let (number, found, rest) = first_line(part);
    let (_, expected, _) = first_line(first);
    if found == expected {
        return Ok((number + 1, rest));
    }
    let shown = |line: &str| format!("'{}'", shorten(&line.replace('"', "")));
    let problem = ReadProblem::OtherNames {
        found: shown(found),
        expected: shown(expected),
        first: first_name.to_owned(),
    };
    Err(ReadError::at(Position::Line(number + 1), problem))
}

/// Replaces a line of the joined text by the file and its own line.
fn locate(mut error: ReadError, parts: &[Part]) -> ReadError {
    let line = match &mut error.position {
        Position::Line(line) | Position::Value { line, .. } | Position::Character { line, .. } => {
            line
        }
        Position::WholeFile | Position::Row(_) => return error,
    };
    if let Some(part) = parts.iter().rev().find(|part| part.start <= *line) {
        *line = *line - part.start + 1 + part.skipped;
        error = error.in_file(&part.name);
    }
    error
}
