use super::super::ExpressionScore;
use pellucid_program::ProgramId;
use std::cmp::Ordering;

/// The weights of the search heuristic: gain over the parent, and penalties for earlier expansions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Heuristic {
    /// The weight of the gain over the parent.
    pub(super) gain: f64,
    /// The bonus of the root.
    pub(super) start: f64,
    /// The penalty per unit of expansion length.
    pub(super) expansion: f64,
    /// The penalty per child.
    pub(super) child: f64,
}

/// The constants of OCEL with the start bonus of CELOE. The expansion penalty of CELOE, 0.1 per
/// unit, nearly amounts to trying all short expressions first.
pub(super) const HEURISTIC: Heuristic =
    Heuristic { gain: 0.5, start: 0.1, expansion: 0.02, child: 0.0001 };

/// A node of the search tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Node {
    /// The expression.
    pub(super) program: ProgramId,
    /// The score.
    pub(super) score: ExpressionScore,
    /// The quality of the parent; `None` for the root.
    pub(super) parent: Option<f64>,
    /// Refinements up to this length have been generated.
    pub(super) expanded: u32,
    /// The number of refinements.
    pub(super) children: u32,
}

impl Node {
    pub(super) fn heuristic_value(&self, heuristic: &Heuristic) -> f64 {
        let bonus = match self.parent {
            Some(parent) => heuristic.gain * (self.score.quality - parent),
            None => heuristic.start,
        };
        self.score.quality + bonus
            - heuristic.expansion * f64::from(self.expanded)
            - heuristic.child * f64::from(self.children)
    }
}

/// The open nodes, in order of insertion.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    pub(super) nodes: Vec<Node>,
}

impl Queue {
    /// Returns the indices of the most promising nodes, the best first; ties prefer older nodes.
    pub(super) fn best(&self, most: usize) -> Vec<usize> {
        let mut indices = self.by_heuristic();
        let order = order;
        if most < indices.len() {
            indices.select_nth_unstable_by(most, order);
            indices.truncate(most);
        }
        indices.sort_unstable_by(order);
        indices.into_iter().map(|(_, index)| index).collect()
    }

    /// Keeps only the most promising nodes, in order of insertion.
    pub(super) fn shrink(&mut self, to: usize) {
        if self.nodes.len() <= to {
            return;
        }
        let mut indices = self.best(to);
        indices.sort_unstable();
        self.nodes = indices.into_iter().map(|index| self.nodes[index]).collect();
    }

    fn by_heuristic(&self) -> Vec<(f64, usize)> {
        let nodes = self.nodes.iter().enumerate();
        nodes.map(|(index, node)| (node.heuristic_value(&HEURISTIC), index)).collect()
    }
}

fn order(left: &(f64, usize), right: &(f64, usize)) -> Ordering {
    right.0.total_cmp(&left.0).then(left.1.cmp(&right.1))
}
