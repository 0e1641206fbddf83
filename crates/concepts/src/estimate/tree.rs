//! The tree of concepts that is sampled: Close-by-One, with the rarest attributes first.

use pellucid_bits::words::{count, full, is_subset, words_for};
use pellucid_bits::{Kernel, Level, Simd};
use pellucid_data::Relation;

/// The number of rows between two calls of `stop` while columns are filled.
const ROWS_PER_CHECK: usize = 1024;

/// The columns of a context with enough objects, the rarest first.
pub(super) struct Tree {
    columns: Vec<Vec<u64>>,
    objects: usize,
    /// At least 1.
    min_support: u64,
    has_bottom_without_objects: bool,
    level: Level,
}

/// A concept and the columns to try below it.
pub(super) struct Node {
    extent: Vec<u64>,
    pub(super) support: u64,
    /// The columns to try, ascending: those with enough objects in the extent.
    pub(super) candidates: Vec<usize>,
    /// The columns that come before the candidates and are not in the intent.
    rivals: Vec<usize>,
}

impl Tree {
    /// Returns nothing if `stop` returned true, or if the columns take more than `most_bytes`.
    pub(super) fn new(
        relation: &Relation,
        min_support: u64,
        level: Level,
        most_bytes: usize,
        stop: &dyn Fn() -> bool,
    ) -> Option<Tree> {
        let (objects, attributes) = (relation.objects(), relation.attributes());
        let stops = |row: usize| row.is_multiple_of(ROWS_PER_CHECK) && stop();
        let mut supports = vec![0u64; attributes];
        let mut some_object_has_all = false;
        for (object, row) in relation.rows().enumerate() {
            if stops(object) {
                return None;
            }
            some_object_has_all |= row.len() == attributes;
            row.iter().for_each(|&attribute| supports[attribute as usize] += 1);
        }
        let has_bottom_without_objects = min_support == 0 && !some_object_has_all;
        let min_support = min_support.max(1);
        let mut frequent: Vec<usize> =
            (0..attributes).filter(|&attribute| supports[attribute] >= min_support).collect();
        let words = words_for(objects);
        if frequent.len().saturating_mul(words) > most_bytes / size_of::<u64>() {
            return None;
        }
        frequent.sort_by_key(|&attribute| supports[attribute]);
        let mut places = vec![None; attributes];
        for (place, &attribute) in frequent.iter().enumerate() {
            places[attribute] = Some(place);
        }
        let mut columns = vec![vec![0; words]; frequent.len()];
        for (object, row) in relation.rows().enumerate() {
            if stops(object) {
                return None;
            }
            for place in row.iter().filter_map(|&attribute| places[attribute as usize]) {
                columns[place][object / 64] |= 1 << (object % 64);
            }
        }
        Some(Tree { columns, objects, min_support, has_bottom_without_objects, level })
    }

    /// Returns the number of concepts without objects, which are not part of the tree.
    pub(super) fn without_objects(&self) -> f64 {
        if self.has_bottom_without_objects { 1.0 } else { 0.0 }
    }

    /// Returns the concept of all objects.
    pub(super) fn root(&self) -> Node {
        let (extent, support) = (full(self.objects), self.objects as u64);
        let is_shared = |&column: &usize| count(&self.columns[column]) < support;
        let candidates = (0..self.columns.len()).filter(is_shared).collect();
        Node { extent, support, candidates, rivals: Vec::new() }
    }

    /// Calls `with` for every concept directly below a node, and adds the number of words processed
    /// to `work`. Returns nothing if `stop` returned true.
    pub(super) fn for_each_child(
        &self,
        node: &Node,
        work: &mut u64,
        stop: &dyn Fn() -> bool,
        mut with: impl FnMut(Node),
    ) -> Option<()> {
        let words = node.extent.len() as u64;
        let mut shared = Vec::new();
        // A rival with too few objects contains none of the extents below.
        let mut rivals = Vec::with_capacity(node.rivals.len() + node.candidates.len());
        self.count_shared(&node.extent, &node.rivals, &mut shared);
        let with_counts = node.rivals.iter().zip(&shared);
        rivals
            .extend(with_counts.filter(|(_, shared)| **shared >= self.min_support).map(|at| *at.0));
        *work += words * node.rivals.len() as u64;
        for (place, &tried) in node.candidates.iter().enumerate() {
            if stop() {
                return None;
            }
            let column = &self.columns[tried];
            let extent: Vec<u64> = node.extent.iter().zip(column).map(|(a, b)| a & b).collect();
            let contains = |&column: &usize| is_subset(&extent, &self.columns[column]);
            let is_new = !rivals.iter().any(contains);
            *work += words + 2 * rivals.len() as u64;
            if is_new {
                let (support, later) = (count(&extent), &node.candidates[place + 1..]);
                self.count_shared(&extent, later, &mut shared);
                let is_candidate = |shared: u64| shared >= self.min_support && shared < support;
                let with_counts = later.iter().zip(&shared);
                let candidates =
                    with_counts.filter(|(_, shared)| is_candidate(**shared)).map(|at| *at.0);
                let candidates = candidates.collect();
                *work += words * later.len() as u64;
                with(Node { extent, support, candidates, rivals: rivals.clone() });
            }
            rivals.push(tried);
        }
        Some(())
    }

    /// Counts the objects that an extent shares with each of some columns.
    fn count_shared(&self, extent: &[u64], tried: &[usize], counts: &mut Vec<u64>) {
        counts.clear();
        self.level.run(SharedObjects { extent, columns: &self.columns, tried, counts });
    }
}

struct SharedObjects<'a> {
    extent: &'a [u64],
    columns: &'a [Vec<u64>],
    tried: &'a [usize],
    counts: &'a mut Vec<u64>,
}

impl Kernel for SharedObjects<'_> {
    type Output = ();

    /// Plain loops, which become vector popcounts when they are compiled for the instruction set.
    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        for &column in self.tried {
            let mut shared = 0;
            for (a, b) in self.extent.iter().zip(&self.columns[column]) {
                shared += u64::from((a & b).count_ones());
            }
            self.counts.push(shared);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_close::{Terms, spec};
    use proptest::prelude::*;

    /// Returns the number of concepts of the whole tree.
    fn size(tree: &Tree) -> u64 {
        let (mut nodes, mut waiting) = (0, vec![tree.root()]);
        while let Some(node) = waiting.pop() {
            nodes += 1;
            let all = tree.for_each_child(&node, &mut 0, &|| false, |child| waiting.push(child));
            assert!(all.is_some(), "nothing stops it");
        }
        nodes + u64::from(tree.has_bottom_without_objects)
    }

    proptest! {
        #[test]
        fn the_tree_has_every_concept_once(
            attributes in 1u32..8,
            rows in prop::collection::vec(any::<u8>(), 1..70),
            min_support in 0u64..4,
        ) {
            let row = |bits: &u8| (0..attributes).filter(|a| bits >> a & 1 == 1).collect::<Vec<_>>();
            let relation = Relation::new(attributes as usize, rows.iter().map(row)).unwrap();
            prop_assume!(min_support <= rows.len() as u64);
            let terms = Terms { min_support, ..Terms::default() };
            let expected = spec::concepts(&relation, &terms, &mut ()).concepts;
            for level in [Level::Portable, Level::best()] {
                let tree = Tree::new(&relation, min_support, level, usize::MAX, &|| false);
                prop_assert_eq!(size(&tree.unwrap()), expected);
            }
        }
    }

    #[test]
    fn a_tree_has_a_limit_and_can_be_stopped() {
        let relation = Relation::new(3, vec![[0, 1]; 65]).unwrap();
        let tree = |bytes, stop| Tree::new(&relation, 1, Level::Portable, bytes, stop);
        // Two of three columns have objects, and each takes two words.
        assert!(tree(4 * 8, &|| false).is_some());
        assert!(tree(4 * 8 - 1, &|| false).is_none());
        assert!(tree(usize::MAX, &|| true).is_none());
        let tree = tree(usize::MAX, &|| false).unwrap();
        let candidates = vec![0];
        let node = Node { candidates, ..tree.root() };
        assert!(tree.for_each_child(&node, &mut 0, &|| true, |_| panic!("stopped")).is_none());
    }
}
