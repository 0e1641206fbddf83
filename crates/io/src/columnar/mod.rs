//! Parquet: a table that already stands in typed columns, so that only types and roles have to be matched.
//!
//! Columns are independent in the file, so each core reads its share of them.

mod batch;
mod cells;
mod delta;
mod kind;
mod moments;
mod numbers;
mod pages;
mod share;
mod texts;

use std::fs::File;
use std::path::Path;
use std::thread;

use cells::Cells;
use kind::ParquetKind;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use share::ColumnShare;

use crate::assemble::{Part, Parts, Places};
use crate::error::{ReadError, ReadProblem, shorten};
use crate::number_form::NumberForm;
use crate::options::ReadOptions;
use crate::roles::{self, ColumnRole, Suggestions};
use pellucid_data::Column;

/// A column of the file, or several that are nested in one.
struct Field {
    name: String,
    /// Its kind, or the name of a type that is not supported.
    kind: Result<ParquetKind, String>,
    /// Which of the file's flat columns is its first.
    leaf: usize,
}

/// Reads a Parquet file; `stem` becomes the data set's name.
pub(crate) fn read(path: &Path, stem: &str, options: &ReadOptions) -> Result<Parts, ReadError> {
    let (metadata, fields) = guarded(|| {
        let file = File::open(path).map_err(ReadProblem::Io)?;
        let metadata = ParquetMetaDataReader::new().parse_and_finish(&file).map_err(unsound)?;
        let fields = fields(&metadata);
        Ok((metadata, fields))
    })?;
    let names: Vec<String> = fields.iter().map(|field| field.name.clone()).collect();
    roles::check_names(&names)?;
    let mut notes = Vec::new();
    let suggestions =
        Suggestions { target: roles::by_name(&names), target_last: true, ..Suggestions::default() };
    let roles = roles::assign(&names, options, suggestions, &mut notes)?;
    let mut kept = Vec::new();
    for (column, field) in fields.into_iter().enumerate() {
        match field.kind {
            _ if roles.of[column] == ColumnRole::Ignored => {}
            Ok(kind) => kept.push((column, kind, field.leaf)),
            Err(kind) => {
                return Err(ReadProblem::ColumnType { column: shorten(&field.name), kind }.into());
            }
        }
    }
    let rows = row_count(&metadata, kept.len(), options)?;
    let mut empty = Vec::with_capacity(kept.len());
    for (column, kind, leaf) in kept {
        let as_it_is = match roles.of[column] {
            ColumnRole::Feature | ColumnRole::Numeric => true,
            ColumnRole::Date => moments::are(kind),
            _ => false,
        };
        let cells = Cells::new(kind, !as_it_is, rows)?;
        empty.push(ColumnShare { column, name: &names[column], kind, leaf, cells });
    }
    let mut columns = Vec::with_capacity(empty.len());
    for ColumnShare { column, cells, kind, .. } in share::read(path, &metadata, empty)? {
        let name = names[column].clone();
        if cells.len() != rows {
            let found = format!("column '{}' has {} of {rows} values", shorten(&name), cells.len());
            return Err(ReadProblem::Parquet(found).into());
        }
        let values = cells.finish(&name, &mut notes);
        let mut part = Part::new(&roles, column, Column { name, values });
        moments::date(&mut part, kind);
        columns.push(part);
    }
    Ok(Parts {
        name: stem.to_owned(),
        columns,
        rows,
        places: Places::Rows,
        notes,
        form: NumberForm { decimal: options.decimal.unwrap_or('.'), thousands: options.thousands },
        first_is_first: roles.of.first().is_some_and(|&role| role != ColumnRole::Ignored),
        guessed_target: roles.guessed_target,
        names,
    })
}

/// The columns at the top of the schema.
fn fields(metadata: &ParquetMetaData) -> Vec<Field> {
    let schema = metadata.file_metadata().schema_descr();
    let tops = schema.root_schema().get_fields();
    let mut leaves = vec![usize::MAX; tops.len()];
    for leaf in (0..schema.num_columns()).rev() {
        leaves[schema.get_column_root_idx(leaf)] = leaf;
    }
    tops.iter()
        .zip(leaves)
        .map(|(top, leaf)| Field { name: top.name().to_owned(), kind: kind::of(top), leaf })
        .collect()
}

fn unsound(error: ParquetError) -> ReadProblem {
    ReadProblem::Parquet(error.to_string())
}

/// Runs the library on a thread of its own: what it does not expect in a damaged file is an error, not our end.
fn guarded<T: Send>(
    work: impl FnOnce() -> Result<T, ReadProblem> + Send,
) -> Result<T, ReadProblem> {
    thread::scope(|scope| scope.spawn(work).join().unwrap_or_else(|_| Err(beyond())))
}

fn beyond() -> ReadProblem {
    ReadProblem::Parquet("its contents do not fit together".to_owned())
}

/// How many rows the file declares, if as many values fit within the limits and its groups agree.
fn row_count(
    metadata: &ParquetMetaData,
    columns: usize,
    options: &ReadOptions,
) -> Result<usize, ReadProblem> {
    let limit = options.limits.max_bytes;
    let declared = u64::try_from(metadata.file_metadata().num_rows()).unwrap_or(u64::MAX);
    let bytes = declared.saturating_mul(8).saturating_mul(columns.max(1) as u64);
    let rows = usize::try_from(declared).ok().filter(|_| bytes <= limit);
    let rows = rows.ok_or(ReadProblem::TooLarge { limit })?;
    let in_groups = metadata.row_groups().iter().try_fold(0u64, |sum, group| {
        u64::try_from(group.num_rows()).ok().and_then(|rows| sum.checked_add(rows))
    });
    if in_groups == Some(declared) { Ok(rows) } else { Err(beyond()) }
}
