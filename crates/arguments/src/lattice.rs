use super::{ContextArgs, MinSupport, run::time};
use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Without --html, --svg, --dot or --json, prints the number of concepts per level, from
the top. Each name appears once: an attribute at the largest concept that has
it, an object at the smallest concept that contains it. A concept has all
attributes above it and all objects below it.

Indices rank concepts by interest:
  stability   share of the subsets of its objects that have exactly its
              attributes in common; high if no single object matters
  delta       smallest number of objects whose removal removes the concept
  separation  its crosses as a share of all crosses in its rows and columns

Examples:
  pellucid lattice animals.cxt --html animals.html
  pellucid lattice animals.cxt --svg animals.svg
  pellucid lattice animals.cxt --indices --top 5
  pellucid lattice mushroom.dat --min-support 30% --svg mushroom.svg --json mushroom.json
  pellucid lattice graph.pairs --symmetric --dot - | dot -Tpdf -o graph.pdf")]
pub struct LatticeArgs {
    #[command(flatten)]
    pub context: ContextArgs,
    /// Write a page to explore the lattice: search, zoom, click, expand; up to 200,000 concepts
    #[arg(long, value_name = "FILE|-")]
    pub html: Option<PathBuf>,
    /// Write an SVG drawing, which can be moved, zoomed and clicked in a browser
    #[arg(long, value_name = "FILE|-")]
    pub svg: Option<PathBuf>,
    /// Write a Graphviz file
    #[arg(long, value_name = "FILE|-")]
    pub dot: Option<PathBuf>,
    /// Write the concepts with their neighbors as JSON [default: to standard output]
    #[arg(long, value_name = "FILE|-", num_args = 0..=1, default_missing_value = "-")]
    pub json: Option<PathBuf>,
    /// Minimum number of objects: a count, or a share such as 5% or 0.05
    #[arg(long, value_name = "N|P%", default_value = "0", hide_default_value = true)]
    pub min_support: MinSupport,
    /// Fail if there are more concepts than this; all are kept in memory
    #[arg(long, value_name = "N", default_value_t = 5_000_000)]
    pub max: u64,
    /// Include the objects of each concept in the JSON output
    #[arg(long, requires = "json")]
    pub extents: bool,
    /// Names in the drawing: 'auto' (where they fit), 'all' or 'hover' (under the pointer)
    #[arg(
        long,
        value_enum,
        value_name = "WHICH",
        hide_possible_values = true,
        default_value_t = LabelsArg::Auto,
        requires = "svg"
    )]
    pub labels: LabelsArg,
    /// Omit the script, so that the drawing cannot be moved or clicked
    #[arg(long, requires = "svg")]
    pub still: bool,
    /// Compute stability, delta and separation
    ///
    /// Prints a table of the most stable concepts. The JSON output has the indices of all concepts.
    #[arg(long)]
    pub indices: bool,
    /// Number of concepts in the table of indices
    #[arg(long, value_name = "N", default_value_t = 10, requires = "indices")]
    pub top: usize,
    /// Fail after this time (seconds, or with a unit: 90s, 10m, 2h)
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time_limit: Option<Duration>,
    /// Number of CPU threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = super::machine::threads, help_heading = "Devices")]
    pub threads: Option<NonZeroUsize>,
    /// Suppress all messages except errors
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LabelsArg {
    /// Where they fit
    Auto,
    /// Always
    All,
    /// Under the pointer, or when zoomed in
    Hover,
}
