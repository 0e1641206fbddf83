//! Hill climbing: single modules move, then whole clusters, until no step improves the quality.

use super::StopFunction;
use super::assignment::Assignment;
use super::links::ModuleLinks;
use pellucid_learn::rng::Stream;
use rustc_hash::FxHashMap;

/// The number of modules between two calls of the stop function.
const STOP_CHECK_INTERVAL: usize = 1 << 10;

/// Improves a partition until neither moving a module nor moving a whole cluster into others helps.
/// Clusters of the result are numbered from 0.
///
/// Clusters become the nodes of a smaller graph, in which merging clusters is moving a node.
pub(super) fn climb(
    links: &ModuleLinks,
    mut cluster_of: Vec<u32>,
    stream: &mut Stream,
    stop: StopFunction<'_>,
) -> Vec<u32> {
    loop {
        cluster_of = move_nodes(links, cluster_of, stream, stop);
        let clusters = renumber(&mut cluster_of);
        let smaller = links.between(&cluster_of, clusters);
        let alone = (0u32..).take(clusters).collect();
        let mut merged = move_nodes(&smaller, alone, stream, stop);
        if renumber(&mut merged) == clusters || stop() {
            return cluster_of;
        }
        cluster_of.iter_mut().for_each(|cluster| *cluster = merged[*cluster as usize]);
    }
}

/// Moves nodes, in a random order, until no single move improves the quality.
fn move_nodes(
    links: &ModuleLinks,
    cluster_of: Vec<u32>,
    stream: &mut Stream,
    stop: StopFunction<'_>,
) -> Vec<u32> {
    let mut assignment = Assignment::new(links, cluster_of);
    let mut order: Vec<usize> = (0..links.len()).collect();
    loop {
        stream.shuffle(&mut order);
        let mut has_moved = false;
        for nodes in order.chunks(STOP_CHECK_INTERVAL) {
            if stop() {
                return assignment.cluster_of;
            }
            for &node in nodes {
                has_moved |= assignment.improve(node);
            }
        }
        assignment.keep();
        if !has_moved {
            return assignment.cluster_of;
        }
    }
}

/// Numbers clusters from 0 in the order of their first nodes. Returns how many there are.
pub(super) fn renumber(cluster_of: &mut [u32]) -> usize {
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    for cluster in cluster_of {
        let next = pellucid_bits::as_u32(numbers.len());
        *cluster = *numbers.entry(*cluster).or_insert(next);
    }
    numbers.len()
}
