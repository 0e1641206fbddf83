//! `pellucid cv`.

use super::data::to_learn_from;
use super::spelled;
use anyhow::Result;
use pellucid::learn::learner::{INNER_FOLDS, Judging};
use pellucid::learn::split::{CrossValidation, FoldScore, Spread};
use pellucid::registry::{self, Registry};
use pellucid_arguments::CvArgs;
use pellucid_terminal::machine::machine_for;
use pellucid_terminal::out::{json_line, say, stdout};
use pellucid_terminal::progress::Progress;
use pellucid_terminal::{ExitStatus, interrupt};
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) fn run(args: &CvArgs) -> Result<ExitStatus> {
    let (chosen, rest) = (&args.what, &args.what.rest);
    let learners = Registry::standard();
    let learner = learners.find(&chosen.name)?;
    let gpus = learner.learns_on_gpus(&chosen.settings).map_err(spelled)?;
    let machine = machine_for(&rest.machine, gpus, rest.quiet)?;
    let control = interrupt::control(rest.time_limit)?;
    let data = to_learn_from(&chosen.data, learner, &rest.machine, rest.quiet)?;
    let about = |error: registry::Error| spelled(error.about(&data));
    let folds = learner.folds(&data, &chosen.settings, rest.folds, rest.repeats).map_err(about)?;
    if !rest.quiet {
        let warnings = folds.warnings(&data.classes());
        warnings.iter().for_each(|warning| say(format_args!("warning: {warning}")));
    }
    let progress = Progress::new(rest.quiet || rest.json);
    progress.begin(learner.name(), Some(folds.len() as u64));
    let done = AtomicU64::new(0);
    let told = |score: &FoldScore| {
        let value = |name| score.values.get(name).unwrap_or(0.0);
        let message = match score.values.get("r2") {
            Some(r2) => format!("R² {r2:.3}"),
            None => format!("accuracy {:.3}  f1 {:.3}", value("accuracy"), value("f1")),
        };
        progress.at(done.fetch_add(1, Ordering::SeqCst) + 1, message);
    };
    let how = Judging {
        folds: &folds,
        inner: if rest.no_inner_folds { 0 } else { INNER_FOLDS },
        control: &control,
        threads: &machine.threads,
        // Folds run side by side, so each has one thread; a GPU they share, each with its own data on it.
        machine: &|| machine.one_of_many(),
        told: &told,
    };
    let result = learner.cross_validate(&data, &chosen.settings, &how).map_err(about)?;
    progress.end();
    judged(&result, folds.len(), rest.json.then(|| data.notes()))
}

/// Prints what a cross-validation of so many folds gave; as JSON with notes about the data where those are given.
fn judged(result: &CrossValidation, total: usize, json: Option<&[String]>) -> Result<ExitStatus> {
    let mut out = stdout();
    if let Some(notes) = json {
        let mut value = serde_json::to_value(result)?;
        if let Some(fields) = value.as_object_mut() {
            fields.insert("notes".to_owned(), notes.to_vec().into());
        }
        json_line(&mut out, &value)?;
    } else {
        table(&mut out, result)?;
    }
    out.flush()?;
    match result.scores().len() {
        finished if finished == total => return Ok(ExitStatus::Done),
        0 => say(format_args!(
            "cut short after {:.1} s, before any of the {total} folds was done; allow more time",
            result.seconds
        )),
        finished => {
            say(format_args!("cut short: {finished} of {total} folds were done and are counted"))
        }
    }
    Ok(ExitStatus::Incomplete)
}

fn table(out: &mut impl Write, result: &CrossValidation) -> Result<()> {
    let (told, judged, units) = match (result.summary(), result.number_summary()) {
        (_, Some(summary)) => (summary.to_string(), summary.judged, summary.units),
        (Some(summary), None) => (summary.to_string(), summary.judged, summary.units),
        (None, None) => return Ok(()),
    };
    let folds = result.scores().len();
    write!(out, "{folds} folds, each learned without the examples it is judged by; ")?;
    if judged == units {
        writeln!(out, "{judged} examples in all\n")?;
    } else {
        writeln!(out, "{judged} decisions about {units} that are independent\n")?;
    }
    writeln!(out, "{told}")?;
    let of_folds = |name: &str| result.metric(name);
    let spread = |spread: &Spread| match spread.std {
        Some(std) => format!("{:.3} +- {std:.3} over folds", spread.mean),
        None => format!("{:.3}", spread.mean),
    };
    let judging = ["accuracy", "balanced_accuracy", "f1", "baseline_f1", "train_f1"];
    let of_numbers = ["r2", "mae", "rmse", "baseline_mae", "train_mae"];
    let is_told = |name: &&str| judging.contains(name) || of_numbers.contains(name);
    let others = result.metrics().into_iter().filter(|name| !is_told(name));
    for name in ["accuracy", "r2"].into_iter().chain(others) {
        let Some(values) = of_folds(name) else { continue };
        let spoken = name.replace("train_", "training ").replace("r2", "R²").replace('_', " ");
        writeln!(out, "{spoken:<20}{}", spread(&values))?;
    }
    writeln!(out, "{:<20}{:.2}", "seconds", result.seconds)?;
    Ok(())
}
