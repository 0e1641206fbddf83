//! `pellucid report`, and the reports of `learn` and `cv`.

use super::data::{ModelData, TrainingData, to_predict};
use super::open;
use crate::command_line;
use anyhow::{Result, bail};
use pellucid::device::Machine;
use pellucid::io::Dataset;
use pellucid::learn::split::CrossValidation;
use pellucid::registry::{AnyFitResult, AnyModel, Data};
use pellucid::report::page::{EvaluationSource, Provenance, Report, short_digest};
use pellucid::reports;
use pellucid_arguments::{Destinations, LearningData, ReportArgs, is_standard};
use pellucid_terminal::ExitStatus;
use pellucid_terminal::flags::with_flags;
use pellucid_terminal::machine::machine_for;
use pellucid_terminal::out::{say, to_file_or_stdout};
use serde_json::{Value, json};
use std::path::Path;

pub(crate) fn run(args: &ReportArgs) -> Result<ExitStatus> {
    let mut files = Destinations::default().reads("the model", Some(&args.model));
    if args.has_data() {
        files = args.problem.files(args.data.files(files));
    }
    files.writes("--out", Some(&args.out)).check()?;
    let model = open(&args.model, args.rules)?;
    if let Some(name) = reports::unknown_column(&args.fixed, &*model) {
        bail!("--fixed: the model has no column '{name}'");
    }
    let mut report = reports::of_model(&*model, &args.model)?.with_fixed(&args.fixed);
    let mut from = provenance(Some(&args.model));
    if args.has_data() {
        let source = ModelData {
            model: &args.model,
            data: &args.data,
            individuals: None,
            problem: &args.problem,
            kb: &args.kb,
            machine: &args.machine,
            quiet: args.quiet,
        };
        let data = to_predict(&source, &*model)?;
        let machine = machine_for(&args.machine, model.applies_on_gpus(), args.quiet)?;
        report = with_data(report, &*model, &data, &machine);
        let predictions = model.predictions(&data, &machine)?;
        let name = file_name(&args.data.path);
        report = reports::with_predictions(report, &name, &*model, &predictions);
        if let Data::Table(table) = &data {
            report = reports::with_sizes(report, &*model, table, &name, &machine);
            if let Some(column) = &args.by {
                report = reports::with_groups(report, &*model, table, column, &predictions)?;
            }
        }
        from.data = Some(named(&args.data.path));
    }
    write(&report.with_provenance(&from), &args.out, args.quiet)?;
    Ok(ExitStatus::Done)
}

/// Writes the report of a training run.
pub(super) fn write_learned(
    path: &Path,
    out: &Path,
    learned: &AnyFitResult,
    (source, training): (&LearningData, &TrainingData),
    machine: &Machine,
    quiet: bool,
) -> Result<()> {
    let model = if is_standard(out) { Path::new("model.json") } else { out };
    let mut report = reports::of_model(&*learned.model, model)?;
    report = with_data(report, &*learned.model, &training.data, machine);
    match &learned.held_out {
        Ok(scores) => {
            report = reports::with_held_out(report, scores);
            report = reports::with_held_out_groups(report, scores, training.groups.as_ref());
        }
        Err(reason) => report = report.with_part("no_estimate", Some(json!(reason.to_string()))),
    }
    report = report.with_part("run", Some(run_of(learned)));
    let mut from = provenance((!is_standard(out)).then_some(out));
    from.data = Some(named(data_path(source)));
    write(&report.with_provenance(&from), path, quiet)
}

/// Returns what was tried in a training run.
fn run_of(learned: &AnyFitResult) -> Value {
    let run = &learned.run;
    json!({
        "evaluated": run.summary.evaluated,
        "counts": run.plan.counts,
        "stop": run.summary.stop.to_string(),
    })
}

/// Writes the report of a cross-validation.
pub(super) fn write_validated(
    path: &Path,
    learner: &str,
    result: &CrossValidation,
    (folds, repeats): (usize, usize),
    (source, data): (&LearningData, &Data),
    quiet: bool,
) -> Result<()> {
    let target = match data {
        Data::Table(table) => {
            let class = table.target.as_ref().map(|target| target.name.as_str());
            class.or(table.number.as_ref().map(|target| target.name.as_str()))
        }
        Data::Individuals(_) => None,
    };
    let mut report =
        reports::empty().with_task(learner, target.unwrap_or("class"), &data.classes());
    if let Data::Table(table) = data {
        report = report.with_data(table, &notes(table));
    }
    let origin = EvaluationSource::OutOfFold { folds, repeats };
    if let Some(summary) = result.number_summary() {
        report = report.with_numbers(&origin, &summary, &result.numbers);
    } else if let Some(summary) = result.summary() {
        report = report.with_classes(&origin, &summary, &result.decisions);
    }
    let from = Provenance { data: Some(named(data_path(source))), ..provenance(None) };
    write(&report.with_provenance(&from), path, quiet)
}

/// Adds what is known of the data.
fn with_data(report: Report, model: &dyn AnyModel, data: &Data, machine: &Machine) -> Report {
    match data {
        Data::Table(table) => reports::with_table(report, model, table, &notes(table), machine),
        Data::Individuals(individuals) => {
            reports::with_individuals(report, model, individuals, machine)
        }
    }
}

/// Returns the notes on a table, with parameters spelled as flags.
fn notes(table: &Dataset) -> Vec<String> {
    table.notes.iter().map(with_flags).collect()
}

fn data_path(source: &LearningData) -> &Path {
    match source {
        LearningData::Table(args, _) => &args.path,
        LearningData::Ontology(args) => &args.ontology[0],
    }
}

/// Returns where a report comes from.
fn provenance(model: Option<&Path>) -> Provenance {
    Provenance {
        date: Some(reports::today()),
        command: command_line::shown(),
        model: model.map(named),
        data: None,
    }
}

/// Returns the name of a file and the start of its digest, which is empty if the file cannot be read again.
pub(crate) fn named(path: &Path) -> (String, String) {
    let digest = if is_standard(path) { None } else { std::fs::read(path).ok() };
    (file_name(path), digest.map_or_else(String::new, |bytes| short_digest(&bytes)))
}

pub(crate) fn file_name(path: &Path) -> String {
    match path.file_name() {
        Some(_) if is_standard(path) => "standard input".to_owned(),
        Some(name) => name.to_string_lossy().into_owned(),
        None => path.display().to_string(),
    }
}

fn write(report: &Report, path: &Path, quiet: bool) -> Result<()> {
    let page = report.html();
    to_file_or_stdout(path, |out| Ok(out.write_all(page.as_bytes())?))?;
    if !quiet && !is_standard(path) {
        say(format_args!("Wrote the report to {}.", path.display()));
    }
    Ok(())
}
