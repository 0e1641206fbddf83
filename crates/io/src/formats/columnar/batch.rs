//! Reads column chunks in batches of rows.

use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{DataType, DoubleType};

use super::invalid;
use crate::source::error::ReadProblem;

const BATCH_ROWS: usize = 16 << 10;

/// A batch of rows of a flat column.
pub(super) struct RowBatch<T> {
    values: Vec<T>,
    /// Whether each row has a value (1 or 0); empty if the column is never missing.
    levels: Vec<i16>,
}

impl<T> RowBatch<T> {
    /// Returns the rows in order; `None` for a missing value.
    pub(super) fn rows(&self) -> impl Iterator<Item = Option<&T>> {
        let rows = if self.levels.is_empty() { self.values.len() } else { self.levels.len() };
        let mut values = self.values.iter();
        (0..rows).map(move |row| match self.levels.get(row) {
            Some(0) => None,
            _ => values.next(),
        })
    }
}

/// Passes the given number of rows of a column chunk to `take`, batch by batch.
pub(super) fn each<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    rows: usize,
    mut take: impl FnMut(&RowBatch<T::T>) -> Result<(), ReadProblem>,
) -> Result<(), ReadProblem> {
    let mut batch = RowBatch { values: Vec::new(), levels: Vec::new() };
    let mut left = rows;
    while left > 0 {
        batch.values.clear();
        batch.levels.clear();
        let wanted = left.min(BATCH_ROWS);
        let levels = Some(&mut batch.levels);
        let (read, ..) =
            reader.read_records(wanted, levels, None, &mut batch.values).map_err(invalid)?;
        left -= counted(read, wanted)?;
        take(&batch)?;
    }
    Ok(())
}

/// Appends the given number of rows of a chunk of doubles, which need no conversion.
pub(super) fn append_doubles(
    mut reader: ColumnReaderImpl<DoubleType>,
    rows: usize,
    values: &mut Vec<f64>,
) -> Result<(), ReadProblem> {
    let mut levels = Vec::new();
    let mut left = rows;
    while left > 0 {
        levels.clear();
        let start = values.len();
        let wanted = left.min(BATCH_ROWS);
        let (read, found, _) =
            reader.read_records(wanted, Some(&mut levels), None, values).map_err(invalid)?;
        left -= counted(read, wanted)?;
        if found < read {
            spread(values, start, &levels);
        }
    }
    Ok(())
}

/// Moves the values from `start` on to the rows that have a value, from the last to the first.
fn spread(values: &mut Vec<f64>, start: usize, levels: &[i16]) {
    let mut from = values.len();
    values.resize(start + levels.len(), f64::NAN);
    for (row, &level) in levels.iter().enumerate().rev() {
        values[start + row] = if level == 0 {
            f64::NAN
        } else {
            from -= 1;
            values[from]
        };
    }
}

/// Returns the number of rows read, if it is between 1 and the number requested.
fn counted(read: usize, wanted: usize) -> Result<usize, ReadProblem> {
    if (1..=wanted).contains(&read) {
        Ok(read)
    } else {
        Err(ReadProblem::Parquet("the values end before the rows".to_owned()))
    }
}
