use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pellucid generate context --objects 1000 --density 0.2 --out random.cxt
  pellucid generate context --objects 955 --density 0.02 --graph chung-lu --out graph.pairs")]
pub(crate) struct GenerateContextArgs {
    /// How many objects; of a graph, how many modules
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) objects: usize,
    /// How many attributes; a graph has as many as modules
    #[arg(long, value_name = "N", default_value_t = 100, conflicts_with = "graph")]
    pub(crate) attributes: usize,
    /// Share of all pairs of an object and an attribute that are crosses, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    pub(crate) density: f64,
    /// Make it a symmetric graph of modules, none paired with itself: 'uniform', every pair alike, or 'chung-lu', heavy-tailed as graphs of software are
    #[arg(long, value_enum, hide_possible_values = true, value_name = "KIND")]
    pub(crate) graph: Option<GraphArg>,
    /// Where to write; the ending says how: .cxt (Burmeister) .dat (FIMI) .csv .pairs .mdg, and .gz after it; '-' is .cxt on standard output
    #[arg(long, short, default_value = "-", value_name = "FILE|-")]
    pub(crate) out: PathBuf,
    /// The seed; one seed gives one context, byte for byte
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphArg {
    /// Every pair of modules with one chance
    Uniform,
    /// Every module with a weight that falls with its number, every pair with a chance that goes with both weights
    ChungLu,
}
