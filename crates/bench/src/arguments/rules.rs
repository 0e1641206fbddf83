use super::Common;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// The arguments of `pellucid-bench rules`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
A run breeds all its generations, even after it has found a perfect rule. The
time starts when the table is in memory. The times of the paper cover evaluation
alone; the times of Pellucid include breeding and everything else.

Unchanged copies of parents are not evaluated again, and counts of earlier rules
are reused. nodes/s and rule-rows/s therefore measure requested work, which is
more than the work carried out.

Data sets, by file name in the --data folder, also with .gz:
  eastWest.dat  musk1.dat  tiger.dat  elephant.dat
  mutagenesis-atoms.dat  mutagenesis-chains.dat
  musk2.csv (class in column 1, bag in column 2)

Examples:
  pellucid-bench rules
  pellucid-bench rules --sets artificial6,artificial7 --hypothesis presence
  pellucid-bench rules --data mil --sets musk1,musk2")]
pub(crate) struct RulesArgs {
    /// Data sets to measure: artificial1 to artificial7 and those in --data
    ///
    /// artificial1 to artificial7 are generated; artificial7 needs 2 GB of memory.
    /// [default: artificial1 to artificial5 and all sets in --data]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) sets: Vec<String>,
    /// Folder with the real data sets of the paper
    #[arg(long, value_name = "FOLDER")]
    pub(crate) data: Option<PathBuf>,
    /// Rules per generation
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) population: usize,
    /// Number of generations after the first
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) generations: u64,
    /// When a bag is positive: 'presence' (Table 4) or 'count' (Table 5)
    ///
    /// 'presence' requires one covered row, 'count' 2 to 4. The paper does not state the numbers it
    /// used for 'count'.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', default_value = "presence,count")]
    pub(crate) hypothesis: Vec<Hypothesis>,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// The bag hypotheses in the tables of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Hypothesis {
    /// One covered row makes a bag positive
    Presence,
    /// 2 to 4 covered rows make a bag positive
    Count,
}
