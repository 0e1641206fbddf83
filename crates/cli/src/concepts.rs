//! `pellucid concepts`: counts or lists the formal concepts of a context.

use crate::listing::{
    expected, files, incomplete_prefix, outcome, prints_list, watch_search, write_list,
};
use crate::{context, intervals};
use anyhow::{Result, bail};
use pellucid::close::{SearchOutcome, open};
use pellucid::concepts::estimate;
use pellucid::concepts::summary::{Completion, ConceptsSummary};
use pellucid::concepts::write::{ListFormat, list};
use pellucid::data::Context;
use pellucid::device::Machine;
use pellucid::devices::ids;
use pellucid::learn::run::Control;
use pellucid_arguments::{ConceptsArgs, ConceptsFormat};
use pellucid_terminal::forecast::{Forecast, MakeEstimate};
use pellucid_terminal::machine::FindMachine as _;
use pellucid_terminal::out::{duration, grouped, json_line, rate, say, stdout};
use pellucid_terminal::{ExitStatus, interrupt};
use std::io::{IsTerminal, Write};
use std::time::Instant;

pub(crate) fn run(args: &ConceptsArgs) -> Result<ExitStatus> {
    if args.intervals {
        return intervals::run(args);
    }
    if prints_list(args) && args.format == ConceptsFormat::Binary {
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
    let deadline = args.time_limit.and_then(|limit| Instant::now().checked_add(limit));
    let context = context::load(&args.context, args.threads, args.quiet)?;
    if args.estimate {
        return estimate(args, &context, &machine, &control);
    }
    let start = Instant::now();
    let found = search(args, &context, &machine, &control, deadline)?;
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

fn search(
    args: &ConceptsArgs,
    context: &Context,
    machine: &Machine,
    control: &Control,
    deadline: Option<Instant>,
) -> Result<SearchOutcome> {
    let format = match args.format {
        ConceptsFormat::Text => ListFormat::Text,
        ConceptsFormat::Json => ListFormat::Json,
        ConceptsFormat::Binary => ListFormat::Binary,
    };
    let min_support = args.min_support.of(context.objects.len());
    let (level, threads) = (machine.threads.level(), machine.threads.count());
    let estimate: MakeEstimate<'_> =
        &|stop| expected(&context.relation, min_support, args.seed, level, stop);
    let forecast = Forecast { estimate, threads, most: args.max, fails_beyond: false, deadline };
    watch_search(args, "concepts", context.objects.len(), control, Some(forecast), |terms| {
        if args.count {
            let mut counters = vec![(); machine.threads.count()];
            return Ok(open(machine, &context.relation).search(terms, &mut counters)?);
        }
        write_list(&args.out, |out| Ok(list(context, machine, terms, format, out)?))
    })
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
