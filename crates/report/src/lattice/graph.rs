//! The diagram as a layered graph: every concept is on the layer of its rank, and long lines have
//! bends where they pass a layer.

use pellucid_concepts::lattice::Lattice;
use std::ops::Range;

/// With more bends than this, lines are straight and may cross nodes, because routing would take
/// too long.
const MOST_BENDS: usize = 30_000;

/// A line from a concept to one directly below.
pub(super) struct Line {
    pub(super) from: u32,
    pub(super) to: u32,
    /// The nodes where it passes the layers in between, from top to bottom.
    pub(super) bends: Range<u32>,
}

/// Concepts and bends, both called nodes; concepts come first and keep their numbers.
pub(super) struct LayeredGraph {
    pub(super) concepts: usize,
    /// The layer of every node.
    pub(super) layer: Vec<usize>,
    pub(super) up: Vec<Vec<u32>>,
    pub(super) down: Vec<Vec<u32>>,
    pub(super) lines: Vec<Line>,
    pub(super) layers: usize,
    /// Whether all neighbors of a node are on adjacent layers.
    pub(super) is_proper: bool,
}

impl LayeredGraph {
    pub(super) fn new(lattice: &Lattice) -> LayeredGraph {
        let concepts = lattice.len();
        let layer: Vec<usize> = lattice.concepts().map(|c| lattice.rank(c) as usize).collect();
        let pairs =
            || lattice.concepts().flat_map(|a| lattice.lower(a).iter().map(move |&b| (a, b)));
        let passed = |(a, b): (u32, u32)| layer[b as usize] - layer[a as usize] - 1;
        let is_proper = pairs().map(passed).sum::<usize>() <= MOST_BENDS;
        let mut graph = LayeredGraph {
            concepts,
            layers: layer.iter().max().map_or(0, |last| last + 1),
            layer: layer.clone(),
            up: vec![Vec::new(); concepts],
            down: vec![Vec::new(); concepts],
            lines: Vec::with_capacity(lattice.edges()),
            is_proper,
        };
        for (from, to) in pairs() {
            let first = graph.next_node();
            let mut last = from;
            if is_proper {
                for passed in layer[from as usize] + 1..layer[to as usize] {
                    let bend = graph.next_node();
                    graph.layer.push(passed);
                    graph.up.push(Vec::new());
                    graph.down.push(Vec::new());
                    graph.join(last, bend);
                    last = bend;
                }
            }
            graph.join(last, to);
            graph.lines.push(Line { from, to, bends: first..graph.next_node() });
        }
        graph
    }

    /// Returns the number of nodes.
    pub(super) fn len(&self) -> usize {
        self.layer.len()
    }

    /// Returns whether a node is a bend of a line.
    pub(super) fn is_bend(&self, node: u32) -> bool {
        node as usize >= self.concepts
    }

    fn next_node(&self) -> u32 {
        u32::try_from(self.len()).expect("nodes are numbered by 32 bits")
    }

    fn join(&mut self, high: u32, low: u32) {
        self.down[high as usize].push(low);
        self.up[low as usize].push(high);
    }
}
