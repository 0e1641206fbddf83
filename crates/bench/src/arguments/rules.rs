use super::Common;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// The flags of `pellucid-bench rules`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
A run breeds all its generations, even after a perfect rule was found, and is
timed from the moment the data is laid out as a table. The paper's times are of
evaluation alone; ours include breeding and everything else.

Unchanged copies of parents are not evaluated again, and counts of rules seen
before are cached. So nodes/s and rule-rows/s are requests per second, not
evaluations.

The sets, by file name in the folder, also with .gz:
  eastWest.dat  musk1.dat  tiger.dat  elephant.dat
  mutagenesis-atoms.dat  mutagenesis-chains.dat
  musk2.csv (class in column 1, bag in column 2)

Examples:
  pellucid-bench rules
  pellucid-bench rules --sets artificial6,artificial7 --hypothesis presence
  pellucid-bench rules --data mil --sets musk1,musk2")]
pub(crate) struct RulesArgs {
    /// The sets: artificial1 to artificial7, which are generated, and those of --data by name [default:
    /// artificial1 to artificial5, as 6 and 7 take longer and 7 takes 2 GB of memory, and all found in
    /// --data]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) sets: Vec<String>,
    /// A folder with the paper's real sets
    #[arg(long, value_name = "FOLDER")]
    pub(crate) data: Option<PathBuf>,
    /// Rules per generation
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) population: usize,
    /// Generations bred after the first
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) generations: u64,
    /// When a bag is positive: one covered row ('presence', Table 4), or 2 to 4 of them ('count', Table 5;
    /// the paper does not state its numbers)
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', default_value = "presence,count")]
    pub(crate) hypothesis: Vec<Hypothesis>,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// The hypotheses of the paper's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Hypothesis {
    /// One covered row makes a bag positive
    Presence,
    /// 2 to 4 covered rows make a bag positive
    Count,
}
