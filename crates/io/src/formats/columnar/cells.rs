//! Fills a column from its chunks.

use parquet::column::reader::ColumnReader;

use super::kind::ParquetKind;
use super::numbers::NumberReader;
use super::{batch, texts};
use crate::columns::categories::CategoryCollector;
use crate::source::error::{ReadProblem, counted};
use pellucid_data::{Message, Values};

/// The rows so far, with the type of the column.
pub(super) enum Cells {
    NumberReader(NumberReader),
    Booleans(Vec<Option<bool>>),
    Text(CategoryCollector),
}

impl Cells {
    /// Creates an empty column for a kind; `coded` makes it categories. It grows with the values
    /// that are read, not with the number that the file declares.
    pub(super) fn new(kind: ParquetKind, coded: bool) -> Self {
        match kind {
            _ if coded => Self::Text(CategoryCollector::default()),
            ParquetKind::Text { .. } => Self::Text(CategoryCollector::default()),
            ParquetKind::Boolean => Self::Booleans(Vec::new()),
            _ => Self::NumberReader(NumberReader::default()),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::NumberReader(numbers) => numbers.values.len(),
            Self::Booleans(values) => values.len(),
            Self::Text(collector) => collector.len(),
        }
    }

    /// Adds the given number of rows of a column chunk.
    pub(super) fn append(
        &mut self,
        kind: ParquetKind,
        reader: ColumnReader,
        rows: usize,
    ) -> Result<(), ReadProblem> {
        match (self, reader) {
            (Self::NumberReader(numbers), reader) => numbers.append(kind, reader, rows),
            (Self::Text(collector), reader) => texts::append(collector, kind, reader, rows),
            (Self::Booleans(values), ColumnReader::BoolColumnReader(reader)) => {
                batch::each(reader, rows, |batch| {
                    values.extend(batch.rows().map(Option::<&bool>::copied));
                    Ok(())
                })
            }
            (Self::Booleans(_), _) => Err(super::inconsistent()),
        }
    }

    /// Returns the finished column.
    pub(super) fn finish(self, name: &str, notes: &mut Vec<Message>) -> Values {
        match self {
            Self::NumberReader(NumberReader { values, rounded }) => {
                if rounded > 0 {
                    notes.push(
                        format!(
                            "rounded {} of column '{name}' that a double cannot represent",
                            counted(rounded, "number")
                        )
                        .into(),
                    );
                }
                Values::Numeric(values.into())
            }
            Self::Booleans(values) => Values::Boolean(values),
            Self::Text(collector) => collector.sorted(),
        }
    }
}
