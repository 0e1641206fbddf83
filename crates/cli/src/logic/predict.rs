//! `pellucid predict` with a model of class expressions.

use super::files::{load, task};
use crate::Outcome;
use crate::args::PredictArgs;
use crate::out::{json_line, quoted, say, stdout};
use anyhow::{Context, Result, bail};
use pellucid::io::read_examples;
use pellucid::learn::metrics::{Confusion, Metric};
use pellucid::learn::model::StoredModel;
use pellucid::logic::KnowledgeBase;
use pellucid::logic::explain::explain;
use pellucid::logic::kb::Resolved;
use pellucid::logic::learn::{Applied, LEARNER, Model};
use serde_json::json;
use std::io::Write;
use std::sync::Arc;

pub(crate) fn run(args: &PredictArgs, stored: &StoredModel) -> Result<Outcome> {
    let model: Model = stored.read(LEARNER)?;
    args.data.refuse_for_ontology()?;
    let machine = args.machine.machine(args.quiet)?;
    let problem = args.problem.read()?;
    let kb = Arc::new(load(&args.data.path, &args.kb, args.quiet)?);
    let known = problem.map(|problem| task(&kb, &problem, args.quiet)).transpose()?;
    let individuals = individuals(args, &kb, known.as_ref())?;
    let applied = Applied::new(&model, &kb, &machine).with_context(|| {
        format!("{} does not fit {}", args.model.display(), args.data.path.display())
    })?;
    let mut out = stdout();
    if !args.json && !args.explain {
        writeln!(out, "individual,predicted")?;
    }
    for &individual in &individuals {
        let (name, positive) =
            (kb.show_individual(individual), applied.predict(individual).positive);
        let predicted = if positive { "positive" } else { "negative" };
        let because = || explain(&kb.world, &*kb, &applied.expr, individual);
        match (args.json, args.explain) {
            (false, false) => writeln!(out, "{},{predicted}", quoted(name))?,
            (false, true) => writeln!(out, "{}", because()?)?,
            (true, false) => {
                json_line(&mut out, &json!({ "individual": name, "predicted": predicted }))?;
            }
            (true, true) => {
                let because = because()?;
                let line = json!({
                    "individual": name,
                    "predicted": predicted,
                    "text": because.to_string(),
                    "because": because.part,
                });
                json_line(&mut out, &line)?;
            }
        }
    }
    judge(args, &mut out, &applied, known.as_ref(), individuals.len())?;
    out.flush()?;
    Ok(Outcome::Done)
}

/// Who is asked about: those that are named, else the examples, else everybody.
fn individuals(
    args: &PredictArgs,
    kb: &KnowledgeBase,
    known: Option<&Resolved>,
) -> Result<Vec<u32>> {
    let Some(path) = &args.individuals else {
        return Ok(match known {
            Some(known) => [&known.positive[..], &known.negative[..]].concat(),
            None => (0u32..).take(kb.world.len()).collect(),
        });
    };
    let find = |name: String| match (kb.find_individual(&name), kb.suggest_individual(&name)) {
        (Some(number), _) => Ok(number),
        (None, Some(near)) => bail!(
            "{}: '{name}' is no individual of '{}'; is '{near}' meant?",
            path.display(),
            kb.name
        ),
        (None, None) => {
            bail!("{}: '{name}' is no individual of '{}'", path.display(), kb.name)
        }
    };
    read_examples(path)?.into_iter().map(find).collect()
}

/// Where it is known who is positive: how many predictions are right.
fn judge(
    args: &PredictArgs,
    out: &mut impl Write,
    applied: &Applied,
    known: Option<&Resolved>,
    asked: usize,
) -> Result<()> {
    let mut line = json!({ "individuals": asked });
    if let Some(known) = known {
        let mut counts = Confusion::default();
        for (actual, list) in [(true, &known.positive), (false, &known.negative)] {
            list.iter().for_each(|&one| counts.record(actual, applied.predict(one).positive));
        }
        let judged = known.positive.len() + known.negative.len();
        line["judged"] = json!(judged);
        line["accuracy"] = json!(counts.accuracy());
        line["f1"] = json!(Metric::F1.of(&counts));
        if !args.json && !args.quiet {
            out.flush()?;
            say(format_args!(
                "{:.1} % of {judged} examples right, F1 {:.3}",
                100.0 * counts.accuracy(),
                Metric::F1.of(&counts)
            ));
        }
    }
    if args.json {
        json_line(out, &line)?;
    }
    Ok(())
}
