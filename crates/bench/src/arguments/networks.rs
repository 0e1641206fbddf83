use super::Common;
use clap::Args;

/// The flags of `pellucid-bench networks`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
A generation is timed as in Figure 2 of the paper: the scores of all networks,
the threshold of the best fifth, and the positives above it. Breeding is not
included, and every network is scored. The networks have 19 inputs and 4 radial
nodes. Genes and rows are random; 2.2 % of the rows are positive.

Examples:
  pellucid-bench networks
  pellucid-bench networks --populations 50 --rows 66277 --threads 1 --json")]
pub(crate) struct NetworksArgs {
    /// Networks of a population
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,10,50,100,500")]
    pub(crate) populations: Vec<usize>,
    /// Rows
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1000,10000,66277")]
    pub(crate) rows: Vec<usize>,
    /// Numbers in a row
    #[arg(long, value_name = "N", default_value_t = 19)]
    pub(crate) inputs: usize,
    /// Hidden nodes of a network
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub(crate) nodes: usize,
    /// How long each figure is measured, in seconds
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    pub(crate) seconds: f64,
    #[command(flatten)]
    pub(crate) common: Common,
}
