//! `pellucid cv`.

use super::data::to_learn_from;
use super::report::write_validated;
use anyhow::Result;
use pellucid::cross_validation;
use pellucid::data::Message;
use pellucid::learn::learner::{CrossValidationSetup, INNER_FOLDS};
use pellucid::learn::split::{CrossValidation, FoldScore};
use pellucid::registry::{self, Registry};
use pellucid_arguments::CvArgs;
use pellucid_terminal::machine::machine_for;
use pellucid_terminal::out::{json_line, say, stdout};
use pellucid_terminal::progress::Progress;
use pellucid_terminal::{ExitStatus, interrupt};
use serde_json::json;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) fn run(args: &CvArgs) -> Result<ExitStatus> {
    let (chosen, flags) = (&args.learner, &args.learner.flags);
    let learners = Registry::standard();
    let learner = learners.find(&chosen.name)?;
    let gpus = learner.learns_on_gpus(&chosen.settings, 0)?;
    let machine = machine_for(&flags.machine, gpus, flags.quiet)?;
    let control = interrupt::control(flags.time_limit)?;
    chosen.data.files().writes("--report", flags.report.as_deref()).check()?;
    let data = to_learn_from(
        &chosen.data,
        learner,
        &flags.machine,
        &chosen.settings,
        &control,
        flags.quiet,
    )?
    .data;
    let about = |error: registry::Error| error.about(&data);
    let folds =
        learner.folds(&data, &chosen.settings, flags.folds, flags.repeats).map_err(about)?;
    if !flags.quiet {
        let warnings = folds.warnings(&data.classes());
        warnings.iter().for_each(|warning| say(format_args!("warning: {warning}")));
    }
    let progress = Progress::new(flags.quiet || flags.json);
    progress.begin(learner.name(), Some(folds.len() as u64));
    let done = AtomicU64::new(0);
    let report_fold = |score: &FoldScore| {
        let value = |name| score.values.get(name).unwrap_or(0.0);
        let message = match score.values.get("r2") {
            Some(r2) => format!("R² {r2:.3}"),
            None => format!("accuracy {:.3}  F1 {:.3}", value("accuracy"), value("f1")),
        };
        progress.at(done.fetch_add(1, Ordering::SeqCst) + 1, message);
    };
    let setup = CrossValidationSetup {
        folds: &folds,
        inner: if flags.no_inner_folds { 0 } else { INNER_FOLDS },
        control: &control,
        threads: &machine.threads,
        // Folds run in parallel with one thread each. They share a GPU, each with its own data.
        machine: &|| machine.one_of_many(),
        on_fold: &report_fold,
    };
    let result = learner.cross_validate(&data, &chosen.settings, &setup).map_err(about)?;
    progress.end();
    if let Some(path) = &flags.report {
        let (sizes, source) = ((flags.folds, flags.repeats), (&chosen.data, &data));
        write_validated(path, learner.name(), &result, sizes, source, flags.quiet)?;
    }
    print_result(&result, folds.len(), flags.json.then(|| data.notes()))
}

/// Prints the result of a cross-validation with `total` folds, as JSON if notes about the data are
/// given.
fn print_result(
    result: &CrossValidation,
    total: usize,
    json: Option<&[Message]>,
) -> Result<ExitStatus> {
    let mut out = stdout();
    if let Some(notes) = json {
        let mut value = serde_json::to_value(result)?;
        if let Some(fields) = value.as_object_mut() {
            fields.insert("notes".to_owned(), json!(notes));
        }
        json_line(&mut out, &value)?;
    } else {
        write!(out, "{}", cross_validation::text(result))?;
    }
    out.flush()?;
    match result.scores().len() {
        finished if finished == total => return Ok(ExitStatus::Done),
        0 => say(format_args!(
            "stopped after {:.1} s: none of the {total} folds was finished; allow more time",
            result.seconds
        )),
        finished => {
            say(format_args!("stopped early: the results cover {finished} of {total} folds"))
        }
    }
    Ok(ExitStatus::Incomplete)
}
