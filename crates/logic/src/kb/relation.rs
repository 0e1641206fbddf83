use super::bounds::{Excess, InferenceBounds};
use pellucid_relate::{Edges, sorted};

/// A relation or its inverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DirectedRelation {
    pub(super) relation: u32,
    pub(super) inverse: bool,
}

/// A chain: pairs connected by the body are in the head.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ChainRule {
    pub(super) head: u32,
    /// At least one step.
    pub(super) body: Vec<DirectedRelation>,
}

/// Returns the pairs connected by the chain of a rule, within the bounds at every step.
pub(super) fn compose(
    individuals: usize,
    rule: &ChainRule,
    pairs: &[Vec<[u32; 2]>],
    bounds: &InferenceBounds<'_>,
) -> Result<Vec<[u32; 2]>, Excess> {
    let mut steps = rule.body.iter();
    let mut calls = 0;
    let mut reached = steps.next().map(|&first| oriented(first, pairs)).unwrap_or_default();
    for &step in steps {
        let next = Edges::new(individuals, individuals, oriented(step, pairs));
        let mut further = Vec::new();
        // Sorted by subject, so that storing the last subject per object is enough to remove
        // duplicates.
        reached = sorted(individuals, reached);
        let mut last = vec![u32::MAX; individuals];
        for from in reached.chunk_by(|a, b| a[0] == b[0]) {
            bounds.check(&mut calls)?;
            let start = further.len();
            for &[subject, middle] in from {
                for &object in next.of(middle) {
                    if std::mem::replace(&mut last[object as usize], subject) != subject {
                        further.push([subject, object]);
                    }
                }
                if further.len() > bounds.edges {
                    return Err(Excess::Edges(rule.head));
                }
            }
            further[start..].sort_unstable();
        }
        reached = further;
    }
    Ok(reached)
}

fn oriented(directed: DirectedRelation, pairs: &[Vec<[u32; 2]>]) -> Vec<[u32; 2]> {
    let mut own = pairs[directed.relation as usize].clone();
    if directed.inverse {
        own.iter_mut().for_each(|pair| pair.reverse());
    }
    own
}
