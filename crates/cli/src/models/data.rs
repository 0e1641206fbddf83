//! The data to learn from or to predict.

use super::spelled;
use crate::data::{read, read_with, say_notes, with_flags};
use crate::logic::files::load;
use anyhow::{Context, Result, ensure};
use pellucid::io::{Choice, LearningProblem, read_examples};
use pellucid::learn::learner::DataKind;
use pellucid::logic::learn::Individuals;
use pellucid::prepare::{as_learned, check_target_within};
use pellucid::read::by_schema;
use pellucid::registry::{self, AnyLearner, AnyModel, Data};
use pellucid_arguments::{LearningData, MachineArgs, OntologyData, PredictArgs};
use pellucid_terminal::out::say;
use std::sync::Arc;

/// Reads what a learner is to learn from, telling what was assumed unless `quiet`.
pub(super) fn to_learn_from(
    typed: &LearningData,
    learner: &dyn AnyLearner,
    machine: &MachineArgs,
    quiet: bool,
) -> Result<Data> {
    match typed {
        LearningData::Table(args, prepare) => {
            let data = read(args, machine, quiet)?;
            let told = data.notes.len();
            let prepared = prepare.preparation(learner.numbers()).apply(data);
            let data = prepared.map_err(|error| spelled(registry::Error::Param(error)))?;
            if !quiet {
                say_notes(&data.notes[told..]);
            }
            check_target_within(&data, prepare.most_classes).map_err(|error| with_flags(&error))?;
            Ok(Data::Table(data))
        }
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
            let (mut options, schema) = (args.machine.reading(args.data.options()), model.schema());
            if let Some(name) = &args.data.id {
                // A column, or else the name of an example among those that the model's own column names.
                let is_other = |known: &String| known != name;
                options.id = match &schema.reading.id {
                    Some(known) if is_other(known) => Choice::None,
                    _ => Choice::IfPresent(name.clone()),
                };
            }
            let options = by_schema(options, schema);
            let mut data = read_with(&args.data, &options, args.quiet)?;
            as_learned(&mut data, schema)
                .map_err(|error| spelled(registry::Error::Param(error)))?;
            Ok(Data::Table(data))
        }
        DataKind::Ontology => {
            args.data.refuse_for_ontology(true)?;
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

/// The one example that is asked about, by the name typed for it: `--id` may also be the column that names rows.
pub(super) fn asked<'a>(args: &'a PredictArgs, data: &Data) -> Option<&'a str> {
    let name = args.data.id.as_deref()?;
    let is_column = match data {
        Data::Table(table) => table.origin.ids.as_ref().is_some_and(|ids| ids.name == name),
        Data::Individuals(_) => false,
    };
    (!is_column).then_some(name)
}

fn tell(individuals: &Individuals, quiet: bool) {
    if !quiet {
        individuals.notes.iter().for_each(|note| say(format_args!("note: {note}")));
    }
}
