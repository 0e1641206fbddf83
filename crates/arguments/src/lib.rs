//! What is typed after `pellucid`: every command and flag, what may be said, and what help says of it.
//!
//! A crate of its own since it is built otherwise: parsing takes a moment once, so nothing here is optimised, and what is
//! derived for the parser is more code than all commands together.

#![forbid(unsafe_code)]
#![expect(missing_docs, reason = "a comment on an argument is its help; not all of them have one")]

mod concepts;
mod context;
mod data;
mod destinations;
mod generate_context;
mod hypothesis;
mod implications;
mod lattice;
mod learner;
mod learning;
mod limits;
mod machine;
mod ontology;
mod prepare;
mod run;

pub use concepts::{ConceptsArgs, ConceptsFormat};
pub use context::ContextArgs;
pub use data::DataArgs;
pub use destinations::{Destinations, is_standard};
pub use generate_context::{GenerateContextArgs, GraphArg};
pub use hypothesis::HypothesisArg;
pub use implications::{ImplicationsArgs, ImplicationsFormat, SortRules};
pub use lattice::{LabelsArg, LatticeArgs};
pub use learner::{LearningData, OntologyData};
pub use learning::{CvArgs, LearnArgs, LearnRest, PredictArgs, ShowArgs};
pub use limits::LimitsArgs;
pub use machine::{DeviceArgs, MachineArgs};
pub use ontology::{KnowledgeBaseArgs, OntologyArgs, ProblemArgs};
pub use pellucid::concepts::support::MinSupport;
pub use prepare::PrepareArgs;
pub use run::RunArgs;

pub use pellucid::devices::description as described;

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// White-box learning at hardware speed.
#[derive(Debug, Parser)]
#[command(name = "pellucid", version = version(), propagate_version = true, max_term_width = 100)]
#[command(after_help = "\
Examples:
  pellucid learn rules examples/trains.csv --bag train --target direction
  pellucid predict model.json examples/trains.csv --explain
  pellucid cv rules examples/trains.csv --bag train --target direction
  pellucid learn logic examples/family.ttl --problem examples/uncle.json
  pellucid lattice examples/modules.pairs --symmetric --svg modules.svg
  pellucid help learn rules

Exit codes: 0 done, 1 finished without reaching what was asked,
2 wrong usage, bad input or device error.

PELLUCID_SIMD=scalar|portable|avx2|avx512 in the environment chooses the
instruction set; the answers are the same. PELLUCID_FAULT=cuda:0@3 rehearses
a failure: that device is lost from its third call on (cpu@load: it takes no
data; cpu@panic=3: it panics).")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

/// The arguments, with `generate artificial3` spelled out as `generate artificial 3`.
pub fn spelled_out(typed: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut spelled: Vec<OsString> = Vec::new();
    for argument in typed {
        let number = argument
            .to_str()
            .and_then(|text| text.strip_prefix("artificial"))
            .filter(|number| !number.is_empty());
        match (spelled.last(), number) {
            (Some(last), Some(number)) if last == "generate" => {
                spelled.extend(["artificial".into(), number.into()])
            }
            _ => spelled.push(argument),
        }
    }
    spelled
}

/// The version, and what this machine lends to it.
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
    /// List the devices of this machine, with their speed
    Devices(DevicesArgs),
    /// Tell what a table holds: types, odd cells, and what each column is probably for
    Describe(DescribeArgs),
    /// Learn a model from data
    Learn(LearnArgs),
    /// Judge a learner by repeated stratified cross-validation
    Cv(CvArgs),
    /// Predict with a model; --explain gives the reason for each prediction
    Predict(PredictArgs),
    /// Show a model or an ontology for people to read, or a model for other programs
    Show(ShowArgs),
    /// Count what expressions hold for: one expression per line in, JSON lines out
    Evaluate(EvaluateArgs),
    /// List every formal concept of a table of crosses
    Concepts(ConceptsArgs),
    /// Draw the concept lattice, or write it for other programs
    Lattice(LatticeArgs),
    /// List what follows from what, always or nearly always
    Implications(ImplicationsArgs),
    /// Write synthetic data and classic problems
    Generate(GenerateArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page, or write all of them into a folder
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
The file is read as 'learn' and 'cv' read it, with the same flags, and nothing
is learned. Each column has a role:
  target      what would be predicted
  bag         says which rows belong together
  id          names the rows (--id)
  identifier  seems to name rows or bags, and is left out unless --keep is given
  date        dates, which are compared as such
  code?       numbers that may be codes; --nominal makes them words
  constant    one value only
  attribute   something to learn from
  ignored     left out by --ignore

Examples:
  pellucid describe customers.csv
  pellucid describe umsatz.csv --date seit=%d.%m.%Y --json")]
pub struct DescribeArgs {
    #[command(flatten)]
    pub data: DataArgs,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
    /// Print nothing but errors on standard error
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Debug, Args)]
#[command(mut_arg("path", |path| path.help(data::TABLE_OR_ONTOLOGY)))]
#[command(after_long_help = "\
Expressions:
  age > 40                      comparisons: > >= < <= = !=
  40 <= age < 60                an interval; age in [40, 60) says the same
  colour in {red, 'dark blue'}  a set; quote values that are not plain words
  smoker                        a boolean column, as in Parquet files; for the
                                words true and false write: smoker = 'true'
  a > 1 and not (b or c <= 2)   and, or, not, brackets; true, false
  \"MDVP:Fo(Hz)\" > 120.5         double-quote names that are not plain words
A comparison with a missing value is false; 'not' is applied afterwards.
Of bags, 'some row has age > 40', as 'pellucid show' prints it, is 'age > 40'.

For an ontology (.owl .rdf .ttl .nt .nq .trig, also .gz) write class
expressions, in Manchester syntax or in the symbols of description logic:
  Male and hasChild some (Female or not Parent)
  ∃hasChild.(Female ⊔ ¬Parent) ⊓ ≥2 hasSibling.⊤
  born some xsd:integer[>= 1960]
  inverse hasChild some {ada}
  owl:Thing                     all individuals

Each line is answered by one object, in the same order:
  {\"line\":1,\"counts\":{\"0\":17,\"1\":204},\"nodes\":7}
  {\"line\":1,\"counts\":{\"positive\":5,\"negative\":0},\"length\":3}
A line that is not an expression is answered by
  {\"line\":2,\"error\":\"there is no column 'agge'; there are 'age', 'colour'\"}
and the others are still evaluated; the exit code is then 2.

Examples:
  echo 'age > 40' | pellucid evaluate people.csv --hypotheses -
  pellucid evaluate musk.csv --target 1 --bag 2 --hypotheses rules.txt
  pellucid evaluate family.owl --problem uncle.json --hypotheses classes.txt")]
pub struct EvaluateArgs {
    #[command(flatten)]
    pub data: DataArgs,
    /// The expressions, one per line; '-' reads standard input
    #[arg(long, value_name = "FILE|-")]
    pub hypotheses: PathBuf,
    /// What is counted: 'rows', or bags with a covered row ('presence'), with N or more of them ('at-least=N'), or with A to B of them ('between=A..B') [default: presence for bags, otherwise rows]
    #[arg(long, value_name = "COUNTED")]
    pub hypothesis: Option<HypothesisArg>,
    /// Also list the rows that each expression covers, numbered from 0, or the individuals by name
    #[arg(long)]
    pub cover: bool,
    #[command(flatten)]
    pub logic: OntologyArgs,
    #[command(flatten)]
    pub machine: MachineArgs,
    /// End with a summary object: lines evaluated, errors, seconds
    #[arg(long)]
    pub json: bool,
    /// Print nothing but errors on standard error
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
    /// The Boolean multiplexer: k address bits select one of 2^k data bits
    Multiplexer(MultiplexerArgs),
    /// Bags of the multiple-instance paper: artificial1 (10 bags) to artificial7 (100,000 bags)
    Artificial(ArtificialArgs),
    /// A random table whose class follows a rule
    Table(TableArgs),
    /// Random bags whose class follows a rule
    Bags(BagsArgs),
    /// A random formal context: objects against attributes, or a graph
    Context(GenerateContextArgs),
}

#[derive(Debug, Args)]
pub struct OutArgs {
    /// The output file; its ending chooses the format: .csv .tsv .dat (KEEL) .arff, each also with .gz, or .parquet; '-' writes CSV to standard output
    #[arg(long, short, default_value = "-", value_name = "FILE|-")]
    pub out: PathBuf,
    /// The random seed; the same seed gives the same data, byte for byte
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

#[derive(Debug, Args)]
pub struct MultiplexerArgs {
    /// The number of inputs: 3, 6, 11, 20, 37, 70, 135, …
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub bits: u32,
    /// Draw this many rows at random [default: every input once, up to 20 bits]
    #[arg(long, value_name = "N")]
    pub rows: Option<usize>,
    #[command(flatten)]
    pub out: OutArgs,
}

#[derive(Debug, Args)]
pub struct ArtificialArgs {
    /// Which of the seven sets; 'artificial3' is the same as 'artificial 3'
    #[arg(value_name = "1-7", value_parser = clap::value_parser!(u8).range(1..=7))]
    pub number: u8,
    #[command(flatten)]
    pub out: OutArgs,
}

#[derive(Debug, Args)]
pub struct TableArgs {
    /// The number of rows
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub rows: usize,
    #[command(flatten)]
    pub columns: ColumnsArgs,
    #[command(flatten)]
    pub out: OutArgs,
}

#[derive(Debug, Args)]
pub struct BagsArgs {
    /// The number of bags
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
    /// The number of attributes: x1, x2, …
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub attributes: usize,
    /// Distinct values per attribute
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub distinct: u32,
    /// Comparisons in the planted rule, which is printed on standard error [default: 3, or fewer if there are fewer attributes]
    #[arg(long, value_name = "N", conflicts_with = "rule")]
    pub comparisons: Option<usize>,
    /// The planted rule itself, such as 'x1 > 0.2 and x3 <= 0.7'; values are in [0, 1)
    #[arg(long, value_name = "EXPRESSION")]
    pub rule: Option<String>,
    /// The share of labels that are flipped, 0 to 0.5
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pub noise: f64,
    /// The share of values that are missing, from 0 to less than 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pub missing: f64,
}

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
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
    /// The folder for all pages; created if it does not exist [default: print the first page]
    pub folder: Option<PathBuf>,
}
