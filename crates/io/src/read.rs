//! Entry points for tables: detects the format and calls its reader.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::assemble::{ParsedTable, assemble};
use crate::attribute;
use crate::delimited;
use crate::encoding::decode;
use crate::error::{ReadError, ReadProblem};
use crate::foreign;
use crate::join::{self, KeyedTable};
use crate::options::{Choice, Format, ReadOptions};
use crate::roles::{self, AssignedRole};
use crate::settle::assign_types;
use crate::source::{GZIP_MAGIC, load_bytes};
use crate::stretches;
use pellucid_data::Dataset;

const PARQUET_MAGIC: &[u8; 4] = b"PAR1";

/// Reads a table from a file, or from standard input if the path is `-`.
///
/// The format is detected from the content (Parquet, gzip, a first line that starts with `@`) and from the
/// extension (`.csv .tsv .txt .data .dat .arff .parquet`, each also with `.gz`).
///
/// # Errors
/// Describes the problem and its position in the file.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Dataset, ReadError> {
    let table = load(path, &row_options(options))?;
    let bag_table = read_bag_table(options)?;
    finish(table, bag_table, options).map_err(|error| error.in_file(&path.display().to_string()))
}

/// Reads a table from any reader; `name` appears in messages, and its extension helps to detect the format.
///
/// # Errors
/// Describes the problem and its position in the input.
pub fn read_from(
    mut reader: impl Read,
    name: &str,
    options: &ReadOptions,
) -> Result<Dataset, ReadError> {
    let table = load_from(&mut reader, name, &row_options(options))?;
    let bag_table = read_bag_table(options)?;
    finish(table, bag_table, options).map_err(|error| error.in_file(name))
}

/// Returns the options for the table of rows. If there is also a table of bags, the key names the
/// bag, and the target comes from the table of bags unless the caller names it.
pub(crate) fn row_options(options: &ReadOptions) -> Cow<'_, ReadOptions> {
    let Some(bag_table) = &options.bags else { return Cow::Borrowed(options) };
    let mut row_options = options.clone().bag(bag_table.key.as_str());
    row_options.lenient = true;
    if row_options.target == Choice::Auto {
        row_options.target = Choice::None;
    }
    Cow::Owned(row_options)
}

/// Reads the table of bags, if there is one.
pub(crate) fn read_bag_table(options: &ReadOptions) -> Result<Option<ParsedTable>, ReadError> {
    options.bags.as_ref().map(|bag_table| join::read(bag_table, options)).transpose()
}

/// Joins the two tables and builds the data set.
pub(crate) fn finish(
    table: ParsedTable,
    bag_table: Option<ParsedTable>,
    options: &ReadOptions,
) -> Result<Dataset, ReadError> {
    let (Some(source), Some(bag_table)) = (&options.bags, bag_table) else {
        return assemble(table, None, options);
    };
    if !table.columns.iter().any(|parsed| parsed.role == AssignedRole::Bag) {
        return Err(roles::unknown(&table.names, &source.key, "key"));
    }
    let bag_table = KeyedTable::new(bag_table, &source.file)?;
    let named = [&options.target, &options.id].into_iter().filter_map(|choice| match choice {
        Choice::Column(name) => Some(name),
        _ => None,
    });
    let lists = [&options.ignore, &options.nominal, &options.numeric, &options.keep];
    let dates = options.dates.iter().map(|(name, _)| name);
    let is_there = |name: &String| {
        name.parse::<usize>().is_ok()
            || table.names.contains(name)
            || bag_table.columns.contains(name)
    };
    if let Some(name) =
        named.chain(lists.into_iter().flatten()).chain(dates).find(|name| !is_there(name))
    {
        let all: Vec<String> = table.names.iter().chain(&bag_table.columns).cloned().collect();
        return Err(roles::unknown(&all, name, "requested"));
    }
    assemble(table, Some(bag_table), options)
}

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
    match stretches::load(&file, &options.limits, options.cores()) {
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
            "cannot read Parquet from a stream; expected a regular file".to_owned(),
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
    if let Some(what) = foreign::text_kind(&text).filter(|_| options.format.is_none()) {
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
    crate::columnar::read(path, stem, options)
}

#[cfg(not(feature = "parquet"))]
fn read_parquet(_: &Path, _: &ReadOptions) -> Result<ParsedTable, ReadError> {
    Err(ReadProblem::Options(
        "this build does not support Parquet; rebuild with the feature 'parquet'".to_owned(),
    )
    .into())
}

/// Returns the file name without folders and extension, and the lower-case extension without `.gz`.
pub(crate) fn stem_and_extension(name: &str) -> (&str, String) {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let cut = file.len().saturating_sub(3);
    let plain = match file.get(cut..) {
        Some(end) if end.eq_ignore_ascii_case(".gz") => &file[..cut],
        _ => file,
    };
    match plain.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem, extension.to_ascii_lowercase()),
        _ => (plain, String::new()),
    }
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
