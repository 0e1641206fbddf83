//! Fills the columns from the records of a file.
//!
//! A column whose first cells are numbers is read as numbers, and other cells are counted as
//! misfits. If there are too many misfits, a second pass reads such columns as text from the first
//! row on. The sample makes the second pass unnecessary for nearly every file.
//!
//! A long text without quotes is split at line ends into one share per core. The shares are joined
//! in order, so the result does not depend on their number.

use std::borrow::Cow;

use super::record::{CsvDialect, DelimitedRecord, Records};
use crate::cells::parser::CellParser;
use crate::columns::categories::CategoryCollector;
use crate::columns::known;
use crate::columns::misfit::Misfits;
use crate::columns::roles::{AssignedRole, Roles};
use crate::source::error::{Position, ReadError, ReadProblem};
use crate::source::threads;
use pellucid_data::Values;

/// The layout of the text, as detected or given.
pub(crate) struct RecordLayout {
    pub(crate) dialect: CsvDialect,
    pub(crate) max_record_bytes: usize,
    /// The line of the file at which the text begins.
    pub(crate) line: u64,
    /// Whether the first record holds names.
    pub(crate) header: bool,
    /// The number of columns.
    pub(crate) columns: usize,
    /// The number of empty values at the end of every record that are not columns.
    pub(crate) trailing: usize,
    /// Whether the last value ends with a dot that is not part of it.
    pub(crate) dotted_class: bool,
}

/// A column while it is filled.
enum Cells<'a> {
    Skipped,
    Numbers(NumberCells),
    /// Most of its cells are not numbers.
    Failed,
    /// Text; the listed categories of a model are not marks of missing values.
    Text(CategoryCollector, &'a [String]),
}

/// Numbers, and the cells that are not numbers.
#[derive(Debug, Default)]
struct NumberCells {
    values: Vec<f64>,
    misfits: Misfits,
    /// Whether the caller set the column to numeric, however many misfits it has.
    forced: bool,
}

impl NumberCells {
    /// Adds a cell that is not a number; returns false if there are too many and the column is text.
    #[cold]
    fn push_misfit(&mut self, line: u64, text: &str) -> bool {
        self.misfits.add(Position::Line(line), text);
        self.values.push(f64::NAN);
        self.forced
            || self.misfits.count < FEWEST_TO_FAIL
            || 2 * self.misfits.count <= self.values.len()
    }

    /// Whether there are too many misfits, which makes the column text.
    fn fails(&self) -> bool {
        if self.forced || self.misfits.count == 0 {
            return false;
        }
        let known = self.values.iter().filter(|number| !number.is_nan()).count();
        !self.misfits.are_strays(known)
    }
}

/// The minimum number of misfits to give up on a numeric column before its end.
const FEWEST_TO_FAIL: usize = 1000;

/// The filled columns (`None` for ignored ones) and the line of each row.
pub(crate) struct FilledColumns {
    pub(crate) values: Vec<Option<Values>>,
    /// The misfits of each column, including columns that became text because of them.
    pub(crate) misfits: Vec<Misfits>,
    pub(crate) lines: Vec<u64>,
}

/// The minimum size of a share.
const SHARE_BYTES: usize = 4 << 20;

/// Fills the columns on at most `cores` threads; `nominal` marks the columns that are text in the sample.
pub(crate) fn fill(
    text: &str,
    layout: &RecordLayout,
    roles: &Roles,
    nominal: &[bool],
    parser: &CellParser<'_>,
    cores: usize,
) -> Result<FilledColumns, ReadError> {
    let shares = shares(text, layout, cores.min(text.len() / SHARE_BYTES));
    let initial: Vec<InitialCells<'_>> = roles
        .of
        .iter()
        .zip(nominal)
        .zip(&roles.words)
        .map(|((role, &nominal), words)| match role {
            AssignedRole::Ignored => InitialCells::Skipped,
            AssignedRole::Feature if !nominal => InitialCells::Numbers,
            AssignedRole::Numeric if !nominal => InitialCells::ForcedNumbers,
            _ => InitialCells::Text(words),
        })
        .collect();
    let (mut cells, lines) = pass_all(&shares, layout, &initial, parser)?;
    let mut misfits: Vec<Misfits> = Vec::with_capacity(cells.len());
    for cell in &mut cells {
        let (fails, found) = match cell {
            Cells::Numbers(numbers) => (numbers.fails(), std::mem::take(&mut numbers.misfits)),
            _ => (false, Misfits::default()),
        };
        if fails {
            *cell = Cells::Failed;
        }
        misfits.push(found);
    }
    if cells.iter().any(|cell| matches!(cell, Cells::Failed)) {
        // A column with categories of a model is read as text in the first pass.
        let again = |cell: &Cells<'_>| match cell {
            Cells::Failed => InitialCells::Text(&[]),
            _ => InitialCells::Skipped,
        };
        let late: Vec<InitialCells<'_>> = cells.iter().map(again).collect();
        let (late, _) = pass_all(&shares, layout, &late, parser)?;
        for (cell, late) in cells.iter_mut().zip(late) {
            if matches!(cell, Cells::Failed) {
                *cell = late;
            }
        }
    }
    let values = cells.into_iter().map(|cell| match cell {
        Cells::Skipped | Cells::Failed => None,
        Cells::Numbers(numbers) => Some(Values::Numeric(numbers.values.into())),
        Cells::Text(collector, _) => Some(collector.sorted()),
    });
    Ok(FilledColumns { values: values.collect(), misfits, lines })
}

/// The result of one pass: the columns and the line of each row.
type PassResult<'a> = (Vec<Cells<'a>>, Vec<u64>);

/// The initial type of a column.
#[derive(Clone, Copy)]
enum InitialCells<'a> {
    Skipped,
    Numbers,
    /// Numbers, however many misfits there are.
    ForcedNumbers,
    /// Text, with the categories of a model.
    Text(&'a [String]),
}

impl<'a> InitialCells<'a> {
    fn cells(self) -> Cells<'a> {
        match self {
            Self::Skipped => Cells::Skipped,
            Self::Numbers => Cells::Numbers(NumberCells::default()),
            Self::ForcedNumbers => {
                Cells::Numbers(NumberCells { forced: true, ..NumberCells::default() })
            }
            Self::Text(words) => Cells::Text(CategoryCollector::default(), words),
        }
    }
}

/// Splits the text at line ends into shares of about equal size. A text with quotes is not split,
/// because a line end may be inside a value.
fn shares<'a>(text: &'a str, layout: &RecordLayout, count: usize) -> Vec<Records<'a>> {
    let (mut pieces, mut rest) = (Vec::new(), text);
    for left in (1..=count.max(1)).rev() {
        let middle = rest.len() / left;
        let end = rest.as_bytes()[middle..]
            .iter()
            .position(|&byte| byte == b'\n')
            .map(|end| middle + end + 1);
        let (piece, after) = rest.split_at(end.filter(|_| left > 1).unwrap_or(rest.len()));
        pieces.push(piece);
        rest = after;
    }
    let checked = threads::map(count, pieces.clone(), |piece| {
        let bytes = piece.as_bytes();
        let is_quoted = layout.dialect.quote.is_some_and(|quote| bytes.contains(&quote));
        (is_quoted, bytes.iter().filter(|&&byte| byte == b'\n').count() as u64)
    });
    let records = |text: &'a str, line: u64| {
        Records::starting_at(text, layout.dialect, layout.max_record_bytes, line)
    };
    if checked.iter().any(|(is_quoted, _)| *is_quoted) {
        return vec![records(text, layout.line)];
    }
    let mut line = layout.line;
    let share = |(piece, (_, ends)): (&'a str, (bool, u64))| {
        let share = records(piece, line);
        line += ends;
        share
    };
    pieces.into_iter().zip(checked).map(share).collect()
}

/// Reads all shares in parallel and joins their results; returns the first error in the order of the file.
fn pass_all<'a>(
    shares: &[Records<'_>],
    layout: &RecordLayout,
    initial: &[InitialCells<'a>],
    parser: &CellParser<'_>,
) -> Result<PassResult<'a>, ReadError> {
    let header = |share: usize| share == 0 && layout.header;
    let numbered: Vec<_> = shares.iter().cloned().enumerate().collect();
    let found = threads::map(shares.len(), numbered, |(share, records)| {
        pass(records, layout, header(share), initial, parser)
    });
    let mut lines = Vec::new();
    let mut pieces: Vec<Vec<Cells<'a>>> = initial.iter().map(|_| Vec::new()).collect();
    for share in found {
        let (cells, more_lines) = share?;
        lines.extend(more_lines);
        pieces.iter_mut().zip(cells).for_each(|(pieces, cells)| pieces.push(cells));
    }
    let cells = threads::map(shares.len(), pieces, join_pieces);
    Ok((cells.into_iter().collect::<Result<_, _>>()?, lines))
}

/// Joins the pieces of a column from all shares.
fn join_pieces(pieces: Vec<Cells<'_>>) -> Result<Cells<'_>, ReadProblem> {
    let rows = |cells: &Cells<'_>| match cells {
        Cells::Numbers(numbers) => numbers.values.len(),
        _ => 0,
    };
    let all: usize = pieces.iter().map(rows).sum();
    let mut pieces = pieces.into_iter();
    let Some(mut whole) = pieces.next() else { return Ok(Cells::Skipped) };
    if let Cells::Numbers(numbers) = &mut whole {
        let more = all - numbers.values.len();
        numbers.values.try_reserve_exact(more).map_err(|_| ReadProblem::Memory)?;
    }
    for piece in pieces {
        match (&mut whole, piece) {
            (Cells::Numbers(numbers), Cells::Numbers(more)) => {
                numbers.values.extend(more.values);
                numbers.misfits.append(more.misfits);
            }
            (Cells::Text(collector, _), Cells::Text(more, _)) => collector.append(more)?,
            (Cells::Numbers(_), Cells::Failed) => whole = Cells::Failed,
            _ => {}
        }
    }
    Ok(whole)
}

fn pass<'a>(
    mut records: Records<'_>,
    layout: &RecordLayout,
    header: bool,
    initial: &[InitialCells<'a>],
    parser: &CellParser<'_>,
) -> Result<PassResult<'a>, ReadError> {
    let mut cells: Vec<Cells<'a>> = initial.iter().map(|initial| initial.cells()).collect();
    let mut lines = Vec::new();
    let mut record = DelimitedRecord::default();
    if header {
        records.next(&mut record)?;
    }
    while records.next(&mut record)? {
        check_record(&mut record, layout)?;
        lines.push(record.line);
        for (cell, value) in cells.iter_mut().zip(&record.values) {
            match cell {
                Cells::Skipped | Cells::Failed => {}
                Cells::Numbers(numbers) => match parser.number(value) {
                    Some(number) => numbers.values.push(number),
                    None => {
                        if !numbers.push_misfit(record.line, value) {
                            *cell = Cells::Failed;
                        }
                    }
                },
                Cells::Text(collector, words)
                    if parser.is_missing(value) && !known::has(words, value) =>
                {
                    collector.push_missing();
                }
                Cells::Text(collector, _) => collector.push(value)?,
            }
        }
    }
    Ok((cells, lines))
}

/// Checks the length of a record, and removes trailing delimiters and the dot of the class.
fn check_record(record: &mut DelimitedRecord<'_>, layout: &RecordLayout) -> Result<(), ReadError> {
    for _ in 0..layout.trailing {
        if record.values.len() > layout.columns
            && record.values.last().is_some_and(|value| value.is_empty())
        {
            record.values.pop();
        }
    }
    if record.values.len() != layout.columns {
        let problem = ReadProblem::Ragged { found: record.values.len(), expected: layout.columns };
        return Err(ReadError::at(Position::Line(record.line), problem));
    }
    if layout.dotted_class
        && let Some(class) = record.values.last_mut()
    {
        let Some(undotted) = class.strip_suffix('.') else {
            let place = Position::Value { line: record.line, column: layout.columns };
            let found = crate::source::error::shorten(class);
            let expected = "a class followed by a dot".to_owned();
            return Err(ReadError::at(place, ReadProblem::Form { found, expected }));
        };
        *class = Cow::Owned(undotted.to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Cells, InitialCells, RecordLayout, pass_all, shares};
    use crate::cells::parser::CellParser;
    use crate::formats::delimited::record::CsvDialect;
    use crate::source::options::ReadOptions;

    const LAYOUT: RecordLayout = RecordLayout {
        dialect: CsvDialect { delimiter: b',', quote: Some(b'"') },
        max_record_bytes: 1000,
        line: 1,
        header: true,
        columns: 3,
        trailing: 0,
        dotted_class: false,
    };

    /// Returns the result of a pass as text.
    fn found(text: &str, count: usize) -> String {
        let options = ReadOptions::default();
        let initial = [InitialCells::Numbers, InitialCells::Text(&[]), InitialCells::Numbers];
        match pass_all(&shares(text, &LAYOUT, count), &LAYOUT, &initial, &CellParser::new(&options))
        {
            Err(error) => error.to_string(),
            Ok((cells, lines)) => {
                let shown = cells.into_iter().map(|cell| match cell {
                    Cells::Skipped => "skipped".to_owned(),
                    Cells::Failed => "failed".to_owned(),
                    Cells::Numbers(numbers) => {
                        format!("{:?} {}", numbers.values, numbers.misfits.listed())
                    }
                    Cells::Text(collector, _) => format!("{:?}", collector.sorted()),
                });
                format!("{} {lines:?}", shown.collect::<Vec<_>>().join(" "))
            }
        }
    }

    #[test]
    fn the_number_of_shares_does_not_matter() {
        let mut text = String::from("a,b,c\n");
        for row in 0..50 {
            let last = if row == 40 { "x".to_owned() } else { row.to_string() };
            text.push_str(&format!(
                "{row},w{},{last}\n{}",
                row % 7,
                if row % 9 == 0 { "\n" } else { "" }
            ));
        }
        let ragged = text.replace("30,w2,30", "30,w2");
        let quoted = text.replace("w3", "\"w\n3\"");
        for text in [text.as_str(), ragged.as_str(), quoted.as_str(), "a,b,c\n1,?,3", "a,b,c\n"] {
            let whole = found(text, 1);
            for count in [2, 3, 8, 200] {
                assert_eq!(found(text, count), whole, "{count} shares");
            }
        }
        assert_eq!(found(&ragged, 4), ", line 36: found 2 values; expected 3");
        assert!(found(&text, 4).contains("'x' (line 47) [2, 4, 5,"), "{}", found(&text, 4));
        assert_eq!(shares(&text, &LAYOUT, 4).len(), 4);
        assert_eq!(shares(&quoted, &LAYOUT, 4).len(), 1);
    }
}
