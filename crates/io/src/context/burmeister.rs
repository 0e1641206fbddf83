//! Burmeister's `.cxt`: a line `B`, the name of the context or a blank line, the two counts, the
//! names of objects and attributes, and a row of `X` and `.` for every object.
//!
//! Programs differ in where they put blank lines. The counts give the number of lines that are
//! needed and so the number of extra lines: while there are extra lines, a blank line is a
//! separator; after that it is a name. Names keep their outer blanks.

use super::rows::{CrossRows, numbered};
use crate::source::error::{Position, ReadError, ReadProblem, shorten};
use pellucid_data::{Context, Names};

/// Reads a context; `stem` is its name if the file does not have one.
pub(super) fn read(text: &str, stem: &str) -> Result<Context, ReadError> {
    let mut lines = Lines { text, position: 0, line: 0 };
    match lines.next() {
        Some(first) if first.trim_end() == "B" => {}
        Some(first) => {
            return Err(lines.form(first, "a line 'B', which begins a Burmeister context"));
        }
        None => return Err(ReadProblem::EmptyContext.into()),
    }
    let name = name(&mut lines).unwrap_or(stem);
    let objects = count(&mut lines, "the number of objects")?;
    let attributes = count(&mut lines, "the number of attributes")?;

    let mut names = NameLines::new(lines, objects, attributes);
    let object_names: Names = names.take(objects, "the name of an object")?;
    let attribute_names: Names = names.take(attributes, "the name of an attribute")?;
    numbered(attributes)?;
    let mut lines = names.lines;
    let mut rows = CrossRows::default();
    for _ in 0..objects {
        if attributes > 0 {
            let row = lines.next_filled();
            let row = row.ok_or(ReadProblem::Ended("a row of crosses"))?.trim_end().as_bytes();
            read_row(row, &lines, attributes, &mut rows)?;
        }
        rows.end_row();
    }
    if let Some(more) = lines.next_filled() {
        return Err(lines.form(more, "the end of the file"));
    }
    let relation = rows.relation(attributes)?;
    Ok(Context::new(name, object_names, attribute_names, relation))
}

/// Returns the name on the second line, if there is one. A number is a name only if both counts follow it.
fn name<'a>(lines: &mut Lines<'a>) -> Option<&'a str> {
    let is_count = |line: Option<&str>| line.is_some_and(|line| parse(line).is_some());
    let mut ahead = *lines;
    let second = ahead.next()?;
    let after = *lines;
    *lines = ahead;
    if second.trim().is_empty() {
        return None;
    }
    if is_count(Some(second)) && !(is_count(ahead.next_filled()) && is_count(ahead.next())) {
        *lines = after;
        return None;
    }
    Some(second.trim())
}

fn parse(line: &str) -> Option<usize> {
    let digits = line.trim();
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

fn count(lines: &mut Lines<'_>, what: &'static str) -> Result<usize, ReadError> {
    let line = lines.next_filled().ok_or(ReadProblem::Ended(what))?;
    parse(line).ok_or_else(|| lines.form(line, what))
}

fn is_mark(byte: u8) -> bool {
    matches!(byte, b'X' | b'x' | b'.')
}

fn is_row(row: &[u8], attributes: usize) -> bool {
    // Without an early exit the compiler can vectorize the comparison.
    row.len() == attributes && row.iter().fold(true, |marks, &byte| marks & is_mark(byte))
}

/// Parses one row: `X` or `x` is a cross, `.` is not.
fn read_row(
    row: &[u8],
    lines: &Lines<'_>,
    attributes: usize,
    rows: &mut CrossRows,
) -> Result<(), ReadError> {
    if is_row(row, attributes) {
        push_crosses(row, rows);
        return Ok(());
    }
    if let Some(at) = row.iter().position(|&mark| !is_mark(mark)) {
        let rest = String::from_utf8_lossy(&row[at..]);
        let found = rest.chars().next().unwrap_or_default().to_string();
        let position = Position::Value { line: lines.line, column: at + 1 };
        let expected = "'X', 'x' or '.'".to_owned();
        return Err(ReadError::at(position, ReadProblem::Form { found, expected }));
    }
    let problem = ReadProblem::Marks { found: row.len(), expected: attributes };
    Err(ReadError::at(Position::Line(lines.line), problem))
}

/// Adds the crosses of a row, eight marks at a time: of the three marks only the letters have bit 6 set.
fn push_crosses(row: &[u8], rows: &mut CrossRows) {
    for (first, marks) in (0..).step_by(8).zip(row.chunks(8)) {
        let mut eight = [0; 8];
        eight[..marks.len()].copy_from_slice(marks);
        let mut crosses = u64::from_le_bytes(eight) & 0x4040_4040_4040_4040;
        while crosses != 0 {
            rows.push(first + crosses.trailing_zeros() / 8);
            crosses &= crosses - 1;
        }
    }
}

/// The lines of a text, and the number of the last line read.
#[derive(Clone, Copy)]
struct Lines<'a> {
    text: &'a str,
    position: usize,
    line: u64,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let rest = self.text.get(self.position..).filter(|rest| !rest.is_empty())?;
        let end = rest.find('\n');
        let line = &rest[..end.unwrap_or(rest.len())];
        self.position += line.len() + usize::from(end.is_some());
        self.line += 1;
        Some(line.strip_suffix('\r').unwrap_or(line))
    }

    /// Returns the next line that is not blank.
    fn next_filled(&mut self) -> Option<&'a str> {
        std::iter::from_fn(|| self.next()).find(|line| !line.trim().is_empty())
    }

    /// Returns the error that the last line read is not what was expected.
    fn form(&self, found: &str, expected: &str) -> ReadError {
        let problem =
            ReadProblem::Form { found: shorten(found.trim()), expected: expected.to_owned() };
        ReadError::at(Position::Line(self.line), problem)
    }
}

/// The lines of names, some of which may be extra blank lines.
struct NameLines<'a> {
    lines: Lines<'a>,
    extra: usize,
}

impl<'a> NameLines<'a> {
    fn new(lines: Lines<'a>, objects: usize, attributes: usize) -> Self {
        let rest = lines.text.get(lines.position..).unwrap_or_default();
        // Rows without marks are blank, so only the line after the counts can be recognized as extra.
        let marked = objects > 0 && attributes > 0;
        let rest = if marked { rest.trim_end() } else { rest };
        let there = rest.lines().count();
        let rows = if marked { objects } else { 0 };
        let needed = objects.saturating_add(attributes).saturating_add(rows);
        let extra = there.saturating_sub(needed);
        // In a truncated file no line seems extra; but the first row is not where it should be.
        let blank = rest.lines().next().is_some_and(|line| line.trim().is_empty());
        let cut = || {
            let first = rest.lines().nth(objects.saturating_add(attributes));
            !first.is_some_and(|row| is_row(row.trim_end().as_bytes(), attributes))
        };
        let extra = if marked && extra == 0 && blank && cut() { 1 } else { extra };
        Self { lines, extra: if marked { extra } else { extra.min(1) } }
    }

    fn take(&mut self, count: usize, what: &'static str) -> Result<Names, ReadError> {
        let mut names: Vec<String> = Vec::new();
        while names.len() < count {
            let line = self.lines.next().ok_or(ReadProblem::Ended(what))?;
            if self.extra > 0 && line.trim().is_empty() {
                self.extra -= 1;
            } else {
                names.push(line.to_owned());
            }
        }
        Ok(Names::Listed(names))
    }
}
