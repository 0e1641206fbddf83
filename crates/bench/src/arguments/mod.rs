//! The command line of `pellucid-bench`: the tables and their flags.

mod concepts;
mod ladder;
mod logic;
mod networks;
mod rules;
mod sweep;
mod xcs;

pub(crate) use concepts::ConceptsArgs;
pub(crate) use ladder::{LadderArgs, LadderMode};
pub(crate) use logic::{LogicArgs, LogicTable};
pub(crate) use networks::NetworksArgs;
pub(crate) use rules::{Hypothesis, RulesArgs};
pub(crate) use sweep::SweepArgs;
pub(crate) use xcs::XcsArgs;

use clap::{Args, Parser, Subcommand};
use pellucid_arguments::MachineArgs;
use std::path::PathBuf;

/// Measure what the papers measured, on this machine
#[derive(Debug, Parser)]
#[command(name = "pellucid-bench", version, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) table: Table,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Table {
    /// Evaluate many rules on many rows: Table 3 of the multiple-instance paper
    Interpreter(InterpreterArgs),
    /// Reduce rows to bags: slot-major layout against a plain loop over bags
    Bags(BagsArgs),
    /// Complete runs of the rule learner: Tables 4 and 5 of the multiple-instance paper
    Rules(RulesArgs),
    /// Learn rules with the defaults from few to very many rows
    Sweep(SweepArgs),
    /// Enumerate all concepts of a context: Tables 1 and 2 of the concept paper
    Concepts(ConceptsArgs),
    /// Evaluate class expressions: Tables II to VI of the description-logic paper
    Logic(LogicArgs),
    /// Time generations of networks: Figure 2 of the genetic networks paper
    Networks(NetworksArgs),
    /// Train classifier systems on multiplexers: steps per second, and steps to 99 % accuracy
    Xcs(XcsArgs),
    /// Multiplexers of growing size: steps and seconds of classifier systems to 99 % accuracy
    Ladder(LadderArgs),
}

#[derive(Debug, Args)]
pub(crate) struct InterpreterArgs {
    /// Numbers of rules
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "100,250,500,1000")]
    pub(crate) rules: Vec<usize>,
    /// Numbers of rows
    #[arg(
        long,
        value_name = "N,…",
        value_delimiter = ',',
        default_value = "1000,5000,50000,100000"
    )]
    pub(crate) rows: Vec<usize>,
    /// Number of attributes
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100,
        value_parser = clap::value_parser!(u32).range(1..=100_000)
    )]
    pub(crate) attributes: u32,
    /// Distinct values per attribute
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) distinct: u32,
    /// Seconds to spend on each measurement; the fastest round is reported
    #[arg(long, value_name = "S", default_value_t = 0.25)]
    pub(crate) seconds: f64,
    /// Write data, rules and counts of the largest cell to a folder, for comparison with other programs
    #[arg(long, value_name = "FOLDER")]
    pub(crate) dump: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
pub(crate) struct BagsArgs {
    /// Number of coverage bitmaps to reduce
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) rules: usize,
    /// Seconds to spend on each measurement; the fastest round is reported
    #[arg(long, value_name = "S", default_value_t = 0.25)]
    pub(crate) seconds: f64,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
pub(crate) struct Common {
    /// Random seed of data and rules
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) machine: MachineArgs,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(crate) json: bool,
    /// Suppress all messages except errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
}
