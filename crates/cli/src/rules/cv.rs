//! `pellucid cv rules`.

use crate::Outcome;
use crate::args::{CvRulesArgs, one_of_many};
use crate::data::read;
use crate::interrupt;
use crate::out::{json_line, say, stdout};
use crate::progress::Progress;
use anyhow::Result;
use pellucid::learn::split::{CrossValidation, Folds};
use pellucid::rules::train::{LearnError, check_classes};
use pellucid::rules::validate::cross_validate;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) fn run(args: &CvRulesArgs) -> Result<Outcome> {
    let params = args.rules.params()?;
    let machine = args.machine.machine(args.quiet)?;
    let control = interrupt::control(args.time_limit)?;
    let data = read(&args.data, args.quiet)?;
    // What is wrong with all of the data is told before what is wrong with the folds.
    check_classes(&data)?;
    let codes = data.example_codes();
    let classes = &data.require_classes()?.classes;
    let folds = Folds::stratified(&codes, args.folds, args.repeats, params.seed)
        .map_err(|error| error.named(classes))?;
    if !args.quiet {
        folds.warnings(classes).iter().for_each(|warning| say(format_args!("warning: {warning}")));
    }
    let total = (args.folds * args.repeats) as u64;
    let progress = Progress::new(args.quiet || args.json);
    progress.begin("rules", Some(total));
    let done = AtomicU64::new(0);
    let told = |score: &pellucid::learn::split::FoldScore| {
        let accuracy = score.values.get("accuracy").unwrap_or(0.0);
        progress.at(done.fetch_add(1, Ordering::SeqCst) + 1, format!("accuracy {accuracy:.3}"));
    };
    // Folds run side by side, so each has one thread; a GPU they share, each with a table of its own on it.
    let one_thread = || one_of_many(&machine).map_err(|error| LearnError::from(error).into());
    let result =
        cross_validate(&data, &params, &folds, &control, &machine.threads, one_thread, told)?;
    progress.end();
    let mut out = stdout();
    if args.json {
        json_line(&mut out, &serde_json::to_value(&result)?)?;
    } else {
        table(&mut out, &result)?;
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
