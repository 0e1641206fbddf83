//! `pellucid lattice`: draws, exports or summarizes the concept lattice of a context.

use crate::listing::expected;
use crate::models::report::named;
use crate::{command_line, context};
use anyhow::{Context as _, Result, anyhow};
use pellucid::close::Terms;
use pellucid::concepts::index::Indices;
use pellucid::concepts::lattice::{Lattice, LatticeError, dot, json, text};
use pellucid::data::Context;
use pellucid::device::Threads;
use pellucid::learn::run::Control;
use pellucid::report::lattice::{DrawOptions, MOST, MOST_EXPLORED, NameLabels, explorer, svg};
use pellucid::report::page::Provenance;
use pellucid::reports;
use pellucid_arguments::is_standard;
use pellucid_arguments::{LabelsArg, LatticeArgs};
use pellucid_terminal::forecast::{Forecast, MakeEstimate};
use pellucid_terminal::out::{grouped, say, stdout, to_file_or_stdout};
use pellucid_terminal::{ExitStatus, interrupt, progress};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

pub(crate) fn run(args: &LatticeArgs) -> Result<ExitStatus> {
    let files = context::files(&args.context)
        .writes("--html", args.html.as_deref())
        .writes("--svg", args.svg.as_deref())
        .writes("--dot", args.dot.as_deref())
        .writes("--json", args.json.as_deref());
    let has_files =
        [&args.html, &args.svg, &args.dot, &args.json].iter().any(|file| file.is_some());
    let beside_context = args.context.write.as_deref().filter(|path| is_standard(path));
    let files = files.writes("the summary", beside_context.filter(|_| !has_files));
    context::check(&args.context, &files)?;
    let threads = Threads::new(args.threads)?;
    let control = interrupt::control_saying(args.time_limit, "stopping")?;
    let deadline = args.time_limit.and_then(|limit| Instant::now().checked_add(limit));
    let context = context::load(&args.context, args.threads, args.quiet)?;
    let start = Instant::now();
    let most = args.max.min(most_drawn(args));
    let built = build(args, &context, &threads, &control, deadline, most);
    let lattice = match built {
        Ok(lattice) => lattice,
        Err(LatticeError::Stopped) => {
            let reason =
                control.should_stop().map_or_else(String::new, |reason| reason.to_string());
            say(format_args!(
                "{reason}: the lattice is incomplete; raise --min-support to make it smaller"
            ));
            return Ok(ExitStatus::Incomplete);
        }
        Err(error @ LatticeError::Level(_)) => return Err(error.into()),
        Err(LatticeError::TooMany(_)) => {
            return Err(too_many(args, most, context.objects.len()))
                .with_context(|| args.context.path.display().to_string());
        }
    };
    let indices = args.indices.then(|| Indices::of(&lattice, threads.count()));
    write_files(args, &context, &lattice, indices.as_ref())?;
    if !has_files {
        let mut out = stdout();
        text::write_summary(&lattice, &mut out)?;
        if let Some(indices) = &indices {
            writeln!(out)?;
            text::write_indices(&context, &lattice, indices, args.top, &mut out)?;
        }
        out.flush()?;
    }
    if !args.quiet {
        report(&lattice, indices.as_ref(), start.elapsed().as_secs_f64());
    }
    Ok(ExitStatus::Done)
}

/// Finds the concepts and their neighbors.
fn build(
    args: &LatticeArgs,
    context: &Context,
    threads: &Threads,
    control: &Control,
    deadline: Option<Instant>,
    most: u64,
) -> Result<Lattice, LatticeError> {
    let (level, threads) = (threads.level(), threads.count());
    let (concepts, neighbors) = (AtomicU64::new(0), AtomicU64::new(0));
    let stop = || control.should_stop().is_some();
    let min_support = args.min_support.of(context.objects.len());
    let terms = Terms {
        min_support,
        most: Some(most),
        stop: Some(&stop),
        progress: Some(&concepts),
        ..Terms::default()
    };
    let relation = &context.relation;
    let estimate: MakeEstimate<'_> = &|stop| expected(relation, min_support, 0, level, stop);
    let forecast = Forecast { estimate, threads, most: Some(most), fails_beyond: true, deadline };
    let found = progress::watch_with("concepts", args.quiet, &concepts, Some(forecast), || {
        Lattice::search(relation, &terms, threads)
    })?;
    progress::watch_steps("neighbors", found.count(), args.quiet, &neighbors, || {
        Lattice::connect(relation, found, threads, &stop, Some(&neighbors))
    })
}

/// Returns the most concepts that the files to write can show.
fn most_drawn(args: &LatticeArgs) -> u64 {
    match (&args.svg, &args.html) {
        (Some(_), _) => MOST as u64,
        (None, Some(_)) => MOST_EXPLORED as u64,
        (None, None) => u64::MAX,
    }
}

fn write_files(
    args: &LatticeArgs,
    context: &Context,
    lattice: &Lattice,
    indices: Option<&Indices>,
) -> Result<()> {
    if let Some(path) = &args.html {
        let from = provenance(&args.context.path);
        let page = explorer(context, lattice, env!("CARGO_PKG_VERSION"), &from)?;
        to_file_or_stdout(path, |out| Ok(out.write_all(page.as_bytes())?))?;
    }
    if let Some(path) = &args.svg {
        let labels = match args.labels {
            LabelsArg::Auto => NameLabels::Auto,
            LabelsArg::All => NameLabels::All,
            LabelsArg::Hover => NameLabels::Hover,
        };
        let options = DrawOptions { labels, is_interactive: !args.still };
        to_file_or_stdout(path, |out| Ok(svg(context, lattice, &options, out)?))?;
    }
    if let Some(path) = &args.dot {
        to_file_or_stdout(path, |out| Ok(dot::write(context, lattice, out)?))?;
    }
    if let Some(path) = &args.json {
        to_file_or_stdout(path, |out| {
            Ok(json::write_with(context, lattice, args.extents, indices, out)?)
        })?;
    }
    Ok(())
}

fn provenance(context: &Path) -> Provenance {
    Provenance {
        date: Some(reports::today()),
        command: command_line::shown(),
        model: None,
        data: Some(named(context)),
    }
}

/// The error for too many concepts, with advice.
fn too_many(args: &LatticeArgs, most: u64, objects: usize) -> anyhow::Error {
    let limit = grouped(most);
    let current = args.min_support.of(objects);
    let advice = format!("raise --min-support above {}", grouped(current));
    if most < args.max {
        let what = if args.svg.is_some() { "a drawing" } else { "a page" };
        anyhow!("there are more than {limit} concepts, the maximum for {what}; {advice}")
    } else {
        anyhow!("there are more than {limit} concepts; {advice} or raise --max")
    }
}

fn report(lattice: &Lattice, indices: Option<&Indices>, seconds: f64) {
    let (concepts, edges) = (grouped(lattice.len() as u64), grouped(lattice.edges() as u64));
    say(format_args!("{concepts} concepts and {edges} edges in {seconds:.2} s"));
    if indices.is_some_and(|indices| indices.stability.is_none()) {
        say(
            "stability is undefined with a minimum support; delta is the same as for the full lattice",
        );
    }
}
