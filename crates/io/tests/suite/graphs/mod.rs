//! Reading dependency graphs and partitions.

mod folders;
mod forms;
mod malformed;
mod mutations;

use pellucid_io::{DependencyGraph, GraphOptions, read_graph_from};

/// Reads a graph from valid text.
fn sound(name: &str, text: &str) -> DependencyGraph {
    read_graph_from(text.as_bytes(), name, &GraphOptions::default())
        .unwrap_or_else(|error| panic!("{error} in {text:?}"))
}

/// The edges of a graph as text, such as `a b 1`.
fn edges(graph: &DependencyGraph) -> Vec<String> {
    let name = |module: u32| &graph.modules[module as usize];
    let edges = graph.edges().iter();
    edges.map(|edge| format!("{} {} {}", name(edge.from), name(edge.to), edge.weight)).collect()
}

/// The notes of a graph.
fn notes(graph: &DependencyGraph) -> Vec<String> {
    graph.notes.iter().map(ToString::to_string).collect()
}
