//! Learning, judging and using models.

use super::{
    CvLogicArgs, DataArgs, KnowledgeBaseArgs, LearnLogicArgs, MachineArgs, ProblemArgs,
    RulesParams, RunArgs, data::TABLE_OR_ONTOLOGY, run::time,
};
use clap::{Args, Subcommand, ValueEnum};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct LearnArgs {
    #[command(subcommand)]
    pub(crate) what: Learner,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Learner {
    /// IF-THEN rules over rows, or over bags of rows
    Rules(LearnRulesArgs),
    /// Class expressions over an ontology, from positive and negative individuals
    Logic(LearnLogicArgs),
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  pellucid learn rules examples/trains.csv --bag train --target direction
  pellucid learn rules musk.dat --mode g3p-mi --seed 7 --out musk.json
  pellucid learn rules big.parquet --time-limit 10m --checkpoint big.ckpt

In bags (multiple-instance data) one row decides: a molecule smells because
of one of its shapes. '--bag COLUMN' names the column that groups rows; some
formats say it themselves. Without bags every row is an example.")]
pub(crate) struct LearnRulesArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// Where the model goes
    #[arg(long, short, default_value = "model.json", value_name = "FILE")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) rules: RulesParams,
    #[command(flatten)]
    pub(crate) run: RunArgs,
    #[command(flatten)]
    pub(crate) machine: MachineArgs,
    /// Print JSON lines: each step, and the result last
    #[arg(long)]
    pub(crate) json: bool,
    /// Say nothing on standard error but errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CvArgs {
    #[command(subcommand)]
    pub(crate) what: CvLearner,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CvLearner {
    /// IF-THEN rules over rows, or over bags of rows
    Rules(CvRulesArgs),
    /// Class expressions over an ontology, from positive and negative individuals
    Logic(CvLogicArgs),
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
As many folds are learned side by side as there are threads. Each has one
thread of the processor to itself; other devices are shared by all folds.")]
pub(crate) struct CvRulesArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// Into how many parts the examples are cut; bags stay whole
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub(crate) folds: usize,
    /// How often that is done anew
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) repeats: usize,
    #[command(flatten)]
    pub(crate) rules: RulesParams,
    /// Stop after this time and count the folds done: seconds, or as in 90s, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) time_limit: Option<Duration>,
    #[command(flatten)]
    pub(crate) machine: MachineArgs,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(crate) json: bool,
    /// Say nothing on standard error but errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
#[command(mut_arg("path", |path| path.help(TABLE_OR_ONTOLOGY)))]
#[command(after_long_help = "\
A model of rules takes a table, one of class expressions an ontology: RDF/XML
(.owl .rdf .xml), Turtle (.ttl), .nt, .nq or .trig, each also as .gz. With
--problem it is also said how many of its examples are predicted right.

Examples:
  pellucid predict model.json examples/trains.csv --explain
  pellucid predict model.json examples/family.ttl --explain")]
pub(crate) struct PredictArgs {
    /// The model, as 'pellucid learn' wrote it
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// Tell for each example why: which rules hold, for which rows; which parts of an expression hold, and by whom
    #[arg(long)]
    pub(crate) explain: bool,
    /// Individuals to ask about, one a line [default: the examples of --problem, else everybody]
    #[arg(long, value_name = "FILE", help_heading = "Ontologies")]
    pub(crate) individuals: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) problem: ProblemArgs,
    #[command(flatten)]
    pub(crate) kb: KnowledgeBaseArgs,
    #[command(flatten)]
    pub(crate) machine: MachineArgs,
    /// Print JSON lines, one for each example, and a summary last
    #[arg(long)]
    pub(crate) json: bool,
    /// Say nothing on standard error but errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The model, as 'pellucid learn' wrote it, or an ontology: .owl .rdf .ttl .nt .nq .trig, also .gz
    #[arg(value_name = "MODEL|ONTOLOGY")]
    pub(crate) what: PathBuf,
    /// In which form
    #[arg(long, value_enum, default_value_t = ShowFormat::Text, value_name = "FORMAT")]
    pub(crate) format: ShowFormat,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
    /// The name of the table in SQL
    #[arg(long, default_value = "data", value_name = "NAME")]
    pub(crate) table: String,
    /// List all of a long list
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) kb: KnowledgeBaseArgs,
}

impl ShowArgs {
    /// The form asked for.
    pub(crate) fn format(&self) -> ShowFormat {
        if self.json { ShowFormat::Json } else { self.format }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowFormat {
    /// As a person reads it
    Text,
    /// The model file itself; of an ontology, its counts
    Json,
    /// Rules: a query that predicts
    Sql,
    /// Rules: a Python module that predicts
    Python,
    /// Class expressions in Manchester syntax, the best first
    Manchester,
    /// Class expressions in the symbols of description logic, the best first
    Dl,
    /// The best class expression as an OWL class in Turtle
    Owl,
    /// The best class expression as a SPARQL query
    Sparql,
}

impl fmt::Display for ShowFormat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value();
        out.pad(value.as_ref().map_or("", |value| value.get_name()))
    }
}
