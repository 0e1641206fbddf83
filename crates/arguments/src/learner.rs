//! A learner chosen by name: the data it takes, and a flag for every parameter in its table.

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

/// What was typed after the name of a learner: its data, its parameters, and whatever the command asks for.
#[derive(Debug)]
pub struct ChosenLearner<R> {
    pub name: String,
    pub data: LearningData,
    pub settings: Settings,
    pub rest: R,
}

/// The data to learn from.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one of it")]
pub enum LearningData {
    Table(DataArgs, PrepareArgs),
    Ontology(OntologyData),
}

impl LearningData {
    /// The files it stands in.
    pub fn files(&self) -> Destinations<'_> {
        let files = Destinations::default();
        match self {
            LearningData::Table(args, _) => args.files(files),
            LearningData::Ontology(args) => {
                args.problem.files(files.reads("the ontology", Some(&args.ontology)))
            }
        }
    }
}

/// An ontology and what is to be learned in it.
#[derive(Debug, Args)]
pub struct OntologyData {
    /// The ontology: RDF/XML (.owl .rdf .xml), Turtle (.ttl), .nt, .nq or .trig, each also as .gz; '-' reads standard input
    #[arg(value_name = "ONTOLOGY")]
    pub ontology: PathBuf,
    #[command(flatten)]
    pub problem: ProblemArgs,
    #[command(flatten)]
    pub kb: KnowledgeBaseArgs,
    #[command(flatten)]
    pub limits: LimitsArgs,
}

/// What is shown below the long help of a command for a learner.
pub trait Examples {
    fn below(learner: &dyn AnyLearner) -> String;
}

impl<R: Args + Examples> Subcommand for ChosenLearner<R> {
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

fn subcommand<R: Args + Examples>(learner: &dyn AnyLearner) -> Command {
    let command = Command::new(learner.name()).about(learner.about());
    let command = match learner.kind() {
        DataKind::Table => PrepareArgs::augment_args(DataArgs::augment_args(command)),
        DataKind::Ontology => OntologyData::augment_args(command),
    };
    let command = learner.parameters().iter().map(argument).fold(command, Command::arg);
    let below = R::below(learner);
    // What each group of flags is about would stand in place of what the learner is about.
    let command = R::augment_args(command).about(learner.about());
    if below.is_empty() { command } else { command.after_long_help(below) }
}

/// The flag of a parameter.
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
            .value_parser(Offered(parameter.choices.clone()))
            .hide_possible_values(true),
        SettingKind::Number | SettingKind::Text => flag.value_name(parameter.value),
        SettingKind::List => {
            flag.value_name(parameter.value).value_delimiter(',').action(ArgAction::Append)
        }
    }
}

/// Texts that a shell offers. What else is typed is for the learner to refuse, in its words.
#[derive(Clone, Debug)]
struct Offered(Vec<&'static str>);

impl TypedValueParser for Offered {
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

/// What was typed of the parameters; what was not stays as it is.
fn settings(learner: &dyn AnyLearner, matches: &ArgMatches) -> Settings {
    let typed = |parameter: &Described| {
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
        match typed(parameter) {
            Some(value) => settings.with(parameter.name, value),
            None => settings,
        }
    })
}

impl<R: Args> FromArgMatches for ChosenLearner<R> {
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
        let (settings, rest) = (settings(learner, matches), R::from_arg_matches(matches)?);
        Ok(ChosenLearner { name: name.to_owned(), data, settings, rest })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
