//! The cells of a sheet. Rows are sparse, so that a single cell far away does not fill the memory.

use crate::source::error::ReadProblem;
use crate::source::options::Limits;

pub(super) const DELIMITER: char = ',';
pub(super) const QUOTE: char = '"';

/// The cells that are not empty, by row; rows and columns count from 0.
#[derive(Debug, Default)]
pub(super) struct Grid {
    rows: Vec<Vec<(u32, String)>>,
}

impl Grid {
    /// Sets the text of a cell; an empty text removes it.
    pub(super) fn put(&mut self, row: u32, column: u32, text: String) {
        let row = row as usize;
        if row >= self.rows.len() {
            if text.is_empty() {
                return;
            }
            self.rows.resize_with(row + 1, Vec::new);
        }
        let cells = &mut self.rows[row];
        match (cells.binary_search_by_key(&column, |(column, _)| *column), text.is_empty()) {
            (Ok(at), true) => drop(cells.remove(at)),
            (Ok(at), false) => cells[at].1 = text,
            (Err(_), true) => {}
            (Err(at), false) => cells.insert(at, (column, text)),
        }
    }

    /// Returns the text of a cell, if it has one.
    pub(super) fn get(&self, row: u32, column: u32) -> Option<&str> {
        let cells = self.rows.get(row as usize)?;
        let at = cells.binary_search_by_key(&column, |(column, _)| *column).ok()?;
        Some(&cells[at].1)
    }

    /// Returns the cells of a row that are not empty.
    pub(super) fn row(&self, row: u32) -> &[(u32, String)] {
        self.rows.get(row as usize).map_or(&[], Vec::as_slice)
    }

    /// Returns the first and the last column with a cell.
    pub(super) fn columns(&self) -> Option<(u32, u32)> {
        let ends = |cells: &Vec<(u32, String)>| Some((cells.first()?.0, cells.last()?.0));
        let mut all = self.rows.iter().filter_map(ends);
        let first = all.next()?;
        Some(all.fold(first, |(low, high), (first, last)| (low.min(first), high.max(last))))
    }

    /// Returns the grid as delimited text with all values in quotes: one line per row, and a blank
    /// line for an empty row. `length` is the size of the file.
    pub(super) fn to_text(&self, length: u64, limits: &Limits) -> Result<String, ReadProblem> {
        let Some((first, last)) = self.columns() else { return Err(ReadProblem::Empty) };
        let columns = last as usize - first as usize + 1;
        limits.check_columns(columns)?;
        let most = length.saturating_mul(limits.max_expansion).max(Limits::EXPANSION_FREE_BYTES);
        let mut text = String::new();
        for cells in &self.rows {
            let mut next = first;
            for (column, value) in cells {
                for _ in next..*column {
                    text.push(DELIMITER);
                }
                text.push(QUOTE);
                text.push_str(&value.replace(QUOTE, "\"\""));
                text.push(QUOTE);
                next = *column;
            }
            if !cells.is_empty() {
                text.extend((next..last).map(|_| DELIMITER));
            }
            text.push('\n');
            if text.len() as u64 > most {
                return Err(ReadProblem::Expands { limit: limits.max_expansion });
            }
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::Grid;
    use crate::source::options::Limits;

    #[test]
    fn rows_become_lines() {
        let mut grid = Grid::default();
        for (row, column, text) in [(1, 2, "b"), (1, 1, "a"), (3, 1, "1"), (4, 3, "say \"x\", y")] {
            grid.put(row, column, text.to_owned());
        }
        let text = grid.to_text(1000, &Limits::default()).expect("a small sheet");
        assert_eq!(text, "\n\"a\",\"b\",\n\n\"1\",,\n,,\"say \"\"x\"\", y\"\n");
        grid.put(4, 3, String::new());
        assert_eq!((grid.get(4, 3), grid.columns()), (None, Some((1, 2))));
    }

    #[test]
    fn a_sheet_with_cells_far_apart_is_refused() {
        let mut grid = Grid::default();
        for row in 0..100_000 {
            grid.put(row, 16_383, "x".to_owned());
        }
        grid.put(0, 0, "x".to_owned());
        let error = grid.to_text(1000, &Limits::default()).expect_err("too large").to_string();
        assert!(error.contains("decompression bomb"), "{error}");
    }
}
