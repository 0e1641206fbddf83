use super::Common;
use clap::Args;

/// The arguments of `pellucid-bench networks`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Times one generation as in Figure 2 of the paper: the scores of all networks,
the threshold of the top 20 %, and the positives above it. Breeding is not
included, and no scores are reused. By default a network has 19 inputs and 4
radial nodes. Weights and rows are random; 2.2 % of the rows are positive.

Examples:
  pellucid-bench networks
  pellucid-bench networks --populations 50 --rows 66277 --threads 1 --json")]
pub(crate) struct NetworksArgs {
    /// Population sizes
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,10,50,100,500")]
    pub(crate) populations: Vec<usize>,
    /// Numbers of rows
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1000,10000,66277")]
    pub(crate) rows: Vec<usize>,
    /// Inputs of a network
    #[arg(long, value_name = "N", default_value_t = 19)]
    pub(crate) inputs: usize,
    /// Hidden nodes of a network
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub(crate) nodes: usize,
    /// Seconds to spend on each measurement
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    pub(crate) seconds: f64,
    #[command(flatten)]
    pub(crate) common: Common,
}
