use super::super::AllowedNames;
use super::super::identity::{Digest, digest};
use crate::KnowledgeBase;
use pellucid_bits::{Bits, Block};
use rustc_hash::{FxHashMap, FxHashSet};

/// The class hierarchy restricted to classes that discriminate between some individuals; only one
/// of those with the same instances among them.
///
/// This covers disjointness and role ranges: a class that is disjoint from all of the individuals
/// has no instances among them.
#[derive(Clone, Debug, Default)]
pub(super) struct ClassView {
    /// The classes without superclasses.
    pub(super) tops: Vec<u32>,
    /// All classes, ascending.
    pub(super) all: Vec<u32>,
    below: FxHashMap<u32, Vec<u32>>,
    above: FxHashMap<u32, Vec<u32>>,
}

impl ClassView {
    pub(super) fn new(kb: &KnowledgeBase, allowed: &AllowedNames, individuals: &Bits) -> ClassView {
        let size = individuals.count();
        let mut empty = vec![true; kb.world.classes().len()];
        let mut known_extents: FxHashSet<Digest> = FxHashSet::default();
        let mut visible = vec![false; empty.len()];
        for (class, members) in kb.world.classes().iter().enumerate() {
            let here = intersection(members, individuals);
            let count: u64 = here.iter().map(Block::count).sum();
            empty[class] = count == 0;
            let known = (0u32..).take(empty.len()).nth(class);
            let named = known.is_some_and(|class| allowed.classes.binary_search(&class).is_ok());
            visible[class] =
                named && count > 0 && count < size && known_extents.insert(digest(&here));
        }
        let walk = Walk { children: &kb.classes.children, empty: &empty, visible: &visible };
        let mut view = ClassView::default();
        let roots = (0u32..).zip(&kb.classes.parents).filter(|(_, parents)| parents.is_empty());
        view.tops = walk.nearest(roots.map(|(root, _)| root).collect());
        // Classes that no root reaches, for example on a cycle, count as roots.
        let mut reached: FxHashSet<u32> = view.tops.iter().copied().collect();
        let mut open = view.tops.clone();
        for class in (0u32..).take(empty.len()).filter(|&class| visible[class as usize]) {
            view.all.push(class);
        }
        let mut rest = view.all.clone().into_iter();
        loop {
            while let Some(class) = open.pop() {
                let below = walk
                    .nearest(kb.classes.children.get(class as usize).cloned().unwrap_or_default());
                for &child in below.iter().filter(|&&child| child != class) {
                    view.above.entry(child).or_default().push(class);
                    if reached.insert(child) {
                        open.push(child);
                    }
                }
                view.below.insert(class, below);
            }
            let Some(lost) = rest.find(|class| !reached.contains(class)) else { break };
            reached.insert(lost);
            view.tops.push(lost);
            open.push(lost);
        }
        view.above.values_mut().for_each(|above| above.sort_unstable());
        view
    }

    /// The direct subclasses.
    pub(super) fn below(&self, class: u32) -> &[u32] {
        self.below.get(&class).map_or(&[], Vec::as_slice)
    }

    /// The direct superclasses.
    pub(super) fn above(&self, class: u32) -> &[u32] {
        self.above.get(&class).map_or(&[], Vec::as_slice)
    }

    /// The classes without subclasses.
    pub(super) fn leaves(&self) -> impl Iterator<Item = u32> + '_ {
        self.all.iter().copied().filter(|&class| self.below(class).is_empty())
    }
}

/// Walks down the hierarchy, skipping classes that are not in the view.
struct Walk<'a> {
    children: &'a [Vec<u32>],
    empty: &'a [bool],
    visible: &'a [bool],
}

impl Walk<'_> {
    /// Returns the first visible classes on all paths down from some classes, including themselves.
    fn nearest(&self, from: Vec<u32>) -> Vec<u32> {
        let mut open = from;
        let mut met: FxHashSet<u32> = FxHashSet::default();
        let mut found = Vec::new();
        while let Some(class) = open.pop() {
            let at = class as usize;
            if self.empty.get(at).copied().unwrap_or(true) || !met.insert(class) {
                continue;
            }
            if self.visible[at] {
                found.push(class);
            } else {
                open.extend(self.children.get(at).into_iter().flatten());
            }
        }
        found.sort_unstable();
        found
    }
}

/// The intersection of two sets.
pub(super) fn intersection(left: &Bits, right: &Bits) -> Vec<Block> {
    let both = left.blocks().iter().zip(right.blocks());
    both.map(|(left, right)| Block(std::array::from_fn(|word| left.0[word] & right.0[word])))
        .collect()
}
