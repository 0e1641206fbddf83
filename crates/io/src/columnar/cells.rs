//! A column while its chunks come in.

use parquet::column::reader::ColumnReader;

use super::kind::ParquetKind;
use super::numbers::NumberReader;
use super::{batch, texts};
use crate::error::ReadProblem;
use crate::nominal::CategoryCollector;
use pellucid_data::Values;

/// The rows so far, in the form they will keep.
pub(super) enum Cells {
    NumberReader(NumberReader),
    Booleans(Vec<Option<bool>>),
    Text(CategoryCollector),
}

impl Cells {
    /// An empty column of the fitting form; `coded` asks for categories whatever the kind. It grows with what comes, not with
    /// what a file promises.
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

    /// Adds so many rows of a column chunk.
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
            (Self::Booleans(_), _) => Err(super::beyond()),
        }
    }

    /// The finished column.
    pub(super) fn finish(self, name: &str, notes: &mut Vec<String>) -> Values {
        match self {
            Self::NumberReader(NumberReader { values, rounded }) => {
                if rounded > 0 {
                    notes.push(format!("column '{name}' has {rounded} numbers that a double cannot hold; they were rounded"));
                }
                Values::Numeric(values.into())
            }
            Self::Booleans(values) => Values::Boolean(values),
            Self::Text(collector) => collector.sorted(),
        }
    }
}
