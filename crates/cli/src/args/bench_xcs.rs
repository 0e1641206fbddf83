use super::BenchCommon;
use clap::Args;

/// What `bench xcs` is asked for.
#[derive(Debug, Args)]
#[command(after_long_help = "\
An agent learns a multiplexer with the constants that are published for it. The
first problems are timed, on one thread, exploring steps alone; then it goes on
until 990 of 1,000 tests are right, looked at after every thousand steps. A
faster loop that learns worse is worth nothing, so read both figures.

Examples:
  pellucid bench xcs
  pellucid bench xcs --problems multiplexer-20 --timed 20000 --json
  pellucid bench xcs --problems multiplexer-37 --most-steps 600000")]
pub(crate) struct BenchXcsArgs {
    /// The problems: multiplexer-6, -11, -20, -37
    #[arg(
        long,
        value_name = "NAME,…",
        value_delimiter = ',',
        default_value = "multiplexer-6,multiplexer-11,multiplexer-20"
    )]
    pub(crate) problems: Vec<String>,
    /// Exploring steps that are timed
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub(crate) timed: u64,
    /// Exploring steps after which an agent that does not know yet is given up
    #[arg(long, value_name = "N", default_value_t = 60_000)]
    pub(crate) most_steps: u64,
    /// Agents that learn each problem, with seeds one after the other
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) agents: u64,
    #[command(flatten)]
    pub(crate) common: BenchCommon,
}
