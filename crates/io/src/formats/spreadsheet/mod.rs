//! Spreadsheets: a sheet of an `.xlsx` or `.ods` file becomes delimited text, so that it is read
//! like a CSV file: with titles, totals, dates and units, and with the same notes. A line of the
//! text is a row of the sheet.

mod bounds;
mod cell;
mod grid;
mod merged;

use std::io::Cursor;

use calamine::{Ods, Reader, Xlsx};
use grid::Grid;

use crate::source::error::{ReadError, ReadProblem, listed};
use crate::source::guard::catch_panics;
use crate::source::options::{Limits, Quoting, ReadOptions};
use pellucid_data::{Message, message, parameter};

/// Returns the sheet as text. [`options_for_text`] returns the options to read it with.
pub(crate) fn to_text(
    bytes: Vec<u8>,
    options: &ReadOptions,
    notes: &mut Vec<Message>,
) -> Result<String, ReadError> {
    let length = bytes.len() as u64;
    let broken = || ReadProblem::Spreadsheet("its contents are inconsistent".to_owned());
    let grid = catch_panics(broken, || {
        check_size(&bytes, &options.limits)?;
        let is_ods = has_part(&bytes, "content.xml");
        if is_ods { read_ods(bytes, options, notes) } else { read_xlsx(bytes, options, notes) }
    })?;
    Ok(grid.to_text(length, &options.limits)?)
}

/// Returns the options for reading the text of a sheet.
pub(crate) fn options_for_text(options: &ReadOptions) -> ReadOptions {
    let mut options = options.clone();
    options.delimiter = Some(grid::DELIMITER);
    options.quoting = Quoting::Char(grid::QUOTE);
    options
}

/// Checks the declared sizes of an archive before it is unpacked.
fn check_size(bytes: &[u8], limits: &Limits) -> Result<(), ReadProblem> {
    let not_table = |_| ReadProblem::NotTable { what: "a damaged zip archive or spreadsheet" };
    let archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(not_table)?;
    let size = archive.decompressed_size().unwrap_or(u128::MAX);
    if size > u128::from(limits.max_bytes) {
        return Err(ReadProblem::TooLarge { limit: limits.max_bytes });
    }
    let is_large = size > u128::from(Limits::EXPANSION_FREE_BYTES);
    if is_large && size / u128::from(limits.max_expansion.max(1)) > bytes.len() as u128 {
        return Err(ReadProblem::Expands { limit: limits.max_expansion });
    }
    let is_spreadsheet =
        archive.file_names().flatten().any(|name| name == "content.xml" || name.starts_with("xl/"));
    match is_spreadsheet {
        true => Ok(()),
        false => Err(ReadProblem::NotTable { what: "a zip archive; extract it first" }),
    }
}

/// Whether an archive has a part of this name.
fn has_part(bytes: &[u8], name: &str) -> bool {
    let archive = zip::ZipArchive::new(Cursor::new(bytes));
    archive.is_ok_and(|archive| archive.index_for_name(name).is_some())
}

fn read_xlsx(
    bytes: Vec<u8>,
    options: &ReadOptions,
    notes: &mut Vec<Message>,
) -> Result<Grid, ReadProblem> {
    let mut book = Xlsx::new(Cursor::new(bytes)).map_err(invalid)?;
    let sheet = choose_sheet(book.sheet_names(), options, notes)?;
    let merged = book.merge_cells_by_sheet_name(&sheet).unwrap_or_default();
    let mut cells = book.worksheet_cells_reader(&sheet).map_err(invalid)?;
    let mut grid = Grid::default();
    while let Some(found) = cells.next_cell().map_err(invalid)? {
        let (row, column) = found.get_position();
        bounds::check_position(row, column)?;
        grid.put(row, column, cell::text(&found.get_value().clone().into()));
    }
    merged::resolve(&mut grid, &merged, notes);
    filled(grid, &sheet)
}

fn read_ods(
    bytes: Vec<u8>,
    options: &ReadOptions,
    notes: &mut Vec<Message>,
) -> Result<Grid, ReadProblem> {
    bounds::check_open_document(&bytes, &options.limits)?;
    let mut book: Ods<_> = Ods::new(Cursor::new(bytes)).map_err(invalid)?;
    let sheet = choose_sheet(book.sheet_names(), options, notes)?;
    let range = book.worksheet_range(&sheet).map_err(invalid)?;
    let (first_row, first_column) = range.start().unwrap_or_default();
    let mut grid = Grid::default();
    for (row, column, value) in range.used_cells() {
        let row = u32::try_from(row).map_err(|_| ReadProblem::Memory)?;
        let column = u32::try_from(column).map_err(|_| ReadProblem::Memory)?;
        let (row, column) = (first_row.saturating_add(row), first_column.saturating_add(column));
        bounds::check_position(row, column)?;
        grid.put(row, column, cell::text(value));
    }
    filled(grid, &sheet)
}

/// Returns the grid, unless it has no cells.
fn filled(grid: Grid, sheet: &str) -> Result<Grid, ReadProblem> {
    match grid.columns() {
        Some(_) => Ok(grid),
        None => Err(ReadProblem::Options(message!("sheet '{sheet}' is empty; expected a table"))),
    }
}

/// Returns the sheet that the caller named, by name or by number from 1, or the first one.
fn choose_sheet(
    sheets: Vec<String>,
    options: &ReadOptions,
    notes: &mut Vec<Message>,
) -> Result<String, ReadProblem> {
    let Some(first) = sheets.first() else {
        return Err(ReadProblem::Spreadsheet("it has no sheets".to_owned()));
    };
    let Some(wanted) = &options.sheet else {
        if let [_, others @ ..] = &sheets[..]
            && !others.is_empty()
        {
            let (count, others) = (sheets.len(), listed(others));
            notes.push(message!(
                "read sheet '{first}', the first of {count}; use `",
                parameter("sheet"),
                "` to read another one: {others}"
            ));
        }
        return Ok(first.clone());
    };
    let by_number =
        || wanted.parse::<usize>().ok().and_then(|number| sheets.get(number.checked_sub(1)?));
    let found = sheets.iter().find(|name| *name == wanted).or_else(by_number);
    found.cloned().ok_or_else(|| {
        let known = listed(&sheets);
        ReadProblem::Options(message!("found no sheet '{wanted}'; expected one of {known}"))
    })
}

fn invalid(error: impl std::fmt::Display) -> ReadProblem {
    ReadProblem::Spreadsheet(error.to_string())
}
