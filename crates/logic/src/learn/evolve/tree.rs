use pellucid_program::{Node, ProgramId, Programs};
use pellucid_relate::{Target, World};

/// A position in a program where a subtree can be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TreePosition {
    /// The subtree at this position.
    pub(super) part: ProgramId,
    /// The data property whose values are constrained here; `None` for individuals.
    pub(super) values: Option<usize>,
    /// The parent position, and the operand index in it.
    above: Option<(usize, usize)>,
}

/// Returns all positions of a program in breadth-first order.
pub(super) fn tree_positions(
    programs: &Programs,
    world: &World,
    root: ProgramId,
) -> Vec<TreePosition> {
    let mut found = Vec::with_capacity(16);
    found.push(TreePosition { part: root, values: None, above: None });
    let mut next = 0;
    while let Some(&TreePosition { part, values, .. }) = found.get(next) {
        match programs.node(part) {
            Node::Constant(_) | Node::Leaf(..) => {}
            Node::Not(operand) => {
                found.push(TreePosition { part: operand, values, above: Some((next, 0)) });
            }
            Node::And(operands) | Node::Or(operands) => {
                for (index, &operand) in operands.iter().enumerate() {
                    found.push(TreePosition { part: operand, values, above: Some((next, index)) });
                }
            }
            Node::Related { role, filler, .. } => {
                let values = match world.target(role) {
                    Target::Individuals(_) => None,
                    Target::Values(property) => Some(property),
                };
                found.push(TreePosition { part: filler, values, above: Some((next, 0)) });
            }
        }
        next += 1;
    }
    found
}

/// Replaces the subtree at a position.
pub(super) fn replace(
    programs: &mut Programs,
    positions: &[TreePosition],
    at: usize,
    part: ProgramId,
) -> ProgramId {
    let (mut at, mut part) = (at, part);
    while let Some((above, index)) = positions[at].above {
        part = match programs.node(positions[above].part) {
            Node::Not(_) => programs.not(part),
            Node::And(operands) => {
                let mut operands = operands.to_vec();
                operands[index] = part;
                programs.and(&operands)
            }
            Node::Or(operands) => {
                let mut operands = operands.to_vec();
                operands[index] = part;
                programs.or(&operands)
            }
            Node::Related { quantifier, role, inverse, .. } => {
                programs.related(quantifier, role, inverse, part)
            }
            Node::Constant(_) | Node::Leaf(..) => part,
        };
        at = above;
    }
    part
}

/// Returns the height of a program as a tree.
pub(super) fn height(positions: &[TreePosition]) -> usize {
    let mut heights = Vec::with_capacity(positions.len());
    for position in positions {
        let above: usize = position.above.map_or(0, |(above, _)| heights[above]);
        heights.push(above + 1);
    }
    heights.into_iter().max().unwrap_or(0)
}
