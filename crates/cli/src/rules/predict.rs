//! `pellucid predict` with a model of rules.

use crate::Outcome;
use crate::args::PredictArgs;
use crate::data::read_with;
use crate::out::{json_line, quoted, say, stdout};
use anyhow::{Result, bail, ensure};
use pellucid::io::{Choice, Dataset};
use pellucid::learn::model::StoredModel;
use pellucid::rules::apply::Applied;
use pellucid::rules::learn::scores;
use pellucid::rules::model::{LEARNER, Model, winner};
use serde_json::{Map, Value, json};
use std::io::Write;

pub(crate) fn run(args: &PredictArgs, stored: &StoredModel) -> Result<Outcome> {
    let model: Model = stored.read(LEARNER)?;
    if args.problem.is_typed() || args.individuals.is_some() || args.kb.no_domain_range {
        bail!(
            "{} holds rules: it takes a table, and no individuals of an ontology",
            args.model.display()
        );
    }
    let mut options = args.data.options();
    // The columns are called as they were when the model was learned, unless something else is said.
    let named = |name: &Option<String>| name.clone().map_or(Choice::None, Choice::IfPresent);
    if args.data.target.is_none() && args.data.labels.is_none() {
        options = options.target(named(&model.schema.target));
    }
    if args.data.bag.is_none() {
        options = options.bag(named(&model.schema.bag));
    }
    let data = read_with(&args.data, &options, args.quiet)?;
    let machine = args.machine.machine(args.quiet)?;
    let applied = Applied::new(&model, &data, &machine)?;
    let classes = &model.schema.classes;
    ensure!(!classes.is_empty(), "{}: the model has no classes", args.model.display());
    let mut out = stdout();
    if !args.json && !args.explain {
        header(&mut out, &data, classes)?;
    }
    for example in 0..applied.examples() {
        let votes = applied.votes(example);
        let class = &classes[winner(&votes) as usize];
        if args.explain && !args.json {
            writeln!(out, "{}\n", applied.explain(example))?;
        } else if args.json {
            let mut line = json!({
                "example": name(&data, example),
                "predicted": class,
                "votes": classes.iter().cloned().zip(votes.iter().map(|vote| json!(vote))).collect::<Map<String, Value>>(),
            });
            if args.explain {
                line["because"] = serde_json::to_value(applied.explain(example))?;
            }
            json_line(&mut out, &line)?;
        } else {
            write!(out, "{},{}", quoted(&name(&data, example)), quoted(class))?;
            votes.iter().try_for_each(|vote| write!(out, ",{}", tidy(*vote)))?;
            writeln!(out)?;
        }
    }
    judge(args, &mut out, &data, &applied, classes)?;
    out.flush()?;
    Ok(Outcome::Done)
}

fn header(out: &mut impl Write, data: &Dataset, classes: &[String]) -> Result<()> {
    write!(out, "{},predicted", quoted(data.bags.as_ref().map_or("row", |bags| &bags.name)))?;
    classes
        .iter()
        .try_for_each(|class| write!(out, ",{}", quoted(&format!("votes for {class}"))))?;
    writeln!(out)?;
    Ok(())
}

/// A bag's name, or a row's number from 1.
fn name(data: &Dataset, example: usize) -> String {
    data.bags.as_ref().map_or_else(|| (example + 1).to_string(), |bags| bags.names[example].clone())
}

/// A sum of votes without the dust of adding them up.
fn tidy(votes: f64) -> f64 {
    (votes * 1e9).round() / 1e9
}

/// Where the data has labels: how many predictions are right.
fn judge(
    args: &PredictArgs,
    out: &mut impl Write,
    data: &Dataset,
    applied: &Applied,
    classes: &[String],
) -> Result<()> {
    let Some(target) = &data.target else {
        if args.json {
            json_line(out, &json!({ "examples": applied.examples() }))?;
        }
        return Ok(());
    };
    // The data may list its classes in another order, or have some that the model has never met.
    let known: Vec<Option<u32>> = target
        .classes
        .iter()
        .map(|name| {
            classes
                .iter()
                .position(|class| class == name)
                .and_then(|class| u32::try_from(class).ok())
        })
        .collect();
    let predicted = applied.predictions();
    let pairs = target
        .codes
        .iter()
        .zip(&predicted)
        .filter_map(|(&code, &class)| Some((known[code as usize]?, class)));
    let (actual, predicted): (Vec<u32>, Vec<u32>) = pairs.unzip();
    let values = scores(&actual, &predicted, classes.len());
    let strangers = target.codes.len() - actual.len();
    if args.json {
        let mut line = json!({ "examples": applied.examples(), "judged": actual.len() });
        for (name, value) in values.iter() {
            line[name] = json!(value);
        }
        json_line(out, &line)?;
    } else if !args.quiet && !actual.is_empty() {
        out.flush()?;
        say(format_args!(
            "{} of {} right ({:.1} %)",
            actual.iter().zip(&predicted).filter(|(actual, predicted)| actual == predicted).count(),
            actual.len(),
            100.0 * values.get("accuracy").unwrap_or(0.0)
        ));
    }
    if strangers > 0 && !args.quiet {
        say(format_args!(
            "warning: {strangers} examples have a class that the model has never met; they are not judged"
        ));
    }
    Ok(())
}
