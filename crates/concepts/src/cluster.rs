//! Modules in clusters: a partition of a graph in which most lines stay within a cluster.
//!
//! Picture the plan of a building whose rooms are modules and whose corridors are uses. Walls are wanted such that few corridors pass through
//! them. How good a partition is says the *modularisation quality* (TurboMQ): each cluster adds
//!
//! ```text
//! 2 · lines inside / (2 · lines inside + lines that leave)
//! ```
//!
//! so that a cluster nobody leaves adds 1, and one without a line inside nothing. Which partition is best is hard to say, so it is climbed
//! for: from several beginnings modules change over to the cluster where they help most, and clusters become one, until nothing helps.
//!
//! Lines have no direction, a line from a module to itself is none.

use pellucid_data::Relation;
use pellucid_learn::rng::{Stream, Streams};
use rustc_hash::FxHashMap;

/// What a step must win, so that rounding is no reason for one.
const GAIN: f64 = 1e-9;

/// Modules in clusters.
#[derive(Clone, Debug, PartialEq)]
pub struct Partition {
    /// The modules of each cluster, ascending; clusters by their first module.
    pub clusters: Vec<Vec<u32>>,
    /// How good the partition is: at most the number of its clusters.
    pub quality: f64,
}

/// Why a graph cannot be clustered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a graph has the same objects and attributes, and here are {objects} objects and {attributes} attributes"
)]
pub struct NoGraphError {
    /// How many objects there are.
    pub objects: usize,
    /// How many attributes there are.
    pub attributes: usize,
}

/// The best partition that is found from so many beginnings; the same for the same seed. Objects and attributes are both the modules.
///
/// ```
/// use pellucid_concepts::cluster::cluster;
/// use pellucid_data::Relation;
///
/// // Two triangles and a line between them.
/// let rows = [vec![1, 2], vec![2], vec![3], vec![4, 5], vec![5], vec![]];
/// let found = cluster(&Relation::new(6, rows)?, 3, 0)?;
/// assert_eq!(found.clusters, [[0, 1, 2], [3, 4, 5]]);
/// assert_eq!(found.quality, 12.0 / 7.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When there are not as many attributes as objects.
pub fn cluster(graph: &Relation, beginnings: usize, seed: u64) -> Result<Partition, NoGraphError> {
    let (objects, attributes) = (graph.objects(), graph.attributes());
    if objects != attributes {
        return Err(NoGraphError { objects, attributes });
    }
    let lines = lines(graph);
    let streams = Streams::new(seed).at("cluster");
    let climbed = (0..beginnings.max(1)).map(|beginning| {
        let mut stream = streams.stream(&[beginning.into()]);
        let mut climb = Climb::new(&lines, first(beginning, objects, &mut stream));
        climb.ascend(&mut stream);
        climb.partition()
    });
    let better = |best: Partition, next: Partition| {
        if next.quality > best.quality + GAIN { next } else { best }
    };
    Ok(climbed.reduce(better).unwrap_or(Partition { clusters: Vec::new(), quality: 0.0 }))
}

/// By module those it has a line to, ascending.
fn lines(graph: &Relation) -> Vec<Vec<u32>> {
    let mut lines = vec![Vec::new(); graph.objects()];
    for (one, row) in (0u32..).zip(graph.rows()) {
        for &other in row.iter().filter(|&&other| other != one) {
            lines[one as usize].push(other);
            lines[other as usize].push(one);
        }
    }
    for own in &mut lines {
        own.sort_unstable();
        own.dedup();
    }
    lines
}

/// What a climb begins with: at first every module for itself, then a few clusters by chance.
fn first(beginning: usize, modules: usize, stream: &mut Stream) -> Vec<u32> {
    match beginning {
        0 => (0u32..).take(modules).collect(),
        _ => {
            let clusters = 2 + stream.index((modules / 2).max(1));
            (0..modules).map(|_| pellucid_bits::as_u32(stream.index(clusters))).collect()
        }
    }
}

/// A partition on its way up.
struct Climb<'a> {
    lines: &'a [Vec<u32>],
    cluster_of: Vec<u32>,
    /// By cluster.
    sizes: Vec<Size>,
}

/// How many modules a cluster has, how many lines are inside, and how many leave.
type Size = (usize, f64, f64);

/// What a cluster adds.
fn worth(inside: f64, leaving: f64) -> f64 {
    if inside > 0.0 { 2.0 * inside / (2.0 * inside + leaving) } else { 0.0 }
}

impl Climb<'_> {
    fn new(lines: &[Vec<u32>], cluster_of: Vec<u32>) -> Climb<'_> {
        // One more than there can be, so that a module finds an empty one.
        let mut sizes = vec![(0, 0.0, 0.0); lines.len().max(2) + 2];
        for (own, &cluster) in lines.iter().zip(&cluster_of) {
            let (size, inside, leaving) = &mut sizes[cluster as usize];
            *size += 1;
            for &other in own {
                // Each line inside is met from both of its ends.
                match cluster_of[other as usize] == cluster {
                    true => *inside += 0.5,
                    false => *leaving += 1.0,
                }
            }
        }
        Climb { lines, cluster_of, sizes }
    }

    /// Moves modules and unites clusters until neither helps.
    fn ascend(&mut self, stream: &mut Stream) {
        let mut order: Vec<usize> = (0..self.lines.len()).collect();
        loop {
            stream.shuffle(&mut order);
            let mut has_moved = false;
            for &module in &order {
                has_moved |= self.change_over(module);
            }
            if !has_moved && !self.unite() {
                return;
            }
        }
    }

    fn worth_of(&self, cluster: u32) -> f64 {
        let (_, inside, leaving) = self.sizes[cluster as usize];
        worth(inside, leaving)
    }

    /// Takes a module to the cluster where it helps most, if that is another one.
    fn change_over(&mut self, module: usize) -> bool {
        let from = self.cluster_of[module];
        let mut links: Vec<u32> =
            self.lines[module].iter().map(|&other| self.cluster_of[other as usize]).collect();
        links.sort_unstable();
        let all = links.len() as f64;
        let linked = links.chunk_by(|one, other| one == other);
        let mut linked: Vec<(u32, f64)> =
            linked.map(|links| (links[0], links.len() as f64)).collect();
        let own = linked.iter().find(|(cluster, _)| *cluster == from).map_or(0.0, |own| own.1);
        let (size, inside, leaving) = self.sizes[from as usize];
        let left = (inside - own, leaving - (all - own) + own);
        let lost = worth(left.0, left.1) - worth(inside, leaving);
        if size > 1 {
            let empty = (0u32..).zip(&self.sizes).find(|(_, size)| size.0 == 0);
            linked.extend(empty.map(|(cluster, _)| (cluster, 0.0)));
        }
        let mut best: Option<(f64, u32, (f64, f64))> = None;
        for &(to, own) in linked.iter().filter(|(to, _)| *to != from) {
            let (_, inside, leaving) = self.sizes[to as usize];
            let there = (inside + own, leaving - own + (all - own));
            let gain = lost + worth(there.0, there.1) - worth(inside, leaving);
            if gain > best.map_or(GAIN, |best| best.0) {
                best = Some((gain, to, there));
            }
        }
        let Some((_, to, there)) = best else { return false };
        self.sizes[from as usize] = (size - 1, left.0, left.1);
        self.sizes[to as usize] = (self.sizes[to as usize].0 + 1, there.0, there.1);
        self.cluster_of[module] = to;
        true
    }

    /// Makes one of the two clusters that gain most by it, if any do.
    fn unite(&mut self) -> bool {
        let mut between: FxHashMap<(u32, u32), f64> = FxHashMap::default();
        for (module, own) in self.lines.iter().enumerate() {
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
        let mut best: Option<(f64, (u32, u32), Size)> = None;
        for ((one, other), lines) in pairs {
            let (left, right) = (self.sizes[one as usize], self.sizes[other as usize]);
            let both = (left.0 + right.0, left.1 + right.1 + lines, left.2 + right.2 - 2.0 * lines);
            let gain = worth(both.1, both.2) - self.worth_of(one) - self.worth_of(other);
            if gain > best.map_or(GAIN, |best| best.0) {
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
        // From the beginning, as sums that were moved about for long may be off in their last digits.
        let mut place = vec![0; self.cluster_of.len()];
        for (number, cluster) in (0u32..).zip(&clusters) {
            cluster.iter().for_each(|&module| place[module as usize] = number);
        }
        let told = Climb::new(self.lines, place);
        let numbers = (0u32..).take(clusters.len());
        let quality = numbers.map(|cluster| told.worth_of(cluster)).sum();
        Partition { clusters, quality }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The quality by its definition.
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
        /// Everybody is in one cluster, the quality is what it is said to be, and nobody had better change over.
        #[test]
        fn nobody_had_better_change_over(graph in graph(), seed in any::<u64>()) {
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
    fn what_is_no_graph_is_refused() {
        let error = cluster(&Relation::new(2, [vec![0]]).unwrap(), 3, 0).unwrap_err();
        assert!(error.to_string().contains("1 objects and 2 attributes"), "{error}");
        let nothing = cluster(&Relation::new(0, Vec::<Vec<u32>>::new()).unwrap(), 3, 0).unwrap();
        assert_eq!((nothing.clusters.len(), nothing.quality), (0, 0.0));
    }
}
