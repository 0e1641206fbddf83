//! Columns of categories: texts, or numbers and Booleans as texts.

use std::fmt::{Display, Write};

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, ByteArrayType};

use super::batch;
use super::kind::ParquetKind;
use super::numbers::NumberReader;
use crate::cells::number;
use crate::columns::categories::CategoryCollector;
use crate::source::error::ReadProblem;
use pellucid_data::MISSING;

/// Adds the given number of rows of a column chunk.
pub(super) fn append(
    collector: &mut CategoryCollector,
    kind: ParquetKind,
    reader: ColumnReader,
    rows: usize,
) -> Result<(), ReadProblem> {
    use ColumnReader as C;
    match (kind, reader) {
        (ParquetKind::Text { declared }, C::ByteArrayColumnReader(reader)) => {
            append_texts(collector, declared, reader, rows)
        }
        (ParquetKind::Boolean, C::BoolColumnReader(reader)) => {
            batch::each(reader, rows, |batch| push_shown(collector, batch.rows()))
        }
        (ParquetKind::Signed64, C::Int64ColumnReader(reader)) => {
            batch::each(reader, rows, |batch| push_shown(collector, batch.rows()))
        }
        (ParquetKind::Unsigned64, C::Int64ColumnReader(reader)) => {
            batch::each(reader, rows, |batch| {
                push_shown(
                    collector,
                    batch.rows().map(|value| value.map(|value| value.cast_unsigned())),
                )
            })
        }
        (kind, reader) => {
            let mut numbers = NumberReader::default();
            numbers.append(kind, reader, rows)?;
            let shown = |value: f64| (!value.is_nan()).then(|| number::print(value));
            push_shown(collector, numbers.values.into_iter().map(shown))
        }
    }
}

fn push_shown<T: Display>(
    collector: &mut CategoryCollector,
    values: impl Iterator<Item = Option<T>>,
) -> Result<(), ReadProblem> {
    let mut text = String::new();
    for value in values {
        text.clear();
        match value {
            // Writing into a string cannot fail.
            Some(value) if write!(text, "{value}").is_ok() => collector.push(&text)?,
            _ => collector.push_missing(),
        }
    }
    Ok(())
}

fn append_texts(
    collector: &mut CategoryCollector,
    declared: bool,
    reader: ColumnReaderImpl<ByteArrayType>,
    rows: usize,
) -> Result<(), ReadProblem> {
    let mut recent = RecentCodes::default();
    batch::each(reader, rows, |batch| {
        recent.forget();
        for value in batch.rows() {
            let Some(bytes) = value.map(ByteArray::data) else {
                collector.push_missing();
                continue;
            };
            if let Some(code) = recent.code(bytes) {
                collector.push_code(code);
            } else {
                let text = std::str::from_utf8(bytes).map_err(|_| not_text(declared))?;
                collector.push(text)?;
                recent.keep(bytes, collector.last());
            }
        }
        Ok(())
    })
}

/// Returns the error for bytes that are not text. If the file does not declare them as text, the
/// type is not supported; the caller adds the name of the column.
fn not_text(declared: bool) -> ReadProblem {
    if declared {
        ReadProblem::Parquet("found bytes that are not valid UTF-8".to_owned())
    } else {
        ReadProblem::ColumnType { column: String::new(), kind: "Binary".to_owned() }
    }
}

const SLOTS: usize = 1 << 10;

/// The codes of recent texts by address: values from a dictionary share the same bytes.
///
/// Valid only while those bytes live, which is for one batch.
struct RecentCodes(Vec<(usize, usize, u32)>);

impl Default for RecentCodes {
    fn default() -> Self {
        Self(vec![(0, 0, MISSING); SLOTS])
    }
}

impl RecentCodes {
    fn forget(&mut self) {
        self.0.fill((0, 0, MISSING));
    }

    fn code(&self, bytes: &[u8]) -> Option<u32> {
        let address = bytes.as_ptr().addr();
        let (known, length, code) = self.0[address % SLOTS];
        (known == address && length == bytes.len()).then_some(code)
    }

    fn keep(&mut self, bytes: &[u8], code: u32) {
        let address = bytes.as_ptr().addr();
        self.0[address % SLOTS] = (address, bytes.len(), code);
    }
}
