//! The arguments of `compare`.

use super::{DataArgs, KnowledgeBaseArgs, MachineArgs, ProblemArgs, data::TABLE_OR_ONTOLOGY};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(mut_arg("path", |path| path.help(TABLE_OR_ONTOLOGY)))]
// `mut_arg` moves an argument to the end, and MORE follows DATA.
#[command(mut_arg("more", |more| more))]
#[command(after_long_help = "\
Both models predict DATA. If DATA has the target, every figure is shown for both
models, with the difference, its 95 % interval and the p-value of a paired test:
McNemar's exact test for the accuracy, the test of DeLong for the AUC, tests of
paired differences for the others. Give data that neither model was trained on.

The examples with different predictions are listed, the largest difference of the
probabilities first.

Examples:
  pellucid compare old.json new.json patients.csv
  pellucid compare old.json new.json patients.csv --limit 50 --json
  pellucid compare old.json new.json patients.csv --out comparison.html")]
pub struct CompareArgs {
    /// First model (A), written by 'pellucid learn'
    #[arg(value_name = "A")]
    pub first: PathBuf,
    /// Second model (B), for the same target
    #[arg(value_name = "B")]
    pub second: PathBuf,
    #[command(flatten)]
    pub data: DataArgs,
    /// Number of examples with different predictions to list
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub limit: usize,
    /// Also write the comparison as an HTML page
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub problem: ProblemArgs,
    #[command(flatten)]
    pub kb: KnowledgeBaseArgs,
    #[command(flatten)]
    pub machine: MachineArgs,
    /// Suppress all messages except errors
    #[arg(long, short)]
    pub quiet: bool,
}
