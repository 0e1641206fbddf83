use super::Common;
use clap::Args;
use std::path::PathBuf;

/// The arguments of `pellucid-bench xcs`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
An agent learns a multiplexer with the published constants. The first exploring
steps are timed on one thread. Then the agent continues until 990 of 1,000 tests
are correct, tested after every 1,000 steps. Read both numbers: a faster loop
that learns worse is no improvement.

With --data, measures the tables of the paper that are in the folder: trials of
a few iterations from an empty population, with conditions over all columns
('dense', as in the paper) and over few columns, and the share of each phase of
a step. Maintaining the match index counts as matching. --gpu-load sets the
share of rules that the GPUs match, 0 to 1. Without it, all shares of the paper
are measured in wall-clock time if there is a GPU.

With --learners, that many agents learn each problem in parallel: on CPU
threads, then in lockstep on each GPU, with identical results. All steps are
timed. With --rows, a whole population votes on the rows of a table: on one
thread, on all threads and on each GPU. 'times' is the speedup over the first
entry of its list.

Examples:
  pellucid-bench xcs
  pellucid-bench xcs --problems multiplexer-20 --timed 20000 --json
  pellucid-bench xcs --problems multiplexer-37 --most-steps 600000
  pellucid-bench xcs --data tables --problems arcene,leukemia
  pellucid-bench xcs --data tables --device cpu,cuda:0 --gpu-load 0.9
  pellucid-bench xcs --problems multiplexer-20 --learners 256 --rows 1000000")]
pub(crate) struct XcsArgs {
    /// Problems to measure: multiplexer-6, -11, -20, -37, or tables of the paper
    ///
    /// [default: the first three; with --data, the tables in the folder; with --tables, none]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) problems: Vec<String>,
    /// Folder with the tables of the paper, as published
    #[arg(long, value_name = "FOLDER")]
    pub(crate) data: Option<PathBuf>,
    /// Other tables, with the class in a column 'class'; all steps explore
    #[arg(long, value_name = "FILE,…", value_delimiter = ',')]
    pub(crate) tables: Vec<PathBuf>,
    /// Also learn a model from each of --tables and time predictions for this many rows
    #[arg(
        long,
        value_name = "ROWS",
        requires = "tables",
        default_value_t = 0,
        hide_default_value = true
    )]
    pub(crate) predict: usize,
    /// Trials per table, with consecutive seeds
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub(crate) trials: u64,
    /// Iterations per trial
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) iterations: u64,
    /// Maximum number of rules, including copies
    ///
    /// Applies to the population that learns a table. With --rows, the number of rules that vote.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub(crate) population: u32,
    /// Number of exploring steps to time
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub(crate) timed: u64,
    /// Give up on an agent after this many exploring steps
    #[arg(long, value_name = "N", default_value_t = 60_000)]
    pub(crate) most_steps: u64,
    /// Learn each problem with this many agents in parallel instead (0 for none)
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) learners: u64,
    /// Let a population of --population rules vote on this many rows (0 for none)
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) rows: usize,
    /// Agents per problem, with consecutive seeds
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) agents: u64,
    #[command(flatten)]
    pub(crate) common: Common,
}
