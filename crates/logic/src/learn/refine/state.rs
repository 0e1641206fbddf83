use super::super::ExpressionScore;
use super::duplicates::DuplicateFilterState;
use super::queue::Node;
use pellucid_program::ProgramId;
use serde::{Deserialize, Serialize};

/// The state for resuming.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RefineState {
    pub(super) nodes: Vec<NodeState>,
    pub(super) coverages: DuplicateFilterState,
    pub(super) fillers: DuplicateFilterState,
    /// The fingerprints of evaluated candidates, ascending.
    pub(super) tried: Vec<u64>,
    /// The fingerprints of admitted fillers, ascending.
    pub(super) known_fillers: Vec<u64>,
}

/// A node as stored in a checkpoint.
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
        let ExpressionScore { positive, negative, quality, length } = node.score;
        let Node { parent, expanded, children, .. } = *node;
        NodeState { text, positive, negative, quality, length, parent, expanded, children }
    }

    pub(super) fn node(&self, program: ProgramId) -> Node {
        let NodeState { positive, negative, quality, length, .. } = *self;
        let score = ExpressionScore { positive, negative, quality, length };
        let NodeState { parent, expanded, children, .. } = *self;
        Node { program, score, parent, expanded, children }
    }
}
