//! Learning, judging and using models.

use super::learner::{ChosenLearner, Examples};
use super::{
    DataArgs, KnowledgeBaseArgs, LimitsArgs, MachineArgs, ProblemArgs, RunArgs,
    data::TABLE_OR_ONTOLOGY, run::time,
};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use pellucid::learn::learner::{DataKind, Deciding};
use pellucid::registry::{AnyLearner, Registry};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub struct LearnArgs {
    #[command(subcommand)]
    pub what: ChosenLearner<LearnRest>,
}

/// What `learn` asks for beside data and parameters.
#[derive(Debug, Args)]
pub struct LearnRest {
    /// Where the model goes; '-' is standard output, instead of the text
    #[arg(long, short, default_value = "model.json", value_name = "FILE|-")]
    pub out: PathBuf,
    /// Replace the file of --out if there is one
    #[arg(long)]
    pub force: bool,
    /// Go on from what this model knew, for learners that can; other data is welcome, of the same columns and classes
    #[arg(long = "continue", value_name = "MODEL")]
    pub earlier: Option<PathBuf>,
    #[command(flatten)]
    pub run: RunArgs,
    /// Learn no inner folds: no estimate of how well the model does on new examples and no probabilities, but a fraction of the time
    #[arg(long)]
    pub no_inner_folds: bool,
    #[command(flatten)]
    pub machine: MachineArgs,
    /// Print JSON lines: each step, and the result last
    #[arg(long)]
    pub json: bool,
    /// Say nothing on standard error but errors
    #[arg(long, short)]
    pub quiet: bool,
}

impl Examples for LearnRest {
    fn below(learner: &dyn AnyLearner) -> String {
        match learner.name() {
            "rules" => "\
Examples:
  pellucid learn rules examples/trains.csv --bag train --target direction
  pellucid learn rules musk.dat --mode g3p-mi --seed 7 --out musk.json
  pellucid learn rules big.parquet --time-limit 10m --checkpoint big.ckpt

In bags (multiple-instance data) one row decides: a molecule smells because
of one of its shapes. '--bag COLUMN' names the column that groups rows; some
formats say it themselves. Without bags every row is an example."
                .to_owned(),
            "logic" => "\
Examples:
  pellucid learn logic examples/family.ttl --problem examples/uncle.json
  pellucid learn logic carcinogenesis.owl --positive pos.txt --negative neg.txt
  pellucid learn logic big.nt.gz --problem all.json --name Aunt --time-limit 10m

The answer is a class expression that holds for the positive individuals and
not for the negative ones, as in 'Male and hasSibling some Parent'. The world
is closed: what does not follow from the file is not so."
                .to_owned(),
            _ => String::new(),
        }
    }
}

#[derive(Debug, Args)]
pub struct CvArgs {
    #[command(subcommand)]
    pub what: ChosenLearner<CvRest>,
}

/// What `cv` asks for beside data and parameters.
#[derive(Debug, Args)]
pub struct CvRest {
    /// Into how many parts the examples are cut; bags stay whole
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub folds: usize,
    /// How often that is done anew
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub repeats: usize,
    /// Stop after this time and count the folds done: seconds, or as in 90s, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time_limit: Option<Duration>,
    /// Learn no inner folds: no probabilities, and so no log loss and no Brier score, but a fraction of the time
    #[arg(long)]
    pub no_inner_folds: bool,
    #[command(flatten)]
    pub machine: MachineArgs,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub json: bool,
    /// Say nothing on standard error but errors
    #[arg(long, short)]
    pub quiet: bool,
}

impl Examples for CvRest {
    fn below(learner: &dyn AnyLearner) -> String {
        let mut below = "\
As many folds are learned side by side as there are threads. Each has one
thread of the processor to itself; other devices are shared by all folds."
            .to_owned();
        if learner.kind() == DataKind::Ontology {
            below += " The
examples that judge a fold are no examples when it is learned. They stay in the
ontology, so what it says of them remains known.";
        }
        below
    }
}

#[derive(Debug, Args)]
#[command(mut_arg("path", |path| path.help(TABLE_OR_ONTOLOGY)))]
#[command(mut_arg("id", |id| id.value_name("COLUMN|NAME").help("The column that names the rows [default: as when it was learned]; or the name of one example, and it is told in full why it gets its class")))]
#[command(after_long_help = "\
A model of rules takes a table, one of class expressions an ontology: RDF/XML
(.owl .rdf .xml), Turtle (.ttl), .nt, .nq or .trig, each also as .gz. With
--problem it is also said how many of its examples are predicted right.

Examples:
  pellucid predict model.json examples/trains.csv --explain
  pellucid predict model.json examples/family.ttl --explain")]
pub struct PredictArgs {
    /// The model, as 'pellucid learn' wrote it
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    #[command(flatten)]
    pub data: DataArgs,
    /// Where the predictions go; '-' is standard output
    #[arg(long, short, default_value = "-", hide_default_value = true, value_name = "FILE|-")]
    pub out: PathBuf,
    /// Predict with about so many of the rules that were found [default: as many as the model tells]
    #[arg(long, value_name = "N")]
    pub rules: Option<usize>,
    /// Tell for each example why: which rules hold, for which rows; which parts of an expression hold, and by whom
    #[arg(long)]
    pub explain: bool,
    /// Tell in full why one example gets its class: that of this row of the data, counted from 1
    #[arg(long, value_name = "N", conflicts_with = "explain")]
    pub row: Option<usize>,
    /// Give the positive class from this probability on, and not as the model decides
    #[arg(long, value_name = "P", conflicts_with = "cost")]
    pub threshold: Option<f64>,
    /// Give the class that costs least, when to miss an example of a class costs so much, as in 'sick=5' [default: 1 each]
    #[arg(long, value_name = "CLASS=COST", value_delimiter = ',', value_parser = class_cost)]
    pub cost: Vec<(String, f64)>,
    /// Individuals to ask about, one per line [default: the examples of --problem, else everybody]
    #[arg(long, value_name = "FILE", help_heading = "Ontologies")]
    pub individuals: Option<PathBuf>,
    #[command(flatten)]
    pub problem: ProblemArgs,
    #[command(flatten)]
    pub kb: KnowledgeBaseArgs,
    #[command(flatten)]
    pub machine: MachineArgs,
    /// Print JSON lines, one for each example, and a summary last
    #[arg(long)]
    pub json: bool,
    /// Write names that begin with = + - @ so that spreadsheets take them for text, with an apostrophe before them
    #[arg(long, conflicts_with = "json")]
    pub spreadsheet: bool,
    /// Say nothing on standard error but errors
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The model, as 'pellucid learn' wrote it, or an ontology: .owl .rdf .ttl .nt .nq .trig, also .gz
    #[arg(value_name = "MODEL|ONTOLOGY")]
    pub what: PathBuf,
    /// In which form
    #[arg(long, value_parser = forms(), default_value = "text", value_name = "FORMAT")]
    pub format: String,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Show the model with about so many of the rules that were found [default: as many as the model tells]
    #[arg(long, value_name = "N")]
    pub rules: Option<usize>,
    /// The name of the table in SQL
    #[arg(long, default_value = "data", value_name = "NAME")]
    pub table: String,
    /// Make the SQL the definition of a view of this name
    #[arg(long, value_name = "NAME")]
    pub view: Option<String>,
    /// In CSV, write names that begin with = + - @ so that spreadsheets take them for text, with an apostrophe before them
    #[arg(long)]
    pub spreadsheet: bool,
    /// List all of a long list
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub kb: KnowledgeBaseArgs,
    #[command(flatten)]
    pub limits: LimitsArgs,
}

impl PredictArgs {
    /// How classes are chosen.
    pub fn deciding(&self) -> Deciding {
        match self.threshold {
            Some(least) => Deciding::Threshold(least),
            None if self.cost.is_empty() => Deciding::Model,
            None => Deciding::Costs(self.cost.clone()),
        }
    }
}

/// A class and what it costs to miss one of it.
fn class_cost(text: &str) -> Result<(String, f64), String> {
    let pair = text.rsplit_once('=');
    let cost = pair.and_then(|(class, cost)| Some((class.to_owned(), cost.trim().parse().ok()?)));
    cost.ok_or_else(|| "allowed is a class with its cost, as in sick=5".to_owned())
}

impl ShowArgs {
    /// The form asked for.
    pub fn form(&self) -> &str {
        if self.json { "json" } else { &self.format }
    }
}

/// The forms in which models are shown, whichever learner made them.
fn forms() -> PossibleValuesParser {
    let everywhere = [
        ("text", "As a person reads it"),
        ("json", "The model file itself; of an ontology, its counts"),
    ];
    let learners = Registry::standard();
    let own = learners.iter().flat_map(AnyLearner::forms).map(|form| (form.name, form.help));
    let mut all: Vec<PossibleValue> = Vec::new();
    for (name, help) in everywhere.into_iter().chain(own) {
        if !all.iter().any(|known| known.get_name() == name) {
            all.push(PossibleValue::new(name).help(help));
        }
    }
    PossibleValuesParser::new(all)
}
