use super::{ContextArgs, DeviceArgs, MinSupport, run::time};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_long_help = "\
A concept is a set of objects with all the attributes they share, such that
no other object has all of these. Every concept is listed once, the one of
all objects and the one of all attributes among them. A minimum support
leaves out those with fewer objects; from 1 on, that may be the last one.

Each concept is a line, in no order in particular:
  3<TAB>needs water, lives in water            text: support, attributes
  {\"intent\":[\"needs water\"],\"support\":8}      json
and binary is told in the guide, docs/concepts.md. The digest is the same for
equal sets of concepts, whatever the order, the device and the threads.

Examples:
  pellucid concepts animals.cxt
  pellucid concepts mushroom.dat --count
  pellucid concepts mushroom.dat --min-support 10% --out often.txt
  pellucid concepts graph.pairs --symmetric --extents --format json
  pellucid concepts zoo.csv --scale nominal --ignore name --count")]
pub(crate) struct ConceptsArgs {
    #[command(flatten)]
    pub(crate) context: ContextArgs,
    /// Print how many there are, and nothing else
    #[arg(long, conflicts_with_all = ["out", "format", "extents"])]
    pub(crate) count: bool,
    /// Only concepts with so many objects: a number, or a part of all as in 5% or 0.05
    #[arg(long, value_name = "N|P%", default_value = "0", hide_default_value = true)]
    pub(crate) min_support: MinSupport,
    /// Stop after so many, whichever come first
    #[arg(long, value_name = "N")]
    pub(crate) max: Option<u64>,
    /// Stop after this time and keep what was found: seconds, or as in 90s, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) time_limit: Option<Duration>,
    /// Where concepts go; '-' is standard output
    #[arg(long, short, default_value = "-", hide_default_value = true, value_name = "FILE|-")]
    pub(crate) out: PathBuf,
    /// How concepts are written
    #[arg(long, value_enum, default_value_t = ConceptsFormat::Text, value_name = "FORMAT")]
    pub(crate) format: ConceptsFormat,
    /// Also tell the objects of each concept
    #[arg(long)]
    pub(crate) extents: bool,
    #[command(flatten)]
    pub(crate) machine: DeviceArgs,
    /// End with one object that sums up: concepts, digest, seconds, why it stopped
    #[arg(long)]
    pub(crate) json: bool,
    /// Say nothing on standard error but errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConceptsFormat {
    /// Lines with tabs, for people and for sort, grep and cut
    Text,
    /// An object a line
    Json,
    /// Packed bits, for very many
    Binary,
}
