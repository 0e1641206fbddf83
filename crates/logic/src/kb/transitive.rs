use super::graph::{Components, to_u32};
use pellucid_relate::Edges;

/// Returns the transitive closure of some pairs; `None` if it has more than `limit` pairs.
///
/// Individuals on a cycle reach the same individuals, so strongly connected components are handled
/// as one. A component reaches the union of what its successors reach; successors that another one
/// reaches are skipped. The work is close to the size of the result, even for paths of many
/// thousand steps. Pairs are counted before they are stored, so a result above the limit costs no
/// memory.
pub(super) fn transitive(
    individuals: usize,
    pairs: Vec<[u32; 2]>,
    limit: usize,
) -> Option<Vec<[u32; 2]>> {
    let graph = Edges::new(individuals, individuals, pairs);
    let components = Components::new(&graph);
    // For each component, the other components that it reaches, one after the other.
    let (mut reached, mut ends): (Vec<u32>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut stamp = vec![u32::MAX; components.len()];
    let mut cyclic = vec![false; components.len()];
    let mut count = 0_usize;
    for component in 0..to_u32(components.len()) {
        let members = components.members(component);
        let mut successors: Vec<u32> = members
            .iter()
            .flat_map(|&member| graph.of(member))
            .map(|&object| components.of[object as usize])
            .collect();
        successors.sort_unstable();
        successors.dedup();
        let start = reached.len();
        // Nearest first: components with larger numbers are nearer and may reach those with smaller
        // ones.
        for &successor in successors.iter().rev() {
            if successor == component {
                cyclic[component as usize] = true;
            } else if stamp[successor as usize] != component {
                stamp[successor as usize] = component;
                reached.push(successor);
                let at = successor as usize;
                for index in at.checked_sub(1).map_or(0, |before| ends[before])..ends[at] {
                    let further = reached[index];
                    if stamp[further as usize] != component {
                        stamp[further as usize] = component;
                        reached.push(further);
                    }
                }
            }
        }
        ends.push(reached.len());
        let own = if cyclic[component as usize] { members.len() } else { 0 };
        let objects: usize =
            reached[start..].iter().map(|&other| components.members(other).len()).sum();
        count = count.saturating_add(members.len().saturating_mul(own + objects));
        if count > limit {
            return None;
        }
    }
    let mut closed = Vec::with_capacity(count);
    let mut start = 0;
    for (component, &end) in (0..to_u32(components.len())).zip(&ends) {
        let members = components.members(component);
        let own = if cyclic[component as usize] { members } else { &[] };
        for &subject in members {
            closed.extend(own.iter().map(|&object| [subject, object]));
            for &other in &reached[start..end] {
                closed.extend(components.members(other).iter().map(|&object| [subject, object]));
            }
        }
        start = end;
    }
    Some(closed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn agrees_with_a_naive_fixpoint(
            pairs in prop::collection::vec([0u32..9, 0u32..9], 0..20),
        ) {
            let mut naive: BTreeSet<[u32; 2]> = pairs.iter().copied().collect();
            loop {
                let steps: Vec<[u32; 2]> = naive
                    .iter()
                    .flat_map(|&[a, b]| naive.iter().filter(move |p| p[0] == b).map(move |p| [a, p[1]]))
                    .collect();
                let before = naive.len();
                naive.extend(steps);
                if naive.len() == before {
                    break;
                }
            }
            let closed = transitive(9, pairs, 100).unwrap();
            prop_assert_eq!(closed.len(), naive.len());
            prop_assert_eq!(closed.into_iter().collect::<BTreeSet<_>>(), naive);
        }
    }

    #[test]
    fn long_paths_are_closed_up_to_the_limit() {
        let path: Vec<[u32; 2]> = (0..1_999).map(|a| [a, a + 1]).collect();
        assert_eq!(transitive(2_000, path.clone(), 2_000_000).map(|p| p.len()), Some(1_999_000));
        assert_eq!(transitive(2_000, path, 1_998_999), None);
    }
}
