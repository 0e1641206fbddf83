//! `pellucid cv rules`.

use crate::Outcome;
use crate::args::{CvRulesArgs, one_of_many};
use crate::data::read;
use crate::interrupt;
use crate::models::judged;
use crate::out::say;
use crate::progress::Progress;
use anyhow::Result;
use pellucid::learn::split::Folds;
use pellucid::rules::train::{LearnError, check_classes};
use pellucid::rules::validate::cross_validate;
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
    judged(&result, total, args.json)
}
