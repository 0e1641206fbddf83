use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  pellucid generate context --objects 1000 --density 0.2 --out random.cxt
  pellucid generate context --objects 955 --density 0.02 --graph chung-lu --out graph.pairs")]
pub struct GenerateContextArgs {
    /// Number of objects, or of nodes of a graph
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub objects: usize,
    /// Number of attributes
    #[arg(long, value_name = "N", default_value_t = 100, conflicts_with = "graph")]
    pub attributes: usize,
    /// Share of object-attribute pairs that are crosses, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    pub density: f64,
    /// Generate a symmetric graph without loops: uniform or chung-lu
    ///
    /// In a 'uniform' graph all pairs are equally likely. A 'chung-lu' graph is heavy-tailed, like
    /// dependency graphs of software.
    #[arg(long, value_enum, hide_possible_values = true, value_name = "KIND")]
    pub graph: Option<GraphArg>,
    /// Output file; '-' writes .cxt to standard output
    ///
    /// The extension selects the format: .cxt (Burmeister), .dat (FIMI), .csv, .pairs or .mdg,
    /// each also with .gz.
    #[arg(long, short, default_value = "-", value_name = "FILE|-")]
    pub out: PathBuf,
    /// Random seed; the same seed gives an identical context
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GraphArg {
    /// All pairs are equally likely
    Uniform,
    /// Heavy-tailed: a pair is as likely as the product of the weights of its nodes
    ChungLu,
}
