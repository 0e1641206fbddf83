//! The arguments of `report`.

use super::{DataArgs, KnowledgeBaseArgs, MachineArgs, ProblemArgs, data::TABLE_OR_ONTOLOGY};
use clap::Args;
use std::path::PathBuf;

/// The value of DATA that means a report without data.
const NO_DATA: &str = "none";

#[derive(Debug, Args)]
// Without a default, the shared argument would be required.
#[command(mut_arg("path", |path| path
    .help(format!("{TABLE_OR_ONTOLOGY} [default: none]"))
    .required(false).default_value(NO_DATA).hide_default_value(true)))]
// `mut_arg` moves an argument to the end, and MORE follows DATA.
#[command(mut_arg("more", |more| more))]
#[command(after_long_help = "\
The report is one HTML file that works offline: how good the model is, the model
itself, a form that predicts exactly as 'pellucid predict' does, the data, and
the limits of the model. It loads nothing from the network.

With DATA, the report describes the data and evaluates the model on it. For
figures on held-out data, write the report while training, with
'pellucid learn … --report FILE.html', or give data that the model was not
trained on.

Examples:
  pellucid report model.json --out report.html
  pellucid report model.json patients.csv --out report.html --fixed age,sex
  pellucid learn rules patients.csv --target died --report report.html")]
pub struct ReportArgs {
    /// Model file written by 'pellucid learn'
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    #[command(flatten)]
    pub data: DataArgs,
    /// Output file for the report ('-' for standard output)
    #[arg(long, short, default_value = "report.html", value_name = "FILE|-")]
    pub out: PathBuf,
    /// Use the model with about this many rules [default: the selected size]
    #[arg(long, value_name = "N")]
    pub rules: Option<usize>,
    /// Columns that cannot be changed, such as age; suggested changes leave them as they are
    #[arg(long, value_delimiter = ',', value_name = "A,B")]
    pub fixed: Vec<String>,
    /// Column of DATA whose values form groups; the figures are shown for each group
    #[arg(long, value_name = "COLUMN")]
    pub by: Option<String>,
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

impl ReportArgs {
    /// Returns whether data is given.
    pub fn has_data(&self) -> bool {
        self.data.path.as_os_str() != NO_DATA
    }
}
