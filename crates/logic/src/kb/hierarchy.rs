use super::graph::{Components, small};
use pellucid_relate::Edges;

/// Which of some numbered things lies directly below which.
///
/// Directly: with nothing in between. Things that lie below each other are equal: each has the parents and children of all
/// of them, and neither is a parent of the other.
///
/// ```
/// use pellucid_logic::kb::Hierarchy;
/// // 0 below 1 below 2, and 0 below 2 as well; 3 is equal to 1.
/// let hierarchy = Hierarchy::new(4, &[[0, 1], [1, 2], [0, 2], [1, 3], [3, 1]]);
/// assert_eq!(hierarchy.parents[0], [1, 3]);
/// assert_eq!(hierarchy.parents[3], [2]);
/// assert_eq!(hierarchy.tops().collect::<Vec<_>>(), [2]);
/// assert_eq!(hierarchy.leaves().collect::<Vec<_>>(), [0]);
/// assert_eq!(hierarchy.ancestors(0), [1, 2, 3]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hierarchy {
    /// By number: those directly above, ascending.
    pub parents: Vec<Vec<u32>>,
    /// By number: those directly below, ascending.
    pub children: Vec<Vec<u32>>,
}

impl Hierarchy {
    /// The hierarchy of `count` things, of which the first of every pair lies below the second.
    ///
    /// # Panics
    /// When a pair names a thing that there is not.
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
        for low in 0..small(components.len()) {
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

    /// Those with nothing above them.
    pub fn tops(&self) -> impl Iterator<Item = u32> + '_ {
        without(&self.parents)
    }

    /// Those with nothing below them.
    pub fn leaves(&self) -> impl Iterator<Item = u32> + '_ {
        without(&self.children)
    }

    /// Everything above, directly or not, ascending; what is equal is not above.
    #[must_use]
    pub fn ancestors(&self, number: u32) -> Vec<u32> {
        walk(&self.parents, number)
    }

    /// Everything below, directly or not, ascending; what is equal is not below.
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

/// Finds the direct ones among those above.
struct DirectSearch {
    stamp: Vec<u32>,
    round: u32,
    open: Vec<u32>,
}

impl DirectSearch {
    fn new(count: usize) -> DirectSearch {
        DirectSearch { stamp: vec![0; count], round: 0, open: Vec::new() }
    }

    /// Of those above `low`, the ones that no other of them reaches.
    fn direct(&mut self, groups: &Edges, low: u32) -> Vec<u32> {
        let candidates = groups.of(low);
        let Some(&lowest) = candidates.first() else { return Vec::new() };
        self.round += 1;
        let mut direct = Vec::new();
        // Edges lead to smaller numbers: the largest candidate is reached by no other, and nothing below the smallest
        // number needs to be looked at.
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
