use super::Common;
use clap::Args;
use std::path::PathBuf;

/// The arguments of `pellucid-bench concepts`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Counts concepts without writing them, and reports the fastest of several
rounds. A round starts with the context in memory. The paper's CPU times cover
whole processes, its GPU times the GPU alone. No ratio is given where the paper
reports 0.00.

Generated contexts:
  wiki            the numbers 1 to 10, as in the paper
  random10, random100, random200, random500
                  symmetric graphs with the sizes and densities of the paper;
                  its graphs are not published, so the counts differ
  chung-lu955     a heavy-tailed graph as large as the paper's Linux graph
  random1000x100, random300x20, random100x1000
                  20, 60 and 10 % of all pairs
Only the size of the paper's 'krajca' context is known.

Graphs in the --data folder, by file name, also with .mdg, .pairs or .gz:
  bison compiler dot grappa incl ispell linux mtunis rcs swing

Examples:
  pellucid-bench concepts
  pellucid-bench concepts --contexts random500,chung-lu955 --threads 2
  pellucid-bench concepts --data mdg --json")]
pub(crate) struct ConceptsArgs {
    /// Contexts to measure: generated ones and those in --data [default: all]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) contexts: Vec<String>,
    /// Folder with the dependency graphs of the paper
    #[arg(long, value_name = "FOLDER")]
    pub(crate) data: Option<PathBuf>,
    /// Seconds to spend on each measurement; the fastest round is reported
    #[arg(long, value_name = "S", default_value_t = 0.25)]
    pub(crate) seconds: f64,
    #[command(flatten)]
    pub(crate) common: Common,
}
