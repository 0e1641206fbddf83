//! The command line of `pellucid`: its commands, their flags and their help.
//!
//! This is a separate crate so that it can be built without optimization. Parsing runs once and is
//! fast anyway, and the code that the parser derives is larger than all commands together.

#![forbid(unsafe_code)]
#![expect(missing_docs, reason = "a doc comment on an argument is its help text")]

mod cluster;
mod compare;
mod concepts;
mod context;
mod data;
mod destinations;
mod explore;
mod generate_context;
mod hypothesis;
mod implications;
mod lattice;
mod learner;
mod learning;
mod limits;
mod machine;
mod monitor;
mod ontology;
mod parse;
mod prepare;
mod report;
mod run;
mod short_help;

pub use cluster::{ClusterArgs, GraphFrom, Multiple, PartitionForm};
pub use compare::CompareArgs;
pub use concepts::{ConceptsArgs, ConceptsFormat};
pub use context::ContextArgs;
pub use data::DataArgs;
pub use destinations::{Destinations, is_standard};
pub use explore::ExploreArgs;
pub use generate_context::{GenerateContextArgs, GraphArg};
pub use hypothesis::HypothesisArg;
pub use implications::{ImplicationsArgs, ImplicationsFormat, SortRules};
pub use lattice::{LabelsArg, LatticeArgs};
pub use learner::{LearningData, OntologyData};
pub use learning::{CvArgs, LearnArgs, LearnFlags, PredictArgs, ShowArgs};
pub use limits::LimitsArgs;
pub use machine::{DeviceArgs, MachineArgs};
pub use monitor::MonitorArgs;
pub use ontology::{KnowledgeBaseArgs, OntologyArgs, ProblemArgs};
pub use parse::parse;
pub use pellucid::concepts::support::MinSupport;
pub use prepare::PrepareArgs;
pub use report::ReportArgs;
pub use run::RunArgs;
pub use short_help::{command, requested_help};

pub use pellucid::devices::description as described;

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// White-box learning at hardware speed.
#[derive(Debug, Parser)]
#[command(name = "pellucid", version = version(), propagate_version = true, max_term_width = 100)]
#[command(after_long_help = "\
Examples:
  pellucid learn rules examples/trains.csv --bag train --target direction
  pellucid predict model.json examples/trains.csv --explain
  pellucid report model.json examples/trains.csv --out report.html
  pellucid cv rules examples/trains.csv --bag train --target direction
  pellucid learn logic examples/family.ttl --problem examples/uncle.json
  pellucid lattice examples/modules.pairs --symmetric --svg modules.svg
  pellucid help learn rules

Exit status:
  0  success
  1  stopped early by a time limit or an interrupt; partial results are kept
  2  invalid usage, invalid input or device error

Environment:
  PELLUCID_SIMD=scalar|portable|avx2|avx512
      Instruction set to use; results are the same for all of them
  PELLUCID_FAULT=DEVICE@N
      Simulate a device failure from call N on, for example cuda:0@3;
      DEVICE@load fails to load data, DEVICE@panic=N panics")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

/// Returns the arguments with `generate artificial3` rewritten as `generate artificial 3`.
pub fn expand_artificial(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut expanded: Vec<OsString> = Vec::new();
    for argument in arguments {
        let number = argument
            .to_str()
            .and_then(|text| text.strip_prefix("artificial"))
            .filter(|number| !number.is_empty());
        match (expanded.last(), number) {
            (Some(last), Some(number)) if last == "generate" => {
                expanded.extend(["artificial".into(), number.into()])
            }
            _ => expanded.push(argument),
        }
    }
    expanded
}

/// Returns the version and the instruction set in use.
fn version() -> &'static str {
    static TEXT: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    TEXT.get_or_init(|| {
        let level = pellucid::bits::Level::chosen()
            .map_or_else(|error| error.to_string(), |level| level.to_string());
        format!("{} ({level})", env!("CARGO_PKG_VERSION"))
    })
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the compute devices of this machine and measure their speed
    Devices(DevicesArgs),
    /// Summarize a table: column types, likely roles and unusual values
    Describe(DescribeArgs),
    /// Learn a model from data
    Learn(LearnArgs),
    /// Evaluate a learner by repeated stratified cross-validation
    Cv(CvArgs),
    /// Predict with a model, and explain predictions
    Predict(PredictArgs),
    /// Show a model or an ontology, or export a model
    Show(ShowArgs),
    /// Write a report on a model: one HTML file that predicts and explains offline
    Report(ReportArgs),
    /// Compare two models on the same data, with paired tests
    Compare(CompareArgs),
    /// Compare new data with the training data of a model: drift and quality
    Monitor(MonitorArgs),
    /// Count the rows or individuals that expressions cover, as JSON lines
    Evaluate(EvaluateArgs),
    /// List all formal concepts of a context
    Concepts(ConceptsArgs),
    /// Draw or export the concept lattice of a context
    Lattice(LatticeArgs),
    /// List the implications and association rules of a context
    Implications(ImplicationsArgs),
    /// Find the implications of a domain by answering questions
    Explore(ExploreArgs),
    /// Cluster the modules of a graph, or evaluate given clusters
    Cluster(ClusterArgs),
    /// Generate synthetic data sets and benchmark problems
    Generate(GenerateArgs),
    /// Print a shell completion script
    Completions(CompletionsArgs),
    /// Print the manual page, or write all manual pages to a folder
    Man(ManArgs),
}

#[derive(Debug, Args)]
pub struct DevicesArgs {
    #[command(flatten)]
    pub machine: MachineArgs,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Reads the file in the same way and with the same flags as 'learn' and 'cv'.
Each column has a role:
  target      the column to predict
  bag         groups rows into bags
  id          names the rows (--id)
  identifier  looks like a name of rows or bags; not used unless --keep is given
  date        a column of dates
  code?       numbers that may be codes; --nominal treats them as categories
  constant    has a single value
  attribute   a column to learn from
  ignored     excluded with --ignore

Examples:
  pellucid describe customers.csv
  pellucid describe umsatz.csv --date seit=%d.%m.%Y --json")]
pub struct DescribeArgs {
    #[command(flatten)]
    pub data: DataArgs,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
    /// Also write the description as an HTML page
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Suppress all messages except errors
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Debug, Args)]
#[command(mut_arg("path", |path| path.help(data::TABLE_OR_ONTOLOGY)))]
// `mut_arg` moves an argument to the end, and MORE follows DATA.
#[command(mut_arg("more", |more| more))]
#[command(after_long_help = "\
Expressions:
  age > 40                      comparisons: > >= < <= = !=
  40 <= age < 60                an interval; same as age in [40, 60)
  colour in {red, 'dark blue'}  a set; quote values that are not plain words
  smoker                        a boolean column, as in Parquet files; if the
                                values are text, write smoker = 'true'
  a > 1 and not (b or c <= 2)   and, or, not, parentheses; true, false
  \"MDVP:Fo(Hz)\" > 120.5         double-quote names that are not plain words
A comparison with a missing value is false; 'not' is applied afterwards.
For bags, write 'age > 40' for what 'pellucid show' prints as
'some row has age > 40'.

For an ontology (.owl .rdf .ttl .nt .nq .trig, also .gz) write class
expressions in Manchester syntax or in description logic notation:
  Male and hasChild some (Female or not Parent)
  ∃hasChild.(Female ⊔ ¬Parent) ⊓ ≥2 hasSibling.⊤
  born some xsd:integer[>= 1960]
  inverse hasChild some {ada}
  owl:Thing                     all individuals

Output: one JSON object per input line, in the same order:
  {\"line\":1,\"counts\":{\"0\":17,\"1\":204},\"nodes\":7}
  {\"line\":1,\"counts\":{\"positive\":5,\"negative\":0},\"length\":3}
A line that cannot be parsed gives an object with an error:
  {\"line\":2,\"error\":\"unknown column 'agge'; ...\"}
The other lines are still evaluated, and the exit status is 2.

Examples:
  echo 'age > 40' | pellucid evaluate people.csv --hypotheses -
  pellucid evaluate musk.csv --target 1 --bag 2 --hypotheses rules.txt
  pellucid evaluate family.owl --problem uncle.json --hypotheses classes.txt")]
pub struct EvaluateArgs {
    #[command(flatten)]
    pub data: DataArgs,
    /// File of expressions, one per line ('-' for standard input)
    #[arg(long, value_name = "FILE|-")]
    pub hypotheses: PathBuf,
    /// What to count: rows, presence, at-least=N or between=A..B
    ///
    /// 'rows' counts covered rows. The others count bags: with at least one covered row
    /// ('presence'), with at least N ('at-least=N') or with A to B ('between=A..B').
    /// [default: presence if the data has bags, otherwise rows]
    #[arg(long, value_name = "COUNTED")]
    pub hypothesis: Option<HypothesisArg>,
    /// Also list the covered rows (numbered from 0) or individuals (by name)
    #[arg(long)]
    pub cover: bool,
    #[command(flatten)]
    pub logic: OntologyArgs,
    #[command(flatten)]
    pub machine: MachineArgs,
    /// Append a summary object: lines evaluated, errors, seconds
    #[arg(long)]
    pub json: bool,
    /// Suppress all messages except errors
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Debug, Args)]
pub struct GenerateArgs {
    #[command(subcommand)]
    pub what: Generator,
}

#[derive(Debug, Subcommand)]
pub enum Generator {
    /// Boolean multiplexer: k address bits select one of 2^k data bits
    Multiplexer(MultiplexerArgs),
    /// Genotypes with epistasis: two columns together determine the class, each alone says nothing
    Genotypes(GenotypesArgs),
    /// Data sets of the multiple-instance paper, artificial1 (10 bags) to artificial7 (100,000)
    Artificial(ArtificialArgs),
    /// Random table whose class follows a planted rule
    Table(TableArgs),
    /// Random bags whose class follows a planted rule
    Bags(BagsArgs),
    /// Random formal context or graph
    Context(GenerateContextArgs),
}

#[derive(Debug, Args)]
pub struct OutArgs {
    /// Output file; '-' writes CSV to standard output
    ///
    /// The extension selects the format: .csv, .tsv, .dat (KEEL), .arff, each also with .gz, or
    /// .parquet.
    #[arg(long, short, default_value = "-", value_name = "FILE|-")]
    pub out: PathBuf,
    /// Random seed; the same seed gives identical data
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

#[derive(Debug, Args)]
pub struct MultiplexerArgs {
    /// Number of inputs: 3, 6, 11, 20, 37, 70, 135, …
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub bits: u32,
    /// Number of rows to draw at random [default: every input once, up to 20 bits]
    #[arg(long, value_name = "N")]
    pub rows: Option<usize>,
    #[command(flatten)]
    pub out: OutArgs,
}

#[derive(Debug, Args)]
pub struct GenotypesArgs {
    /// Number of rows
    #[arg(long, value_name = "N", default_value_t = 1600)]
    pub rows: usize,
    /// Number of columns
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub attributes: usize,
    /// Number of models
    ///
    /// Each row follows one of the models at random (heterogeneity). Columns M1P1 and M1P2 belong
    /// to the first model; columns N1, N2, … have no influence.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub models: usize,
    /// Share of the variance of the class that the model of a row explains, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.4)]
    pub heritability: f64,
    /// Frequency of the rarer allele in the columns of the models, 0.05 to 0.5
    #[arg(long, value_name = "SHARE", default_value_t = 0.4)]
    pub minor_allele: f64,
    /// Also write the model of each row as CSV
    ///
    /// Column 'likeliest' has the most probable model given the class and the genotypes of the row: no
    /// assignment of rows to models is right more often.
    #[arg(long, value_name = "FILE")]
    pub truth: Option<PathBuf>,
    #[command(flatten)]
    pub out: OutArgs,
}

#[derive(Debug, Args)]
pub struct ArtificialArgs {
    /// Number of the data set; 'artificial3' is the same as 'artificial 3'
    #[arg(value_name = "1-7", value_parser = clap::value_parser!(u8).range(1..=7))]
    pub number: u8,
    #[command(flatten)]
    pub out: OutArgs,
}

#[derive(Debug, Args)]
pub struct TableArgs {
    /// Number of rows
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub rows: usize,
    #[command(flatten)]
    pub columns: ColumnsArgs,
    #[command(flatten)]
    pub out: OutArgs,
}

#[derive(Debug, Args)]
pub struct BagsArgs {
    /// Number of bags
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub bags: usize,
    /// Rows per bag: a number, or a range such as 1..12
    #[arg(long, default_value = "10", value_name = "N|A..B")]
    pub size: String,
    #[command(flatten)]
    pub columns: ColumnsArgs,
    #[command(flatten)]
    pub out: OutArgs,
}

#[derive(Debug, Args)]
pub struct ColumnsArgs {
    /// Number of attribute columns: x1, x2, …
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub attributes: usize,
    /// Distinct values per attribute
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub distinct: u32,
    /// Number of comparisons in the planted rule
    ///
    /// The rule is printed on standard error. [default: 3, or the number of attributes if that is
    /// smaller]
    #[arg(long, value_name = "N", conflicts_with = "rule")]
    pub comparisons: Option<usize>,
    /// Planted rule, for example 'x1 > 0.2 and x3 <= 0.7'; values are in [0, 1)
    #[arg(long, value_name = "EXPRESSION")]
    pub rule: Option<String>,
    /// Share of flipped labels, from 0 to 0.5
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pub noise: f64,
    /// Share of missing values, from 0 to less than 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pub missing: f64,
}

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// Shell to generate the script for
    pub shell: Shell,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Shell {
    /// GNU bash
    Bash,
    /// Elvish
    Elvish,
    /// fish
    Fish,
    /// Windows PowerShell
    Powershell,
    /// zsh
    Zsh,
}

#[derive(Debug, Args)]
pub struct ManArgs {
    /// Folder for all manual pages; created if missing [default: print the main page]
    pub folder: Option<PathBuf>,
}
