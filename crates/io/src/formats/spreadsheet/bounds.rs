//! Bounds on what a spreadsheet may contain, checked before it is handed to the library: a few bytes of a
//! damaged or hostile sheet can repeat a cell a million times, and contents that end too early would be
//! read for ever.

use std::io::{BufRead, BufReader, Cursor, Read as _};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::source::error::ReadProblem;
use crate::source::options::Limits;

/// The maximum number of rows of a sheet, as in all programs for spreadsheets.
const MOST_ROWS: u64 = 1 << 20;
/// The maximum number of columns of a sheet.
const MOST_COLUMNS: u64 = 1 << 14;
/// The memory that a cell needs at most times, in addition to its text.
const BYTES_PER_CELL: u64 = 64;

/// Checks the position of a cell, counted from 0.
pub(super) fn check_position(row: u32, column: u32) -> Result<(), ReadProblem> {
    if u64::from(row) < MOST_ROWS && u64::from(column) < MOST_COLUMNS {
        return Ok(());
    }
    let (row, column) = (u64::from(row) + 1, u64::from(column) + 1);
    Err(ReadProblem::Spreadsheet(format!(
        "a cell is in row {row} and column {column}; expected at most {MOST_ROWS} rows and \
         {MOST_COLUMNS} columns"
    )))
}

/// Checks the contents of an `OpenDocument` spreadsheet: every element ends, and the cells fit into memory.
pub(super) fn check_open_document(bytes: &[u8], limits: &Limits) -> Result<(), ReadProblem> {
    let unreadable = |error: &dyn std::fmt::Display| ReadProblem::Spreadsheet(error.to_string());
    let mut archive =
        zip::ZipArchive::new(Cursor::new(bytes)).map_err(|error| unreadable(&error))?;
    let content = archive.by_name("content.xml").map_err(|error| unreadable(&error))?;
    let most = (bytes.len() as u64).saturating_mul(limits.max_expansion);
    let most = most.max(Limits::EXPANSION_FREE_BYTES);
    let content = BufReader::new(content.take(limits.max_bytes));
    let size = Size::of_contents(content)?;
    let needed = size.cells.saturating_mul(BYTES_PER_CELL).saturating_add(size.spaces);
    match needed > most {
        true => Err(ReadProblem::Expands { limit: limits.max_expansion }),
        false => Ok(()),
    }
}

/// The size of all sheets of a document.
#[derive(Debug, Default, PartialEq, Eq)]
struct Size {
    cells: u64,
    spaces: u64,
}

impl Size {
    fn of_contents(content: impl BufRead) -> Result<Size, ReadProblem> {
        let mut reader = Reader::from_reader(content);
        reader.config_mut().expand_empty_elements = true;
        let (mut size, mut sheet, mut depth) = (Size::default(), Sheet::default(), 0_u64);
        let mut buffer = Vec::new();
        loop {
            buffer.clear();
            let event = reader.read_event_into(&mut buffer);
            match event.map_err(|error| ReadProblem::Spreadsheet(error.to_string()))? {
                Event::Start(element) => {
                    depth += 1;
                    match element.name().as_ref() {
                        "table:table" => size.cells += std::mem::take(&mut sheet).cells(),
                        "table:table-row" => {
                            sheet.begin_row(number(&element, "table:number-rows-repeated"));
                        }
                        "table:table-cell" | "table:covered-table-cell" => {
                            let columns = number(&element, "table:number-columns-repeated");
                            sheet.add_cells(columns, has_value(&element));
                        }
                        "text:s" => {
                            size.spaces = size.spaces.saturating_add(number(&element, "text:c"));
                        }
                        _ => {}
                    }
                }
                Event::End(_) => depth = depth.saturating_sub(1),
                Event::Eof if depth > 0 => {
                    return Err(ReadProblem::Spreadsheet("its contents end too early".to_owned()));
                }
                Event::Eof => break,
                _ => {}
            }
        }
        size.cells = size.cells.saturating_add(sheet.cells());
        Ok(size)
    }
}

/// The extent of the values of a sheet.
#[derive(Debug, Default)]
struct Sheet {
    /// The rows before this one, and how often this one is repeated.
    rows: u64,
    repeated: u64,
    /// The columns of this row so far.
    columns: u64,
    last_row: u64,
    last_column: u64,
}

impl Sheet {
    fn begin_row(&mut self, repeated: u64) {
        self.rows = self.rows.saturating_add(self.repeated).min(MOST_ROWS);
        (self.repeated, self.columns) = (repeated, 0);
    }

    fn add_cells(&mut self, repeated: u64, has_value: bool) {
        self.columns = self.columns.saturating_add(repeated).min(MOST_COLUMNS);
        if has_value {
            self.last_row = self.rows.saturating_add(self.repeated).min(MOST_ROWS);
            self.last_column = self.last_column.max(self.columns);
        }
    }

    /// Returns the number of cells up to the last one with a value. Sheets usually end with an empty row
    /// that is repeated up to the last row there can be, which takes no memory.
    fn cells(&self) -> u64 {
        self.last_row * self.last_column
    }
}

/// Returns the number in an attribute, or 1 without one. A wrong one is left to the library.
fn number(element: &BytesStart<'_>, name: &str) -> u64 {
    let found = element.try_get_attribute(name).ok().flatten();
    let value = found.and_then(|attribute| attribute.value.parse().ok());
    value.unwrap_or(1)
}

/// Whether a cell has a value or a formula.
fn has_value(element: &BytesStart<'_>) -> bool {
    let is_value = |name: &str| name.starts_with("office:") || name == "table:formula";
    let mut attributes = element.attributes();
    attributes.with_checks(false).flatten().any(|attribute| is_value(attribute.key.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(rows: &str) -> Result<u64, String> {
        let text = format!("<office:body><table:table>{rows}</table:table></office:body>");
        let size = Size::of_contents(text.as_bytes()).map_err(|error| error.to_string())?;
        Ok(size.cells)
    }

    #[test]
    fn cells_up_to_the_last_value_are_counted() {
        let row = "<table:table-row><table:table-cell office:value='1'/>\
                   <table:table-cell table:number-columns-repeated='3' office:value='2'/>\
                   <table:table-cell table:number-columns-repeated='16380'/></table:table-row>";
        let rest = "<table:table-row table:number-rows-repeated='1048574'>\
                    <table:table-cell table:number-columns-repeated='16384'/></table:table-row>";
        assert_eq!(cells(&format!("{row}{row}{rest}")), Ok(8));
        let bomb = "<table:table-row table:number-rows-repeated='4294967296'>\
                    <table:table-cell table:number-columns-repeated='99999' office:value='1'/>\
                    </table:table-row>";
        assert_eq!(cells(bomb), Ok(MOST_ROWS * MOST_COLUMNS));
    }

    #[test]
    fn contents_that_end_too_early_are_refused() {
        let error = Size::of_contents(&b"<a><table:table><table:table-row/>"[..]);
        let error = error.expect_err("no end").to_string();
        assert!(error.contains("its contents end too early"), "{error}");
        assert!(cells("<b>").is_err());
    }

    #[test]
    fn a_cell_outside_of_any_sheet_is_refused() {
        assert!(check_position(1_048_575, 16_383).is_ok());
        let error = check_position(4_294_967_294, 2).expect_err("too far").to_string();
        assert!(
            error.contains("a cell is in row 4294967295 and column 3; expected at most"),
            "{error}"
        );
    }
}
