use super::Common;
use crate::sweep::Problem;
use clap::Args;
use std::path::PathBuf;

/// The arguments of `pellucid-bench sweep`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The tables are generated; their classes depend on a few columns and chance, so
the best possible accuracy and AUC are known. Models are trained with the default
parameters and scored on 100,000 new rows. The time includes the held-out
estimate.

Examples:
  pellucid-bench sweep --rows 1000,10000,100000
  pellucid-bench sweep --problem mixed --rows 4000 --write mixed.csv")]
pub(crate) struct SweepArgs {
    /// Problems to learn
    #[arg(
        long,
        value_name = "NAME,…",
        value_delimiter = ',',
        default_value = "exclusive-or,mixed,parity,slopes,ring"
    )]
    pub(crate) problem: Vec<Problem>,
    /// Numbers of rows
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1000,10000,100000")]
    pub(crate) rows: Vec<usize>,
    /// Number of columns, at least 6
    #[arg(
        long,
        value_name = "N",
        default_value = "20",
        value_parser = |text: &str| text.parse().ok().filter(|&count: &usize| (6..=10_000).contains(&count))
            .ok_or("expected a number from 6 to 10000")
    )]
    pub(crate) columns: usize,
    /// Write the table of the first problem and number of rows as CSV, and learn nothing
    #[arg(long, value_name = "FILE")]
    pub(crate) write: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}
