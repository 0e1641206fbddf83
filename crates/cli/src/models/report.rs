//! `pellucid report`, and the reports of `learn` and `cv`.

use super::data::{ModelData, to_predict};
use super::open;
use crate::command_line;
use anyhow::{Result, ensure};
use pellucid::learn::learner::{ExportOptions, Predictions};
use pellucid::learn::model::StoredModel;
use pellucid::learn::split::CrossValidation;
use pellucid::registry::{AnyFitResult, AnyModel, Data, Registry};
use pellucid::report::page::{EvaluationSource, Provenance, Report, short_digest};
use pellucid_arguments::{Destinations, LearningData, ReportArgs, is_standard};
use pellucid_terminal::ExitStatus;
use pellucid_terminal::flags::with_flags;
use pellucid_terminal::machine::machine_for;
use pellucid_terminal::out::{say, to_file_or_stdout};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Exports larger than this are left out of a report; `pellucid show` writes them.
const MOST_BYTES: usize = 1_000_000;

/// The exports in a report: their form, their name and their file.
const FORMS: [(&str, &str, &str); 3] = [
    ("sql", "SQL", "model.sql"),
    ("python", "Python", "model.py"),
    ("sparql", "SPARQL", "model.rq"),
];

pub(crate) fn run(args: &ReportArgs) -> Result<ExitStatus> {
    let mut files = Destinations::default().reads("the model", Some(&args.model));
    if args.has_data() {
        files = args.problem.files(args.data.files(files));
    }
    files.writes("--out", Some(&args.out)).check()?;
    let model = open(&args.model, args.rules)?;
    check_fixed(&args.fixed, &*model)?;
    let mut report = with_model(new_report(), &*model, &args.model)?.with_fixed(&args.fixed);
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
        report = with_data(report, &data);
        let machine = machine_for(&args.machine, model.applies_on_gpus(), args.quiet)?;
        let applied = model.apply(&data, &machine)?;
        let classes = &model.schema().classes;
        let predictions = Predictions::new(applied, classes, model.calibration());
        report = with_predictions(report, &args.data.path, &*model, &predictions);
        from.data = Some(named(&args.data.path));
    }
    write(&report.with_provenance(&from), &args.out, args.quiet)?;
    Ok(ExitStatus::Done)
}

/// Checks that the columns of `--fixed` exist.
fn check_fixed(fixed: &[String], model: &dyn AnyModel) -> Result<()> {
    for name in fixed {
        ensure!(
            model.schema().columns.iter().any(|column| column.name == *name),
            "--fixed: the model has no column '{name}'"
        );
    }
    Ok(())
}

/// Writes the report of a training run.
pub(super) fn write_learned(
    path: &Path,
    out: &Path,
    learned: &AnyFitResult,
    (source, data): (&LearningData, &Data),
    quiet: bool,
) -> Result<()> {
    let model = if is_standard(out) { Path::new("model.json") } else { out };
    let mut report = with_model(new_report(), &*learned.model, model)?;
    report = with_data(report, data);
    if let Ok(scores) = &learned.held_out {
        let source = EvaluationSource::OutOfFold { folds: scores.folds, repeats: 1 };
        report = match (scores.number_summary(), scores.number_decisions()) {
            (Some(summary), Some(decisions)) => report.with_numbers(&source, &summary, &decisions),
            _ => {
                let once = scores.first_decisions(&scores.decisions());
                report.with_classes(&source, &scores.summary(), &once)
            }
        };
    }
    let mut from = provenance((!is_standard(out)).then_some(out));
    from.data = Some(named(data_path(source)));
    write(&report.with_provenance(&from), path, quiet)
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
    let mut report = new_report().with_task(learner, target.unwrap_or("class"), &data.classes());
    report = with_data(report, data);
    let origin = EvaluationSource::OutOfFold { folds, repeats };
    if let Some(summary) = result.number_summary() {
        report = report.with_numbers(&origin, &summary, &result.numbers);
    } else if let Some(summary) = result.summary() {
        report = report.with_classes(&origin, &summary, &result.decisions);
    }
    let from = Provenance { data: Some(named(data_path(source))), ..provenance(None) };
    write(&report.with_provenance(&from), path, quiet)
}

fn new_report() -> Report {
    Report::new(env!("CARGO_PKG_VERSION"))
}

/// Adds a description of a table. Notes spell parameters as flags.
fn with_data(report: Report, data: &Data) -> Report {
    let Data::Table(table) = data else { return report };
    let notes: Vec<String> = table.notes.iter().map(with_flags).collect();
    report.with_data(table, &notes)
}

fn data_path(source: &LearningData) -> &Path {
    match source {
        LearningData::Table(args, _) => &args.path,
        LearningData::Ontology(args) => &args.ontology,
    }
}

/// Adds a model, its parameters and its exports.
fn with_model(report: Report, model: &dyn AnyModel, path: &Path) -> Result<Report> {
    let json = model.to_json()?;
    let stored = StoredModel::parse(path, json.clone().into_bytes())?;
    let text = model.text();
    let mut report = report
        .with_model(&stored, model.schema(), &text)?
        .with_parameters(model.parameters())
        .with_download("model file", "model.json", &json)
        .with_download("text", "model.txt", &text);
    let learners = Registry::standard();
    for (form, label, file) in FORMS {
        let is_known =
            learners.find(model.learner())?.forms().iter().any(|known| known.name == form);
        if !is_known {
            continue;
        }
        // A model that a form cannot represent has no such export.
        let Ok(written) = model.write(form, &ExportOptions::default()) else { continue };
        if let Ok(text) = String::from_utf8(written)
            && text.len() <= MOST_BYTES
        {
            report = report.with_download(label, file, &text);
        }
    }
    Ok(report)
}

/// Adds the evaluation of a model on data, if the data has actual values.
fn with_predictions(
    report: Report,
    path: &Path,
    model: &dyn AnyModel,
    predictions: &Predictions,
) -> Report {
    let source =
        |looks_like_training| EvaluationSource::Data { name: file_name(path), looks_like_training };
    if let Some(seen) = model.schema().number {
        return match predictions.numbers(seen.middle) {
            Some(decisions) => {
                report.with_numbers(&source(false), &decisions.summary(), &decisions)
            }
            None => report,
        };
    }
    let Some(decisions) = predictions.decisions() else { return report };
    let summary = decisions.summary();
    let counts: Vec<u64> = summary.classes.iter().map(|class| class.examples).collect();
    let source = source(report.has_examples(&counts));
    report.with_classes(&source, &summary, &decisions)
}

/// Returns where a report comes from.
fn provenance(model: Option<&Path>) -> Provenance {
    Provenance {
        date: Some(today()),
        command: command_line::shown(),
        model: model.map(named),
        data: None,
    }
}

/// Returns the name of a file and the start of its digest, which is empty if the file cannot be read again.
fn named(path: &Path) -> (String, String) {
    let digest = if is_standard(path) { None } else { std::fs::read(path).ok() };
    (file_name(path), digest.map_or_else(String::new, |bytes| short_digest(&bytes)))
}

fn file_name(path: &Path) -> String {
    match path.file_name() {
        Some(_) if is_standard(path) => "standard input".to_owned(),
        Some(name) => name.to_string_lossy().into_owned(),
        None => path.display().to_string(),
    }
}

/// Returns the date in UTC, as `2026-11-30`.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let format = "%Y-%m-%d".parse::<pellucid::io::DateFormat>();
    #[expect(clippy::cast_precision_loss, reason = "days of this millennium are exact")]
    format.map_or_else(|_| String::new(), |format| format.show((seconds / 86_400) as f64))
}

fn write(report: &Report, path: &Path, quiet: bool) -> Result<()> {
    let page = report.html();
    to_file_or_stdout(path, |out| Ok(out.write_all(page.as_bytes())?))?;
    if !quiet && !is_standard(path) {
        say(format_args!("Wrote the report to {}.", path.display()));
    }
    Ok(())
}
