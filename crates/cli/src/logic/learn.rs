//! `pellucid learn logic`.

use super::files::{load, task};
use crate::Outcome;
use crate::args::LearnLogicArgs;
use crate::interrupt;
use crate::models::require_folder;
use crate::out::{grouped, json_line, say, stdout};
use crate::progress::Progress;
use anyhow::Result;
use pellucid::learn::run::{JsonLines, Observers, StopReason, Values};
use pellucid::logic::export;
use pellucid::logic::learn::{Learned, train};
use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

pub(crate) fn run(args: &LearnLogicArgs) -> Result<Outcome> {
    let options = args.logic.options()?;
    let machine = args.machine.machine(args.quiet)?;
    let control = interrupt::control(args.run.time_limit)?;
    require_folder(&args.out)?;
    // Small files first: what is wrong with them is told before a large one is read.
    let problem = args.problem.require()?;
    let kb = Arc::new(load(&args.ontology, &args.kb, args.quiet)?);
    task(&kb, &problem, args.quiet)?;
    let mut observers = Observers::new().with(Progress::new(args.quiet || args.json));
    if args.json {
        observers = observers.with(JsonLines::new(stdout()));
    }
    let driver = args.run.driver(&control);
    let learned = train(&kb, &problem, options, &machine, &driver, &control, &mut observers)?;
    drop(observers);
    learned.model.save(&args.out)?;
    let ids: Vec<&str> = machine.devices.iter().map(|device| device.id()).collect();
    let mut out = stdout();
    if args.json {
        json_line(&mut out, &summary(&learned, &args.out, &ids.join(",")))?;
    } else {
        write!(out, "{}", export::text(&learned.model))?;
    }
    out.flush()?;
    if !args.quiet {
        tell(args, &learned);
    }
    Ok(if learned.run.summary.stop.is_pause() { Outcome::CutShort } else { Outcome::Done })
}

fn summary(learned: &Learned, out: &Path, device: &str) -> Value {
    let run = &learned.run.summary;
    let found = &learned.model.model;
    let answers = found.answers.iter().map(|answer| {
        json!({
            "expression": answer.expression,
            "positive": answer.positive,
            "negative": answer.negative,
            "quality": answer.quality,
            "length": answer.length,
        })
    });
    json!({
        "model": out.display().to_string(),
        "train": object(&learned.train),
        "stop": run.stop,
        "seconds": run.seconds,
        "device": device,
        "evaluated": run.evaluated,
        "positives": found.positives,
        "negatives": found.negatives,
        "answers": answers.collect::<Value>(),
        "notes": learned.notes,
    })
}

fn object(values: &Values) -> Value {
    let pairs = values.iter().map(|(name, value)| (name.to_owned(), json!(value)));
    Value::Object(pairs.collect::<Map<_, _>>())
}

fn tell(args: &LearnLogicArgs, learned: &Learned) {
    let run = &learned.run.summary;
    let stop = match run.stop {
        // Nothing was left to try, which is no solution.
        StopReason::Solved if learned.train.get("accuracy") < Some(1.0) => {
            "nothing more to try".to_owned()
        }
        StopReason::Cap => "as many hypotheses as were allowed".to_owned(),
        stop => stop.to_string(),
    };
    say(format_args!(
        "\n{stop}: {} hypotheses tried in {:.2} s",
        grouped(run.evaluated),
        run.seconds
    ));
    say(format_args!("the model lies in {}", args.out.display()));
    match &args.run.checkpoint {
        Some(_) if run.stop.is_pause() => say("the same command with --resume goes on from here"),
        None if run.stop.is_pause() => {
            say("next time --checkpoint FILE keeps the run, so that --resume can go on")
        }
        _ => {}
    }
}
