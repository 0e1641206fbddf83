//! Reports on models of any learner: what `pellucid report` and `report` in Python share.
//!
//! ```
//! use pellucid::prelude::*;
//! use pellucid::registry::Registry;
//! use pellucid::reports;
//!
//! let csv = "age,smoker,class\n34,no,0\n61,yes,1\n58,yes,1\n47,no,0\n39,no,0\n66,yes,1\n";
//! let data = io::read_from(csv.as_bytes(), "example.csv", &ReadOptions::default())?;
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("model.json");
//! RuleLearner::new().most_rules(3).fit(&data)?.save(&path)?;
//! let page = reports::of_model(&*Registry::standard().open(&path)?, &path)?.html();
//! assert!(page.starts_with("<!doctype html>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod by_group;
mod by_size;
mod coverage;
mod effects;
mod expression;

use crate::io::Dataset;
use crate::learn::learner::{ExportOptions, Predictions};
use crate::learn::model::StoredModel;
use crate::learn::out_of_fold::OutOfFold;
use crate::learn::params::ParamError;
use crate::logic::learn::Individuals;
use crate::prepare::GroupNames;
use crate::registry::{AnyModel, Error, Registry};
use crate::report::page::{EvaluationSource, Report};
use pellucid_device::Machine;
use serde_json::json;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Exports larger than this are left out of a report; `pellucid show` writes them.
const MOST_BYTES: usize = 1_000_000;

/// The exports in a report: their form, their name and their file.
const FORMS: [(&str, &str, &str); 6] = [
    ("sql", "SQL", "model.sql"),
    ("python", "Python", "model.py"),
    ("javascript", "JavaScript", "model.mjs"),
    ("onnx", "ONNX", "model.onnx"),
    ("owl", "OWL in Turtle", "model.ttl"),
    ("sparql", "SPARQL", "model.rq"),
];

/// Returns an empty report of this version of Pellucid.
#[must_use]
pub fn empty() -> Report {
    Report::new(env!("CARGO_PKG_VERSION"))
}

/// Returns a report with a model, its parameters and its exports. `path` is used in errors.
///
/// # Errors
/// When the model contains a value that JSON cannot represent.
pub fn of_model(model: &dyn AnyModel, path: &Path) -> Result<Report, Error> {
    let json = model.to_json()?;
    let stored = StoredModel::parse(path, json.clone().into_bytes())?;
    let text = model.text();
    let mut report = empty()
        .with_model(&stored, model.schema(), &text)?
        .with_parameters(model.parameters())
        .with_download("model file", "model.json", &json)
        .with_download("text", "model.txt", &text);
    report = expression::with_expression(report, &stored, None);
    let learners = Registry::standard();
    for (form, label, file) in FORMS {
        let is_known =
            learners.find(model.learner())?.forms().iter().any(|known| known.name == form);
        if !is_known {
            continue;
        }
        // A model that a form cannot represent has no such export.
        let Ok(written) = model.write(form, &ExportOptions::default()) else { continue };
        report = match written.len() <= MOST_BYTES {
            true => report.with_export(label, file, &written),
            false => report.without_file(label, file),
        };
    }
    Ok(report)
}

/// Returns the first of these names that is not a column of the model.
pub fn unknown_column<'a>(names: &'a [String], model: &dyn AnyModel) -> Option<&'a str> {
    let is_known = |name: &str| model.schema().columns.iter().any(|column| column.name == name);
    names.iter().map(String::as_str).find(|name| !is_known(name))
}

/// Adds a table: a description of its columns, and for a model of rows the effects of its columns and what
/// its rules cover. `notes` say how the table was read.
#[must_use]
pub fn with_table(
    report: Report,
    model: &dyn AnyModel,
    data: &Dataset,
    notes: &[String],
    machine: &Machine,
) -> Report {
    let effects = match model.learner() {
        // Networks have stored their effects on a score or a number.
        "network" if model.schema().classes.len() <= 2 => None,
        _ => effects::effects(model, data, report.used_columns(), machine),
    };
    let stored = model
        .to_json()
        .ok()
        .and_then(|json| StoredModel::parse(Path::new("the model"), json.into_bytes()).ok());
    let covered = stored.and_then(|stored| coverage::coverage(&stored, data, machine));
    report.with_data(data, notes).with_part("effects", effects).with_part("coverage", covered)
}

/// Adds the individuals behind each part of the best class expression of a model.
#[must_use]
pub fn with_individuals(
    report: Report,
    model: &dyn AnyModel,
    data: &Individuals,
    machine: &Machine,
) -> Report {
    let stored = model
        .to_json()
        .ok()
        .and_then(|json| StoredModel::parse(Path::new("the model"), json.into_bytes()).ok());
    match stored {
        Some(stored) => expression::with_expression(report, &stored, Some((data, machine))),
        None => report,
    }
}

/// Adds the figures by group: for each value of a column of the data.
///
/// # Errors
/// If the data has no such column.
pub fn with_groups(
    report: Report,
    model: &dyn AnyModel,
    data: &Dataset,
    column: &str,
    predictions: &Predictions,
) -> Result<Report, ParamError> {
    if !data.columns.iter().any(|known| known.name == column) {
        let problem = format!("the data has no column '{column}'");
        return Err(ParamError::with_problem("by", problem));
    }
    Ok(report.with_part("groups", by_group::by_group(model, data, column, predictions)))
}

/// Adds the held-out evaluation of a training run, of all sizes of the model that are stored.
#[must_use]
pub fn with_held_out(report: Report, scores: &OutOfFold) -> Report {
    let report = by_size::of_held_out(held_out_evaluation(report, scores), scores);
    let answers = match scores.number_decisions() {
        Some(numbers) => numbers.list().len(),
        None => scores.decisions().list().len(),
    };
    report
        .with_part("answers", Some(json!(answers)))
        .with_part("held_out_coverage", coverage::held_out(scores))
}

/// Adds the evaluation of all stored sizes of a model on a table with this name.
#[must_use]
pub fn with_sizes(
    report: Report,
    model: &dyn AnyModel,
    data: &Dataset,
    name: &str,
    machine: &Machine,
) -> Report {
    by_size::on_data(report, model, data, name, machine)
}

fn held_out_evaluation(report: Report, scores: &OutOfFold) -> Report {
    let source = EvaluationSource::OutOfFold { folds: scores.folds, repeats: 1 };
    match (scores.number_summary(), scores.first_number_decisions()) {
        (Some(summary), Some(decisions)) => report.with_numbers(&source, &summary, &decisions),
        _ => {
            let once = scores.first_decisions(scores.decisions());
            report.with_classes(&source, scores.summary(), &once)
        }
    }
}

/// Adds the held-out figures of each group, if the training run had a few groups with names.
#[must_use]
pub fn with_held_out_groups(
    report: Report,
    scores: &OutOfFold,
    groups: Option<&GroupNames>,
) -> Report {
    report.with_part("groups", groups.and_then(|groups| by_group::of_held_out(scores, groups)))
}

/// Adds the evaluation of a model on data with this name, if the data has actual values.
#[must_use]
pub fn with_predictions(
    report: Report,
    name: &str,
    model: &dyn AnyModel,
    predictions: &Predictions,
) -> Report {
    let source = |looks_like_training| {
        let name = name.to_owned();
        EvaluationSource::Data { name, looks_like_training }
    };
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

/// Returns the date in UTC, as `2026-11-30`.
#[must_use]
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let format = "%Y-%m-%d".parse::<crate::io::DateFormat>();
    #[expect(clippy::cast_precision_loss, reason = "days of this millennium are exact")]
    format.map_or_else(|_| String::new(), |format| format.show((seconds / 86_400) as f64))
}
