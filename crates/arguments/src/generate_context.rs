use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pellucid generate context --objects 1000 --density 0.2 --out random.cxt
  pellucid generate context --objects 955 --density 0.02 --graph chung-lu --out graph.pairs")]
pub struct GenerateContextArgs {
    /// The number of objects; for a graph, the number of modules
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub objects: usize,
    /// The number of attributes; a graph has as many as modules
    #[arg(long, value_name = "N", default_value_t = 100, conflicts_with = "graph")]
    pub attributes: usize,
    /// The share of all pairs of an object and an attribute that are crosses, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    pub density: f64,
    /// Make it a symmetric graph of modules, none paired with itself: 'uniform', all pairs equally likely, or 'chung-lu', heavy-tailed like graphs of software
    #[arg(long, value_enum, hide_possible_values = true, value_name = "KIND")]
    pub graph: Option<GraphArg>,
    /// The output file; its ending chooses the format: .cxt (Burmeister) .dat (FIMI) .csv .pairs .mdg, each also with .gz; '-' writes .cxt to standard output
    #[arg(long, short, default_value = "-", value_name = "FILE|-")]
    pub out: PathBuf,
    /// The random seed; the same seed gives the same context, byte for byte
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GraphArg {
    /// All pairs of modules equally likely
    Uniform,
    /// Each module has a weight that falls with its number; the product of two weights decides how likely the pair is
    ChungLu,
}
