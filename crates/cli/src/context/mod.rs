//! From a file to a context, as it was asked for: read or scaled, turned, without what is told twice.

pub(crate) mod write;

use crate::args::ContextArgs;
use crate::out::{grouped, say};
use anyhow::{Context as _, Result, anyhow, ensure};
use pellucid::concepts::clarify::clarify;
use pellucid::concepts::reduce::reduce;
use pellucid::concepts::scale::{Scaling, scale};
use pellucid::engine::data::Context;
use pellucid::io::{self, Problem, ReadError};
use std::path::Path;

/// What can be wrong with the flags of a context, told before a large file is read.
pub(crate) fn check(args: &ContextArgs) -> Result<()> {
    let Some(path) = &args.write else { return Ok(()) };
    ensure!(path != Path::new("-"), "--write: found '-', allowed is the name of a file");
    write::Form::of(path).map(drop).context("--write")
}

/// Reads a context, makes of it what was asked for, and writes it where that was asked for.
pub(crate) fn load(args: &ContextArgs, quiet: bool) -> Result<Context> {
    let mut context = match args.scaling() {
        Some(scaling) => scaled(args, &scaling)?,
        None => io::read_context(&args.path, &args.context_options()).map_err(advised)?,
    };
    if !quiet {
        context.notes.iter().for_each(|note| say(format_args!("note: {note}")));
        tell("the context has", &context);
    }
    if args.transpose {
        let turned = context.relation.transposed();
        context = Context::new(context.name, context.attributes, context.objects, turned);
    }
    if args.reduce {
        context = reduce(&context.relation).context(&context);
    } else if args.clarify {
        context = clarify(&context.relation).context(&context);
    }
    if !quiet && (args.reduce || args.clarify) {
        tell(if args.reduce { "reduced it has" } else { "clarified it has" }, &context);
    }
    if let Some(path) = &args.write {
        write::write(&context, path)?;
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

fn scaled(args: &ContextArgs, scaling: &Scaling) -> Result<Context> {
    let data = io::read(&args.path, &args.table_options())?;
    scale(&data, scaling).with_context(|| args.path.display().to_string())
}

/// A table of values is not a table of crosses, but can become one.
fn advised(error: ReadError) -> anyhow::Error {
    match *error.problem {
        Problem::ManyValued { .. } => anyhow!("{error}, by --scale nominal"),
        Problem::UnknownContext { .. } => {
            anyhow!("{error} by --from; a table of values is scaled by --scale nominal")
        }
        _ => error.into(),
    }
}
