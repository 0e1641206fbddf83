use super::Common;
use clap::Args;
use std::path::PathBuf;

/// The flags of `pellucid-bench concepts`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Concepts are counted, not written, and the fastest of several rounds counts. A
round begins with the crosses in memory; the paper's times on CPUs are of whole
processes, those on GPUs of the GPU alone. Where the paper says 0.00 there is no
ratio.

Generated contexts are 'wiki' (the numbers 1 to 10, as in the paper),
random10, random100, random200, random500 (symmetric graphs of the paper's
sizes and densities; its own were not published, so counts differ), chung-lu955 (a
heavy-tailed graph as large as the paper's Linux) and random1000x100,
random300x20 and random100x1000 (20, 60 and 10 % of all pairs). Of the paper's
'krajca' only the size was published.

Graphs in the folder, by file name, also with .mdg, .pairs or .gz:
  bison compiler dot grappa incl ispell linux mtunis rcs swing

Examples:
  pellucid-bench concepts
  pellucid-bench concepts --contexts random500,chung-lu955 --threads 2
  pellucid-bench concepts --data mdg --json")]
pub(crate) struct ConceptsArgs {
    /// The contexts: generated ones, and those of --data, by name [default: all]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) contexts: Vec<String>,
    /// A folder with the paper's dependency graphs
    #[arg(long, value_name = "FOLDER")]
    pub(crate) data: Option<PathBuf>,
    /// Seconds spent on each figure; the fastest round counts
    #[arg(long, value_name = "S", default_value_t = 0.25)]
    pub(crate) seconds: f64,
    #[command(flatten)]
    pub(crate) common: Common,
}
