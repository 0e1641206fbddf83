//! A column while its chunks come in.

use parquet::column::reader::ColumnReader;

use super::kind::Kind;
use super::numbers::Numbers;
use super::{batch, texts};
use crate::error::Problem;
use crate::nominal::Collector;
use pellucid_engine::Values;

/// The rows so far, in the form they will keep.
pub(super) enum Cells {
    Numbers(Numbers),
    Booleans(Vec<Option<bool>>),
    Text(Collector),
}

impl Cells {
    /// An empty column of the fitting form with room for so many rows; `coded` asks for categories whatever the kind.
    pub(super) fn new(kind: Kind, coded: bool, rows: usize) -> Result<Self, Problem> {
        Ok(match kind {
            _ if coded => Self::Text(Collector::default()),
            Kind::Text { .. } => Self::Text(Collector::default()),
            Kind::Boolean => Self::Booleans(Vec::new()),
            _ => {
                let mut values = Vec::new();
                values.try_reserve_exact(rows).map_err(|_| Problem::Memory)?;
                Self::Numbers(Numbers { values, rounded: 0 })
            }
        })
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.values.len(),
            Self::Booleans(values) => values.len(),
            Self::Text(collector) => collector.len(),
        }
    }

    /// Adds so many rows of a column chunk.
    pub(super) fn append(
        &mut self,
        kind: Kind,
        reader: ColumnReader,
        rows: usize,
    ) -> Result<(), Problem> {
        match (self, reader) {
            (Self::Numbers(numbers), reader) => numbers.append(kind, reader, rows),
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
            Self::Numbers(Numbers { values, rounded }) => {
                if rounded > 0 {
                    notes.push(format!("column '{name}' has {rounded} numbers that a double cannot hold; they were rounded"));
                }
                Values::Numeric(values)
            }
            Self::Booleans(values) => Values::Boolean(values),
            Self::Text(collector) => collector.sorted(),
        }
    }
}
