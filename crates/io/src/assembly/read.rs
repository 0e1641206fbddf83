//! Entry points for tables: reads a data set from a file or a reader.

use std::borrow::Cow;
use std::io::Read;
use std::path::Path;

use crate::assembly::assemble::assemble;
use crate::assembly::join::{self, KeyedTable};
use crate::assembly::load::{load, load_from};
use crate::columns::parsed::ParsedTable;
use crate::columns::roles::{self, AssignedRole};
use crate::source::error::ReadError;
use crate::source::options::{Choice, ReadOptions};
use pellucid_data::Dataset;

/// Reads a table from a file, or from standard input if the path is `-`.
///
/// The format is detected from the content (Parquet, spreadsheets, gzip, Zstandard, a first line that starts
/// with `@`) and from the extension (`.csv .tsv .txt .data .dat .arff`, each also with `.gz` or `.zst`,
/// `.xlsx .ods .parquet`). The path may be a folder, or a pattern such as `part-*.csv`; its files are
/// then read as one table.
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
