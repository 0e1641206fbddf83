//! `pellucid evaluate`: the engine for other programs. It reads one expression per line and writes
//! one JSON object with counts per line, in the same order.

use crate::data;
use crate::logic::files::{load, task};
use anyhow::{Context, Result, anyhow, bail};
use pellucid::device::Machine;
use pellucid::evaluate::{Evaluator, EvaluatorError, OntologyQuestion, TableQuestion};
use pellucid::io::is_ontology;
use pellucid::learn::run::Control;
use pellucid_arguments::EvaluateArgs;
use pellucid_terminal::ExitStatus;
use pellucid_terminal::machine::FindMachine as _;
use pellucid_terminal::out::{json_line, say, stdout};
use serde_json::json;
use std::fs::File;
use std::io::{IsTerminal, Read, Write};
use std::path::Path;
use std::time::Instant;

pub(crate) fn run(args: &EvaluateArgs) -> Result<ExitStatus> {
    let start = Instant::now();
    let from_pipe = args.hypotheses == Path::new("-");
    if args.data.path == Path::new("-") && from_pipe {
        bail!("cannot read both the data and the hypotheses from standard input");
    }
    // Fail on wrong arguments before reading a large file.
    let machine = args.machine.machine(args.quiet)?;
    let (source, source_name): (Box<dyn Read>, String) = if from_pipe {
        (Box::new(std::io::stdin()), "hypotheses from standard input".to_owned())
    } else {
        let name = args.hypotheses.display().to_string();
        (Box::new(File::open(&args.hypotheses).with_context(|| name.clone())?), name)
    };
    let mut evaluator = if args.logic.is_given() || is_ontology(&args.data.path) {
        of_ontology(args, &machine)?
    } else {
        of_table(args, &machine)?
    };
    if from_pipe && std::io::stdin().is_terminal() && !args.quiet {
        say("enter one expression per line; press Ctrl-D to finish");
    }
    let mut out = stdout();
    let streamed = evaluator.stream(source, |evaluator, answered| match answered {
        Some(line) => line.write_json(evaluator, &mut out),
        None => out.flush(),
    });
    let streamed = streamed.map_err(|error| match error {
        EvaluatorError::Input(_) => anyhow::Error::new(error).context(source_name),
        _ => error.into(),
    })?;
    let (lines, errors) = (streamed.lines, streamed.errors);
    if args.json {
        let seconds = start.elapsed().as_secs_f64();
        let summary = json!({ "evaluated": lines - errors, "errors": errors, "seconds": seconds });
        json_line(&mut out, &summary)?;
        out.flush()?;
    }
    if errors > 0 {
        say(format_args!(
            "pellucid: {errors} of {lines} lines could not be evaluated; see the 'error' of each line"
        ));
        return Ok(ExitStatus::BadInput);
    }
    Ok(ExitStatus::Done)
}

fn of_table(args: &EvaluateArgs, machine: &Machine) -> Result<Evaluator> {
    // Expressions may use any column, also one that looks like an identifier.
    let options = args.machine.reading(args.data.options()).keep_identifiers(true);
    let data = data::read_with(&args.data, &options, args.quiet)?;
    let hypothesis = args.hypothesis.map(|argument| argument.0);
    let file = || args.data.path.display().to_string();
    let question = TableQuestion { hypothesis, cover: args.cover };
    Evaluator::of_table(data, &question, machine).map_err(|error| match error {
        EvaluatorError::NoBags { .. } => anyhow!(
            "{}: the data has no bags for --hypothesis to count; set --bag, or count rows",
            file()
        ),
        EvaluatorError::Table(_) => anyhow::Error::new(error).context(file()),
        _ => error.into(),
    })
}

fn of_ontology(args: &EvaluateArgs, machine: &Machine) -> Result<Evaluator> {
    args.data.reject_for_ontology(false)?;
    if args.hypothesis.is_some() {
        bail!("--hypothesis applies to tables; for an ontology, individuals are counted");
    }
    let kb =
        load(&[&args.data.path], &args.logic.kb, &args.data.limits, &Control::new(), args.quiet)?;
    let problem = args.logic.problem.read()?;
    let examples = problem.map(|problem| task(&kb, &problem, args.quiet)).transpose()?;
    let question =
        OntologyQuestion { examples, semantics: args.logic.semantics(), cover: args.cover };
    Ok(Evaluator::of_ontology(kb, &question, machine)?)
}
