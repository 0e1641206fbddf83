//! Options for reading a dependency graph.

use crate::source::options::{Header, Limits};
use std::fmt;

/// The forms of dependency graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum GraphFormat {
    /// Lines `FROM TO`, optionally with a weight.
    Pairs,
    /// CSV or TSV with a line for each edge.
    EdgeTable,
    /// The DOT language of Graphviz.
    Dot,
    /// `GraphML`.
    GraphMl,
    /// What `cargo metadata` prints.
    CargoMetadata,
    /// The imports between the modules of a folder of Python files.
    PythonImports,
    /// The includes between the files of a folder in C or C++.
    CIncludes,
}

impl fmt::Display for GraphFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pairs => "pairs FROM TO",
            Self::EdgeTable => "a table of edges",
            Self::Dot => "a DOT file",
            Self::GraphMl => "a GraphML file",
            Self::CargoMetadata => "output of cargo metadata",
            Self::PythonImports => "a folder of Python files",
            Self::CIncludes => "a folder of C or C++ files",
        })
    }
}

/// The options for reading a graph. Start from [`GraphOptions::default`] and set what differs.
///
/// ```
/// use pellucid_io::{GraphFormat, GraphOptions, read_graph_from};
/// let options = GraphOptions::default().format(GraphFormat::Dot);
/// let graph = read_graph_from("digraph { a -> b -> c }".as_bytes(), "-", &options)?;
/// assert_eq!(graph.edges().len(), 2);
/// # Ok::<(), pellucid_io::ReadError>(())
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct GraphOptions {
    /// The form; detected from the name and the content by default.
    pub format: Option<GraphFormat>,
    /// Whether to include modules from outside of a folder or of a workspace.
    pub external: bool,
    /// The delimiter of a table of edges; detected by default.
    pub delimiter: Option<char>,
    /// Whether the first line of a table of edges names the columns.
    pub header: Header,
    /// The limits on the input. Those of bytes apply to all files of a folder together.
    pub limits: Limits,
}

impl GraphOptions {
    /// Sets the form instead of detecting it.
    #[must_use]
    pub fn format(mut self, format: GraphFormat) -> Self {
        self.format = Some(format);
        self
    }

    /// Sets whether to include modules from outside of a folder or of a workspace.
    #[must_use]
    pub fn external(mut self, yes: bool) -> Self {
        self.external = yes;
        self
    }

    /// Sets the delimiter of a table of edges.
    #[must_use]
    pub fn delimiter(mut self, delimiter: char) -> Self {
        self.delimiter = Some(delimiter);
        self
    }

    /// Sets whether a table of edges has a header.
    #[must_use]
    pub fn header(mut self, header: Header) -> Self {
        self.header = header;
        self
    }

    /// Sets the limits on the input.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}
