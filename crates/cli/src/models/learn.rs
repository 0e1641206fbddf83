//! `pellucid learn`.

use super::data::to_learn_from;
use super::spelled;
use anyhow::{Result, ensure};
use pellucid::learn::learner::{INNER_FOLDS, Inner, NoEstimate};
use pellucid::learn::metrics::{Figure, NumberSummary, Summary, significant};
use pellucid::learn::model::StoredModel;
use pellucid::learn::out_of_fold::OutOfFold;
use pellucid::learn::run::{JsonLines, Observers, StopReason};
use pellucid::registry::{AnyLearned, Registry};
use pellucid_arguments::is_standard;
use pellucid_arguments::{LearnArgs, LearnRest, LearningData};
use pellucid_terminal::machine::machine_for;
use pellucid_terminal::out::{grouped, json_line, print, say, stdout};
use pellucid_terminal::progress::Progress;
use pellucid_terminal::visible::visible;
use pellucid_terminal::{ExitStatus, interrupt};
use serde_json::Value;
use std::io::Write;
use std::path::Path;

pub(crate) fn run(args: &LearnArgs) -> Result<ExitStatus> {
    let (chosen, rest) = (&args.what, &args.what.rest);
    let learners = Registry::standard();
    let learner = learners.find(&chosen.name)?;
    let gpus = learner.learns_on_gpus(&chosen.settings).map_err(spelled)?;
    let machine = machine_for(&rest.machine, gpus, rest.quiet)?;
    let control = interrupt::control(rest.run.time_limit)?;
    check_files(&chosen.data, rest)?;
    let data = to_learn_from(&chosen.data, learner, &rest.machine, rest.quiet)?;
    let progress = Progress::new(rest.quiet || rest.json);
    progress.wait("preparing", "");
    let mut observers = Observers::new().with(progress);
    if rest.json {
        observers = observers.with(JsonLines::new(stdout()));
    }
    let mut driver = rest.run.driver(&control);
    if let Some(path) = &rest.earlier {
        driver = driver.earlier(StoredModel::open(path)?);
    }
    let bar = Progress::new(rest.quiet || rest.json);
    let told = |done: usize, total: usize| {
        bar.begin("inner folds", Some(total as u64));
        bar.at(done as u64, "held-out estimate".to_owned());
    };
    let folds = if rest.no_inner_folds { 0 } else { INNER_FOLDS };
    let inner = Inner { folds, told: &told };
    let learned = learner.fit(&data, &chosen.settings, inner, &machine, &driver, &mut observers);
    bar.end();
    drop(observers);
    let learned = learned.map_err(|error| spelled(error.about(&data)))?;
    let to_stdout = is_standard(&rest.out);
    if !to_stdout {
        learned.model.save(&rest.out)?;
    }
    let ids: Vec<&str> = machine.devices.iter().map(|device| device.id()).collect();
    let mut out = stdout();
    if to_stdout {
        out.write_all(learned.model.to_json()?.as_bytes())?;
    } else if rest.json {
        let mut result = learned.to_json(&ids.join(","));
        let notes = data.notes().iter().chain(&learned.notes);
        result.insert("notes".to_owned(), notes.cloned().map(Value::from).collect());
        result.insert("model".to_owned(), Value::from(rest.out.display().to_string()));
        json_line(&mut out, &Value::Object(result))?;
    } else {
        print(&mut out, &learned.model.text())?;
    }
    out.flush()?;
    if !rest.quiet {
        tell(rest, &learned);
    }
    Ok(if learned.run.summary.stop.is_pause() { ExitStatus::Incomplete } else { ExitStatus::Done })
}

/// What can be wrong with the files of a run: better told now than after hours of learning.
fn check_files(data: &LearningData, rest: &LearnRest) -> Result<()> {
    let (out, run) = (&rest.out, &rest.run);
    ensure!(
        !(rest.json && is_standard(out)),
        "--json: the result would be mixed with the model; name a file with --out"
    );
    data.files()
        .reads("the model to go on from", rest.earlier.as_deref())
        .writes("--checkpoint", run.checkpoint.as_deref())
        .writes("--out", Some(out))
        .check()?;
    let is_there = std::fs::metadata(out).is_ok_and(|there| there.is_file() && there.len() > 0);
    let is_usual = out == Path::new("model.json");
    // A run that is taken up again finishes what it wrote before.
    let goes_on = run.resume && run.checkpoint.as_ref().is_some_and(|path| path.exists());
    ensure!(
        !is_there || rest.force || goes_on,
        "{0} is there already{1}; --force replaces it, --out FILE writes the model elsewhere, 'pellucid show {0}' tells what it holds",
        out.display(),
        if is_usual { " (where nothing is said the model goes there)" } else { "" }
    );
    Ok(())
}

fn tell(rest: &LearnRest, learned: &AnyLearned) {
    let run = &learned.run.summary;
    let fit = match learned.train.get("r2") {
        Some(r2) => format!("Training R² {r2:.3}."),
        None => {
            let right = 100.0 * learned.train.get("accuracy").unwrap_or(0.0);
            format!("Training accuracy {right:.1} %.")
        }
    };
    let how = match run.stop {
        StopReason::Finished => String::new(),
        other => format!(", {other}"),
    };
    say(format_args!(
        "\nTrained in {:.2} s ({} {}{how}). {fit}",
        run.seconds,
        grouped(run.evaluated),
        learned.run.plan.counts,
    ));
    match &learned.held_out {
        Ok(held_out) => estimate(held_out),
        Err(NoEstimate::NotAsked) => {}
        Err(reason) => {
            let instead = match reason {
                NoEstimate::TooLong => "; 'pellucid cv' makes one",
                _ => "",
            };
            say(format_args!("No held-out estimate: {reason}{instead}."));
        }
    }
    if !is_standard(&rest.out) {
        say(format_args!("Wrote the model to {}.", rest.out.display()));
    }
    match &rest.run.checkpoint {
        Some(_) if run.stop.is_pause() => say("Run the same command with --resume to continue."),
        None if run.stop.is_pause() => say(
            "Use --checkpoint FILE to keep the state of a run, so that --resume can continue it.",
        ),
        _ => {}
    }
}

/// Prints how well such models do on held-out examples.
fn estimate(held_out: &OutOfFold) {
    let took = match held_out.seconds {
        0.0 => String::new(),
        seconds => format!(", {seconds:.2} s"),
    };
    let folds = held_out.folds;
    say(format_args!(
        "Held-out estimate ({folds}-fold cross-validation{took}), with 95 % intervals:"
    ));
    if let Some(summary) = held_out.number_summary() {
        return number_estimate(&summary);
    }
    let summary = held_out.summary();
    let Summary { accuracy, balanced_accuracy, auc, positive, .. } = &summary;
    let most_common = summary.classes.iter().rev().max_by_key(|class| class.examples);
    let figures = [("accuracy", accuracy), ("balanced accuracy", balanced_accuracy), ("AUC", auc)];
    for (name, figure) in figures {
        if let Some(Figure { estimate, trivial }) = figure {
            let (value, low, high) = (estimate.value, estimate.low, estimate.high);
            let beside = match (name, most_common, positive) {
                ("accuracy", Some(class), _) => {
                    format!("; baseline (always '{}'): {trivial:.3}", visible(&class.class))
                }
                ("AUC", _, Some(positive)) => format!("; of class '{}'", visible(positive)),
                _ => String::new(),
            };
            say(format_args!("  {name:<18} {value:.3}  ({low:.3} to {high:.3}){beside}"));
        }
    }
}

/// The same where a number is predicted.
fn number_estimate(summary: &NumberSummary) {
    let figures = [
        ("R²", summary.r2, None),
        ("mean absolute error", summary.mae, Some("median")),
        ("root mean square", summary.rmse, Some("mean")),
    ];
    for (name, figure, always) in figures {
        let Some(Figure { estimate, trivial }) = figure else { continue };
        let told = |number: f64| match always {
            None => format!("{number:.3}"),
            Some(_) => significant(number, 4),
        };
        let beside = match always {
            None => String::new(),
            Some(always) => format!("; baseline (always the {always}): {}", told(trivial)),
        };
        let (value, low, high) = (told(estimate.value), told(estimate.low), told(estimate.high));
        say(format_args!("  {name:<19} {value}  ({low} to {high}){beside}"));
    }
}
