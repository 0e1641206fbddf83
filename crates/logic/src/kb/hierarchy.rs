use super::graph::{Components, to_u32};
use pellucid_relate::Edges;

/// A hierarchy of numbered elements, with direct parents and children.
///
/// A parent is direct if no element is between it and the child. Elements below each other are
/// equivalent: they share parents and children, and none is a parent of another.
///
/// ```
/// use pellucid_logic::kb::Hierarchy;
/// // 0 is below 1, 1 is below 2, 0 is below 2; 3 is equivalent to 1.
/// let hierarchy = Hierarchy::new(4, &[[0, 1], [1, 2], [0, 2], [1, 3], [3, 1]]);
/// assert_eq!(hierarchy.parents[0], [1, 3]);
/// assert_eq!(hierarchy.parents[3], [2]);
/// assert_eq!(hierarchy.roots().collect::<Vec<_>>(), [2]);
/// assert_eq!(hierarchy.leaves().collect::<Vec<_>>(), [0]);
/// assert_eq!(hierarchy.ancestors(0), [1, 2, 3]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hierarchy {
    /// The direct parents of each element, ascending.
    pub parents: Vec<Vec<u32>>,
    /// The direct children of each element, ascending.
    pub children: Vec<Vec<u32>>,
}

impl Hierarchy {
    /// Builds the hierarchy of `count` elements; the first of every pair is below the second.
    ///
    /// # Panics
    /// If a pair contains a number of `count` or more.
    #[must_use]
    pub fn new(count: usize, below: &[[u32; 2]]) -> Hierarchy {
        let graph = Edges::new(count, count, below.to_vec());
        let components = Components::new(&graph);
        let group = |node: u32| components.of[node as usize];
        let between: Vec<[u32; 2]> = below
            .iter()
            .map(|&[low, high]| [group(low), group(high)])
            .filter(|[low, high]| low != high)
            .collect();
        let groups = Edges::new(components.len(), components.len(), between);
        let mut parents = vec![Vec::new(); count];
        let mut children = vec![Vec::new(); count];
        let mut search = DirectSearch::new(components.len());
        for low in 0..to_u32(components.len()) {
            for high in search.direct(&groups, low) {
                for &child in components.members(low) {
                    parents[child as usize].extend_from_slice(components.members(high));
                }
                for &parent in components.members(high) {
                    children[parent as usize].extend_from_slice(components.members(low));
                }
            }
        }
        for list in parents.iter_mut().chain(&mut children) {
            list.sort_unstable();
        }
        Hierarchy { parents, children }
    }

    /// The elements without parents.
    pub fn roots(&self) -> impl Iterator<Item = u32> + '_ {
        without(&self.parents)
    }

    /// The elements without children.
    pub fn leaves(&self) -> impl Iterator<Item = u32> + '_ {
        without(&self.children)
    }

    /// All ancestors, ascending, without equivalent elements.
    #[must_use]
    pub fn ancestors(&self, number: u32) -> Vec<u32> {
        walk(&self.parents, number)
    }

    /// All descendants, ascending, without equivalent elements.
    #[must_use]
    pub fn descendants(&self, number: u32) -> Vec<u32> {
        walk(&self.children, number)
    }
}

fn without(lists: &[Vec<u32>]) -> impl Iterator<Item = u32> + '_ {
    (0u32..).zip(lists).filter(|(_, list)| list.is_empty()).map(|(number, _)| number)
}

fn walk(lists: &[Vec<u32>], from: u32) -> Vec<u32> {
    let mut seen = vec![false; lists.len()];
    let mut found: Vec<u32> = Vec::new();
    let mut next = 0;
    let mut here = from;
    loop {
        for &other in &lists[here as usize] {
            if !std::mem::replace(&mut seen[other as usize], true) {
                found.push(other);
            }
        }
        let Some(&after) = found.get(next) else { break };
        (here, next) = (after, next + 1);
    }
    found.sort_unstable();
    found
}

/// Finds direct parents among all elements above.
struct DirectSearch {
    stamp: Vec<u32>,
    round: u32,
    open: Vec<u32>,
}

impl DirectSearch {
    fn new(count: usize) -> DirectSearch {
        DirectSearch { stamp: vec![0; count], round: 0, open: Vec::new() }
    }

    /// Returns the elements above `low` that no other one of them reaches.
    fn direct(&mut self, groups: &Edges, low: u32) -> Vec<u32> {
        let candidates = groups.of(low);
        let Some(&lowest) = candidates.first() else { return Vec::new() };
        self.round += 1;
        let mut direct = Vec::new();
        // Edges lead to smaller numbers: no other candidate reaches the largest one, and numbers
        // below the smallest candidate are irrelevant.
        for &candidate in candidates.iter().rev() {
            if self.stamp[candidate as usize] == self.round {
                continue;
            }
            direct.push(candidate);
            if candidates.len() == 1 {
                break;
            }
            self.open.push(candidate);
            while let Some(group) = self.open.pop() {
                for &above in groups.of(group) {
                    if above >= lowest && self.stamp[above as usize] != self.round {
                        self.stamp[above as usize] = self.round;
                        self.open.push(above);
                    }
                }
            }
        }
        direct
    }
}
