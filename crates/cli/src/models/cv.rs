//! `pellucid cv`.

use super::data::to_learn_from;
use super::spelled;
use crate::args::{CvArgs, one_of_many};
use crate::out::{json_line, say, stdout};
use crate::progress::Progress;
use crate::{Outcome, interrupt};
use anyhow::Result;
use pellucid::learn::split::{CrossValidation, FoldScore};
use pellucid::registry::{self, Judging, Registry};
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) fn run(args: &CvArgs) -> Result<Outcome> {
    let (chosen, rest) = (&args.what, &args.what.rest);
    let learners = Registry::standard();
    let learner = learners.find(&chosen.name)?;
    learner.check(&chosen.settings).map_err(spelled)?;
    let machine = rest.machine.machine(rest.quiet)?;
    let control = interrupt::control(rest.time_limit)?;
    let data = to_learn_from(&chosen.data, &rest.machine, rest.quiet)?;
    let about = |error: registry::Error| spelled(error.about(&data));
    let folds = learner.folds(&data, &chosen.settings, rest.folds, rest.repeats).map_err(about)?;
    if !rest.quiet {
        let warnings = folds.warnings(&data.classes());
        warnings.iter().for_each(|warning| say(format_args!("warning: {warning}")));
    }
    let total = (rest.folds * rest.repeats) as u64;
    let progress = Progress::new(rest.quiet || rest.json);
    progress.begin(learner.name(), Some(total));
    let done = AtomicU64::new(0);
    let told = |score: &FoldScore| {
        let value = |name| score.values.get(name).unwrap_or(0.0);
        let message = format!("accuracy {:.3}  f1 {:.3}", value("accuracy"), value("f1"));
        progress.at(done.fetch_add(1, Ordering::SeqCst) + 1, message);
    };
    // Folds run side by side, so each has one thread; a GPU they share, each with its own data on it.
    let one_thread = || one_of_many(&machine);
    let how = Judging {
        folds: &folds,
        control: &control,
        threads: &machine.threads,
        machine: &one_thread,
        told: &told,
    };
    let result = learner.cross_validate(&data, &chosen.settings, &how).map_err(about)?;
    progress.end();
    judged(&result, total, rest.json)
}

/// Prints what a cross-validation of so many folds gave.
fn judged(result: &CrossValidation, total: u64, json: bool) -> Result<Outcome> {
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
