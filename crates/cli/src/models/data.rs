//! The data to learn from or to predict.

use crate::args::{LearningData, MachineArgs, OntologyData, PredictArgs};
use crate::data::{read, read_with};
use crate::logic::files::load;
use crate::out::say;
use anyhow::{Context, Result, ensure};
use pellucid::io::{LearningProblem, read_examples};
use pellucid::learn::learner::DataKind;
use pellucid::logic::learn::Individuals;
use pellucid::read::by_schema;
use pellucid::registry::{AnyModel, Data};
use std::sync::Arc;

/// Reads what a learner is to learn from, telling what was assumed unless `quiet`.
pub(super) fn to_learn_from(
    typed: &LearningData,
    machine: &MachineArgs,
    quiet: bool,
) -> Result<Data> {
    match typed {
        LearningData::Table(args) => Ok(Data::Table(read(args, machine, quiet)?)),
        LearningData::Ontology(OntologyData { ontology, problem, kb, limits }) => {
            // Small files first: what is wrong with them is told before a large one is read.
            let problem = problem.require()?;
            let kb = Arc::new(load(ontology, kb, limits, quiet)?);
            let examples = Individuals::examples(&kb, &problem)?;
            tell(&examples, quiet);
            Ok(Data::Individuals(examples))
        }
    }
}

/// Reads what a model is to predict: the columns are called as they were when it was learned, unless something else is said.
pub(super) fn to_predict(args: &PredictArgs, model: &dyn AnyModel) -> Result<Data> {
    match model.kind() {
        DataKind::Table => {
            ensure!(
                !args.problem.is_typed() && args.individuals.is_none() && !args.kb.no_domain_range,
                "{} holds a model of {}: it takes a table, and no individuals of an ontology",
                args.model.display(),
                model.learner()
            );
            let options = by_schema(args.machine.reading(args.data.options()), model.schema());
            Ok(Data::Table(read_with(&args.data, &options, args.quiet)?))
        }
        DataKind::Ontology => {
            args.data.refuse_for_ontology()?;
            let problem = args.problem.read()?;
            Ok(Data::Individuals(individuals(args, problem)?))
        }
    }
}

/// Who is asked about: those that are named, else the examples, else everybody.
fn individuals(args: &PredictArgs, problem: Option<LearningProblem>) -> Result<Individuals> {
    let kb = Arc::new(load(&args.data.path, &args.kb, &args.data.limits, args.quiet)?);
    let known = match &problem {
        Some(problem) => Individuals::examples(&kb, problem)?,
        None => Individuals::everybody(&kb),
    };
    tell(&known, args.quiet);
    match &args.individuals {
        Some(path) => {
            Ok(known.asking(&read_examples(path)?).with_context(|| path.display().to_string())?)
        }
        None => Ok(known),
    }
}

fn tell(individuals: &Individuals, quiet: bool) {
    if !quiet {
        individuals.notes.iter().for_each(|note| say(format_args!("note: {note}")));
    }
}
