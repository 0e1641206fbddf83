//! From a file to a data set, telling what was assumed.

use anyhow::{Result, anyhow, ensure};
use pellucid::io::{self, Dataset, ReadOptions};
use pellucid::prepare::TargetError;
use pellucid_arguments::{DataArgs, MachineArgs};
use pellucid_terminal::out::{parameters_as_flags, say};
use pellucid_terminal::progress::Progress;
use std::path::Path;

/// Reads a file, on as many threads as the work may have.
pub(crate) fn read(args: &DataArgs, machine: &MachineArgs, quiet: bool) -> Result<Dataset> {
    read_with(args, &machine.reading(args.options()), quiet)
}

/// Reads a file with other options than those typed.
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

/// Two tables are joined by a column.
pub(crate) fn check_key(options: &ReadOptions) -> Result<()> {
    let nameless = options.bags.as_ref().is_some_and(|table| table.key.is_empty());
    ensure!(
        !nameless,
        "--bags needs --key, the column that names the bag in both tables; --key A=B where it is A in the table of rows and B in that of bags"
    );
    Ok(())
}

/// A sentence about a target with the ways out as they are typed.
pub(crate) fn with_flags(error: &TargetError) -> anyhow::Error {
    let text = error.to_string();
    let flags = [
        ("merge_rare", "--merge-rare"),
        ("drop_class", "--drop-class"),
        ("most_classes", "--most-classes"),
        ("task", "--task"),
    ];
    let spelled = flags.iter().fold(text, |text, (name, flag)| text.replace(name, flag));
    anyhow!("{spelled}")
}

/// The file that was named; two of them cannot both come from standard input.
pub(crate) fn source(args: &DataArgs) -> Result<&Path> {
    let pipe = Path::new("-");
    let second = [&args.labels, &args.bags].into_iter().flatten().any(|path| path == pipe);
    ensure!(!second || args.path != pipe, "only one table can come from standard input");
    Ok(&args.path)
}

/// Says what was assumed; parameters are called by their flags.
pub(crate) fn say_notes(notes: &[String]) {
    for note in notes {
        say(format_args!("note: {}", parameters_as_flags(note)));
    }
}
