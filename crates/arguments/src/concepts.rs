use super::{ContextArgs, DeviceArgs, MinSupport, machine::threads, run::time};
use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_long_help = "\
A concept is a set of objects together with all the attributes they share,
such that no other object has all of these attributes. Every concept is listed
once, including the one of all objects and the one of all attributes. A minimum
support leaves out concepts with fewer objects; from 1 on, the one of all
attributes may be among those.

Each concept is one line, in no particular order:
  3<TAB>needs water, lives in water            text: support, attributes
  {\"intent\":[\"needs water\"],\"support\":8}      json
The guide, docs/concepts.md, describes binary. The digest is the same for equal
sets of concepts, whatever the order, the devices and the threads.

Examples:
  pellucid concepts animals.cxt
  pellucid concepts mushroom.dat --count
  pellucid concepts mushroom.dat --min-support 10% --out often.txt
  pellucid concepts graph.pairs --symmetric --extents --format json
  pellucid concepts zoo.csv --scale nominal --ignore name --count")]
pub struct ConceptsArgs {
    #[command(flatten)]
    pub context: ContextArgs,
    /// Print only how many there are
    #[arg(long, conflicts_with_all = ["out", "format", "extents"])]
    pub count: bool,
    /// Only concepts with at least this many objects: a number, or a part of all such as 5% or 0.05
    #[arg(long, value_name = "N|P%", default_value = "0", hide_default_value = true)]
    pub min_support: MinSupport,
    /// Stop after this many concepts, whichever come first
    #[arg(long, value_name = "N")]
    pub max: Option<u64>,
    /// Stop after this time and keep what was found: seconds, or a number with a unit, as in 90s, 10m or 2h
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time_limit: Option<Duration>,
    /// The output file; '-' is standard output
    #[arg(long, short, default_value = "-", hide_default_value = true, value_name = "FILE|-")]
    pub out: PathBuf,
    /// The output format
    #[arg(long, value_enum, default_value_t = ConceptsFormat::Text, value_name = "FORMAT")]
    pub format: ConceptsFormat,
    /// Also list the objects of each concept
    #[arg(long)]
    pub extents: bool,
    /// The number of threads on the processor [default: all cores]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<NonZeroUsize>,
    /// Devices by the names that 'pellucid devices' lists, or 'all'; GPUs pay off from tens of millions of concepts on [default: cpu]
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "cpu",
        hide_default_value = true,
        value_name = "ID,…"
    )]
    pub device: Vec<String>,
    /// End with a summary object: concepts, digest, seconds, why it stopped
    #[arg(long)]
    pub json: bool,
    /// Print nothing but errors on standard error
    #[arg(long, short)]
    pub quiet: bool,
}

impl ConceptsArgs {
    /// Which devices do the work. To open a GPU takes longer than most searches, so it must be asked for.
    pub fn devices(&self) -> DeviceArgs {
        DeviceArgs { threads: self.threads, device: self.device.clone() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ConceptsFormat {
    /// Lines with tabs, for people and for sort, grep and cut
    Text,
    /// One object per line
    Json,
    /// Packed bits, for very many concepts
    Binary,
}
