//! `pellucid learn`, `cv`, `predict` and `show`: which learner is meant.

use crate::args::{CvArgs, CvLearner, LearnArgs, Learner, PredictArgs, ShowArgs};
use crate::logic::files::is_ontology;
use crate::out::{json_line, say, stdout};
use crate::{Outcome, logic, rules};
use anyhow::{Result, bail, ensure};
use pellucid::learn::model::StoredModel;
use pellucid::learn::split::CrossValidation;
use std::io::Write;
use std::path::Path;

pub(crate) fn learn(args: &LearnArgs) -> Result<Outcome> {
    match &args.what {
        Learner::Rules(args) => rules::learn::run(args),
        Learner::Logic(args) => logic::learn::run(args),
    }
}

pub(crate) fn cross_validate(args: &CvArgs) -> Result<Outcome> {
    match &args.what {
        CvLearner::Rules(args) => rules::cv::run(args),
        CvLearner::Logic(args) => logic::cv::run(args),
    }
}

pub(crate) fn predict(args: &PredictArgs) -> Result<Outcome> {
    let stored = StoredModel::open(&args.model)?;
    match stored.learner() {
        "rules" => rules::predict::run(args, &stored),
        "logic" => logic::predict::run(args, &stored),
        other => unknown(&args.model, other),
    }
}

pub(crate) fn show(args: &ShowArgs) -> Result<Outcome> {
    if is_ontology(&args.what) {
        return logic::show::knowledge_base(args);
    }
    let stored = StoredModel::open(&args.what)?;
    match stored.learner() {
        "rules" => rules::show::run(args, &stored),
        "logic" => logic::show::model(args, &stored),
        other => unknown(&args.what, other),
    }
}

fn unknown(model: &Path, learner: &str) -> Result<Outcome> {
    bail!(
        "{}: found a model of learner '{learner}', this version knows: rules, logic",
        model.display()
    )
}

/// Whether a file can lie where it should: better asked now than after hours of learning.
pub(crate) fn require_folder(out: &Path) -> Result<()> {
    if let Some(folder) = out.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        ensure!(
            folder.is_dir(),
            "--out {}: there is no folder {}",
            out.display(),
            folder.display()
        );
    }
    Ok(())
}

/// Prints what a cross-validation of so many folds gave.
pub(crate) fn judged(result: &CrossValidation, total: u64, json: bool) -> Result<Outcome> {
    let mut out = stdout();
    if json {
        json_line(&mut out, &serde_json::to_value(result)?)?;
    } else {
        table(&mut out, result)?;
    }
    out.flush()?;
    let finished = result.scores().len() as u64;
    if finished < total {
        say(format_args!("cut short: {finished} of {total} folds are counted"));
        return Ok(Outcome::CutShort);
    }
    Ok(Outcome::Done)
}

fn table(out: &mut impl Write, result: &CrossValidation) -> Result<()> {
    let folds = result.scores().len();
    writeln!(out, "{folds} folds, each learned without the examples it is judged by\n")?;
    for name in result.metrics() {
        let Some(spread) = result.metric(name) else { continue };
        let spoken = name.replace('_', " ");
        match spread.std {
            Some(std) => {
                writeln!(out, "{spoken:<18} {:>8.3}  +- {std:.3} over folds", spread.mean)?
            }
            None => writeln!(out, "{spoken:<18} {:>8.3}", spread.mean)?,
        }
    }
    if let Some(baseline) = result.baseline() {
        writeln!(out, "{:<18} {baseline:>8.3}  always the most common class", "baseline")?;
    }
    writeln!(out, "{:<18} {:>8.2}", "seconds", result.seconds)?;
    Ok(())
}
