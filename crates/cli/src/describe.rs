//! `pellucid describe`: what a table holds, before anything is learned from it.

use crate::data::{check_key, say_notes, source, with_flags};
use anyhow::Result;
use pellucid::io::{examine, is_ontology};
use pellucid::prepare::check_target;
use pellucid_arguments::DescribeArgs;
use pellucid_terminal::ExitStatus;
use pellucid_terminal::out::{json_line, stdout};
use std::io::Write;

pub(crate) fn run(args: &DescribeArgs) -> Result<ExitStatus> {
    anyhow::ensure!(
        !is_ontology(&args.data.path),
        "{} is an ontology; 'pellucid show' tells what it holds",
        args.data.path.display()
    );
    let options = args.data.options();
    check_key(&options)?;
    let (mut told, data) = examine(source(&args.data)?, &options)?;
    // What learning would say of the target is better known now.
    if let Some(Err(error)) = data.as_ref().map(check_target) {
        told.notes.push(with_flags(&error).to_string());
    }
    let mut out = stdout();
    if args.json {
        json_line(&mut out, &told.to_json())?;
    } else {
        write!(out, "{told}")?;
    }
    out.flush()?;
    if !args.quiet {
        say_notes(&told.notes);
    }
    Ok(ExitStatus::Done)
}
