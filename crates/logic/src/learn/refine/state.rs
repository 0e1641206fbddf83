use super::super::Score;
use super::queue::Node;
use super::seen::SeenState;
use pellucid_program::ProgramId;
use serde::{Deserialize, Serialize};

/// Everything that a refinement needs to go on later.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RefineState {
    pub(super) nodes: Vec<NodeState>,
    pub(super) coverages: SeenState,
    pub(super) fillers: SeenState,
    /// What was tried, by identity, ascending.
    pub(super) tried: Vec<u64>,
    /// Fillers that were let in, by identity, ascending.
    pub(super) known_fillers: Vec<u64>,
}

/// A node as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct NodeState {
    pub(super) text: String,
    positive: u64,
    negative: u64,
    quality: f64,
    length: u32,
    parent: Option<f64>,
    expanded: u32,
    children: u32,
}

impl NodeState {
    pub(super) fn new(node: &Node, text: String) -> NodeState {
        let Score { positive, negative, quality, length } = node.score;
        let Node { parent, expanded, children, .. } = *node;
        NodeState { text, positive, negative, quality, length, parent, expanded, children }
    }

    pub(super) fn node(&self, program: ProgramId) -> Node {
        let NodeState { positive, negative, quality, length, .. } = *self;
        let score = Score { positive, negative, quality, length };
        let NodeState { parent, expanded, children, .. } = *self;
        Node { program, score, parent, expanded, children }
    }
}
