//! Loads a table: detects the format, calls its reader, and decides the types of the columns.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use crate::assembly::several;
use crate::assembly::table_text::{TableText, refuse_sheet};
use crate::columns::parsed::ParsedTable;
use crate::source::compression::Compression;
use crate::source::error::{ReadError, ReadProblem};
use crate::source::load::load_raw;
use crate::source::options::{Format, ReadOptions};
use crate::source::path::stem_and_extension;
use crate::source::{parallel, parts};
use crate::typing::types::assign_types;

const PARQUET_MAGIC: &[u8; 4] = b"PAR1";

/// Reads the columns of a file, or of several files, and decides their types and roles.
pub(crate) fn load(path: &Path, options: &ReadOptions) -> Result<ParsedTable, ReadError> {
    if path == Path::new("-") && options.parts.is_empty() {
        return load_from(&mut io::stdin().lock(), "standard input", options);
    }
    let files = parts::expand(path, &options.parts)?;
    match &files[..] {
        [file] => load_file(file, options),
        _ => with_types(several::read(&files, options)?, options)
            .map_err(|error| error.in_file(&parts::shown(&files))),
    }
}

fn load_file(path: &Path, options: &ReadOptions) -> Result<ParsedTable, ReadError> {
    let name = path.display().to_string();
    let fail = |error: io::Error| ReadError::from(ReadProblem::Io(error)).in_file(&name);
    let mut file = File::open(path).map_err(fail)?;
    let mut magic = Vec::new();
    (&mut file).take(PARQUET_MAGIC.len() as u64).read_to_end(&mut magic).map_err(fail)?;
    let (_, extension) = stem_and_extension(&name);
    let named =
        options.format.is_none() && extension == "parquet" && Compression::of(&magic).is_none();
    if magic == PARQUET_MAGIC || named || options.format == Some(Format::Parquet) {
        return refuse_sheet(options)
            .and_then(|()| read_parquet(path, &name, options))
            .and_then(|table| with_types(table, options))
            .map_err(|error| error.in_file(&name));
    }
    match parallel::load(&file, &options.limits, options.cores()) {
        Ok(None) => load_from(&mut io::Cursor::new(magic).chain(file), &name, options),
        Ok(Some(bytes)) => TableText::decoded(bytes, options)
            .and_then(|text| text.parse(&name, options))
            .and_then(|table| with_types(table, options))
            .map_err(|error| error.in_file(&name)),
        Err(error) => Err(error.in_file(&name)),
    }
}

/// Reads columns from any reader and decides their types and roles.
pub(crate) fn load_from(
    reader: &mut dyn Read,
    name: &str,
    options: &ReadOptions,
) -> Result<ParsedTable, ReadError> {
    read_stream(reader, name, options)
        .and_then(|table| with_types(table, options))
        .map_err(|error| error.in_file(name))
}

fn with_types(mut table: ParsedTable, options: &ReadOptions) -> Result<ParsedTable, ReadError> {
    assign_types(&mut table, options)?;
    Ok(table)
}

fn read_stream(
    reader: &mut dyn Read,
    name: &str,
    options: &ReadOptions,
) -> Result<ParsedTable, ReadError> {
    let mut magic = Vec::new();
    Read::take(&mut *reader, PARQUET_MAGIC.len() as u64)
        .read_to_end(&mut magic)
        .map_err(ReadProblem::Io)?;
    let is_parquet = magic == PARQUET_MAGIC || options.format == Some(Format::Parquet);
    let mut whole = io::Cursor::new(magic).chain(reader);
    if is_parquet {
        refuse_sheet(options)?;
        return read_parquet_stream(&mut whole, name, options);
    }
    TableText::read(&mut whole, options)?.parse(name, options)
}

/// Reads Parquet from a stream by way of a temporary file, because its description is at its end.
fn read_parquet_stream(
    reader: &mut dyn Read,
    name: &str,
    options: &ReadOptions,
) -> Result<ParsedTable, ReadError> {
    let bytes = load_raw(reader, &options.limits)?;
    let mut file = tempfile::NamedTempFile::new().map_err(ReadProblem::Io)?;
    file.write_all(&bytes).map_err(ReadProblem::Io)?;
    drop(bytes);
    read_parquet(file.path(), name, options)
}

#[cfg(feature = "parquet")]
fn read_parquet(path: &Path, name: &str, options: &ReadOptions) -> Result<ParsedTable, ReadError> {
    let (stem, _) = stem_and_extension(name);
    crate::formats::columnar::read(path, stem, options)
}

#[cfg(not(feature = "parquet"))]
fn read_parquet(_: &Path, _: &str, _: &ReadOptions) -> Result<ParsedTable, ReadError> {
    Err(ReadProblem::Options(
        "this build does not support Parquet; rebuild with the feature 'parquet'".into(),
    )
    .into())
}
