use super::{ContextArgs, DeviceArgs, MinSupport, machine::threads, run::time};
use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_long_help = "\
A concept is a set of objects together with all attributes they share, such
that no other object has all of these attributes. Every concept is listed once,
including the one with all objects and the one with all attributes.
--min-support excludes concepts with fewer objects.

Output: one line per concept, in no particular order:
  3<TAB>needs water, lives in water            text: support, attributes
  {\"intent\":[\"needs water\"],\"support\":8}      json
docs/concepts.md describes the binary format. The digest depends only on the set
of concepts, not on their order, the devices or the number of threads.

Examples:
  pellucid concepts animals.cxt
  pellucid concepts mushroom.dat --count
  pellucid concepts chess.dat --min-support 30% --estimate
  pellucid concepts mushroom.dat --min-support 10% --out often.txt
  pellucid concepts graph.pairs --symmetric --extents --format json
  pellucid concepts zoo.csv --scale nominal --ignore name --count
  pellucid concepts patients.csv --intervals --min-support 20%")]
pub struct ConceptsArgs {
    #[command(flatten)]
    pub context: ContextArgs,
    /// List the closed interval patterns of a table of numbers, without scaling it
    ///
    /// A pattern is the smallest interval of each column that contains the values of a set of
    /// objects, and the categories that they share. Patterns without objects are not listed.
    #[arg(
        long,
        group = "values",
        conflicts_with_all = [
            "from", "symmetric", "transpose", "clarify", "reduce", "write", "estimate", "device"
        ],
        help_heading = "Context"
    )]
    pub intervals: bool,
    /// Print only the number of concepts
    #[arg(long, conflicts_with_all = ["out", "format", "extents"])]
    pub count: bool,
    /// Estimate the number of concepts and the time to count them, instead of listing them
    #[arg(long, conflicts_with_all = ["count", "out", "format", "extents", "max", "device"])]
    pub estimate: bool,
    /// Seed of the estimate
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        hide_default_value = true,
        requires = "estimate"
    )]
    pub seed: u64,
    /// Minimum number of objects: a count, or a share such as 5% or 0.05
    #[arg(long, value_name = "N|P%", default_value = "0", hide_default_value = true)]
    pub min_support: MinSupport,
    /// Stop after this many concepts, in no particular order
    #[arg(long, value_name = "N")]
    pub max: Option<u64>,
    /// Stop after this time and keep the concepts found so far (seconds, or with a unit: 90s, 10m, 2h)
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time_limit: Option<Duration>,
    /// Output file ('-' for standard output)
    #[arg(long, short, default_value = "-", hide_default_value = true, value_name = "FILE|-")]
    pub out: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t = ConceptsFormat::Text, value_name = "FORMAT")]
    pub format: ConceptsFormat,
    /// Also list the objects of each concept
    #[arg(long)]
    pub extents: bool,
    /// Number of CPU threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = threads, help_heading = "Devices")]
    pub threads: Option<NonZeroUsize>,
    /// Devices to use, by the names that 'pellucid devices' lists, or 'all' [default: cpu]
    ///
    /// GPUs are worthwhile for tens of millions of concepts and more.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "cpu",
        hide_default_value = true,
        value_name = "ID,…",
        help_heading = "Devices"
    )]
    pub device: Vec<String>,
    /// Append a summary object: concepts, digest, seconds, stop reason
    #[arg(long)]
    pub json: bool,
    /// Suppress all messages except errors
    #[arg(long, short)]
    pub quiet: bool,
}

impl ConceptsArgs {
    /// Returns the selected devices. Opening a GPU takes longer than most searches, so it is opt-in.
    pub fn devices(&self) -> DeviceArgs {
        DeviceArgs { threads: self.threads, device: self.device.clone() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ConceptsFormat {
    /// Tab-separated lines
    Text,
    /// One JSON object per line
    Json,
    /// Packed bits, for very large outputs
    Binary,
}
