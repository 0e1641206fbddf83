//! `pellucid predict`.

use super::data::to_predict;
use super::spelled;
use crate::Outcome;
use crate::args::PredictArgs;
use crate::destinations::Destinations;
use crate::out::{json_line, print, quoted, say, to_file_or_stdout};
use anyhow::{Result, ensure};
use pellucid::learn::learner::{Applied, Judgement};
use pellucid::registry::{AnyModel, Registry};
use serde_json::{Map, Value, json};
use std::io::Write;

pub(crate) fn run(args: &PredictArgs) -> Result<Outcome> {
    let files = Destinations::default().reads("the model", Some(&args.model));
    let files = args.problem.files(args.data.files(files));
    files
        .reads("the list of individuals", args.individuals.as_deref())
        .writes("--out", Some(&args.out))
        .check()?;
    let model = Registry::standard().open(&args.model).map_err(spelled)?;
    let data = to_predict(args, &*model)?;
    if !args.quiet {
        let strange = model.strange(&data);
        strange.iter().for_each(|column| say(format_args!("warning: {column}")));
    }
    let machine = args.machine.machine(args.quiet)?;
    let applied = model.apply(&data, &machine).map_err(spelled)?;
    ensure!(
        !model.schema().classes.is_empty(),
        "{}: the model has no classes",
        args.model.display()
    );
    to_file_or_stdout(&args.out, |mut out| predictions(args, &mut out, &*model, &*applied))?;
    Ok(Outcome::Done)
}

fn predictions(
    args: &PredictArgs,
    out: &mut impl Write,
    model: &dyn AnyModel,
    applied: &dyn Applied,
) -> Result<()> {
    let classes = &model.schema().classes;
    if !args.json && !args.explain {
        header(out, applied, classes)?;
    }
    for example in 0..applied.len() {
        if args.json {
            json_line(out, &as_json(args, model, applied, example)?)?;
        } else if args.explain {
            print(out, &format!("{}\n", reasons(applied, example)?.text))?;
        } else {
            row(out, applied, classes, example)?;
        }
    }
    judge(args, out, model, applied)
}

fn header(out: &mut impl Write, applied: &dyn Applied, classes: &[String]) -> Result<()> {
    write!(out, "{},predicted", quoted(&applied.heading()))?;
    if applied.has_votes() {
        let head = |class: &String| quoted(&format!("votes for {class}"));
        classes.iter().try_for_each(|class| write!(out, ",{}", head(class)))?;
    }
    writeln!(out)?;
    Ok(())
}

fn row(out: &mut impl Write, applied: &dyn Applied, classes: &[String], one: usize) -> Result<()> {
    let class = class_of(applied, classes, one);
    write!(out, "{},{}", quoted(&applied.name(one)), quoted(&class))?;
    let votes = applied.votes(one).unwrap_or_default();
    votes.iter().try_for_each(|vote| write!(out, ",{}", tidy(*vote)))?;
    writeln!(out)?;
    Ok(())
}

fn as_json(
    args: &PredictArgs,
    model: &dyn AnyModel,
    applied: &dyn Applied,
    example: usize,
) -> Result<Value> {
    let classes = &model.schema().classes;
    let mut line = Map::new();
    line.insert(model.kind().example().to_owned(), json!(applied.name(example)));
    line.insert("predicted".to_owned(), json!(class_of(applied, classes, example)));
    if let Some(votes) = applied.votes(example) {
        let votes = classes.iter().cloned().zip(votes.into_iter().map(Value::from));
        line.insert("votes".to_owned(), votes.collect());
    }
    if args.explain {
        let reasons = reasons(applied, example)?;
        line.insert("text".to_owned(), json!(reasons.text.trim_end()));
        line.insert("because".to_owned(), reasons.json);
    }
    Ok(Value::Object(line))
}

fn reasons(applied: &dyn Applied, one: usize) -> Result<pellucid::learn::learner::Explanation> {
    applied.explain(one).map_err(anyhow::Error::from_boxed)
}

fn class_of(applied: &dyn Applied, classes: &[String], example: usize) -> String {
    let code = applied.predicted(example);
    classes.get(code as usize).cloned().unwrap_or_else(|| code.to_string())
}

/// A sum of votes without the dust of adding them up.
fn tidy(votes: f64) -> f64 {
    (votes * 1e9).round() / 1e9
}

/// Where the data knows its classes: how many predictions are right.
fn judge(
    args: &PredictArgs,
    out: &mut impl Write,
    model: &dyn AnyModel,
    applied: &dyn Applied,
) -> Result<()> {
    let judgement =
        applied.truth().map(|truth| Judgement::of(&truth, model.schema().classes.len()));
    if args.json {
        let mut line = Map::new();
        line.insert(format!("{}s", model.kind().example()), json!(applied.len()));
        if let Some(judgement) = &judgement {
            line.insert("judged".to_owned(), json!(judgement.judged));
            let values = judgement.values.iter();
            line.extend(values.map(|(name, value)| (name.to_owned(), json!(value))));
        }
        json_line(out, &Value::Object(line))?;
    }
    let Some(judgement) = judgement.filter(|_| !args.quiet) else { return Ok(()) };
    let Judgement { judged, right, strangers, values } = judgement;
    if !args.json && judged > 0 {
        out.flush()?;
        let value = |name| values.get(name).unwrap_or(0.0);
        let (percent, f1) = (100.0 * value("accuracy"), value("f1"));
        say(format_args!("{right} of {judged} right ({percent:.1} %), F1 {f1:.3}"));
    }
    if strangers > 0 {
        say(format_args!(
            "warning: {strangers} examples have a class that the model has never met; they are not judged"
        ));
    }
    Ok(())
}
