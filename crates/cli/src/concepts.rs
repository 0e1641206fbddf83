//! `pellucid concepts`: counts or lists the formal concepts of a context.

use crate::{context, intervals};
use anyhow::{Context as _, Result, bail};
use pellucid::close::{SearchOutcome, Terms, open};
use pellucid::concepts::estimate;
use pellucid::concepts::summary::{Completion, ConceptsSummary};
use pellucid::concepts::write::{ListFormat, list};
use pellucid::data::Context;
use pellucid::device::Machine;
use pellucid::devices::ids;
use pellucid::files::Replacement;
use pellucid::learn::run::{Control, StopReason};
use pellucid_arguments::{ConceptsArgs, ConceptsFormat};
use pellucid_arguments::{Destinations, is_standard};
use pellucid_terminal::machine::FindMachine as _;
use pellucid_terminal::out::{duration, grouped, json_line, rate, say, shared_stdout, stdout};
use pellucid_terminal::{ExitStatus, interrupt, progress};
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

pub(crate) fn run(args: &ConceptsArgs) -> Result<ExitStatus> {
    if args.intervals {
        return intervals::run(args);
    }
    let to_stdout = !args.count && !args.estimate && is_standard(&args.out);
    if to_stdout && args.format == ConceptsFormat::Binary {
        if args.json {
            bail!(
                "--json: standard output cannot hold both packed concepts and the summary; use --out FILE"
            );
        }
        if std::io::stdout().is_terminal() {
            bail!("--format: packed concepts are binary and not for a terminal; use --out FILE");
        }
    }
    context::check(&args.context, &files(args))?;
    let machine = args.devices().machine(args.quiet)?;
    let control =
        interrupt::control_saying(args.time_limit, "stopping; concepts found so far are kept")?;
    let context = context::load(&args.context, args.threads, args.quiet)?;
    if args.estimate {
        return estimate(args, &context, &machine, &control);
    }
    let start = Instant::now();
    let found = search(args, &context, &machine, &control, to_stdout)?;
    let seconds = start.elapsed().as_secs_f64();
    let stop = Completion::of(found.stop, &control);
    let mut out = stdout();
    if args.json {
        let summary = ConceptsSummary::new(&found, stop, seconds, &context, &ids(&machine.devices));
        json_line(&mut out, &serde_json::to_value(summary)?)?;
    } else if args.count {
        writeln!(out, "{}", found.concepts)?;
    }
    out.flush()?;
    if !args.quiet {
        say(format_args!(
            "{}{} concepts in {seconds:.2} s ({}/s), digest {}",
            incomplete_prefix(stop),
            grouped(found.concepts),
            rate(found.concepts as f64 / seconds.max(1e-9)),
            found.digest
        ));
    }
    Ok(outcome(stop))
}

/// The files of the command. The list and the summary after it may share standard output; a context
/// written before them could not be read back.
pub(crate) fn files(args: &ConceptsArgs) -> Destinations<'_> {
    let files = context::files(&args.context);
    let beside_context = args.context.write.as_deref().filter(|path| is_standard(path));
    match (args.count || args.estimate, args.json) {
        (true, _) => {
            let prints = if args.estimate { "--estimate" } else { "--count" };
            files.writes(prints, beside_context)
        }
        (false, true) if !is_standard(&args.out) => {
            files.writes("--out", Some(&args.out)).writes("--json", beside_context)
        }
        (false, _) => files.writes("--out", Some(&args.out)),
    }
}

fn search(
    args: &ConceptsArgs,
    context: &Context,
    machine: &Machine,
    control: &Control,
    to_stdout: bool,
) -> Result<SearchOutcome> {
    let so_far = AtomicU64::new(0);
    let stop = || control.should_stop().is_some();
    let terms = Terms {
        min_support: args.min_support.of(context.objects.len()),
        most: args.max,
        extents: args.extents,
        stop: Some(&stop),
        progress: Some(&so_far),
        ..Terms::default()
    };
    let format = match args.format {
        ConceptsFormat::Text => ListFormat::Text,
        ConceptsFormat::Json => ListFormat::Json,
        ConceptsFormat::Binary => ListFormat::Binary,
    };
    // Lines and a progress bar on one terminal would overlap.
    let quiet = args.quiet || (to_stdout && std::io::stdout().is_terminal());
    progress::watch("concepts", quiet, &so_far, || {
        if args.count {
            let mut counters = vec![(); machine.threads.count()];
            return Ok(open(machine, &context.relation).search(&terms, &mut counters)?);
        }
        write_list(&args.out, |out| Ok(list(context, machine, &terms, format, out)?))
    })
}

/// Writes a list to standard output, or to a file that appears once it is whole.
pub(crate) fn write_list<R>(
    path: &Path,
    write: impl FnOnce(&mut (dyn Write + Send)) -> Result<R>,
) -> Result<R> {
    if is_standard(path) {
        return write(&mut shared_stdout());
    }
    let shown = || path.display().to_string();
    let mut file = Replacement::begin(path).with_context(shown)?;
    let found = write(&mut file).with_context(shown)?;
    file.finish().with_context(shown)?;
    Ok(found)
}

/// Estimates the number of concepts.
fn estimate(
    args: &ConceptsArgs,
    context: &Context,
    machine: &Machine,
    control: &Control,
) -> Result<ExitStatus> {
    let min_support = args.min_support.of(context.objects.len());
    let stop = || control.should_stop().is_some();
    let found =
        estimate::estimate(&context.relation, min_support, args.seed, &machine.threads, &stop)?;
    let Some(found) = found else {
        if !args.quiet {
            say("stopped before the estimate was done");
        }
        return Ok(ExitStatus::Incomplete);
    };
    let mut out = stdout();
    if args.json {
        json_line(&mut out, &serde_json::to_value(found)?)?;
    } else if found.exact {
        writeln!(out, "{} concepts (counted)", grouped(found.concepts))?;
    } else {
        let (low, high) = (grouped(found.low), grouped(found.high));
        writeln!(
            out,
            "about {} concepts (95 % interval: {low} to {high})",
            grouped(found.concepts)
        )?;
    }
    out.flush()?;
    if !args.quiet {
        let seconds = found.seconds;
        if found.exact {
            say(format_args!("counted in {seconds:.2} s"));
        } else {
            let threads = machine.threads.count();
            say(format_args!("counting takes about {} (threads: {threads})", duration(seconds)));
        }
    }
    Ok(ExitStatus::Done)
}

/// Returns why a list is incomplete, as a prefix of the message; empty for a complete list.
pub(crate) fn incomplete_prefix(stop: Completion) -> String {
    match stop {
        Completion::Complete => String::new(),
        Completion::Cut(StopReason::Cap) => "reached --max, there are more: ".to_owned(),
        Completion::Cut(reason) => format!("{reason}, the list may be incomplete: "),
    }
}

/// Returns the outcome of a command that lists.
pub(crate) fn outcome(stop: Completion) -> ExitStatus {
    if stop.is_pause() { ExitStatus::Incomplete } else { ExitStatus::Done }
}
