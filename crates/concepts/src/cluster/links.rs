//! Links between modules: the edges of a graph without their direction.

use super::ClusterOptions;
use pellucid_data::DependencyGraph;

/// The neighbors of each module with the weights of the links. A node may also stand for several modules,
/// with links inside.
#[derive(Clone, Debug)]
pub(super) struct ModuleLinks {
    /// The start of the neighbors of each node, and the end of the last ones.
    starts: Vec<usize>,
    neighbors: Vec<u32>,
    weights: Vec<f64>,
    /// The weight of the links inside of each node.
    inner: Vec<f64>,
    /// The weight of all ends of links at each node; a link inside has two.
    ends: Vec<f64>,
}

impl ModuleLinks {
    /// Returns the links of a graph, without those of modules that are set aside.
    ///
    /// An edge in each direction counts twice unless the options make the graph undirected.
    pub(super) fn of(
        graph: &DependencyGraph,
        options: &ClusterOptions<'_>,
        is_aside: &[bool],
    ) -> ModuleLinks {
        let weighs = options.weights && graph.is_weighted();
        let edges = graph.edges().iter();
        let kept =
            edges.filter(|edge| !is_aside[edge.from as usize] && !is_aside[edge.to as usize]);
        let mut links: Vec<(u32, u32, f64)> = kept
            .map(|edge| {
                let weight = if weighs { edge.weight } else { 1.0 };
                (edge.from.min(edge.to), edge.from.max(edge.to), weight)
            })
            .collect();
        links.sort_by_key(|&(one, other, _)| (one, other));
        links.dedup_by(|next, kept| {
            let is_same = (next.0, next.1) == (kept.0, kept.1);
            if is_same {
                kept.2 = if options.undirected { kept.2.max(next.2) } else { kept.2 + next.2 };
            }
            is_same
        });
        ModuleLinks::new(vec![0.0; graph.modules.len()], &links)
    }

    /// Returns the links of nodes with links inside. Each pair of nodes occurs once, the smaller one first.
    fn new(inner: Vec<f64>, links: &[(u32, u32, f64)]) -> ModuleLinks {
        let nodes = inner.len();
        let mut starts = vec![0; nodes + 1];
        for &(one, other, _) in links {
            starts[one as usize + 1] += 1;
            starts[other as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let (mut neighbors, mut weights) = (vec![0; 2 * links.len()], vec![0.0; 2 * links.len()]);
        let mut ends: Vec<f64> = inner.iter().map(|inner| 2.0 * inner).collect();
        for &(one, other, weight) in links {
            for (node, neighbor) in [(one, other), (other, one)] {
                let node = node as usize;
                (neighbors[next[node]], weights[next[node]]) = (neighbor, weight);
                next[node] += 1;
                ends[node] += weight;
            }
        }
        ModuleLinks { starts, neighbors, weights, inner, ends }
    }

    /// Returns the links between clusters, which become nodes. The clusters are numbered from 0 without
    /// gaps.
    pub(super) fn between(&self, cluster_of: &[u32], clusters: usize) -> ModuleLinks {
        let mut inner = vec![0.0; clusters];
        let mut links: Vec<(u32, u32, f64)> = Vec::new();
        for node in 0..self.len() {
            let one = cluster_of[node];
            inner[one as usize] += self.inner[node];
            for (neighbor, weight) in self.of_node(node).filter(|(to, _)| *to as usize > node) {
                let other = cluster_of[neighbor as usize];
                if one == other {
                    inner[one as usize] += weight;
                } else {
                    links.push((one.min(other), one.max(other), weight));
                }
            }
        }
        links.sort_by_key(|&(one, other, _)| (one, other));
        links.dedup_by(|next, kept| {
            let is_same = (next.0, next.1) == (kept.0, kept.1);
            if is_same {
                kept.2 += next.2;
            }
            is_same
        });
        ModuleLinks::new(inner, &links)
    }

    /// Returns the number of nodes.
    pub(super) fn len(&self) -> usize {
        self.inner.len()
    }

    /// Returns the number of neighbors of a node.
    pub(super) fn degree(&self, node: usize) -> usize {
        self.starts[node + 1] - self.starts[node]
    }

    /// Returns a neighbor of a node by its position among them.
    pub(super) fn neighbor(&self, node: usize, position: usize) -> usize {
        self.neighbors[self.starts[node] + position] as usize
    }

    /// Returns the neighbors of a node with the weights of the links.
    pub(super) fn of_node(&self, node: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let range = self.starts[node]..self.starts[node + 1];
        self.neighbors[range.clone()].iter().copied().zip(self.weights[range].iter().copied())
    }

    /// Returns the neighbors of a node.
    pub(super) fn neighbors(&self, node: usize) -> &[u32] {
        &self.neighbors[self.starts[node]..self.starts[node + 1]]
    }

    /// Returns the weight of the links inside of a node.
    pub(super) fn inner(&self, node: usize) -> f64 {
        self.inner[node]
    }

    /// Returns the weight of all ends of links at a node.
    pub(super) fn ends(&self, node: usize) -> f64 {
        self.ends[node]
    }
}
