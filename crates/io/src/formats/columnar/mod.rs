//! Parquet, a table of typed columns. Each core reads some of the columns.

mod batch;
mod cells;
mod delta;
mod footer;
mod headers;
mod kind;
mod numbers;
mod pages;
mod runs;
mod share;
mod texts;
mod thrift;

use std::fs::File;
use std::path::Path;

use cells::Cells;
use kind::ParquetKind;
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use share::ColumnShare;

use crate::cells::number_form::NumberForm;
use crate::columns::date_unit;
use crate::columns::parsed::{ParsedColumn, ParsedTable, RowPositions};
use crate::columns::roles::{self, AssignedRole, Suggestions};
use crate::source::error::{ReadError, ReadProblem, shorten};
use crate::source::guard::catch_panics;
use crate::source::options::{Limits, ReadOptions};
use pellucid_data::Column;

/// A top-level column of the file, which may be nested.
struct Field {
    name: String,
    /// Its kind, or the name of a type that is not supported.
    kind: Result<ParquetKind, String>,
    /// The index of its first flat column.
    leaf: usize,
}

/// Reads a Parquet file; `stem` becomes the name of the data set.
pub(crate) fn read(
    path: &Path,
    stem: &str,
    options: &ReadOptions,
) -> Result<ParsedTable, ReadError> {
    let (metadata, length, fields) = catch_panics(inconsistent, || {
        let mut file = File::open(path).map_err(ReadProblem::Io)?;
        let (metadata, length) = footer::read(&mut file, &options.limits)?;
        let fields = fields(&metadata);
        Ok((metadata, length, fields))
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
            _ if roles.of[column] == AssignedRole::Ignored => {}
            Ok(kind) => kept.push((column, kind, field.leaf)),
            Err(kind) => {
                return Err(ReadProblem::ColumnType { column: shorten(&field.name), kind }.into());
            }
        }
    }
    let rows = row_count(&metadata, kept.len(), length, options)?;
    let mut empty = Vec::with_capacity(kept.len());
    for (column, kind, leaf) in kept {
        let as_it_is = match roles.of[column] {
            AssignedRole::Feature | AssignedRole::Numeric => true,
            AssignedRole::Date => kind.counts().is_some(),
            _ => false,
        };
        let cells = Cells::new(kind, !as_it_is);
        empty.push(ColumnShare { column, name: &names[column], kind, leaf, cells });
    }
    let mut columns = Vec::with_capacity(empty.len());
    let shares = share::read(path, &metadata, length, empty, options)?;
    for ColumnShare { column, cells, kind, .. } in shares {
        let name = names[column].clone();
        if cells.len() != rows {
            let found =
                format!("column '{}' has {} values; expected {rows}", shorten(&name), cells.len());
            return Err(ReadProblem::Parquet(found).into());
        }
        let values = cells.finish(&name, &mut notes);
        let mut parsed = ParsedColumn::new(&roles, column, Column { name, values });
        if let Some(counted) = kind.counts() {
            date_unit::date(&mut parsed, counted);
        }
        columns.push(parsed);
    }
    Ok(ParsedTable {
        name: stem.to_owned(),
        columns,
        rows,
        positions: RowPositions::Rows,
        notes,
        form: NumberForm { decimal: options.decimal.unwrap_or('.'), thousands: options.thousands },
        has_first_column: roles.of.first().is_some_and(|&role| role != AssignedRole::Ignored),
        guessed_target: roles.guessed_target,
        names,
    })
}

/// Returns the top-level columns of the schema.
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

fn invalid(error: ParquetError) -> ReadProblem {
    ReadProblem::Parquet(error.to_string())
}

fn inconsistent() -> ReadProblem {
    ReadProblem::Parquet("its contents are inconsistent".to_owned())
}

/// Returns the declared number of rows, if the values are within the limits and the row groups agree.
fn row_count(
    metadata: &ParquetMetaData,
    columns: usize,
    length: u64,
    options: &ReadOptions,
) -> Result<usize, ReadProblem> {
    let limit = options.limits.max_bytes;
    let declared = u64::try_from(metadata.file_metadata().num_rows()).unwrap_or(u64::MAX);
    let bytes = declared.saturating_mul(8).saturating_mul(columns.max(1) as u64);
    let rows = usize::try_from(declared).ok().filter(|_| bytes <= limit);
    let rows = rows.ok_or(ReadProblem::TooLarge { limit })?;
    // Equal values compress extremely well, but real data stays below this ratio.
    let most = options.limits.max_expansion;
    if bytes > Limits::EXPANSION_FREE_BYTES && bytes / 8 / most.max(1) > length {
        return Err(ReadProblem::Expands { limit: most });
    }
    let in_groups = metadata.row_groups().iter().try_fold(0u64, |sum, group| {
        u64::try_from(group.num_rows()).ok().and_then(|rows| sum.checked_add(rows))
    });
    if in_groups == Some(declared) { Ok(rows) } else { Err(inconsistent()) }
}
