//! Clusters the modules of a graph so that most edges stay within a cluster.
//!
//! The objective is the *modularization quality* (`TurboMQ`). Each cluster contributes
//!
//! ```text
//! 2 · inner edges / (2 · inner edges + outgoing edges)
//! ```
//!
//! A cluster without outgoing edges contributes 1, a cluster without inner edges 0. The search is
//! hill climbing with several starts: it moves single modules to the cluster with the largest gain
//! and merges pairs of clusters until no step improves the quality.
//!
//! Edges are undirected, and self-loops are ignored.

use pellucid_data::Relation;
use pellucid_learn::rng::{Stream, Streams};
use rustc_hash::FxHashMap;

/// The minimum gain of a step, so that rounding errors do not cause one.
const MIN_GAIN: f64 = 1e-9;

/// A partition of modules into clusters.
#[derive(Clone, Debug, PartialEq)]
pub struct Partition {
    /// The modules of each cluster, ascending; clusters ordered by their first module.
    pub clusters: Vec<Vec<u32>>,
    /// The modularization quality, at most the number of clusters.
    pub quality: f64,
}

/// The error for a context whose objects and attributes are not the same modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a graph needs the same modules as objects and attributes; \
     found {objects} objects and {attributes} attributes"
)]
pub struct GraphError {
    /// The number of objects.
    pub objects: usize,
    /// The number of attributes.
    pub attributes: usize,
}

/// Returns the best partition of several starts. Objects and attributes are both the modules; equal
/// seeds give equal partitions.
///
/// ```
/// use pellucid_concepts::cluster::cluster;
/// use pellucid_data::Relation;
///
/// // Two triangles, connected by one edge.
/// let rows = [vec![1, 2], vec![2], vec![3], vec![4, 5], vec![5], vec![]];
/// let found = cluster(&Relation::new(6, rows)?, 3, 0)?;
/// assert_eq!(found.clusters, [[0, 1, 2], [3, 4, 5]]);
/// assert_eq!(found.quality, 12.0 / 7.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the number of attributes differs from the number of objects.
pub fn cluster(graph: &Relation, starts: usize, seed: u64) -> Result<Partition, GraphError> {
    let (objects, attributes) = (graph.objects(), graph.attributes());
    if objects != attributes {
        return Err(GraphError { objects, attributes });
    }
    let edges = edges(graph);
    let streams = Streams::new(seed).at("cluster");
    let partitions = (0..starts.max(1)).map(|start| {
        let mut stream = streams.stream(&[start.into()]);
        let mut climb = HillClimb::new(&edges, initial_clusters(start, objects, &mut stream));
        climb.run(&mut stream);
        climb.partition()
    });
    let better = |best: Partition, next: Partition| {
        if next.quality > best.quality + MIN_GAIN { next } else { best }
    };
    Ok(partitions.reduce(better).unwrap_or(Partition { clusters: Vec::new(), quality: 0.0 }))
}

/// The neighbors of each module, ascending.
fn edges(graph: &Relation) -> Vec<Vec<u32>> {
    let mut edges = vec![Vec::new(); graph.objects()];
    for (one, row) in (0u32..).zip(graph.rows()) {
        for &other in row.iter().filter(|&&other| other != one) {
            edges[one as usize].push(other);
            edges[other as usize].push(one);
        }
    }
    for own in &mut edges {
        own.sort_unstable();
        own.dedup();
    }
    edges
}

/// The initial clusters: single modules for the first start, a few random clusters for the others.
fn initial_clusters(start: usize, modules: usize, stream: &mut Stream) -> Vec<u32> {
    match start {
        0 => (0u32..).take(modules).collect(),
        _ => {
            let clusters = 2 + stream.index((modules / 2).max(1));
            (0..modules).map(|_| pellucid_bits::as_u32(stream.index(clusters))).collect()
        }
    }
}

/// The state of a hill climb.
struct HillClimb<'a> {
    edges: &'a [Vec<u32>],
    cluster_of: Vec<u32>,
    /// By cluster.
    sizes: Vec<ClusterSize>,
}

/// The numbers of modules, of inner edges and of outgoing edges of a cluster.
type ClusterSize = (usize, f64, f64);

/// The contribution of a cluster to the quality.
fn cluster_factor(inside: f64, leaving: f64) -> f64 {
    if inside > 0.0 { 2.0 * inside / (2.0 * inside + leaving) } else { 0.0 }
}

impl HillClimb<'_> {
    fn new(edges: &[Vec<u32>], cluster_of: Vec<u32>) -> HillClimb<'_> {
        // More clusters than needed, so that there is always an empty one.
        let mut sizes = vec![(0, 0.0, 0.0); edges.len().max(2) + 2];
        for (own, &cluster) in edges.iter().zip(&cluster_of) {
            let (size, inside, leaving) = &mut sizes[cluster as usize];
            *size += 1;
            for &other in own {
                // Each inner edge is visited from both of its ends.
                match cluster_of[other as usize] == cluster {
                    true => *inside += 0.5,
                    false => *leaving += 1.0,
                }
            }
        }
        HillClimb { edges, cluster_of, sizes }
    }

    /// Moves modules and merges clusters until neither improves the quality.
    fn run(&mut self, stream: &mut Stream) {
        let mut order: Vec<usize> = (0..self.edges.len()).collect();
        loop {
            stream.shuffle(&mut order);
            let mut has_moved = false;
            for &module in &order {
                has_moved |= self.move_module(module);
            }
            if !has_moved && !self.merge_clusters() {
                return;
            }
        }
    }

    fn factor_of(&self, cluster: u32) -> f64 {
        let (_, inside, leaving) = self.sizes[cluster as usize];
        cluster_factor(inside, leaving)
    }

    /// Moves a module to the cluster with the largest gain. Returns whether it moved.
    fn move_module(&mut self, module: usize) -> bool {
        let from = self.cluster_of[module];
        let mut links: Vec<u32> =
            self.edges[module].iter().map(|&other| self.cluster_of[other as usize]).collect();
        links.sort_unstable();
        let all = links.len() as f64;
        let linked = links.chunk_by(|one, other| one == other);
        let mut linked: Vec<(u32, f64)> =
            linked.map(|links| (links[0], links.len() as f64)).collect();
        let own = linked.iter().find(|(cluster, _)| *cluster == from).map_or(0.0, |own| own.1);
        let (size, inside, leaving) = self.sizes[from as usize];
        let left = (inside - own, leaving - (all - own) + own);
        let lost = cluster_factor(left.0, left.1) - cluster_factor(inside, leaving);
        if size > 1 {
            let empty = (0u32..).zip(&self.sizes).find(|(_, size)| size.0 == 0);
            linked.extend(empty.map(|(cluster, _)| (cluster, 0.0)));
        }
        let mut best: Option<(f64, u32, (f64, f64))> = None;
        for &(to, own) in linked.iter().filter(|(to, _)| *to != from) {
            let (_, inside, leaving) = self.sizes[to as usize];
            let there = (inside + own, leaving - own + (all - own));
            let gain = lost + cluster_factor(there.0, there.1) - cluster_factor(inside, leaving);
            if gain > best.map_or(MIN_GAIN, |best| best.0) {
                best = Some((gain, to, there));
            }
        }
        let Some((_, to, there)) = best else { return false };
        self.sizes[from as usize] = (size - 1, left.0, left.1);
        self.sizes[to as usize] = (self.sizes[to as usize].0 + 1, there.0, there.1);
        self.cluster_of[module] = to;
        true
    }

    /// Merges the two clusters with the largest gain. Returns whether any were merged.
    fn merge_clusters(&mut self) -> bool {
        let mut between: FxHashMap<(u32, u32), f64> = FxHashMap::default();
        for (module, own) in self.edges.iter().enumerate() {
            let one = self.cluster_of[module];
            for &other in own {
                let other = self.cluster_of[other as usize];
                if one < other {
                    *between.entry((one, other)).or_insert(0.0) += 1.0;
                }
            }
        }
        let mut pairs: Vec<((u32, u32), f64)> = between.into_iter().collect();
        pairs.sort_unstable_by_key(|(pair, _)| *pair);
        let mut best: Option<(f64, (u32, u32), ClusterSize)> = None;
        for ((one, other), edges) in pairs {
            let (left, right) = (self.sizes[one as usize], self.sizes[other as usize]);
            let both = (left.0 + right.0, left.1 + right.1 + edges, left.2 + right.2 - 2.0 * edges);
            let gain = cluster_factor(both.1, both.2) - self.factor_of(one) - self.factor_of(other);
            if gain > best.map_or(MIN_GAIN, |best| best.0) {
                best = Some((gain, (one, other), both));
            }
        }
        let Some((_, (one, other), both)) = best else { return false };
        self.sizes[one as usize] = both;
        self.sizes[other as usize] = (0, 0.0, 0.0);
        self.cluster_of.iter_mut().filter(|own| **own == other).for_each(|own| *own = one);
        true
    }

    fn partition(&self) -> Partition {
        let mut clusters: Vec<Vec<u32>> = vec![Vec::new(); self.sizes.len()];
        for (module, &cluster) in (0u32..).zip(&self.cluster_of) {
            clusters[cluster as usize].push(module);
        }
        clusters.retain(|cluster| !cluster.is_empty());
        clusters.sort_unstable();
        // Recompute the quality, because rounding errors accumulate in the running sums.
        let mut cluster_of = vec![0; self.cluster_of.len()];
        for (number, cluster) in (0u32..).zip(&clusters) {
            cluster.iter().for_each(|&module| cluster_of[module as usize] = number);
        }
        let recomputed = HillClimb::new(self.edges, cluster_of);
        let numbers = (0u32..).take(clusters.len());
        let quality = numbers.map(|cluster| recomputed.factor_of(cluster)).sum();
        Partition { clusters, quality }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The quality, computed from its definition.
    fn quality(graph: &Relation, clusters: &[Vec<u32>]) -> f64 {
        let linked = |one: u32, other: u32| {
            one != other && (graph.has(one as usize, other) || graph.has(other as usize, one))
        };
        let of = |cluster: &Vec<u32>| {
            let (mut ends, mut leaving) = (0.0, 0.0);
            for &one in cluster {
                for other in (0u32..).take(graph.objects()).filter(|&other| linked(one, other)) {
                    *(if cluster.contains(&other) { &mut ends } else { &mut leaving }) += 1.0;
                }
            }
            if ends > 0.0 { ends / (ends + leaving) } else { 0.0 }
        };
        clusters.iter().map(of).sum()
    }

    fn graph() -> impl Strategy<Value = Relation> {
        (1usize..9).prop_flat_map(|modules| {
            prop::collection::vec(
                prop::collection::btree_set(0..pellucid_bits::as_u32(modules), 0..4),
                modules,
            )
            .prop_map(move |rows| {
                let rows: Vec<Vec<u32>> =
                    rows.into_iter().map(|row| row.into_iter().collect()).collect();
                Relation::new(modules, rows).expect("rows in order")
            })
        })
    }

    proptest! {
        /// Every module is in one cluster, the quality is correct, and no single move improves it.
        #[test]
        fn no_single_move_improves_the_quality(graph in graph(), seed in any::<u64>()) {
            let found = cluster(&graph, 2, seed).unwrap();
            let mut all: Vec<u32> = found.clusters.concat();
            all.sort_unstable();
            prop_assert_eq!(all, (0..pellucid_bits::as_u32(graph.objects())).collect::<Vec<_>>());
            prop_assert!((found.quality - quality(&graph, &found.clusters)).abs() < 1e-9);
            for module in 0..pellucid_bits::as_u32(graph.objects()) {
                for to in 0..=found.clusters.len() {
                    let mut clusters = found.clusters.clone();
                    clusters.push(Vec::new());
                    clusters.iter_mut().for_each(|own| own.retain(|&other| other != module));
                    clusters[to].push(module);
                    prop_assert!(quality(&graph, &clusters) <= found.quality + 1e-6);
                }
            }
        }
    }

    #[test]
    fn rectangular_contexts_are_refused() {
        let error = cluster(&Relation::new(2, [vec![0]]).unwrap(), 3, 0).unwrap_err();
        assert!(error.to_string().contains("1 objects and 2 attributes"), "{error}");
        let nothing = cluster(&Relation::new(0, Vec::<Vec<u32>>::new()).unwrap(), 3, 0).unwrap();
        assert_eq!((nothing.clusters.len(), nothing.quality), (0, 0.0));
    }
}
