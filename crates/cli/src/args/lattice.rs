use super::{ContextArgs, MinSupport, run::time};
use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Without --svg, --dot and --json it tells how large the lattice is, step by step
from the top. A name stands at one concept only: an attribute at the
largest concept that has it, an object at the smallest; a concept has all
attributes that stand above it and all objects that stand below.

Indices say which concepts are worth a look. Stability: the share of all parts
of a concept's objects that have its attributes in common and no more, so how
little it hangs on single objects. Delta: how many objects must go before it
does. Separation: the crosses inside of it, of all in its rows and columns.

Examples:
  pellucid lattice animals.cxt --svg animals.svg
  pellucid lattice animals.cxt --indices --top 5
  pellucid lattice mushroom.dat --min-support 30% --svg mushroom.svg --json mushroom.json
  pellucid lattice graph.pairs --symmetric --dot - | dot -Tpdf -o graph.pdf")]
pub(crate) struct LatticeArgs {
    #[command(flatten)]
    pub(crate) context: ContextArgs,
    /// Draw it; in a browser the picture can be moved, made larger and asked
    #[arg(long, value_name = "FILE|-")]
    pub(crate) svg: Option<PathBuf>,
    /// Write it for Graphviz
    #[arg(long, value_name = "FILE|-")]
    pub(crate) dot: Option<PathBuf>,
    /// Write it for other programs: concepts, and which lie right above and below
    #[arg(long, value_name = "FILE|-")]
    pub(crate) json: Option<PathBuf>,
    /// Only concepts with so many objects: a number, or a part of all as in 5% or 0.05
    #[arg(long, value_name = "N|P%", default_value = "0", hide_default_value = true)]
    pub(crate) min_support: MinSupport,
    /// Give up if there are more concepts than this; they are all kept in memory
    #[arg(long, value_name = "N", default_value_t = 5_000_000)]
    pub(crate) max: u64,
    /// Also write the objects of each concept into JSON
    #[arg(long, requires = "json")]
    pub(crate) extents: bool,
    /// Names in the picture: 'auto', where there is room; 'all'; 'hover', under the pointer only
    #[arg(
        long,
        value_enum,
        value_name = "WHICH",
        hide_possible_values = true,
        default_value_t = LabelsArg::Auto,
        requires = "svg"
    )]
    pub(crate) labels: LabelsArg,
    /// A picture without script, which cannot be asked
    #[arg(long, requires = "svg")]
    pub(crate) still: bool,
    /// Work out stability, delta and separation: a table of the most stable concepts, and in JSON those of all
    #[arg(long)]
    pub(crate) indices: bool,
    /// How many concepts the table has
    #[arg(long, value_name = "N", default_value_t = 10, requires = "indices")]
    pub(crate) top: usize,
    /// Give up after this time: seconds, or as in 90s, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) time_limit: Option<Duration>,
    /// Threads on the processor [default: all cores]
    #[arg(long, value_name = "N", value_parser = super::machine::threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Say nothing on standard error but errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LabelsArg {
    /// Where there is room
    Auto,
    /// Always
    All,
    /// Under the pointer and on a closer look
    Hover,
}
