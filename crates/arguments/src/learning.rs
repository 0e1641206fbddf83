//! The arguments of `learn`, `cv`, `predict` and `show`.

use super::learner::{HelpFooter, LearnerArgs};
use super::{
    DataArgs, KnowledgeBaseArgs, LimitsArgs, MachineArgs, ProblemArgs, RunArgs,
    data::TABLE_OR_ONTOLOGY, run::time,
};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use pellucid::learn::learner::{DataKind, Deciding, SqlDialect};
use pellucid::registry::{AnyLearner, Registry};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub struct LearnArgs {
    #[command(subcommand)]
    pub learner: LearnerArgs<LearnFlags>,
}

/// The flags of `learn` besides data and parameters.
#[derive(Debug, Args)]
pub struct LearnFlags {
    /// Output file for the model ('-' for standard output, instead of the text)
    #[arg(long, short, default_value = "model.json", value_name = "FILE|-")]
    pub out: PathBuf,
    /// Overwrite the output file if it exists
    #[arg(long)]
    pub force: bool,
    /// Also write a report with the held-out figures: one HTML file that works offline
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Also train this many models without the leading columns, to see which others are as good
    ///
    /// Each leaves out the column that matters most to the model before it. They are written beside the
    /// model: model-2.json, model-3.json.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub alternatives: usize,
    /// Continue training from this model, for learners that support it
    ///
    /// The data may differ, but must have the same columns and classes.
    #[arg(long = "continue", value_name = "MODEL")]
    pub earlier: Option<PathBuf>,
    #[command(flatten)]
    pub run: RunArgs,
    /// Skip the inner cross-validation
    ///
    /// Training takes a fraction of the time, but gives no held-out estimate and no probabilities.
    #[arg(long)]
    pub no_inner_folds: bool,
    /// Show the run as it goes: best value so far, curve, rate and time left
    ///
    /// On a terminal the lines are drawn again and again; elsewhere there is a line every few seconds.
    #[arg(long, conflicts_with = "quiet")]
    pub watch: bool,
    #[command(flatten)]
    pub machine: MachineArgs,
    /// Print JSON lines: one per step, then the result
    #[arg(long)]
    pub json: bool,
    /// Suppress all messages except errors
    #[arg(long, short)]
    pub quiet: bool,
}

impl HelpFooter for LearnFlags {
    fn footer(learner: &dyn AnyLearner) -> String {
        let (name, details) = (learner.name(), learner.details());
        let examples = match (name, learner.kind()) {
            ("rules", _) => "\
  pellucid learn rules examples/trains.csv --bag train --target direction
  pellucid learn rules musk.dat --mode g3p-mi --seed 7 --out musk.json
  pellucid learn rules big.parquet --time-limit 10m --checkpoint big.ckpt"
                .to_owned(),
            ("logic", _) => "\
  pellucid learn logic examples/family.ttl --problem examples/uncle.json
  pellucid learn logic carcinogenesis.owl --positive pos.txt --negative neg.txt
  pellucid learn logic big.nt.gz --problem all.json --name Aunt --time-limit 10m"
                .to_owned(),
            (_, DataKind::Table) => format!(
                "  pellucid learn {name} table.csv --target class --out model.json\n  \
                 pellucid learn {name} big.parquet --time-limit 10m --checkpoint big.ckpt"
            ),
            (_, DataKind::Ontology) => {
                format!("  pellucid learn {name} ontology.ttl --problem problem.json")
            }
        };
        let details = if details.is_empty() { String::new() } else { format!("\n\n{details}") };
        format!("Examples:\n{examples}{details}")
    }
}

#[derive(Debug, Args)]
pub struct CvArgs {
    #[command(subcommand)]
    pub learner: LearnerArgs<CvFlags>,
}

/// The flags of `cv` besides data and parameters.
#[derive(Debug, Args)]
pub struct CvFlags {
    /// Number of folds; bags are never split
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub folds: usize,
    /// Number of repetitions with new splits
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub repeats: usize,
    /// Stop after this time and report the finished folds (seconds, or with a unit: 90s, 10m, 2h)
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time_limit: Option<Duration>,
    /// Skip the inner cross-validation
    ///
    /// Takes a fraction of the time, but gives no probabilities, log loss or Brier score.
    #[arg(long)]
    pub no_inner_folds: bool,
    /// Also write a report with the figures and curves: one HTML file that works offline
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub machine: MachineArgs,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub json: bool,
    /// Suppress all messages except errors
    #[arg(long, short)]
    pub quiet: bool,
}

impl HelpFooter for CvFlags {
    fn footer(learner: &dyn AnyLearner) -> String {
        let mut footer = "\
Folds run in parallel, one per thread. Each fold uses one CPU thread; all folds
share the other devices."
            .to_owned();
        if learner.kind() == DataKind::Ontology {
            footer += " The
test examples of a fold are not used as examples in training. They stay in the
ontology, so the statements about them remain available.";
        }
        footer
    }
}

#[derive(Debug, Args)]
#[command(mut_arg("path", |path| path.help(TABLE_OR_ONTOLOGY)))]
// `mut_arg` moves an argument to the end, and MORE follows DATA.
#[command(mut_arg("more", |more| more))]
#[command(mut_arg("id", |id| id.value_name("COLUMN|NAME").help("\
Column that names the rows [default: as in training], or the name of one example to explain in \
full")))]
#[command(after_long_help = "\
Models of class expressions need an ontology: RDF/XML (.owl .rdf .xml), Turtle
(.ttl), .nt, .nq or .trig, also with .gz. All other models need a table. With
--problem, also reports the accuracy on the examples of the problem.

Examples:
  pellucid predict model.json examples/trains.csv --explain
  pellucid predict model.json examples/family.ttl --explain")]
pub struct PredictArgs {
    /// Model file written by 'pellucid learn'
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    #[command(flatten)]
    pub data: DataArgs,
    /// Output file for the predictions ('-' for standard output)
    #[arg(long, short, default_value = "-", hide_default_value = true, value_name = "FILE|-")]
    pub out: PathBuf,
    /// Use the model with about this many rules [default: the selected size]
    #[arg(long, value_name = "N")]
    pub rules: Option<usize>,
    /// Explain each prediction
    ///
    /// Lists the rules that apply and the rows they apply to, or the parts of a class expression
    /// that are true and the individuals that make them true.
    #[arg(long)]
    pub explain: bool,
    /// Explain in full the prediction for this row, counted from 1
    #[arg(long, value_name = "N", conflicts_with = "explain")]
    pub row: Option<usize>,
    /// Predict the positive class from this probability on, instead of the model's own decision
    #[arg(long, value_name = "P", conflicts_with = "cost")]
    pub threshold: Option<f64>,
    /// Cost of missing an example of a class, for example 'sick=5' [default: 1 for each class]
    ///
    /// Predicts the class with the lowest expected cost.
    #[arg(long, value_name = "CLASS=COST", value_delimiter = ',', value_parser = class_cost)]
    pub cost: Vec<(String, f64)>,
    /// File of individuals to predict, one per line
    ///
    /// [default: the examples of --problem, otherwise all individuals]
    #[arg(long, value_name = "FILE", help_heading = "Ontologies")]
    pub individuals: Option<PathBuf>,
    #[command(flatten)]
    pub problem: ProblemArgs,
    #[command(flatten)]
    pub kb: KnowledgeBaseArgs,
    #[command(flatten)]
    pub machine: MachineArgs,
    /// Print JSON lines: one per example, then a summary
    #[arg(long)]
    pub json: bool,
    /// Prefix cells that start with = + - or @ with an apostrophe
    ///
    /// Spreadsheets then read them as text, not as formulas.
    #[arg(long, conflicts_with = "json")]
    pub spreadsheet: bool,
    /// Suppress all messages except errors
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Debug, Args)]
pub struct ShowArgs {
    /// Model file written by 'pellucid learn', or ontology (.owl .ofn .omn .obo .ttl …, also .gz)
    #[arg(value_name = "MODEL|ONTOLOGY")]
    pub what: PathBuf,
    /// Output format
    #[arg(long, value_parser = forms(), default_value = "text", value_name = "FORMAT")]
    pub format: String,
    /// Same as --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Show the model with about this many rules [default: the selected size]
    #[arg(long, value_name = "N")]
    pub rules: Option<usize>,
    /// Table name in SQL output
    #[arg(long, default_value = "data", value_name = "NAME")]
    pub table: String,
    /// Write SQL output as the definition of a view with this name
    #[arg(long, value_name = "NAME")]
    pub view: Option<String>,
    /// Dialect of SQL output: sqlite, postgresql, duckdb, bigquery or spark
    ///
    /// [default: one query that the first three run]
    #[arg(long, value_name = "NAME")]
    pub dialect: Option<SqlDialect>,
    /// In CSV output, prefix cells that start with = + - or @ with an apostrophe
    ///
    /// Spreadsheets then read them as text, not as formulas.
    #[arg(long)]
    pub spreadsheet: bool,
    /// Of an ontology, do not abbreviate long lists
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub kb: KnowledgeBaseArgs,
    #[command(flatten)]
    pub limits: LimitsArgs,
}

impl PredictArgs {
    /// Returns how classes are decided.
    pub fn deciding(&self) -> Deciding {
        match self.threshold {
            Some(least) => Deciding::Threshold(least),
            None if self.cost.is_empty() => Deciding::Model,
            None => Deciding::Costs(self.cost.clone()),
        }
    }
}

/// Parses a class and the cost of missing an example of it.
fn class_cost(text: &str) -> Result<(String, f64), String> {
    let pair = text.rsplit_once('=');
    let cost = pair.and_then(|(class, cost)| Some((class.to_owned(), cost.trim().parse().ok()?)));
    cost.ok_or_else(|| "expected CLASS=COST, for example sick=5".to_owned())
}

impl ShowArgs {
    /// Returns the selected format.
    pub fn form(&self) -> &str {
        if self.json { "json" } else { &self.format }
    }
}

/// Returns the output formats of all learners.
fn forms() -> PossibleValuesParser {
    let common = [
        ("text", "Human-readable text"),
        ("json", "The model file itself; for an ontology, its counts"),
    ];
    let learners = Registry::standard();
    let own = learners.iter().flat_map(AnyLearner::forms).map(|form| (form.name, form.help));
    let mut all: Vec<PossibleValue> = Vec::new();
    for (name, help) in common.into_iter().chain(own) {
        if !all.iter().any(|known| known.get_name() == name) {
            all.push(PossibleValue::new(name).help(help));
        }
    }
    PossibleValuesParser::new(all)
}
