//! From a file to a table with labels, telling what was assumed.

use crate::args::DataArgs;
use crate::out::say;
use anyhow::{Context, Result};
use pellucid::engine::{Labels, Table};
use pellucid::io::{self, Dataset, ReadOptions};
use std::path::Path;
use std::sync::Arc;

/// A file, ready to be evaluated.
pub(crate) struct Loaded {
    pub(crate) table: Arc<Table>,
    pub(crate) labels: RowsOrBags,
    /// What the counts are of; one word for all where there is no target.
    pub(crate) classes: Vec<String>,
}

/// Labels of whatever the examples are, and of the single rows.
pub(crate) struct RowsOrBags {
    pub(crate) rows: Labels,
    pub(crate) bags: Option<Labels>,
}

/// Reads a file.
pub(crate) fn read(args: &DataArgs, quiet: bool) -> Result<Dataset> {
    read_with(args, &args.options(), quiet)
}

/// Reads a file with other options than those typed.
pub(crate) fn read_with(args: &DataArgs, options: &ReadOptions, quiet: bool) -> Result<Dataset> {
    let data = if args.path == Path::new("-") {
        io::read_from(std::io::stdin().lock(), "standard input", options)?
    } else {
        io::read(&args.path, options)?
    };
    if !quiet {
        for note in &data.notes {
            say(format_args!("note: {note}"));
        }
    }
    Ok(data)
}

/// Reads a file and lays it out.
pub(crate) fn load(args: &DataArgs, quiet: bool) -> Result<Loaded> {
    let data = read(args, quiet)?;
    let classes = data
        .target
        .as_ref()
        .map_or_else(|| vec!["all".to_owned()], |target| target.classes.clone());
    let (example_codes, row_codes, has_bags) =
        (data.example_codes(), data.row_codes(), data.bags.is_some());
    let table = Table::from_dataset(data).with_context(|| args.path.display().to_string())?;
    let rows = Labels::rows(&table, &row_codes, classes.len())?;
    let bags = has_bags.then(|| Labels::bags(&table, &example_codes, classes.len())).transpose()?;
    Ok(Loaded { table: Arc::new(table), labels: RowsOrBags { rows, bags }, classes })
}
