//! The subcommand of a learner: its data, and a flag for each of its parameters.

use super::{DataArgs, KnowledgeBaseArgs, LimitsArgs, PrepareArgs, ProblemArgs};
use crate::Destinations;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, Subcommand};
use pellucid::learn::learner::DataKind;
use pellucid::learn::params::{Described, SettingKind};
use pellucid::registry::{AnyLearner, Registry, Settings};
use serde_json::Value;
use std::ffi::OsStr;
use std::path::PathBuf;

/// The arguments after the name of a learner: data, parameters and the flags of the command.
#[derive(Debug)]
pub struct LearnerArgs<R> {
    pub name: String,
    pub data: LearningData,
    pub settings: Settings,
    pub flags: R,
}

/// The data to learn from.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "a process has one of these")]
pub enum LearningData {
    Table(DataArgs, PrepareArgs),
    Ontology(OntologyData),
}

impl LearningData {
    /// Returns the files that are read.
    pub fn files(&self) -> Destinations<'_> {
        let files = Destinations::default();
        match self {
            LearningData::Table(args, _) => args.files(files),
            LearningData::Ontology(args) => {
                let paths = args.ontology.iter();
                let read = paths.fold(files, |files, path| files.reads("the ontology", Some(path)));
                args.problem.files(read)
            }
        }
    }
}

/// An ontology and a learning problem.
#[derive(Debug, Args)]
pub struct OntologyData {
    /// Ontology to read: .owl .rdf .owx .ofn .omn .obo .jsonld .ttl .nt .nq or .trig, also with .gz
    /// ('-' for standard input); several files are read as one ontology
    #[arg(value_name = "ONTOLOGY", required = true)]
    pub ontology: Vec<PathBuf>,
    #[command(flatten)]
    pub problem: ProblemArgs,
    #[command(flatten)]
    pub kb: KnowledgeBaseArgs,
    #[command(flatten)]
    pub limits: LimitsArgs,
}

/// The text after the long help of a command for a learner.
pub trait HelpFooter {
    fn footer(learner: &dyn AnyLearner) -> String;
}

impl<R: Args + HelpFooter> Subcommand for LearnerArgs<R> {
    fn augment_subcommands(command: Command) -> Command {
        let learners = Registry::standard();
        let command = command.subcommand_required(true).arg_required_else_help(true);
        learners
            .iter()
            .fold(command, |command, learner| command.subcommand(subcommand::<R>(learner)))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        Registry::standard().find(name).is_ok()
    }
}

fn subcommand<R: Args + HelpFooter>(learner: &dyn AnyLearner) -> Command {
    let command = Command::new(learner.name()).about(learner.about());
    let command = match learner.kind() {
        DataKind::Table => PrepareArgs::augment_args(DataArgs::augment_args(command)),
        DataKind::Ontology => OntologyData::augment_args(command),
    };
    let command = learner.parameters().iter().map(argument).fold(command, Command::arg);
    let footer = R::footer(learner);
    // `augment_args` replaces the description of the command by that of the flags.
    let command = R::augment_args(command).about(learner.about());
    if footer.is_empty() { command } else { command.after_long_help(footer) }
}

/// Returns the flag for a parameter.
fn argument(parameter: &Described) -> Arg {
    let mut help = parameter.help.to_owned();
    if let (SettingKind::Number, Some(allowed)) = (parameter.kind, &parameter.allowed) {
        help += &format!(" ({allowed})");
    }
    if parameter.kind != SettingKind::Flag && !parameter.default_text.is_empty() {
        help += &format!(" [default: {}]", parameter.default_text);
    }
    let flag = Arg::new(parameter.name)
        .long(parameter.name.replace('_', "-"))
        .help(help)
        .help_heading(parameter.group);
    match parameter.kind {
        SettingKind::Flag => flag.action(ArgAction::SetTrue),
        SettingKind::Text if !parameter.choices.is_empty() => flag
            .value_name(parameter.value)
            .value_parser(CompletionValues(parameter.choices.clone()))
            .hide_possible_values(true),
        SettingKind::Number | SettingKind::Text => flag.value_name(parameter.value),
        SettingKind::List => {
            flag.value_name(parameter.value).value_delimiter(',').action(ArgAction::Append)
        }
    }
}

/// Values for shell completion. The learner itself rejects other values, with a better message.
#[derive(Clone, Debug)]
struct CompletionValues(Vec<&'static str>);

impl TypedValueParser for CompletionValues {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().copied().map(PossibleValue::new)))
    }
}

/// Returns the parameters that are given on the command line.
fn settings(learner: &dyn AnyLearner, matches: &ArgMatches) -> Settings {
    let value = |parameter: &Described| {
        if matches.value_source(parameter.name) != Some(ValueSource::CommandLine) {
            return None;
        }
        let texts = || matches.get_many::<String>(parameter.name).into_iter().flatten();
        Some(match parameter.kind {
            SettingKind::Flag => Value::Bool(true),
            SettingKind::List => texts().cloned().collect(),
            SettingKind::Number | SettingKind::Text => {
                texts().last().cloned().map_or(Value::Null, Value::from)
            }
        })
    };
    learner.parameters().iter().fold(Settings::new(), |settings, parameter| {
        match value(parameter) {
            Some(value) => settings.with(parameter.name, value),
            None => settings,
        }
    })
}

impl<R: Args> FromArgMatches for LearnerArgs<R> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let missing = || Error::new(ErrorKind::MissingSubcommand);
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let learners = Registry::standard();
        let learner = learners.find(name).map_err(|_| missing())?;
        let data = match learner.kind() {
            DataKind::Table => LearningData::Table(
                DataArgs::from_arg_matches(matches)?,
                PrepareArgs::from_arg_matches(matches)?,
            ),
            DataKind::Ontology => LearningData::Ontology(OntologyData::from_arg_matches(matches)?),
        };
        let (settings, flags) = (settings(learner, matches), R::from_arg_matches(matches)?);
        Ok(LearnerArgs { name: name.to_owned(), data, settings, flags })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
