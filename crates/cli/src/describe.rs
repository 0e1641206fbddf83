//! `pellucid describe`: the columns of a table, before training.

use crate::data::{check_key, say_notes, source};
use anyhow::Result;
use pellucid::io::{examine, is_ontology};
use pellucid::prepare::check_target;
use pellucid_arguments::DescribeArgs;
use pellucid_terminal::ExitStatus;
use pellucid_terminal::flags::with_flags;
use pellucid_terminal::out::{json_line, stdout};
use std::io::Write;

pub(crate) fn run(args: &DescribeArgs) -> Result<ExitStatus> {
    anyhow::ensure!(
        !is_ontology(&args.data.path),
        "{} is an ontology; use 'pellucid show' to describe it",
        args.data.path.display()
    );
    let options = args.data.options();
    check_key(&options)?;
    let (mut description, data) = examine(source(&args.data)?, &options)?;
    // Training would report a problem with the target, so it is reported here, too.
    if let Some(Err(error)) = data.as_ref().map(check_target) {
        description.notes.push(with_flags(&error.message()).into());
    }
    let mut out = stdout();
    if args.json {
        json_line(&mut out, &description.to_json())?;
    } else {
        write!(out, "{description}")?;
    }
    out.flush()?;
    if !args.quiet {
        say_notes(&description.notes);
    }
    Ok(ExitStatus::Done)
}
