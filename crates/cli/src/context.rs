//! From a file to a context, as it was asked for, telling what it is like.

use crate::args::ContextArgs;
use crate::out::{grouped, say};
use anyhow::{Context as _, Result, anyhow, ensure};
use pellucid::contexts::{ContextError, Simplify};
use pellucid::data::Context;
use pellucid::io::{ContextFormat, FileForm, ReadProblem, write_context};
use std::path::Path;

/// What can be wrong with the flags of a context, told before a large file is read.
pub(crate) fn check(args: &ContextArgs) -> Result<()> {
    let Some(path) = &args.write else { return Ok(()) };
    ensure!(path != Path::new("-"), "--write: found '-', allowed is the name of a file");
    FileForm::<ContextFormat>::of(path).map(drop).context("--write")
}

/// Reads a context, makes of it what was asked for, and writes it where that was asked for.
pub(crate) fn load(args: &ContextArgs, quiet: bool) -> Result<Context> {
    let recipe = args.recipe();
    let read = recipe.read(&args.path).map_err(advised)?;
    if !quiet {
        read.notes.iter().for_each(|note| say(format_args!("note: {note}")));
        tell("the context has", &read);
    }
    let context = recipe.reshape(read);
    if !quiet && let Some(simplify) = recipe.simplify {
        let what = match simplify {
            Simplify::Clarify => "clarified, it has",
            Simplify::Reduce => "reduced, it has",
        };
        tell(what, &context);
    }
    if let Some(path) = &args.write {
        write_context(&context, path)?;
    }
    Ok(context)
}

fn tell(what: &str, context: &Context) {
    say(format_args!(
        "{what} {} objects and {} attributes; {:.1} % of all pairs are crosses",
        grouped(context.objects.len() as u64),
        grouped(context.attributes.len() as u64),
        100.0 * context.density()
    ));
}

/// A table of values is not a table of crosses, but can become one.
fn advised(error: ContextError) -> anyhow::Error {
    match &error {
        ContextError::Read(read) => match *read.problem {
            ReadProblem::ManyValued { .. } => anyhow!("{error}, with --scale nominal"),
            ReadProblem::UnknownContext { .. } => {
                anyhow!("{error} with --from; --scale nominal makes a context of a table of values")
            }
            _ => error.into(),
        },
        ContextError::Scale { .. } => error.into(),
    }
}
