use super::{LimitsArgs, run::time};
use clap::{Args, ValueEnum};
use pellucid::concepts::cluster::ClusterOptions;
use pellucid::io::{GraphFormat, GraphOptions, Header};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Splits the modules of a graph into clusters so that most edges stay within one.
The factor of a cluster is its inner edges as a share, both ends counted:
  2 * inner / (2 * inner + edges to and from other clusters)
The quality (TurboMQ) is the sum of all factors. Edges count by their weights,
and two edges in opposite directions count twice; --undirected makes them one.
Search: hill climbing from several starts, each followed by random changes that
are repaired and kept if they are no worse. One seed gives one result, with any
number of threads.

A cluster is named by its largest concept: the modules that most of its modules
are connected with. A prefix that all names share is left out.

Input:
  a file with edges: .mdg .pairs .csv .tsv .dot .gv .graphml, each also with .gz
  the output of 'cargo metadata --format-version 1'
  a folder: the imports of Python files, or the #includes of C and C++ files

Examples:
  pellucid cluster modules.pairs
  pellucid cluster calls.csv --undirected --out clusters.csv --format csv
  pellucid cluster src/mypackage --svg clusters.svg
  cargo metadata --format-version 1 | pellucid cluster - --omnipresent
  pellucid cluster modules.pairs --score current.bunch")]
pub struct ClusterArgs {
    /// Graph to read: a file, a folder with Python or C sources, or '-' for standard input
    #[arg(value_name = "GRAPH")]
    pub path: PathBuf,
    /// Input form [default: detected from the file or folder]
    #[arg(long, value_enum, value_name = "FORM", help_heading = "Graph")]
    pub from: Option<GraphFrom>,
    /// Count two edges in opposite directions as one
    #[arg(long, help_heading = "Graph")]
    pub undirected: bool,
    /// Ignore the weights of edges
    #[arg(long, help_heading = "Graph")]
    pub unweighted: bool,
    /// Set aside modules with more than N times as many neighbors as the average [default N: 3]
    ///
    /// Without this flag no module is set aside. Modules that are set aside belong to no cluster, and
    /// their edges do not count.
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        default_missing_value = "3",
        require_equals = true,
        help_heading = "Graph"
    )]
    pub omnipresent: Option<Multiple>,
    /// Include modules from outside of the folder or of the Cargo workspace
    #[arg(long, help_heading = "Graph")]
    pub external: bool,
    /// Treat the first line of a table as column names [default: detected]
    #[arg(long, help_heading = "Graph")]
    pub header: bool,
    /// Treat the first line of a table as data
    #[arg(long, help_heading = "Graph", conflicts_with = "header")]
    pub no_header: bool,
    /// Field separator of a table, for example ';' or '\t' [default: detected]
    #[arg(long, value_name = "CHAR", help_heading = "Graph", value_parser = super::data::delimiter)]
    pub delimiter: Option<char>,
    /// Evaluate the partition in a file instead of searching: lines SS(name)=a, b or module,cluster
    #[arg(long, value_name = "FILE", conflicts_with_all = ["starts", "seed", "time_limit"])]
    pub score: Option<PathBuf>,
    /// Output file for the partition ('-' for standard output)
    #[arg(long, short, default_value = "-", hide_default_value = true, value_name = "FILE|-")]
    pub out: PathBuf,
    /// Format of the partition
    #[arg(long, value_enum, default_value_t = PartitionForm::Text, value_name = "FORMAT")]
    pub format: PartitionForm,
    /// Write an SVG drawing
    #[arg(long, value_name = "FILE|-")]
    pub svg: Option<PathBuf>,
    /// Write a Graphviz file
    #[arg(long, value_name = "FILE|-")]
    pub dot: Option<PathBuf>,
    /// Write the positions of the drawing as JSON
    #[arg(long, value_name = "FILE|-")]
    pub drawing: Option<PathBuf>,
    /// Number of starts; the best result is used
    #[arg(long, value_name = "N", default_value_t = ClusterOptions::STARTS)]
    pub starts: usize,
    /// Random seed; the same seed gives an identical result
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Stop after this time and keep the best so far (seconds, or with a unit: 90s, 10m, 2h)
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time_limit: Option<Duration>,
    /// Number of CPU threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = super::machine::threads, help_heading = "Devices")]
    pub threads: Option<NonZeroUsize>,
    #[command(flatten)]
    pub limits: LimitsArgs,
    /// Append a summary object: clusters, quality (mq), seconds, stop reason
    #[arg(long)]
    pub json: bool,
    /// Suppress all messages except errors
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GraphFrom {
    /// One FROM TO per line, optionally with a weight
    Pairs,
    /// Table with a line for each edge
    Csv,
    /// Graphviz
    Dot,
    /// Graph as XML (.graphml)
    Graphml,
    /// Output of cargo metadata
    Cargo,
    /// Folder of Python files
    Python,
    /// Folder of C or C++ files
    C,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PartitionForm {
    /// Clusters with their names, factors and modules
    Text,
    /// Columns module and cluster
    Csv,
    /// Lines SS(name)=a, b
    Bunch,
    /// One JSON object
    Json,
}

/// A multiple of an average, at least 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Multiple(pub f64);

impl FromStr for Multiple {
    type Err = String;

    fn from_str(text: &str) -> Result<Multiple, String> {
        let number: Option<f64> = text.parse().ok().filter(|number| (1.0..=1e9).contains(number));
        number.map(Multiple).ok_or_else(|| "expected a number of at least 1, such as 3".to_owned())
    }
}

impl ClusterArgs {
    /// Returns the options for reading the graph.
    pub fn graph_options(&self) -> GraphOptions {
        let mut options = GraphOptions::default().external(self.external);
        options.delimiter = self.delimiter;
        options.limits = self.limits.limits();
        options.header = match (self.header, self.no_header) {
            (true, _) => Header::Yes,
            (_, true) => Header::No,
            _ => Header::Auto,
        };
        options.format = self.from.map(|form| match form {
            GraphFrom::Pairs => GraphFormat::Pairs,
            GraphFrom::Csv => GraphFormat::EdgeTable,
            GraphFrom::Dot => GraphFormat::Dot,
            GraphFrom::Graphml => GraphFormat::GraphMl,
            GraphFrom::Cargo => GraphFormat::CargoMetadata,
            GraphFrom::Python => GraphFormat::PythonImports,
            GraphFrom::C => GraphFormat::CIncludes,
        });
        options
    }

    /// Returns the options of the search.
    pub fn cluster_options(&self) -> ClusterOptions<'static> {
        ClusterOptions {
            undirected: self.undirected,
            weights: !self.unweighted,
            omnipresent: self.omnipresent.map(|multiple| multiple.0),
            starts: self.starts,
            seed: self.seed,
            stop: None,
            progress: None,
        }
    }
}
