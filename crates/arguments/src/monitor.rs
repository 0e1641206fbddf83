//! The arguments of `monitor`.

use super::{DataArgs, MachineArgs};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(mut_arg("path", |path| path.value_name("NEWDATA")))]
// `mut_arg` moves an argument to the end, and MORE follows DATA.
#[command(mut_arg("more", |more| more))]
#[command(after_long_help = "\
Compares NEWDATA with the training data: each column, the predictions and, if
NEWDATA has the target, the quality beside the held-out figures of the training.

The model file has a profile of the training data: about 20 bins for each column
of numbers, and the counts of categories. Models of older versions have none; give
the training data as --reference.

The population stability index (PSI) is below 0.1 for a stable column and above
0.25 for a column that drifts. Numbers are tested by Kolmogorov and Smirnov's test,
categories by a chi-squared test. A difference whose p-value is at least 0.01 is
not called drift.

Examples:
  pellucid monitor model.json march.csv
  pellucid monitor model.json march.csv --reference february.csv
  pellucid monitor model.json march.csv --out march.html --json")]
pub struct MonitorArgs {
    /// Model file written by 'pellucid learn'
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    #[command(flatten)]
    pub data: DataArgs,
    /// Table to compare with [default: the profile of the training data in the model file]
    #[arg(long, value_name = "FILE")]
    pub reference: Option<PathBuf>,
    /// Also write the result as an HTML page
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub machine: MachineArgs,
    /// Suppress all messages except errors
    #[arg(long, short)]
    pub quiet: bool,
}
