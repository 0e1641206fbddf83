use super::{ContextArgs, MinSupport, run::time};
use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Without --svg, --dot and --json it prints the size of the lattice, level by
level from the top. A name appears at one concept only: an attribute at the
largest concept that has it, an object at the smallest; a concept has all
attributes that appear above it and all objects that appear below.

Indices say which concepts are worth a look. Stability: the share of all subsets
of a concept's objects that have exactly its attributes in common; it is high if
the concept does not depend on single objects. Delta: the fewest objects whose
removal makes it vanish. Separation: its crosses as a share of all crosses in
its rows and columns.

Examples:
  pellucid lattice animals.cxt --svg animals.svg
  pellucid lattice animals.cxt --indices --top 5
  pellucid lattice mushroom.dat --min-support 30% --svg mushroom.svg --json mushroom.json
  pellucid lattice graph.pairs --symmetric --dot - | dot -Tpdf -o graph.pdf")]
pub struct LatticeArgs {
    #[command(flatten)]
    pub context: ContextArgs,
    /// Draw it as SVG; in a browser the picture can be moved and zoomed, and concepts can be clicked
    #[arg(long, value_name = "FILE|-")]
    pub svg: Option<PathBuf>,
    /// Write it for Graphviz
    #[arg(long, value_name = "FILE|-")]
    pub dot: Option<PathBuf>,
    /// Write it for other programs: the concepts, each with its upper and lower neighbours; without a name, to standard output
    #[arg(long, value_name = "FILE|-", num_args = 0..=1, default_missing_value = "-")]
    pub json: Option<PathBuf>,
    /// Only concepts with at least this many objects: a number, or a part of all such as 5% or 0.05
    #[arg(long, value_name = "N|P%", default_value = "0", hide_default_value = true)]
    pub min_support: MinSupport,
    /// Give up if there are more concepts than this; they are all kept in memory
    #[arg(long, value_name = "N", default_value_t = 5_000_000)]
    pub max: u64,
    /// Also write the objects of each concept to the JSON file
    #[arg(long, requires = "json")]
    pub extents: bool,
    /// Names in the picture: 'auto', where there is room; 'all', always; 'hover', only under the pointer
    #[arg(
        long,
        value_enum,
        value_name = "WHICH",
        hide_possible_values = true,
        default_value_t = LabelsArg::Auto,
        requires = "svg"
    )]
    pub labels: LabelsArg,
    /// Leave the script out of the picture; it can then not be moved or clicked
    #[arg(long, requires = "svg")]
    pub still: bool,
    /// Compute stability, delta and separation: a table of the most stable concepts, and all of them in JSON
    #[arg(long)]
    pub indices: bool,
    /// The number of concepts in the table
    #[arg(long, value_name = "N", default_value_t = 10, requires = "indices")]
    pub top: usize,
    /// Give up after this time: seconds, or a number with a unit, as in 90s, 10m or 2h
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time_limit: Option<Duration>,
    /// The number of threads on the processor [default: all cores]
    #[arg(long, value_name = "N", value_parser = super::machine::threads)]
    pub threads: Option<NonZeroUsize>,
    /// Print nothing but errors on standard error
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LabelsArg {
    /// Where there is room
    Auto,
    /// Always
    All,
    /// Under the pointer and on a closer look
    Hover,
}
