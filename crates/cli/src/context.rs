//! Reads a formal context as the flags say, and reports its size.

use crate::data::say_notes;
use anyhow::{Context as _, Result, anyhow};
use pellucid::contexts::{ContextError, Simplify};
use pellucid::data::Context;
use pellucid::io::{ContextFormat, FileForm, ReadProblem, write_context};
use pellucid_arguments::ContextArgs;
use pellucid_arguments::{Destinations, is_standard};
use pellucid_terminal::out::{grouped, say, stdout};
use std::io::Write;
use std::num::NonZeroUsize;

/// The files of a context. Commands add the files they write.
pub(crate) fn files(args: &ContextArgs) -> Destinations<'_> {
    Destinations::default()
        .reads("the context", Some(&args.path))
        .writes("--write", args.write.as_deref())
}

/// Checks the flags of a context and all files of a command before a large file is read.
pub(crate) fn check(args: &ContextArgs, files: &Destinations<'_>) -> Result<()> {
    if let Some(path) = args.write.as_ref().filter(|path| !is_standard(path)) {
        FileForm::<ContextFormat>::of(path).map(drop).context("--write")?;
    }
    files.check()
}

/// Reads a context, transforms it as requested, and writes it if requested.
pub(crate) fn load(
    args: &ContextArgs,
    threads: Option<NonZeroUsize>,
    quiet: bool,
) -> Result<Context> {
    let context = read(args, threads, quiet)?;
    write(args, &context)?;
    Ok(context)
}

/// Reads a context and transforms it as requested.
pub(crate) fn read(
    args: &ContextArgs,
    threads: Option<NonZeroUsize>,
    quiet: bool,
) -> Result<Context> {
    let recipe = args.recipe(threads);
    let read = recipe.read(&args.path).map_err(with_advice)?;
    if !quiet {
        say_notes(&read.notes);
        report_size("formal context", &read);
    }
    let context = recipe.reshape(read);
    if !quiet && let Some(simplify) = recipe.simplify {
        let what = match simplify {
            Simplify::Clarify => "clarified context",
            Simplify::Reduce => "reduced context",
        };
        report_size(what, &context);
    }
    Ok(context)
}

/// Writes a context if requested.
pub(crate) fn write(args: &ContextArgs, context: &Context) -> Result<()> {
    match &args.write {
        Some(path) if is_standard(path) => {
            let mut out = stdout();
            ContextFormat::Burmeister.write(context, &mut out)?;
            out.flush()?;
        }
        Some(path) => write_context(context, path)?,
        None => {}
    }
    Ok(())
}

fn report_size(what: &str, context: &Context) {
    say(format_args!(
        "{what}: {} objects, {} attributes, density {:.1} %",
        grouped(context.objects.len() as u64),
        grouped(context.attributes.len() as u64),
        100.0 * context.density()
    ));
}

/// Adds advice to errors about tables that are not formal contexts.
fn with_advice(error: ContextError) -> anyhow::Error {
    match &error {
        ContextError::Read(read) => match *read.problem {
            ReadProblem::ManyValued { .. } => anyhow!("{error}; use --scale nominal"),
            ReadProblem::UnknownContext { .. } => {
                anyhow!("{error}; use --from, or --scale nominal for a table of values")
            }
            _ => error.into(),
        },
        ContextError::Scale { .. } => error.into(),
    }
}
