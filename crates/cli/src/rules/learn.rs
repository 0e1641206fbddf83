//! `pellucid learn rules`.

use crate::Outcome;
use crate::args::LearnRulesArgs;
use crate::data::read;
use crate::interrupt;
use crate::models::require_folder;
use crate::out::{grouped, json_line, say, stdout};
use crate::progress::Progress;
use anyhow::Result;
use pellucid::learn::run::{JsonLines, Observers, Values};
use pellucid::rules::export;
use pellucid::rules::learn::{Learned, learn};
use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::Path;

pub(crate) fn run(args: &LearnRulesArgs) -> Result<Outcome> {
    let params = args.rules.params()?;
    let machine = args.machine.machine(args.quiet)?;
    let control = interrupt::control(args.run.time_limit)?;
    let data = read(&args.data, args.quiet)?;
    require_folder(&args.out)?;
    let mut observers = Observers::new().with(Progress::new(args.quiet || args.json));
    if args.json {
        observers = observers.with(JsonLines::new(stdout()));
    }
    let learned = learn(&data, params, &machine, &args.run.driver(&control), &mut observers)?;
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
    json!({
        "model": out.display().to_string(),
        "train": object(&learned.train),
        "stop": run.stop,
        "seconds": run.seconds,
        "device": device,
        "evaluated": run.evaluated,
        "rules": learned.model.model.rules.len(),
        "comparisons": learned.model.model.comparisons(),
    })
}

fn object(values: &Values) -> Value {
    Value::Object(
        values.iter().map(|(name, value)| (name.to_owned(), json!(value))).collect::<Map<_, _>>(),
    )
}

fn tell(args: &LearnRulesArgs, learned: &Learned) {
    let run = &learned.run.summary;
    let percent = |name| 100.0 * learned.train.get(name).unwrap_or(0.0);
    say(format_args!(
        "\n{}: {} rules tried in {:.2} s; {:.1} % of the training data right",
        run.stop,
        grouped(run.evaluated),
        run.seconds,
        percent("accuracy")
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
