use super::super::Score;
use pellucid_program::ProgramId;
use std::cmp::Ordering;

/// How promising a node is: its quality, what it gained over its parent, and what was already done with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Heuristic {
    /// For what it gained over its parent.
    pub(super) gain: f64,
    /// For the node that everything starts from.
    pub(super) start: f64,
    /// For each unit of length that its refinements were already let grow to.
    pub(super) expansion: f64,
    /// For each refinement it already has.
    pub(super) child: f64,
}

/// As in OCEL, with the start bonus of CELOE. CELOE's own tenth a unit of length comes near to trying everything short
/// before anything long.
pub(super) const HEURISTIC: Heuristic =
    Heuristic { gain: 0.5, start: 0.1, expansion: 0.02, child: 0.0001 };

/// A node of the search tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Node {
    /// The expression.
    pub(super) program: ProgramId,
    /// How good it is.
    pub(super) score: Score,
    /// The quality of what it was refined from; nothing for the start.
    pub(super) parent: Option<f64>,
    /// Its refinements up to this length were made.
    pub(super) expanded: u32,
    /// How many they are.
    pub(super) children: u32,
}

impl Node {
    pub(super) fn promise(&self, heuristic: &Heuristic) -> f64 {
        let bonus = match self.parent {
            Some(parent) => heuristic.gain * (self.score.quality - parent),
            None => heuristic.start,
        };
        self.score.quality + bonus
            - heuristic.expansion * f64::from(self.expanded)
            - heuristic.child * f64::from(self.children)
    }
}

/// Nodes that still have refinements to make, in the order in which they came.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    pub(super) nodes: Vec<Node>,
}

impl Queue {
    /// The places of the most promising nodes, at most so many, best first; of equals the older first.
    pub(super) fn best(&self, most: usize) -> Vec<usize> {
        let mut places = self.by_promise();
        let order = order;
        if most < places.len() {
            places.select_nth_unstable_by(most, order);
            places.truncate(most);
        }
        places.sort_unstable_by(order);
        places.into_iter().map(|(_, place)| place).collect()
    }

    /// Leaves only the most promising nodes, in the order in which they came.
    pub(super) fn shrink(&mut self, to: usize) {
        if self.nodes.len() <= to {
            return;
        }
        let mut places = self.best(to);
        places.sort_unstable();
        self.nodes = places.into_iter().map(|place| self.nodes[place]).collect();
    }

    fn by_promise(&self) -> Vec<(f64, usize)> {
        let nodes = self.nodes.iter().enumerate();
        nodes.map(|(place, node)| (node.promise(&HEURISTIC), place)).collect()
    }
}

fn order(left: &(f64, usize), right: &(f64, usize)) -> Ordering {
    right.0.total_cmp(&left.0).then(left.1.cmp(&right.1))
}
