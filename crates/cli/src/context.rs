//! From a file to a context, as it was asked for, telling what it is like.

use crate::data::say_notes;
use crate::out::{grouped, say, stdout};
use anyhow::{Context as _, Result, anyhow};
use pellucid::contexts::{ContextError, Simplify};
use pellucid::data::Context;
use pellucid::io::{ContextFormat, FileForm, ReadProblem, write_context};
use pellucid_arguments::ContextArgs;
use pellucid_arguments::{Destinations, is_standard};
use std::io::Write;
use std::num::NonZeroUsize;

/// The files of a context; whoever writes others adds them.
pub(crate) fn files(args: &ContextArgs) -> Destinations<'_> {
    Destinations::default()
        .reads("the context", Some(&args.path))
        .writes("--write", args.write.as_deref())
}

/// What can be wrong with the flags of a context and with all files of a command, told before a large file is read.
pub(crate) fn check(args: &ContextArgs, files: &Destinations<'_>) -> Result<()> {
    if let Some(path) = args.write.as_ref().filter(|path| !is_standard(path)) {
        FileForm::<ContextFormat>::of(path).map(drop).context("--write")?;
    }
    files.check()
}

/// Reads a context, makes of it what was asked for, and writes it where that was asked for.
pub(crate) fn load(
    args: &ContextArgs,
    threads: Option<NonZeroUsize>,
    quiet: bool,
) -> Result<Context> {
    let recipe = args.recipe(threads);
    let read = recipe.read(&args.path).map_err(advised)?;
    if !quiet {
        say_notes(&read.notes);
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
    match &args.write {
        Some(path) if is_standard(path) => {
            let mut out = stdout();
            ContextFormat::Burmeister.write(&context, &mut out)?;
            out.flush()?;
        }
        Some(path) => write_context(&context, path)?,
        None => {}
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
