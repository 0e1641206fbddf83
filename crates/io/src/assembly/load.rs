//! Loads a table: detects the format, calls its reader, and decides the types of the columns.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::columns::parsed::ParsedTable;
use crate::formats::{attribute, delimited};
use crate::source::encoding::decode;
use crate::source::error::{ReadError, ReadProblem};
use crate::source::load::{GZIP_MAGIC, load_bytes};
use crate::source::options::{Format, ReadOptions};
use crate::source::path::stem_and_extension;
use crate::source::{parallel, signature};
use crate::typing::types::assign_types;

const PARQUET_MAGIC: &[u8; 4] = b"PAR1";

/// Reads the columns of a file and decides their types and roles.
pub(crate) fn load(path: &Path, options: &ReadOptions) -> Result<ParsedTable, ReadError> {
    if path == Path::new("-") {
        return load_from(&mut io::stdin().lock(), "standard input", options);
    }
    let name = path.display().to_string();
    let fail = |error: io::Error| ReadError::from(ReadProblem::Io(error)).in_file(&name);
    let mut file = File::open(path).map_err(fail)?;
    let mut magic = Vec::new();
    (&mut file).take(PARQUET_MAGIC.len() as u64).read_to_end(&mut magic).map_err(fail)?;
    let (_, extension) = stem_and_extension(&name);
    let named =
        options.format.is_none() && extension == "parquet" && !magic.starts_with(&GZIP_MAGIC);
    if magic == PARQUET_MAGIC || named || options.format == Some(Format::Parquet) {
        return read_parquet(path, options)
            .and_then(|table| with_types(table, options))
            .map_err(|error| error.in_file(&name));
    }
    match parallel::load(&file, &options.limits, options.cores()) {
        Ok(None) => load_from(&mut io::Cursor::new(magic).chain(file), &name, options),
        Ok(Some(bytes)) => parse_text(bytes, &name, options)
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
    if magic == PARQUET_MAGIC || options.format == Some(Format::Parquet) {
        return Err(ReadProblem::Options(
            "cannot read Parquet from a stream; expected a regular file".into(),
        )
        .into());
    }
    let bytes = load_bytes(&mut io::Cursor::new(magic).chain(reader), &options.limits)?;
    parse_text(bytes, name, options)
}

/// Reads the columns of a text file.
fn parse_text(bytes: Vec<u8>, name: &str, options: &ReadOptions) -> Result<ParsedTable, ReadError> {
    let mut notes = Vec::new();
    let mut text = decode(bytes, options.encoding, &mut notes)?;
    // Old Mac line ends.
    if !text.contains('\n') && text.contains('\r') {
        text = text.replace('\r', "\n");
    }
    if let Some(what) = signature::text_kind(&text).filter(|_| options.format.is_none()) {
        return Err(ReadProblem::NotTable { what }.into());
    }
    let (stem, extension) = stem_and_extension(name);
    let mut table = match options.format.unwrap_or_else(|| format_of(&text, &extension)) {
        Format::Arff => attribute::read(&text, stem, attribute::AttributeDialect::Arff, options)?,
        Format::Keel => attribute::read(&text, stem, attribute::AttributeDialect::Keel, options)?,
        Format::Delimited | Format::Uci | Format::Parquet => {
            delimited::read(&text, stem, &extension, options)?
        }
    };
    table.notes.splice(0..0, notes);
    Ok(table)
}

#[cfg(feature = "parquet")]
fn read_parquet(path: &Path, options: &ReadOptions) -> Result<ParsedTable, ReadError> {
    let name = path.display().to_string();
    let (stem, _) = stem_and_extension(&name);
    crate::formats::columnar::read(path, stem, options)
}

#[cfg(not(feature = "parquet"))]
fn read_parquet(_: &Path, _: &ReadOptions) -> Result<ParsedTable, ReadError> {
    Err(ReadProblem::Options(
        "this build does not support Parquet; rebuild with the feature 'parquet'".into(),
    )
    .into())
}

/// Detects ARFF and KEEL, which start with `@` after comments. The extension or KEEL's `@inputs` tells them
/// apart.
fn format_of(text: &str, extension: &str) -> Format {
    let lower =
        |line: &str| line.trim_start().chars().take(12).collect::<String>().to_ascii_lowercase();
    let mut head = text
        .lines()
        .map(lower)
        .filter(|line| !line.is_empty() && !line.starts_with('%'))
        .take(100_000);
    let first = head.next().unwrap_or_default();
    let declared = ["@relation", "@attribute", "@inputs", "@outputs", "@data"];
    if extension == "arff" {
        Format::Arff
    } else if !declared.iter().any(|start| first.starts_with(start)) {
        Format::Delimited
    } else if extension == "dat"
        || head
            .take_while(|line| !line.starts_with("@data"))
            .any(|line| line.starts_with("@input") || line.starts_with("@output"))
    {
        Format::Keel
    } else {
        Format::Arff
    }
}
