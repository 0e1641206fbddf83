//! `pellucid cluster`: clusters the modules of a graph, or evaluates given clusters.

use crate::data::say_notes;
use crate::listing::outcome;
use anyhow::{Context as _, Result};
use pellucid::close::SearchStop;
use pellucid::concepts::cluster::write::{PartitionFormat, write_dot};
use pellucid::concepts::cluster::{ClusterOptions, Partition, cluster, score};
use pellucid::concepts::summary::{ClusterSummary, Completion};
use pellucid::data::DependencyGraph;
use pellucid::device::Threads;
use pellucid::io::{read_graph, read_partition};
use pellucid::learn::run::Control;
use pellucid::report::clusters::ClusterDrawing;
use pellucid_arguments::{ClusterArgs, Destinations, PartitionForm, is_standard};
use pellucid_terminal::out::{counted, json_line, say, stdout, to_file_or_stdout};
use pellucid_terminal::{ExitStatus, interrupt, progress};
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

pub(crate) fn run(args: &ClusterArgs) -> Result<ExitStatus> {
    files(args).check()?;
    let threads = Threads::new(args.threads)?;
    let control =
        interrupt::control_saying(args.time_limit, "stopping; the best clusters so far are kept")?;
    let graph = read_graph(&args.path, &args.graph_options())?;
    if !args.quiet {
        say_notes(&graph.notes);
        describe(args, &graph);
    }
    let start = Instant::now();
    let (found, stop) = match &args.score {
        Some(path) => {
            let given = read_partition(path, &args.limits.limits())?;
            let scored = score(&graph, &given, &args.cluster_options());
            (scored.with_context(|| path.display().to_string())?, Completion::Complete)
        }
        None => search(args, &graph, &threads, &control),
    };
    let seconds = start.elapsed().as_secs_f64();
    write_files(args, &graph, &found)?;
    let summary = ClusterSummary::new(&found, &graph, stop, seconds);
    if args.json {
        let mut out = stdout();
        json_line(&mut out, &serde_json::to_value(&summary)?)?;
        out.flush()?;
    }
    if !args.quiet {
        report(&summary, stop);
    }
    Ok(outcome(stop))
}

fn files(args: &ClusterArgs) -> Destinations<'_> {
    let out = Some(args.out.as_path()).filter(|_| !is_replaced(args));
    Destinations::default()
        .reads("the graph", Some(args.path.as_path()).filter(|path| !path.is_dir()))
        .reads("the partition", args.score.as_deref())
        .writes("--out", out)
        .writes("--svg", args.svg.as_deref())
        .writes("--dot", args.dot.as_deref())
        .writes("--drawing", args.drawing.as_deref())
}

/// Whether a drawing goes to standard output in place of the partition.
fn is_replaced(args: &ClusterArgs) -> bool {
    let mut drawings = [&args.svg, &args.dot, &args.drawing].into_iter().flatten();
    is_standard(&args.out) && drawings.any(|path| is_standard(path))
}

/// Says what counts as an edge.
fn describe(args: &ClusterArgs, graph: &DependencyGraph) {
    let directed = if args.undirected { "undirected" } else { "directed" };
    let weighted = match (graph.is_weighted(), args.unweighted) {
        (true, false) => "weighted",
        (true, true) => "weights ignored",
        (false, _) => "unweighted",
    };
    say(format_args!(
        "graph: {}, {}, {directed}, {weighted}",
        counted(graph.modules.len(), "module"),
        counted(graph.edges().len(), "edge")
    ));
}

fn search(
    args: &ClusterArgs,
    graph: &DependencyGraph,
    threads: &Threads,
    control: &Control,
) -> (Partition, Completion) {
    let (rounds, has_stopped) = (AtomicU64::new(0), AtomicBool::new(false));
    let stop = || {
        let stops = control.should_stop().is_some();
        has_stopped.fetch_or(stops, Relaxed);
        stops
    };
    let options =
        ClusterOptions { stop: Some(&stop), progress: Some(&rounds), ..args.cluster_options() };
    let found =
        progress::watch("rounds", args.quiet, &rounds, || cluster(graph, &options, threads));
    let ended =
        if has_stopped.load(Relaxed) { SearchStop::Requested } else { SearchStop::Complete };
    (found, Completion::of(ended, control))
}

fn write_files(args: &ClusterArgs, graph: &DependencyGraph, found: &Partition) -> Result<()> {
    let options = args.cluster_options();
    if args.svg.is_some() || args.drawing.is_some() {
        let drawing = ClusterDrawing::new(graph, found, &options)?;
        if let Some(path) = &args.svg {
            to_file_or_stdout(path, |out| Ok(drawing.write_svg(out)?))?;
        }
        if let Some(path) = &args.drawing {
            to_file_or_stdout(path, |out| Ok(drawing.write_json(out)?))?;
        }
    }
    if let Some(path) = &args.dot {
        to_file_or_stdout(path, |out| Ok(write_dot(graph, found, &options, out)?))?;
    }
    if is_replaced(args) {
        return Ok(());
    }
    let format = match args.format {
        PartitionForm::Text => PartitionFormat::Text,
        PartitionForm::Csv => PartitionFormat::Csv,
        PartitionForm::Bunch => PartitionFormat::Bunch,
        PartitionForm::Json => PartitionFormat::Json,
    };
    to_file_or_stdout(&args.out, |out| Ok(found.write(graph, format, out)?))
}

fn report(summary: &ClusterSummary, stop: Completion) {
    let prefix = match stop {
        Completion::Complete => String::new(),
        Completion::Cut(reason) => format!("{reason}, there may be better clusters: "),
    };
    let aside = match summary.omnipresent {
        0 => String::new(),
        number => format!("; {} set aside", counted(number, "omnipresent module")),
    };
    say(format_args!(
        "{prefix}quality (TurboMQ) {:.4} with {} in {:.2} s{aside}",
        summary.mq,
        counted(summary.clusters, "cluster"),
        summary.seconds
    ));
}
