//! A context in the form that devices search: attributes from the rarest to the most frequent, rows
//! and columns as 32-bit words.

use pellucid_bits::as_u32;
use pellucid_data::Relation;
use std::ops::RangeBounds;

/// A relation whose attributes are in the order in which the search tries them.
///
/// The rarest attributes come first. They leave few objects, so most of the tree is cheap to
/// search. Attributes below the minimum support occur in no listed concept and are left out.
#[derive(Clone, Debug)]
pub(crate) struct OrderedRelation {
    /// By position: the attribute number in the original relation.
    attributes: Vec<u32>,
    relation: Relation,
    symmetric: bool,
}

impl OrderedRelation {
    /// Orders a relation. Every listed concept has at least `min_support` objects, and at least
    /// one.
    pub(crate) fn new(relation: &Relation, min_support: u64) -> OrderedRelation {
        let supports = relation.supports();
        let attributes = rarest_first(&supports, min_support.max(1)..);
        let mut place_of = vec![u32::MAX; relation.attributes()];
        for (place, &attribute) in (0u32..).zip(&attributes) {
            place_of[attribute as usize] = place;
        }
        let whole = attributes.len() == relation.attributes();
        let symmetric = whole
            && relation.objects() == relation.attributes()
            && relation.transposed() == *relation;
        // In a symmetric relation objects and attributes are the same. The relation stays symmetric
        // if both are permuted in the same way.
        let objects: Vec<u32> = match symmetric {
            true => attributes.clone(),
            false => (0..as_u32(relation.objects())).collect(),
        };
        let row = |&object: &u32| -> Vec<u32> {
            let places = relation.row(object as usize).iter().map(|&a| place_of[a as usize]);
            places.filter(|&place| place != u32::MAX).collect()
        };
        let ordered = Relation::new(attributes.len(), objects.iter().map(row));
        let ordered = ordered.expect("places are below the number of attributes");
        OrderedRelation { attributes, relation: ordered, symmetric }
    }

    /// Returns the relation in this order.
    pub(crate) fn relation(&self) -> &Relation {
        &self.relation
    }

    /// Returns whether objects and attributes are the same and the relation is symmetric.
    pub(crate) fn is_symmetric(&self) -> bool {
        self.symmetric
    }

    /// Returns the attribute number in the original relation, by position.
    pub(crate) fn attributes(&self) -> &[u32] {
        &self.attributes
    }

    /// Returns all rows, each as `words` 32-bit words.
    pub(crate) fn row_words(&self, words: usize) -> Vec<u32> {
        pack_rows(&self.relation, words)
    }

    /// Returns all columns, each as `words` 32-bit words.
    pub(crate) fn column_words(&self, words: usize) -> Vec<u32> {
        pack_rows(&self.relation.transposed(), words)
    }
}

/// Returns the attributes whose support is in the range `objects`, from the rarest to the most
/// frequent. The CPU and GPUs try attributes in this order. Ties keep the order of the relation.
pub(crate) fn rarest_first(supports: &[u64], objects: impl RangeBounds<u64>) -> Vec<u32> {
    let selected = (0u32..).zip(supports).filter(|&(_, support)| objects.contains(support));
    let mut attributes: Vec<u32> = selected.map(|(attribute, _)| attribute).collect();
    attributes.sort_by_key(|&attribute| supports[attribute as usize]);
    attributes
}

fn pack_rows(relation: &Relation, words: usize) -> Vec<u32> {
    let mut packed = vec![0; relation.objects() * words];
    if words > 0 {
        for (row, to) in relation.rows().zip(packed.chunks_exact_mut(words)) {
            row.iter().for_each(|&member| to[member as usize / 32] |= 1 << (member % 32));
        }
    }
    packed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rarest_attributes_come_first_and_those_below_the_minimum_are_left_out() {
        let relation = Relation::new(4, [vec![0, 1, 2], vec![0, 1], vec![0]]).unwrap();
        let ordered = OrderedRelation::new(&relation, 0);
        assert_eq!(ordered.attributes(), [2, 1, 0]);
        assert_eq!(ordered.row_words(1), [0b111, 0b110, 0b100]);
        assert_eq!(ordered.column_words(1), [0b001, 0b011, 0b111]);
        assert!(!ordered.is_symmetric());
        assert_eq!(OrderedRelation::new(&relation, 2).attributes(), [1, 0]);
    }

    #[test]
    fn a_symmetric_relation_stays_symmetric() {
        let relation = Relation::new(3, [vec![1, 2], vec![0], vec![0]]).unwrap();
        let ordered = OrderedRelation::new(&relation, 0);
        assert!(ordered.is_symmetric());
        assert_eq!(ordered.row_words(1), ordered.column_words(1));
    }
}
