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

/// Returns the pairs connected by a chain; `None` if there are more than `limit` at some step.
pub(super) fn compose(
    individuals: usize,
    body: &[DirectedRelation],
    pairs: &[Vec<[u32; 2]>],
    limit: usize,
) -> Option<Vec<[u32; 2]>> {
    let mut steps = body.iter();
    let mut reached = steps.next().map(|&first| oriented(first, pairs)).unwrap_or_default();
    for &step in steps {
        let next = Edges::new(individuals, individuals, oriented(step, pairs));
        let mut further = Vec::new();
        // Sorted by subject, so that storing the last subject per object is enough to remove
        // duplicates.
        reached = sorted(individuals, reached);
        let mut last = vec![u32::MAX; individuals];
        for from in reached.chunk_by(|a, b| a[0] == b[0]) {
            let start = further.len();
            for &[subject, middle] in from {
                for &object in next.of(middle) {
                    if std::mem::replace(&mut last[object as usize], subject) != subject {
                        further.push([subject, object]);
                    }
                }
                if further.len() > limit {
                    return None;
                }
            }
            further[start..].sort_unstable();
        }
        reached = further;
    }
    Some(reached)
}

fn oriented(directed: DirectedRelation, pairs: &[Vec<[u32; 2]>]) -> Vec<[u32; 2]> {
    let mut own = pairs[directed.relation as usize].clone();
    if directed.inverse {
        own.iter_mut().for_each(|pair| pair.reverse());
    }
    own
}
