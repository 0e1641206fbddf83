//! A graph with its clusters in the DOT language of Graphviz.

use crate::cluster::{ClusterOptions, Partition};
use crate::lattice::dot::escaped;
use pellucid_data::DependencyGraph;
use std::io::{self, Write};

/// Writes the graph with a box around each cluster. Edges have arrows unless the options make the graph
/// undirected, and weights if those count.
///
/// # Errors
/// If writing fails.
pub fn write_dot(
    graph: &DependencyGraph,
    partition: &Partition,
    options: &ClusterOptions<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (kind, arrow) = if options.undirected { ("graph", "--") } else { ("digraph", "->") };
    writeln!(out, "{kind} \"{}\" {{", escaped(&graph.name))?;
    writeln!(out, "  node [shape=box, style=rounded];")?;
    let node = |module: u32| {
        let name = &graph.modules[module as usize];
        format!("m{module} [label=\"{}\"];", escaped(name))
    };
    for (index, cluster) in partition.clusters.iter().enumerate() {
        writeln!(out, "  subgraph cluster_{index} {{")?;
        writeln!(out, "    label=\"{}\";", escaped(&cluster.name))?;
        for &module in &cluster.modules {
            writeln!(out, "    {}", node(module))?;
        }
        writeln!(out, "  }}")?;
    }
    for &module in partition.omnipresent.iter().chain(&partition.unconnected) {
        writeln!(out, "  {}", node(module))?;
    }
    for edge in graph.edges() {
        // In an undirected graph one of two opposite edges is enough.
        let is_opposite =
            |other: &pellucid_data::Dependency| (other.from, other.to).cmp(&(edge.to, edge.from));
        let has_opposite = || graph.edges().binary_search_by(is_opposite).is_ok();
        if options.undirected && edge.from > edge.to && has_opposite() {
            continue;
        }
        let weight = match options.weights && graph.is_weighted() {
            true => format!(" [weight=\"{}\"]", edge.weight),
            false => String::new(),
        };
        writeln!(out, "  m{} {arrow} m{}{weight};", edge.from, edge.to)?;
    }
    writeln!(out, "}}")
}
