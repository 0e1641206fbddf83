//! From a file to a data set, telling what was assumed.

use crate::args::{DataArgs, MachineArgs};
use crate::out::say;
use anyhow::Result;
use pellucid::io::{self, Dataset, ReadOptions};
use std::path::Path;

/// Reads a file, on as many threads as the work may have.
pub(crate) fn read(args: &DataArgs, machine: &MachineArgs, quiet: bool) -> Result<Dataset> {
    read_with(args, &machine.reading(args.options()), quiet)
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
