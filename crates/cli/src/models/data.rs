//! Reads the data for training or prediction.

use crate::data::{read, read_with, say_notes};
use crate::logic::files::load;
use anyhow::{Context, Result, ensure};
use pellucid::io::{Choice, Dataset, read_examples};
use pellucid::learn::learner::DataKind;
use pellucid::learn::run::Control;
use pellucid::logic::kb::ExampleSource;
use pellucid::logic::learn::Individuals;
use pellucid::prepare::{GroupNames, as_learned, check_target_within};
use pellucid::read::by_schema;
use pellucid::registry::{AnyLearner, AnyModel, Data, Settings};
use pellucid_arguments::{
    DataArgs, KnowledgeBaseArgs, LearningData, MachineArgs, OntologyData, PredictArgs, ProblemArgs,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The training data.
pub(super) struct TrainingData {
    pub(super) data: Data,
    /// The names of the groups that stay in one fold.
    pub(super) groups: Option<GroupNames>,
}

/// Reads the training data. Prints the assumptions about the file unless `quiet`.
pub(super) fn to_learn_from(
    args: &LearningData,
    learner: &dyn AnyLearner,
    machine: &MachineArgs,
    settings: &Settings,
    control: &Control,
    quiet: bool,
) -> Result<TrainingData> {
    match args {
        LearningData::Table(args, prepare) => {
            let data = read(args, machine, quiet)?;
            let printed = data.notes.len();
            let preparation = prepare.preparation(learner.output().numbers);
            let (data, groups) = preparation.apply_with_groups(data)?;
            if !quiet {
                say_notes(&data.notes[printed..]);
            }
            check_target_within(&data, prepare.most_classes)?;
            Ok(TrainingData { data: Data::Table(data), groups })
        }
        LearningData::Ontology(OntologyData { ontology, problem, kb, limits }) => {
            // Read small files first, so that their errors appear before a large file is read.
            let problem = problem.require()?;
            let paths: Vec<&Path> = ontology.iter().map(PathBuf::as_path).collect();
            let kb = Arc::new(load(&paths, kb, limits, control, quiet)?);
            let seed = settings.seed();
            let examples = Individuals::from_source(&kb, &problem, seed)?;
            print_notes(&examples, quiet);
            Ok(TrainingData { data: Data::Individuals(examples), groups: None })
        }
    }
}

/// The arguments of a command that applies a model to data.
pub(super) struct ModelData<'a> {
    pub(super) model: &'a Path,
    pub(super) data: &'a DataArgs,
    pub(super) individuals: Option<&'a Path>,
    pub(super) problem: &'a ProblemArgs,
    pub(super) kb: &'a KnowledgeBaseArgs,
    pub(super) machine: &'a MachineArgs,
    pub(super) quiet: bool,
}

impl<'a> From<&'a PredictArgs> for ModelData<'a> {
    fn from(args: &'a PredictArgs) -> ModelData<'a> {
        ModelData {
            model: &args.model,
            data: &args.data,
            individuals: args.individuals.as_deref(),
            problem: &args.problem,
            kb: &args.kb,
            machine: &args.machine,
            quiet: args.quiet,
        }
    }
}

/// Reads the data to predict. Column names default to those of the training data.
pub(super) fn to_predict(args: &ModelData<'_>, model: &dyn AnyModel) -> Result<Data> {
    match model.kind() {
        DataKind::Table => {
            ensure!(
                !args.problem.is_given() && args.individuals.is_none() && !args.kb.no_domain_range,
                "{} is a {} model: it needs a table, not individuals of an ontology",
                args.model.display(),
                model.learner()
            );
            let data = table_to_predict(args.data, args.machine, args.quiet, model)?;
            Ok(Data::Table(data))
        }
        DataKind::Ontology => {
            args.data.reject_for_ontology(true)?;
            let problem = args.problem.read()?;
            Ok(Data::Individuals(individuals(args, problem)?))
        }
    }
}

/// Reads a table to predict. Column names default to those of the training data.
pub(super) fn table_to_predict(
    args: &DataArgs,
    machine: &MachineArgs,
    quiet: bool,
    model: &dyn AnyModel,
) -> Result<Dataset> {
    let (mut options, schema) = (machine.reading(args.options()), model.schema());
    if let Some(name) = &args.id {
        // Either a column, or the name of an example in the id column of the model.
        let is_other = |known: &String| known != name;
        options.id = match &schema.reading.id {
            Some(known) if is_other(known) => Choice::None,
            _ => Choice::IfPresent(name.clone()),
        };
    }
    let options = by_schema(options, schema);
    let mut data = read_with(args, &options, quiet)?;
    as_learned(&mut data, schema)?;
    Ok(data)
}

/// Returns the individuals to predict: those of `--individuals`, else the examples, else all.
fn individuals(args: &ModelData<'_>, problem: Option<ExampleSource>) -> Result<Individuals> {
    let kb = Arc::new(load(
        &[&args.data.path],
        args.kb,
        &args.data.limits,
        &Control::new(),
        args.quiet,
    )?);
    let known = match &problem {
        Some(problem) => Individuals::from_source(&kb, problem, 0)?,
        None => Individuals::everybody(&kb),
    };
    print_notes(&known, args.quiet);
    match args.individuals {
        Some(path) => {
            Ok(known.asking(&read_examples(path)?).with_context(|| path.display().to_string())?)
        }
        None => Ok(known),
    }
}

/// Returns the name of the single example to explain. `--id` may also be the column of row names.
pub(super) fn single_example<'a>(args: &'a PredictArgs, data: &Data) -> Option<&'a str> {
    let name = args.data.id.as_deref()?;
    let is_column = match data {
        Data::Table(table) => table.origin.ids.as_ref().is_some_and(|ids| ids.name == name),
        Data::Individuals(_) => false,
    };
    (!is_column).then_some(name)
}

fn print_notes(individuals: &Individuals, quiet: bool) {
    if !quiet {
        say_notes(&individuals.notes);
    }
}
