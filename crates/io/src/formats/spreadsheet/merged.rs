//! Merged cells. A merged cell has its value in its first cell, and the others are empty: names
//! above several columns are joined with the names below them, and a value beside several rows is
//! the value of each of them.

use super::grid::Grid;
use crate::source::error::shorten;
use calamine::Dimensions;
use pellucid_data::{Message, message};

/// The last row that may hold names above the names of columns.
const LAST_HEADER_ROW: u32 = 10;
/// The maximum number of cells to fill, so that a hostile sheet does not fill the memory.
const MOST_FILLED: u64 = 1_000_000;

/// Joins names in merged cells with those below them, and fills merged cells of several rows.
pub(super) fn resolve(grid: &mut Grid, merged: &[Dimensions], notes: &mut Vec<Message>) {
    let header = merged.iter().filter(|area| is_above_names(grid, area)).map(|area| area.start.0);
    if let Some(row) = header.min() {
        join_names(grid, row, merged, notes);
    }
    let mut filled = 0;
    for area in merged.iter().filter(|area| area.end.0 > area.start.0) {
        filled += fill(grid, area, MOST_FILLED - filled);
    }
    if filled > 0 {
        notes.push(message!("filled {filled} merged cells with the value of their first cell"));
    }
}

/// Whether an area holds a name for several columns: it covers several columns of one row, its row
/// has other values, and there is a text below each of its columns. A title has its row for itself.
fn is_above_names(grid: &Grid, area: &Dimensions) -> bool {
    let ((row, first), (last_row, last)) = (area.start, area.end);
    let below =
        |column: u32| grid.get(row + 1, column).is_some_and(|text| text.parse::<f64>().is_err());
    row == last_row
        && row <= LAST_HEADER_ROW
        && last > first
        && u64::from(last - first) < MOST_FILLED
        && grid.get(row, first).is_some()
        && grid.row(row).len() > 1
        && (first..=last).all(below)
}

/// Joins the names in a row with those in the row below it.
fn join_names(grid: &mut Grid, row: u32, merged: &[Dimensions], notes: &mut Vec<Message>) {
    let Some((first, last)) = grid.columns() else { return };
    let above = |grid: &Grid, column: u32| {
        let area = merged.iter().find(|area| area.start.0 == row && area.contains(row, column));
        let start = area.map_or(column, |area| area.start.1);
        grid.get(row, start).map(str::to_owned)
    };
    let mut example = None;
    for column in first..=last {
        let below = grid.get(row + 1, column).map(str::to_owned);
        let name = match (above(grid, column), below) {
            (Some(above), Some(below)) if above != below => {
                let name = format!("{above} {below}");
                example.get_or_insert_with(|| name.clone());
                name
            }
            (above, below) => below.or(above).unwrap_or_default(),
        };
        grid.put(row + 1, column, name);
    }
    for column in first..=last {
        grid.put(row, column, String::new());
    }
    let (one, two, example) = (row + 1, row + 2, shorten(&example.unwrap_or_default()));
    notes.push(message!("joined the column names in lines {one} and {two}, as in '{example}'"));
}

/// Fills an area with the value of its first cell and returns the number of cells filled.
fn fill(grid: &mut Grid, area: &Dimensions, most: u64) -> u64 {
    let ((first_row, first), (last_row, last)) = (area.start, area.end);
    let size = u64::from(last_row - first_row + 1) * u64::from(last.saturating_sub(first) + 1);
    let value = grid.get(first_row, first).map(str::to_owned);
    let Some(value) = value.filter(|_| size <= most) else { return 0 };
    let mut filled = 0;
    for row in first_row..=last_row {
        for column in first..=last {
            if grid.get(row, column).is_none() {
                grid.put(row, column, value.clone());
                filled += 1;
            }
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(rows: &[&[&str]]) -> Grid {
        let mut grid = Grid::default();
        for (row, cells) in (0..).zip(rows) {
            for (column, text) in (0..).zip(*cells) {
                grid.put(row, column, (*text).to_owned());
            }
        }
        grid
    }

    fn area(start: (u32, u32), end: (u32, u32)) -> Dimensions {
        Dimensions::new(start, end)
    }

    fn row(grid: &Grid, row: u32) -> Vec<&str> {
        grid.row(row).iter().map(|(_, text)| text.as_str()).collect()
    }

    #[test]
    fn names_above_several_columns_are_joined_with_those_below() {
        let mut sheet =
            grid(&[&["id", "pressure", ""], &["", "systolic", "diastolic"], &["1", "120", "80"]]);
        let mut notes = Vec::new();
        resolve(&mut sheet, &[area((0, 0), (1, 0)), area((0, 1), (0, 2))], &mut notes);
        assert_eq!(row(&sheet, 0), [""; 0]);
        assert_eq!(row(&sheet, 1), ["id", "pressure systolic", "pressure diastolic"]);
        assert_eq!(
            notes[0].to_string(),
            "joined the column names in lines 1 and 2, as in 'pressure systolic'"
        );
    }

    #[test]
    fn a_title_is_not_joined() {
        let mut sheet = grid(&[&["Patients", "", ""], &["id", "age", "ill"], &["1", "2", "x"]]);
        resolve(&mut sheet, &[area((0, 0), (0, 2))], &mut Vec::new());
        assert_eq!(row(&sheet, 1), ["id", "age", "ill"]);
    }

    #[test]
    fn a_value_beside_several_rows_is_the_value_of_each() {
        let mut sheet = grid(&[&["bag", "x"], &["a", "1"], &["", "2"], &["b", "3"]]);
        let mut notes = Vec::new();
        resolve(&mut sheet, &[area((1, 0), (2, 0))], &mut notes);
        assert_eq!(row(&sheet, 2), ["a", "2"]);
        assert_eq!(notes.len(), 1);
        // An area of the whole sheet is not filled.
        resolve(&mut sheet, &[area((1, 0), (1_048_575, 16_383))], &mut notes);
        assert_eq!(notes.len(), 1);
    }
}
