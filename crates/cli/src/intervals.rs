//! `pellucid concepts --intervals`: counts or lists closed interval patterns.

use crate::data::say_notes;
use crate::listing::{files, incomplete_prefix, outcome, watch_search, write_list};
use anyhow::{Result, bail};
use pellucid::close::SearchStop;
use pellucid::concepts::intervals::{IntervalTable, PatternFormat, list, search};
use pellucid::concepts::summary::Completion;
use pellucid::device::Machine;
use pellucid::io::read;
use pellucid::learn::run::Control;
use pellucid_arguments::{ConceptsArgs, ConceptsFormat};
use pellucid_terminal::machine::FindMachine as _;
use pellucid_terminal::out::{counted, grouped, json_line, rate, say, stdout};
use pellucid_terminal::{ExitStatus, interrupt};
use serde_json::json;
use std::io::Write;
use std::time::Instant;

pub(crate) fn run(args: &ConceptsArgs) -> Result<ExitStatus> {
    if args.format == ConceptsFormat::Binary {
        bail!("--format: interval patterns have no binary format; use text or json");
    }
    files(args).check()?;
    let machine = args.devices().machine(args.quiet)?;
    let control =
        interrupt::control_saying(args.time_limit, "stopping; patterns found so far are kept")?;
    let table = load(args)?;
    let start = Instant::now();
    let (patterns, stop) = patterns(args, &table, &machine, &control)?;
    let seconds = start.elapsed().as_secs_f64();
    let stop = Completion::of(stop, &control);
    let mut out = stdout();
    if args.json {
        let summary = json!({
            "patterns": patterns,
            "seconds": seconds,
            "stop": stop.word(),
            "objects": table.objects.len(),
            "columns": table.columns().count(),
        });
        json_line(&mut out, &summary)?;
    } else if args.count {
        writeln!(out, "{patterns}")?;
    }
    out.flush()?;
    if !args.quiet {
        say(format_args!(
            "{}{} closed interval patterns in {seconds:.2} s ({}/s)",
            incomplete_prefix(stop),
            grouped(patterns),
            rate(patterns as f64 / seconds.max(1e-9)),
        ));
    }
    Ok(outcome(stop))
}

/// Reads the table.
fn load(args: &ConceptsArgs) -> Result<IntervalTable> {
    let mut options = args.context.table_options();
    options.threads = args.threads;
    let data = read(&args.context.path, &options)?;
    let table = IntervalTable::new(&data)?;
    if !args.quiet {
        say_notes(&table.notes);
        let (objects, columns) = (table.objects.len() as u64, table.columns().count());
        say(format_args!("table: {} objects, {}", grouped(objects), counted(columns, "column")));
    }
    Ok(table)
}

fn patterns(
    args: &ConceptsArgs,
    table: &IntervalTable,
    machine: &Machine,
    control: &Control,
) -> Result<(u64, SearchStop)> {
    let format = match args.format {
        ConceptsFormat::Json => PatternFormat::Json,
        _ => PatternFormat::Text,
    };
    watch_search(args, "patterns", table.objects.len(), control, None, |terms| {
        let threads = &machine.threads;
        if args.count {
            return Ok(search(table, terms, threads, vec![(); threads.count()]));
        }
        write_list(&args.out, |out| Ok(list(table, threads, terms, format, out)?))
    })
}
