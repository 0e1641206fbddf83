//! The order of nodes on a layer, chosen for few crossings.
//!
//! Each node moves to the mean position of its neighbors on the previous layer, layer by layer,
//! down and up again (Sugiyama, Tagawa and Toda 1981). Then adjacent nodes are swapped as long as
//! that removes crossings. A small diagram is ordered from several starting orders, and the one
//! with the fewest crossings is kept.

use super::graph::LayeredGraph;

/// Up to this many nodes, all optimizations are used.
const SMALL: usize = 1_500;
/// Up to this many nodes, adjacent nodes are swapped.
const MIDDLE: usize = 12_000;

/// The nodes of every layer, from left to right.
pub(super) type Layers = Vec<Vec<u32>>;

/// Returns layers with few crossings; the result is deterministic.
pub(super) fn order(graph: &LayeredGraph) -> Layers {
    let (starts, sweeps) = match graph.len() {
        len if len <= SMALL => (12, 16),
        len if len <= MIDDLE => (2, 10),
        _ => (1, 8),
    };
    let mut best: Option<(u64, Layers)> = None;
    for start in 0..starts {
        let mut sweeper = Sweeper::new(graph, start);
        for sweep in 0..sweeps {
            sweeper.sweep(sweep % 2 == 0);
            if graph.len() <= MIDDLE && graph.is_proper {
                sweeper.exchange();
            }
            if graph.is_proper || sweep + 1 == sweeps {
                let crossings = sweeper.crossings();
                if best.as_ref().is_none_or(|(fewest, _)| crossings < *fewest) {
                    best = Some((crossings, sweeper.layers.clone()));
                }
            }
        }
    }
    best.map(|(_, layers)| layers).unwrap_or_default()
}

struct Sweeper<'a> {
    graph: &'a LayeredGraph,
    layers: Layers,
    /// The position of each node on its layer.
    place: Vec<usize>,
}

impl<'a> Sweeper<'a> {
    fn new(graph: &'a LayeredGraph, start: u64) -> Sweeper<'a> {
        let mut layers = vec![Vec::new(); graph.layers];
        for (node, &layer) in (0u32..).zip(&graph.layer) {
            layers[layer].push(node);
        }
        let mut state = start;
        for layer in &mut layers {
            match start {
                0 => {}
                1 => layer.reverse(),
                _ => layer.sort_by_cached_key(|_| next(&mut state)),
            }
        }
        let mut sweeper = Sweeper { graph, layers, place: vec![0; graph.len()] };
        (0..graph.layers).for_each(|layer| sweeper.note_places(layer));
        sweeper
    }

    fn note_places(&mut self, layer: usize) {
        for (place, &node) in self.layers[layer].iter().enumerate() {
            self.place[node as usize] = place;
        }
    }

    /// Sorts the nodes of every layer by the mean position of their neighbors.
    fn sweep(&mut self, downward: bool) {
        for step in 1..self.graph.layers {
            let layer = if downward { step } else { self.graph.layers - 1 - step };
            let sides = if downward { &self.graph.up } else { &self.graph.down };
            let mut keyed: Vec<(f64, u32)> = Vec::with_capacity(self.layers[layer].len());
            for &node in &self.layers[layer] {
                let around = &sides[node as usize];
                let key = if around.is_empty() {
                    self.share(node)
                } else {
                    around.iter().map(|&other| self.share(other)).sum::<f64>() / around.len() as f64
                };
                keyed.push((key, node));
            }
            // Sums in another order differ in the last bits; rounding keeps such ties in place.
            keyed.iter_mut().for_each(|(key, _)| *key = (*key * 1e9).round());
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            self.layers[layer] = keyed.into_iter().map(|(_, node)| node).collect();
            self.note_places(layer);
        }
    }

    /// Returns the position of a node, from 0 on the left to 1 on the right.
    fn share(&self, node: u32) -> f64 {
        let len = self.layers[self.graph.layer[node as usize]].len();
        (self.place[node as usize] as f64 + 0.5) / len as f64
    }

    /// Swaps adjacent nodes if that removes crossings, for a few rounds.
    fn exchange(&mut self) {
        for _ in 0..8 {
            let mut is_better = false;
            for layer in 0..self.graph.layers {
                for left in 1..self.layers[layer].len() {
                    let (a, b) = (self.layers[layer][left - 1], self.layers[layer][left]);
                    if self.pair_crossings(b, a) < self.pair_crossings(a, b) {
                        self.layers[layer].swap(left - 1, left);
                        self.place.swap(a as usize, b as usize);
                        is_better = true;
                    }
                }
            }
            if !is_better {
                return;
            }
        }
    }

    /// Returns the number of crossings of two nodes' lines if the first is left of the second.
    fn pair_crossings(&self, left: u32, right: u32) -> usize {
        let count = |sides: &[Vec<u32>]| -> usize {
            let place = |other: &u32| self.place[*other as usize];
            let lefts = sides[left as usize].iter().map(place);
            lefts
                .map(|a| sides[right as usize].iter().filter(|other| place(other) < a).count())
                .sum()
        };
        count(&self.graph.up) + count(&self.graph.down)
    }

    /// Returns the number of crossings between adjacent layers.
    fn crossings(&self) -> u64 {
        let mut crossings = 0;
        for (upper, nodes) in self.layers.iter().enumerate() {
            let Some(lower) = self.layers.get(upper + 1) else { break };
            // A Fenwick tree of the ends so far.
            let mut tree = vec![0u64; lower.len() + 1];
            let mut ends = 0;
            for &node in nodes {
                let is_next = |&&other: &&u32| self.graph.layer[other as usize] == upper + 1;
                let below = self.graph.down[node as usize].iter().filter(is_next);
                let mut places: Vec<usize> =
                    below.map(|&other| self.place[other as usize]).collect();
                places.sort_unstable();
                for &place in &places {
                    let mut at = place + 1;
                    let mut not_right = 0;
                    while at > 0 {
                        not_right += tree[at];
                        at &= at - 1;
                    }
                    crossings += ends - not_right;
                }
                for place in places {
                    ends += 1;
                    let mut at = place + 1;
                    while at < tree.len() {
                        tree[at] += 1;
                        at += at & at.wrapping_neg();
                    }
                }
            }
        }
        crossings
    }
}

/// Returns the next pseudo-random number (`SplitMix64`).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut x = *state;
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
