//! `pellucid describe`: what a table holds, before anything is learned from it.

use crate::Outcome;
use crate::args::DescribeArgs;
use crate::data::{say_notes, source};
use crate::out::{json_line, stdout};
use anyhow::Result;
use pellucid::io::{describe, is_ontology};
use std::io::Write;

pub(crate) fn run(args: &DescribeArgs) -> Result<Outcome> {
    anyhow::ensure!(
        !is_ontology(&args.data.path),
        "{} is an ontology; 'pellucid show' tells what it holds",
        args.data.path.display()
    );
    let told = describe(source(&args.data)?, &args.data.options())?;
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
    Ok(Outcome::Done)
}
