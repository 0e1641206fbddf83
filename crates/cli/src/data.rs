//! Reads data sets from files and prints the reader's assumptions.

use anyhow::{Result, ensure};
use pellucid::data::Message;
use pellucid::io::{self, Dataset, ReadOptions};
use pellucid_arguments::{DataArgs, MachineArgs};
use pellucid_terminal::flags::with_flags;
use pellucid_terminal::out::say;
use pellucid_terminal::progress::Progress;
use std::path::Path;

/// Reads a file, with the number of threads of the machine options.
pub(crate) fn read(args: &DataArgs, machine: &MachineArgs, quiet: bool) -> Result<Dataset> {
    read_with(args, &machine.reading(args.options()), quiet)
}

/// Reads a file with the given options instead of those of the command line.
pub(crate) fn read_with(args: &DataArgs, options: &ReadOptions, quiet: bool) -> Result<Dataset> {
    check_key(options)?;
    let (source, progress) = (source(args)?, Progress::new(quiet));
    progress.wait("reading", &source.display().to_string());
    let data = io::read(source, options);
    progress.end();
    let data = data?;
    if !quiet {
        say_notes(&data.notes);
    }
    Ok(data)
}

/// Checks that two tables have a key to join them by.
pub(crate) fn check_key(options: &ReadOptions) -> Result<()> {
    let nameless = options.bags.as_ref().is_some_and(|table| table.key.is_empty());
    ensure!(
        !nameless,
        "--bags needs --key, the column that names the bag in both tables; \
         use --key A=B if it is A in the table of rows and B in the table of bags"
    );
    Ok(())
}

/// Returns the path of the data; at most one table may come from standard input.
pub(crate) fn source(args: &DataArgs) -> Result<&Path> {
    let pipe = Path::new("-");
    let second = [&args.labels, &args.bags].into_iter().flatten().any(|path| path == pipe);
    ensure!(
        !second || args.path != pipe,
        "found two tables from standard input; expected at most one"
    );
    Ok(&args.path)
}

/// Prints the notes; parameters are spelled as flags.
pub(crate) fn say_notes(notes: &[Message]) {
    for note in notes {
        say(format_args!("note: {}", with_flags(note)));
    }
}
