use pellucid_program::{Node, ProgramId, Programs};
use pellucid_relate::{Target, World};

/// A place in a program at which another part may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    /// What stands there.
    pub(super) part: ProgramId,
    /// The data property whose values are asked about here; nothing where individuals are.
    pub(super) values: Option<usize>,
    /// The spot that it is an operand of, and which one.
    above: Option<(usize, usize)>,
}

/// All spots of a program, itself first, what is above before what is below.
pub(super) fn spots(programs: &Programs, world: &World, root: ProgramId) -> Vec<Spot> {
    let mut found = vec![Spot { part: root, values: None, above: None }];
    let mut next = 0;
    while let Some(&Spot { part, values, .. }) = found.get(next) {
        match programs.node(part) {
            Node::Constant(_) | Node::Leaf(..) => {}
            Node::Not(operand) => {
                found.push(Spot { part: operand, values, above: Some((next, 0)) });
            }
            Node::And(operands) | Node::Or(operands) => {
                for (place, &operand) in operands.iter().enumerate() {
                    found.push(Spot { part: operand, values, above: Some((next, place)) });
                }
            }
            Node::Related { role, filler, .. } => {
                let values = match world.target(role) {
                    Target::Individuals(_) => None,
                    Target::Values(property) => Some(property),
                };
                found.push(Spot { part: filler, values, above: Some((next, 0)) });
            }
        }
        next += 1;
    }
    found
}

/// The program with another part at a spot.
pub(super) fn replace(
    programs: &mut Programs,
    spots: &[Spot],
    at: usize,
    part: ProgramId,
) -> ProgramId {
    let (mut at, mut part) = (at, part);
    while let Some((above, place)) = spots[at].above {
        part = match programs.node(spots[above].part) {
            Node::Not(_) => programs.not(part),
            Node::And(operands) => {
                let mut operands = operands.to_vec();
                operands[place] = part;
                programs.and(&operands)
            }
            Node::Or(operands) => {
                let mut operands = operands.to_vec();
                operands[place] = part;
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

/// How high a program is, as a tree.
pub(super) fn height(spots: &[Spot]) -> usize {
    let mut heights = Vec::with_capacity(spots.len());
    for spot in spots {
        let above: usize = spot.above.map_or(0, |(above, _)| heights[above]);
        heights.push(above + 1);
    }
    heights.into_iter().max().unwrap_or(0)
}
