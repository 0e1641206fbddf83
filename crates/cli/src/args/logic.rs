//! Learning, judging and using class expressions.

use super::{KnowledgeBaseArgs, MachineArgs, ProblemArgs, RunArgs, SemanticsArg, run::time};
use anyhow::Result;
use clap::Args;
use pellucid::learn::metrics::Metric;
use pellucid::learn::params::{Check as _, Valid};
use pellucid::logic::learn::{Method, Operators, Options};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  pellucid learn logic examples/family.ttl --problem examples/uncle.json
  pellucid learn logic carcinogenesis.owl --positive pos.txt --negative neg.txt
  pellucid learn logic big.nt.gz --problem all.json --name Aunt --time-limit 10m

The answer is a class expression that holds for the positive individuals and
not for the negative ones, as in 'Male and hasSibling some Parent'. The world
is closed: what does not follow from the file is not so.")]
pub(crate) struct LearnLogicArgs {
    /// The ontology: RDF/XML (.owl .rdf .xml), Turtle (.ttl), .nt, .nq or .trig, each also as .gz; '-' reads standard input
    #[arg(value_name = "ONTOLOGY")]
    pub(crate) ontology: PathBuf,
    #[command(flatten)]
    pub(crate) problem: ProblemArgs,
    #[command(flatten)]
    pub(crate) kb: KnowledgeBaseArgs,
    /// Where the model goes
    #[arg(long, short, default_value = "model.json", value_name = "FILE")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) logic: LogicParams,
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
#[command(after_long_help = "\
As many folds are learned side by side as there are threads. Each has one
thread of the processor to itself; other devices are shared by all folds. The
examples that judge a fold are no examples when it is learned. They stay in the
ontology, so what it says of them remains known.")]
pub(crate) struct CvLogicArgs {
    /// The ontology: RDF/XML (.owl .rdf .xml), Turtle (.ttl), .nt, .nq or .trig, each also as .gz; '-' reads standard input
    #[arg(value_name = "ONTOLOGY")]
    pub(crate) ontology: PathBuf,
    #[command(flatten)]
    pub(crate) problem: ProblemArgs,
    #[command(flatten)]
    pub(crate) kb: KnowledgeBaseArgs,
    /// Into how many parts the examples are cut
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub(crate) folds: usize,
    /// How often that is done anew
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) repeats: usize,
    #[command(flatten)]
    pub(crate) logic: LogicParams,
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

/// How class expressions are learned.
#[derive(Debug, Args)]
pub(crate) struct LogicParams {
    /// 'instant': all that is small, put together; 'refine': from the general to the special; 'evolve': bred; 'auto': each in turn until one solves it
    #[arg(long, value_name = "METHOD", default_value_t = Method::Auto, help_heading = "Logic")]
    pub(crate) method: Method,
    /// The seed; one seed gives one model on any machine
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// What makes an expression good: f1, accuracy, mcc, … [default: f1]
    #[arg(long, value_name = "METRIC", help_heading = "Logic")]
    pub(crate) metric: Option<Metric>,
    /// The share of examples that may be wrong in a solution, 0 to below 1 [default: 0]
    #[arg(long, value_name = "SHARE", help_heading = "Logic")]
    pub(crate) noise: Option<f64>,
    /// The most that an expression may be long: names, numbers and operators counted [default: 60]
    #[arg(long, value_name = "N", help_heading = "Logic")]
    pub(crate) max_length: Option<u32>,
    /// What a unit of length costs in quality, 0 to 1 [default: what examples that were held back speak for]
    #[arg(long, value_name = "COST", help_heading = "Logic")]
    pub(crate) penalty: Option<f64>,
    /// How many answers are kept [default: 10]
    #[arg(long, value_name = "N", help_heading = "Logic")]
    pub(crate) answers: Option<usize>,
    /// Classes and properties that no answer may name, by short name or IRI
    #[arg(long, value_delimiter = ',', value_name = "A,B", help_heading = "Logic")]
    pub(crate) exclude: Vec<String>,
    /// Hypotheses that 'refine' and 'evolve' may each try [default: 20000]
    #[arg(long, value_name = "N", help_heading = "Logic")]
    pub(crate) effort: Option<u64>,
    /// The most hypotheses to try in all
    #[arg(long, value_name = "N", help_heading = "Logic")]
    pub(crate) max_hypotheses: Option<u64>,
    /// No 'not'
    #[arg(long, help_heading = "Operators")]
    pub(crate) no_negation: bool,
    /// No 'only'
    #[arg(long, help_heading = "Operators")]
    pub(crate) no_only: bool,
    /// No properties followed backwards
    #[arg(long, help_heading = "Operators")]
    pub(crate) no_inverse: bool,
    /// The largest number in 'min', 'max' and 'exactly'; 1 allows none of them [default: 10]
    #[arg(long, value_name = "N", help_heading = "Operators")]
    pub(crate) max_cardinality: Option<u32>,
    /// No comparisons of numbers
    #[arg(long, help_heading = "Operators")]
    pub(crate) no_numbers: bool,
    /// No values that are texts or truth values
    #[arg(long, help_heading = "Operators")]
    pub(crate) no_strings: bool,
    /// Allow single individuals: '{anna}' and 'hasChild value anna'
    #[arg(long, help_heading = "Operators")]
    pub(crate) nominals: bool,
    /// What 'only' and 'max' mean where there are no fillers: 'standard', 'hthedl' or 'someonly'; answers say it in full
    #[arg(
        long,
        value_enum,
        default_value_t = SemanticsArg::Standard,
        hide_possible_values = true,
        value_name = "HOW",
        help_heading = "Operators"
    )]
    pub(crate) semantics: SemanticsArg,
}

impl LogicParams {
    /// What they mean, checked.
    pub(crate) fn options(&self) -> Result<Valid<Options>> {
        let default = Options::default();
        let operators = Operators {
            negation: !self.no_negation,
            universal: !self.no_only,
            inverse: !self.no_inverse,
            cardinality: self.max_cardinality.unwrap_or(default.operators.cardinality),
            numeric: !self.no_numbers,
            strings: !self.no_strings,
            nominals: self.nominals,
        };
        let options = Options {
            method: self.method,
            measure: self.metric.unwrap_or(default.measure),
            noise: self.noise.unwrap_or(default.noise),
            length: self.max_length.unwrap_or(default.length),
            penalty: self.penalty.or(default.penalty),
            answers: self.answers.unwrap_or(default.answers),
            exclude: self.exclude.clone(),
            operators,
            semantics: self.semantics.semantics(),
            hypotheses: self.max_hypotheses.or(default.hypotheses),
            effort: self.effort.unwrap_or(default.effort),
            seed: self.seed,
        };
        Ok(options.check()?)
    }
}
