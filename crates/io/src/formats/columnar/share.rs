//! Distributes the columns over the cores. Each core opens the file itself and reads whole columns.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use parquet::column::reader::get_column_reader;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::serialized_reader::SerializedPageReader;

use super::cells::Cells;
use super::kind::ParquetKind;
use super::pages::CheckedPages;
use super::{footer, headers, inconsistent, invalid};
use crate::source::error::{ReadProblem, shorten};
use crate::source::guard::catch_panics;
use crate::source::options::{Limits, ReadOptions};
use crate::source::threads;

/// A column that is being filled.
pub(super) struct ColumnShare<'a> {
    /// Its index among the top-level columns of the schema.
    pub(super) column: usize,
    pub(super) name: &'a str,
    pub(super) kind: ParquetKind,
    /// Its index among the flat columns.
    pub(super) leaf: usize,
    pub(super) cells: Cells,
}

/// Fills the columns in parallel; returns the error of the first column that cannot be read.
pub(super) fn read<'a>(
    path: &Path,
    metadata: &ParquetMetaData,
    length: u64,
    empty: Vec<ColumnShare<'a>>,
    options: &ReadOptions,
) -> Result<Vec<ColumnShare<'a>>, ReadProblem> {
    let chunks = Chunks { metadata, length, limits: options.limits };
    let filled = threads::map(options.cores(), empty, |column| {
        catch_panics(inconsistent, || read_share(path, &chunks, column))
    });
    filled.into_iter().collect()
}

/// The metadata that all cores share.
struct Chunks<'m> {
    metadata: &'m ParquetMetaData,
    length: u64,
    limits: Limits,
}

fn read_share<'a>(
    path: &Path,
    chunks: &Chunks<'_>,
    mut filling: ColumnShare<'a>,
) -> Result<ColumnShare<'a>, ReadProblem> {
    // Each thread opens the file, because threads that share a file share its offset.
    let file = Arc::new(File::open(path).map_err(ReadProblem::Io)?);
    let result = read_column(&file, chunks, &mut filling);
    result.map_err(|problem| named(problem, filling.name))?;
    Ok(filling)
}

fn read_column(
    file: &Arc<File>,
    chunks: &Chunks<'_>,
    filling: &mut ColumnShare<'_>,
) -> Result<(), ReadProblem> {
    for group in chunks.metadata.row_groups() {
        let rows = usize::try_from(group.num_rows()).map_err(|_| inconsistent())?;
        if rows == 0 {
            continue;
        }
        let chunk = group.columns().get(filling.leaf).ok_or_else(inconsistent)?;
        let range = footer::chunk_range(chunk, chunks.length)?;
        headers::check(file, range, chunk.compression(), &chunks.limits)?;
        let pages =
            SerializedPageReader::new(Arc::clone(file), chunk, rows, None).map_err(invalid)?;
        let column = chunk.column_descr_ptr();
        let pages = CheckedPages::new(pages, rows, column.max_def_level() > 0);
        let reader = get_column_reader(column, Box::new(pages));
        filling.cells.append(filling.kind, reader, rows)?;
    }
    Ok(())
}

/// Adds the name of the column to a problem.
fn named(problem: ReadProblem, name: &str) -> ReadProblem {
    let column = shorten(name);
    match problem {
        ReadProblem::ColumnType { kind, .. } => ReadProblem::ColumnType { column, kind },
        ReadProblem::Parquet(what) => ReadProblem::Parquet(format!("column '{column}': {what}")),
        other => other,
    }
}
