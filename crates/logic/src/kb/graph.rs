//! Graph algorithms on numbered nodes: strongly connected components and reachability.

use pellucid_relate::Edges;

/// The strongly connected components of a graph.
///
/// Edges between components lead to smaller numbers, so dependencies come first.
pub(super) struct Components {
    /// The component of each node.
    pub(super) of: Vec<u32>,
    starts: Vec<usize>,
    nodes: Vec<u32>,
}

impl Components {
    /// Tarjan's algorithm with an explicit stack, so that long paths do not overflow the call
    /// stack.
    pub(super) fn new(graph: &Edges) -> Components {
        const UNSEEN: u32 = u32::MAX;
        let count = graph.subject_count();
        let (mut order, mut low) = (vec![UNSEEN; count], vec![0u32; count]);
        let mut of = vec![UNSEEN; count];
        let (mut starts, mut nodes) = (vec![0], Vec::with_capacity(count));
        let (mut open, mut path): (Vec<u32>, Vec<(u32, usize)>) = (Vec::new(), Vec::new());
        let mut met = 0;
        for root in 0..to_u32(count) {
            if order[root as usize] != UNSEEN {
                continue;
            }
            path.push((root, 0));
            while let Some((node, next)) = path.pop() {
                let here = node as usize;
                if next == 0 {
                    (order[here], low[here]) = (met, met);
                    met += 1;
                    open.push(node);
                }
                if let Some(&target) = graph.of(node).get(next) {
                    path.push((node, next + 1));
                    if order[target as usize] == UNSEEN {
                        path.push((target, 0));
                    } else if of[target as usize] == UNSEEN {
                        low[here] = low[here].min(order[target as usize]);
                    }
                    continue;
                }
                if low[here] == order[here] {
                    let component = to_u32(starts.len() - 1);
                    while let Some(member) = open.pop() {
                        of[member as usize] = component;
                        nodes.push(member);
                        if member == node {
                            break;
                        }
                    }
                    let start = starts[starts.len() - 1];
                    nodes[start..].sort_unstable();
                    starts.push(nodes.len());
                }
                if let Some(&(parent, _)) = path.last() {
                    low[parent as usize] = low[parent as usize].min(low[here]);
                }
            }
        }
        Components { of, starts, nodes }
    }

    /// The number of components.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The nodes of a component, ascending.
    pub(super) fn members(&self, component: u32) -> &[u32] {
        let component = component as usize;
        &self.nodes[self.starts[component]..self.starts[component + 1]]
    }
}

/// Returns all nodes reachable from each node, including itself, ascending.
pub(super) fn reachable(graph: &Edges) -> Vec<Vec<u32>> {
    let count = graph.subject_count();
    let mut stamp = vec![u32::MAX; count];
    (0..to_u32(count))
        .map(|root| {
            let mut found = vec![root];
            stamp[root as usize] = root;
            let mut next = 0;
            while next < found.len() {
                for &target in graph.of(found[next]) {
                    if stamp[target as usize] != root {
                        stamp[target as usize] = root;
                        found.push(target);
                    }
                }
                next += 1;
            }
            found.sort_unstable();
            found
        })
        .collect()
}

/// Converts a number of an ontology, which always fits in 32 bits.
#[expect(clippy::cast_possible_truncation)]
pub(super) fn to_u32(number: usize) -> u32 {
    number as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn components_are_mutually_reachable_nodes(
            pairs in prop::collection::vec([0u32..12, 0u32..12], 0..30),
        ) {
            let graph = Edges::new(12, 12, pairs.clone());
            let (components, reach) = (Components::new(&graph), reachable(&graph));
            for a in 0..12u32 {
                for b in 0..12u32 {
                    let both = reach[a as usize].contains(&b) && reach[b as usize].contains(&a);
                    prop_assert_eq!(both, components.of[a as usize] == components.of[b as usize]);
                }
            }
            for [a, b] in pairs {
                prop_assert!(components.of[a as usize] >= components.of[b as usize]);
            }
            let members: usize = (0..components.len()).map(|c| components.members(to_u32(c)).len()).sum();
            prop_assert_eq!(members, 12);
        }
    }

    #[test]
    fn long_paths_do_not_overflow_the_stack() {
        let graph = Edges::new(1_000_000, 1_000_000, (0..999_999).map(|a| [a, a + 1]).collect());
        assert_eq!(Components::new(&graph).len(), 1_000_000);
    }
}
