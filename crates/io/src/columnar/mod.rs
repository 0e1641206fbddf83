//! Parquet: a table that already stands in typed columns, so that only types and roles have to be matched.
//!
//! Columns are independent in the file, so each core reads its share of them.

mod cells;

use std::fs::File;
use std::path::Path;
use std::thread;

use arrow_schema::DataType;
use cells::Cells;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};

use crate::assemble::{Parts, Places};
use crate::dataset::Column;
use crate::error::{Problem, ReadError, shorten};
use crate::options::ReadOptions;
use crate::roles::{self, Role, Suggestions};

const BATCH_ROWS: usize = 16 << 10;

/// Reads a Parquet file; `stem` becomes the data set's name.
pub(crate) fn read(path: &Path, stem: &str, options: &ReadOptions) -> Result<Parts, ReadError> {
    let metadata = guarded(|| {
        let file = File::open(path).map_err(Problem::Io)?;
        ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()).map_err(unsound)
    })?;
    let fields = metadata.schema().fields();
    let names: Vec<String> = fields.iter().map(|field| field.name().clone()).collect();
    roles::check_names(&names)?;
    let mut notes = Vec::new();
    let suggestions =
        Suggestions { target: roles::by_name(&names), target_last: true, ..Suggestions::default() };
    let roles = roles::assign(&names, options, suggestions, &mut notes)?;
    let kept: Vec<usize> =
        (0..names.len()).filter(|&column| roles[column] != Role::Ignored).collect();
    for &column in &kept {
        let kind = fields[column].data_type();
        if !cells::supported(kind) {
            return Err(Problem::ColumnType {
                column: shorten(&names[column]),
                kind: kind.to_string(),
            }
            .into());
        }
    }
    let rows = row_count(&metadata, kept.len(), options)?;
    let mut empty = Vec::with_capacity(kept.len());
    for &column in &kept {
        empty.push((
            column,
            Cells::new(fields[column].data_type(), roles[column] != Role::Feature, rows)?,
        ));
    }
    let mut columns = Vec::with_capacity(kept.len());
    for (column, cells) in read_shares(path, &metadata, empty, rows)? {
        if cells.len() != rows {
            let found = format!(
                "column '{}' has {} of {rows} values",
                shorten(&names[column]),
                cells.len()
            );
            return Err(Problem::Parquet(found).into());
        }
        let name = names[column].clone();
        columns.push((roles[column], Column { values: cells.finish(&name, &mut notes), name }));
    }
    Ok(Parts { name: stem.to_owned(), columns, rows, places: Places::Rows, notes })
}

fn unsound(error: parquet::errors::ParquetError) -> Problem {
    Problem::Parquet(error.to_string())
}

/// Runs the library on a thread of its own: what it does not expect in a damaged file is an error, not our end.
fn guarded<T: Send>(work: impl FnOnce() -> Result<T, Problem> + Send) -> Result<T, Problem> {
    thread::scope(|scope| scope.spawn(work).join().unwrap_or_else(|_| Err(beyond())))
}

fn beyond() -> Problem {
    Problem::Parquet("its contents do not fit together".to_owned())
}

/// How many rows the file declares, if as many values fit within the limits.
fn row_count(
    metadata: &ArrowReaderMetadata,
    columns: usize,
    options: &ReadOptions,
) -> Result<usize, Problem> {
    let limit = options.limits.max_bytes;
    let declared =
        u64::try_from(metadata.metadata().file_metadata().num_rows()).unwrap_or(u64::MAX);
    let bytes = declared.saturating_mul(8).saturating_mul(columns.max(1) as u64);
    usize::try_from(declared).ok().filter(|_| bytes <= limit).ok_or(Problem::TooLarge { limit })
}

/// Gives each core a share of the columns, and puts the filled columns back in order.
fn read_shares(
    path: &Path,
    metadata: &ArrowReaderMetadata,
    empty: Vec<(usize, Cells)>,
    rows: usize,
) -> Result<Vec<(usize, Cells)>, Problem> {
    let cores = thread::available_parallelism().map_or(1, usize::from).min(empty.len()).max(1);
    let mut shares: Vec<Vec<(usize, Cells)>> = (0..cores).map(|_| Vec::new()).collect();
    for (position, column) in empty.into_iter().enumerate() {
        shares[position % cores].push(column);
    }
    let filled: Vec<Result<Vec<(usize, Cells)>, Problem>> = thread::scope(|scope| {
        let started: Vec<_> = shares
            .into_iter()
            .map(|share| scope.spawn(move || read_share(path, metadata, share, rows)))
            .collect();
        started.into_iter().map(|thread| thread.join().unwrap_or_else(|_| Err(beyond()))).collect()
    });
    let mut columns = Vec::new();
    for share in filled {
        columns.extend(share?);
    }
    columns.sort_by_key(|&(column, _)| column);
    Ok(columns)
}

fn read_share(
    path: &Path,
    metadata: &ArrowReaderMetadata,
    mut share: Vec<(usize, Cells)>,
    rows: usize,
) -> Result<Vec<(usize, Cells)>, Problem> {
    if share.is_empty() {
        return Ok(share);
    }
    let file = File::open(path).map_err(Problem::Io)?;
    let mask =
        ProjectionMask::roots(metadata.parquet_schema(), share.iter().map(|&(column, _)| column));
    let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata.clone());
    let reader =
        builder.with_projection(mask).with_batch_size(BATCH_ROWS).build().map_err(unsound)?;
    let mut read = 0;
    for batch in reader {
        let batch = batch.map_err(|error| Problem::Parquet(error.to_string()))?;
        read += batch.num_rows();
        if read > rows || batch.num_columns() != share.len() {
            return Err(beyond());
        }
        for ((_, cells), array) in share.iter_mut().zip(batch.columns()) {
            cells.append(array.as_ref())?;
        }
    }
    Ok(share)
}

/// The type of a dictionary's values, or the type itself.
fn plain(kind: &DataType) -> &DataType {
    match kind {
        DataType::Dictionary(_, values) => values,
        other => other,
    }
}
