//! `pellucid learn`.

use super::alternatives::{self, write_alternatives};
use super::data::to_learn_from;
use super::report::write_learned;
use anyhow::{Result, ensure};
use pellucid::alternatives::Retraining;
use pellucid::data::{Message, visible_text};
use pellucid::learn::digits::significant;
use pellucid::learn::learner::{INNER_FOLDS, Inner, NoEstimate};
use pellucid::learn::metrics::{ClassFigures, Figure, NumberSummary, Summary};
use pellucid::learn::model::StoredModel;
use pellucid::learn::out_of_fold::OutOfFold;
use pellucid::learn::run::{JsonLines, Observers, StopReason};
use pellucid::registry::{AnyFitResult, Registry};
use pellucid_arguments::is_standard;
use pellucid_arguments::{LearnArgs, LearnFlags, LearningData};
use pellucid_terminal::machine::{machine_for, may_add_gpus};
use pellucid_terminal::out::{grouped, json_line, print, say, stdout};
use pellucid_terminal::progress::Progress;
use pellucid_terminal::watch::Watch;
use pellucid_terminal::{ExitStatus, interrupt};
use serde_json::Value;
use std::io::Write;
use std::path::Path;

pub(crate) fn run(args: &LearnArgs) -> Result<ExitStatus> {
    let (chosen, flags) = (&args.learner, &args.learner.flags);
    let learners = Registry::standard();
    let learner = learners.find(&chosen.name)?;
    let gpus = learner.learns_on_gpus(&chosen.settings, 0)?;
    let mut machine = machine_for(&flags.machine, gpus, flags.quiet)?;
    let control = interrupt::control(flags.run.time_limit)?;
    check_files(&chosen.data, flags)?;
    let training = to_learn_from(
        &chosen.data,
        learner,
        &flags.machine,
        &chosen.settings,
        &control,
        flags.quiet,
    )?;
    let data = &training.data;
    let uses_gpus = || learner.learns_on_gpus(&chosen.settings, data.examples());
    if !gpus && may_add_gpus(&flags.machine) && uses_gpus()? {
        machine = machine_for(&flags.machine, true, flags.quiet)?;
    }
    let mut observers = Observers::new();
    if flags.watch {
        observers = observers.with(Watch::default());
    } else {
        let progress = Progress::new(flags.quiet || flags.json);
        progress.wait("preparing", "");
        observers = observers.with(progress);
    }
    if flags.json {
        observers = observers.with(JsonLines::new(stdout()));
    }
    let mut driver = flags.run.driver(&control);
    if let Some(path) = &flags.earlier {
        driver = driver.earlier(StoredModel::open(path)?);
    }
    let bar = Progress::new(flags.quiet || flags.json);
    let report_folds = |done: usize, total: usize| {
        bar.begin("inner folds", Some(total as u64));
        bar.at(done as u64, "held-out estimate".to_owned());
    };
    let folds = if flags.no_inner_folds { 0 } else { INNER_FOLDS };
    let inner = Inner { folds, on_fold: &report_folds };
    let learned = learner.fit(data, &chosen.settings, inner, &machine, &driver, &mut observers);
    bar.end();
    drop(observers);
    let learned = learned.map_err(|error| error.about(data))?;
    let ids: Vec<&str> = machine.devices.iter().map(|device| device.id()).collect();
    write_model(flags, &learned, data.notes(), &ids.join(","))?;
    if let Some(path) = &flags.report {
        let data = (&chosen.data, &training);
        write_learned(path, &flags.out, &learned, data, &machine, flags.quiet)?;
    }
    if !flags.quiet {
        print_summary(flags, &learned);
    }
    if flags.alternatives > 0 {
        let (settings, machine) = (&chosen.settings, &machine);
        let retraining = Retraining { learner, data, settings, folds, machine, control: &control };
        write_alternatives(flags, &retraining, &learned)?;
    }
    Ok(if learned.run.summary.stop.is_pause() { ExitStatus::Incomplete } else { ExitStatus::Done })
}

/// Saves the model, and prints it or the result of the run.
fn write_model(
    flags: &LearnFlags,
    learned: &AnyFitResult,
    data_notes: &[Message],
    devices: &str,
) -> Result<()> {
    let mut out = stdout();
    if is_standard(&flags.out) {
        out.write_all(learned.model.to_json()?.as_bytes())?;
        return Ok(out.flush()?);
    }
    learned.model.save(&flags.out)?;
    if flags.json {
        let mut result = learned.to_json(devices);
        let notes = data_notes.iter().chain(&learned.notes);
        result.insert("notes".to_owned(), notes.map(|note| Value::from(note.as_str())).collect());
        result.insert("model".to_owned(), Value::from(flags.out.display().to_string()));
        json_line(&mut out, &Value::Object(result))?;
    } else {
        print(&mut out, &learned.model.text())?;
    }
    Ok(out.flush()?)
}

/// Checks the files of a run, so that they do not fail after hours of training.
fn check_files(data: &LearningData, flags: &LearnFlags) -> Result<()> {
    let (out, run) = (&flags.out, &flags.run);
    ensure!(
        !(flags.json && is_standard(out)),
        "--json and --out - both write to standard output; use --out FILE for the model"
    );
    data.files()
        .reads("the model to continue from", flags.earlier.as_deref())
        .writes("--checkpoint", run.checkpoint.as_deref())
        .writes("--out", Some(out))
        .writes("--report", flags.report.as_deref())
        .check()?;
    alternatives::check_files(flags)?;
    let exists = std::fs::metadata(out).is_ok_and(|file| file.is_file() && file.len() > 0);
    let is_default = out == Path::new("model.json");
    // A resumed run overwrites the model that it wrote before.
    let is_resumed = run.resume && run.checkpoint.as_ref().is_some_and(|path| path.exists());
    ensure!(
        !exists || flags.force || is_resumed,
        "{0} already exists{1}; use --force to overwrite it, or --out FILE to write another file \
         ('pellucid show {0}' shows the model)",
        out.display(),
        if is_default { " (the default output file)" } else { "" }
    );
    Ok(())
}

/// Prints how the run went and how good the model is.
fn print_summary(flags: &LearnFlags, learned: &AnyFitResult) {
    let run = &learned.run.summary;
    let fit = match learned.train.get("r2") {
        Some(r2) => format!("Training R² {r2:.3}."),
        None => {
            let accuracy = 100.0 * learned.train.get("accuracy").unwrap_or(0.0);
            format!("Training accuracy {accuracy:.1} %.")
        }
    };
    let stopped = match (run.stop, flags.run.time_limit) {
        (StopReason::Finished, _) => String::new(),
        (reason @ (StopReason::Interrupted | StopReason::Steps), _) => format!("; {reason}"),
        (reason @ StopReason::Time, Some(limit)) => {
            format!("; stopped: {reason} ({} s)", limit.as_secs_f64())
        }
        (reason, _) => format!("; stopped: {reason}"),
    };
    say(format_args!(
        "\nTrained in {:.2} s ({} {}{stopped}). {fit}",
        run.seconds,
        grouped(run.evaluated),
        learned.run.plan.counts,
    ));
    match &learned.held_out {
        Ok(held_out) => print_estimate(held_out),
        Err(NoEstimate::NotAsked) => {}
        Err(reason) => {
            let instead = match reason {
                NoEstimate::TooLong => "; use 'pellucid cv' for one",
                _ => "",
            };
            say(format_args!("No held-out estimate: {reason}{instead}."));
        }
    }
    if !is_standard(&flags.out) {
        say(format_args!("Wrote the model to {}.", flags.out.display()));
    }
    match &flags.run.checkpoint {
        Some(_) if run.stop.is_pause() => say("Run the same command with --resume to continue."),
        None if run.stop.is_pause() => {
            say("Use --checkpoint FILE to save the state of a run; --resume then continues it.")
        }
        _ => {}
    }
}

/// Prints the held-out estimate of a model.
fn print_estimate(held_out: &OutOfFold) {
    let took = match held_out.seconds {
        0.0 => String::new(),
        seconds => format!(", {seconds:.2} s"),
    };
    let folds = held_out.folds;
    say(format_args!(
        "Held-out estimate ({folds}-fold cross-validation{took}), with 95 % intervals:"
    ));
    if let Some(summary) = held_out.number_summary() {
        return print_number_estimate(&summary);
    }
    let summary = held_out.summary();
    let Summary { accuracy, balanced_accuracy, auc, cost, positive, .. } = &summary;
    let most_common = summary.classes.iter().rev().max_by_key(|class| class.examples);
    let cheapest = held_out.miss_costs.as_ref().and_then(|costs| summary.cheapest_class(costs));
    let always = |class: Option<&ClassFigures>, baseline: f64| {
        let class = class.map_or_else(String::new, |class| visible_text(&class.class).into());
        format!("; baseline (always '{class}'): {baseline:.3}")
    };
    let positive = || match positive {
        Some(positive) => format!("; positive class '{}'", visible_text(positive)),
        None => String::new(),
    };
    let figures = [
        ("accuracy", accuracy),
        ("balanced accuracy", balanced_accuracy),
        ("AUC", auc),
        ("cost per example", cost),
    ];
    for (name, figure) in figures {
        if let Some(Figure { estimate, baseline }) = figure {
            let (value, low, high) = (estimate.value, estimate.low, estimate.high);
            let note = match name {
                "accuracy" => always(most_common, *baseline),
                "cost per example" => always(cheapest, *baseline),
                "AUC" => positive(),
                _ => String::new(),
            };
            say(format_args!("  {name:<18} {value:.3}  ({low:.3} to {high:.3}){note}"));
        }
    }
    let costs = held_out.miss_costs.as_ref();
    if let Some(warning) = costs.and_then(|costs| summary.cost_warning(costs, "held-out data")) {
        say(warning);
    }
}

/// Prints the held-out estimate of a model that predicts a number.
fn print_number_estimate(summary: &NumberSummary) {
    let figures = [
        ("R²", summary.r2, None),
        ("mean absolute error", summary.mae, Some("median")),
        ("root mean squared error", summary.rmse, Some("mean")),
    ];
    for (name, figure, always) in figures {
        let Some(Figure { estimate, baseline }) = figure else { continue };
        let format_value = |number: f64| match always {
            None => format!("{number:.3}"),
            Some(_) => significant(number, 4),
        };
        let note = match always {
            None => String::new(),
            Some(always) => format!("; baseline (always the {always}): {}", format_value(baseline)),
        };
        let [value, low, high] = [estimate.value, estimate.low, estimate.high].map(format_value);
        say(format_args!("  {name:<23} {value}  ({low} to {high}){note}"));
    }
}
