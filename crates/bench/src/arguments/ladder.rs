use super::Common;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// The arguments of `pellucid-bench ladder`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Each rung is a multiplexer: some address bits select one of the other bits, which
is the class. No bit alone says anything about it. An agent learns random inputs,
and after every 1,000 steps 1,000 new inputs are predicted without learning. A
rung is reached when 990 of them are right. The seconds are CPU time of the
learning steps alone.

In mode 'reward' (XCS) half of the actions are wrong and only the reward of the
chosen one is known; in mode 'supervised' (UCS) the class of each input is known.
Then the population is reduced to few rules that are right about 20,000 inputs,
and these rules alone predict 10,000 new inputs.

With --out, every rung is added to the file as a line of JSON when it ends. The
same command continues: rungs in the file are printed and not run again.

Examples:
  pellucid-bench ladder --quick
  pellucid-bench ladder --bits 6,11,20,37 --agents 5 --out ladder.jsonl
  pellucid-bench ladder --bits 70 --modes supervised --most-seconds 3600")]
pub(crate) struct LadderArgs {
    /// Sizes of the multiplexers: 6, 11, 20, 37, 70 and 135
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "6,11,20,37")]
    pub(crate) bits: Vec<u32>,
    /// How the agent learns
    #[arg(
        long,
        value_enum,
        value_name = "MODE,…",
        value_delimiter = ',',
        default_value = "reward,supervised"
    )]
    pub(crate) modes: Vec<LadderMode>,
    /// Agents per rung, with consecutive seeds
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) agents: u64,
    /// Give up on a rung after this many steps
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    pub(crate) most_steps: u64,
    /// Give up on a rung after this many seconds
    #[arg(long, value_name = "S", default_value_t = 600.0)]
    pub(crate) most_seconds: f64,
    /// Maximum number of rules, including copies [default: by the number of bits]
    #[arg(long, value_name = "N")]
    pub(crate) population: Option<u32>,
    /// Probability that a new rule does not test a bit [default: by the number of bits]
    #[arg(long, value_name = "P")]
    pub(crate) dont_care: Option<f64>,
    /// Probability of mutation of each bit [default: by the number of bits]
    #[arg(long, value_name = "P")]
    pub(crate) mutation: Option<f64>,
    /// File with one line of JSON per rung, to continue later
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Only the first two rungs, to check that the command runs
    #[arg(long)]
    pub(crate) quick: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// How an agent learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LadderMode {
    /// From rewards (XCS).
    Reward,
    /// From known classes (UCS).
    Supervised,
}

impl LadderMode {
    /// Returns the name in results.
    pub(crate) fn name(self) -> &'static str {
        match self {
            LadderMode::Reward => "reward",
            LadderMode::Supervised => "supervised",
        }
    }
}
