//! `pellucid cv logic`.

use super::files::load;
use crate::Outcome;
use crate::args::{CvLogicArgs, one_of_many};
use crate::interrupt;
use crate::models::judged;
use crate::out::say;
use crate::progress::Progress;
use anyhow::Result;
use pellucid::learn::split::Folds;
use pellucid::logic::learn::{LearnError, RunError, Task, cross_validate};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) fn run(args: &CvLogicArgs) -> Result<Outcome> {
    let options = args.logic.options()?;
    let machine = args.machine.machine(args.quiet)?;
    let control = interrupt::control(args.time_limit)?;
    let problem = args.problem.require()?;
    let kb = Arc::new(load(&args.ontology, &args.kb, args.quiet)?);
    let task = Task::new(&kb, &problem)?;
    let classes = ["negative".to_owned(), "positive".to_owned()];
    let folds = Folds::stratified(&task.codes(), args.folds, args.repeats, options.seed)
        .map_err(|error| error.named(&classes))?;
    if !args.quiet {
        folds.warnings(&classes).iter().for_each(|warning| say(format_args!("warning: {warning}")));
    }
    let total = (args.folds * args.repeats) as u64;
    let progress = Progress::new(args.quiet || args.json);
    progress.begin("logic", Some(total));
    let done = AtomicU64::new(0);
    let told = |score: &pellucid::learn::split::FoldScore| {
        let f1 = score.values.get("f1").unwrap_or(0.0);
        progress.at(done.fetch_add(1, Ordering::SeqCst) + 1, format!("f1 {f1:.3}"));
    };
    // Folds run side by side, so each has one thread; a GPU they share.
    let one_thread = || {
        one_of_many(&machine).map_err(|error| RunError::Learn(LearnError::Evaluate(error.into())))
    };
    let threads = &machine.threads;
    let result = cross_validate(&kb, &task, &options, &folds, &control, threads, one_thread, told)?;
    progress.end();
    judged(&result, total, args.json)
}
