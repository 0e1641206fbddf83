use super::Common;
use clap::Args;
use std::path::PathBuf;

/// The flags of `pellucid-bench xcs`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
An agent learns a multiplexer with the published constants. Exploring steps are
timed on one thread. Then the agent continues until 990 of 1,000 tests are
correct, checked after every thousand steps. Read both figures: a faster loop
that learns worse is no gain.

With --data, the tables of the paper that are in the folder: trials of a few
iterations from an empty population, with conditions over all columns ('dense',
as in the paper) and over a few, and the shares of the phases of a step. Updating
match sets when rules change counts as matching. --gpu-load sets the share of
the rules that GPUs match, 0 to 1; without it, all shares of the paper are
measured if there is a GPU.

With --learners, this many agents learn each problem side by side: on all CPU
threads, then in lock-step on each GPU, with the same result. With --rows, a
population votes on the rows of a table, on one thread, on all threads and on
each GPU. 'times' is the speed relative to the first in the list.

Examples:
  pellucid-bench xcs
  pellucid-bench xcs --problems multiplexer-20 --timed 20000 --json
  pellucid-bench xcs --problems multiplexer-37 --most-steps 600000
  pellucid-bench xcs --data tables --problems arcene,leukemia
  pellucid-bench xcs --data tables --device cpu,cuda:0 --gpu-load 0.9
  pellucid-bench xcs --problems multiplexer-20 --learners 256 --rows 1000000")]
pub(crate) struct XcsArgs {
    /// The problems: multiplexer-6, -11, -20, -37, and the paper's tables [default: the first three, or the
    /// tables that --data has, or none beside --tables]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) problems: Vec<String>,
    /// The folder with the files of the paper's tables, as they are published
    #[arg(long, value_name = "FOLDER")]
    pub(crate) data: Option<PathBuf>,
    /// Tables of your own, with their classes in a column 'class'; all steps explore
    #[arg(long, value_name = "FILE,…", value_delimiter = ',')]
    pub(crate) tables: Vec<PathBuf>,
    /// Also learn a model of each of --tables, and time the prediction of this many rows, drawn from the
    /// table
    #[arg(
        long,
        value_name = "ROWS",
        requires = "tables",
        default_value_t = 0,
        hide_default_value = true
    )]
    pub(crate) predict: usize,
    /// Trials of a table, with seeds one after the other
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub(crate) trials: u64,
    /// Iterations of a trial
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) iterations: u64,
    /// The maximum population size, counting copies, and the number of rules that vote on --rows
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub(crate) population: u32,
    /// Exploring steps that are timed
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub(crate) timed: u64,
    /// Exploring steps after which an agent that has not learned the problem is stopped
    #[arg(long, value_name = "N", default_value_t = 60_000)]
    pub(crate) most_steps: u64,
    /// Agents that learn each problem side by side, on all threads and in lock-step on each GPU; 0 for none
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) learners: u64,
    /// Rows that a population of --population rules votes on, on each device; 0 for none
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) rows: usize,
    /// Agents that learn each problem, with seeds one after the other
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) agents: u64,
    #[command(flatten)]
    pub(crate) common: Common,
}
