//! The tree of concepts that is sampled: Close-by-One, with the rarest attributes first.

use pellucid_bits::words::{count, full, is_subset};
use pellucid_data::Relation;

/// The columns of a context with enough objects, the rarest first.
pub(super) struct Tree {
    columns: Vec<Vec<u64>>,
    objects: usize,
    /// At least 1.
    min_support: u64,
    has_bottom_without_objects: bool,
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
    pub(super) fn new(relation: &Relation, min_support: u64) -> Tree {
        let words = relation.objects().div_ceil(64);
        let mut columns = vec![vec![0; words]; relation.attributes()];
        for (object, row) in relation.rows().enumerate() {
            for &attribute in row {
                columns[attribute as usize][object / 64] |= 1 << (object % 64);
            }
        }
        let has_all = |row: &[u32]| row.len() == relation.attributes();
        let has_bottom_without_objects = min_support == 0 && !relation.rows().any(has_all);
        let (objects, min_support) = (relation.objects(), min_support.max(1));
        columns.retain(|column| count(column) >= min_support);
        columns.sort_by_cached_key(|column| count(column));
        Tree { columns, objects, min_support, has_bottom_without_objects }
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
    /// to `work`.
    pub(super) fn for_each_child(&self, node: &Node, work: &mut u64, mut with: impl FnMut(Node)) {
        let words = node.extent.len() as u64;
        let mut rivals = node.rivals.clone();
        // A rival with too few objects contains none of the extents below.
        rivals.retain(|&rival| self.shared(&node.extent, rival) >= self.min_support);
        *work += words * node.rivals.len() as u64;
        for (place, &tried) in node.candidates.iter().enumerate() {
            let column = &self.columns[tried];
            let extent: Vec<u64> = node.extent.iter().zip(column).map(|(a, b)| a & b).collect();
            let support = count(&extent);
            *work += words;
            let contains = |&column: &usize| is_subset(&extent, &self.columns[column]);
            let is_new = !rivals.iter().any(contains);
            *work += 2 * rivals.len() as u64;
            if is_new {
                let mut child =
                    Node { extent, support, candidates: Vec::new(), rivals: rivals.clone() };
                for &column in &node.candidates[place + 1..] {
                    let shared = self.shared(&child.extent, column);
                    if shared >= self.min_support && shared < support {
                        child.candidates.push(column);
                    }
                }
                *work += words * (node.candidates.len() - place) as u64;
                with(child);
            }
            rivals.push(tried);
        }
    }

    /// Returns the number of objects of a column within an extent.
    fn shared(&self, extent: &[u64], column: usize) -> u64 {
        let words = extent.iter().zip(&self.columns[column]);
        words.map(|(a, b)| u64::from((a & b).count_ones())).sum()
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
            tree.for_each_child(&node, &mut 0, |child| waiting.push(child));
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
            prop_assert_eq!(size(&Tree::new(&relation, min_support)), expected);
        }
    }
}
