//! The specification: closures computed one object at a time, and Close-by-One without shortcuts.
//!
//! A node of the tree is a concept and the number of the next attribute to try. Adding attribute
//! *j* and closing the set gives a child. The child is new if and only if the closure added no
//! attribute below *j*. This test alone ensures that every concept is listed once (Kuznetsov 1993).
//! This code favors simplicity over speed and must not be removed.

use super::{ConceptView, Digest, SearchOutcome, SearchStop, Share, Terms, Visitor};
use pellucid_bits::as_u32;
use pellucid_bits::words::{contains, count, full, insert, is_subset, members, words_for};
use pellucid_data::Relation;
use std::sync::atomic::Ordering;

/// Returns the attributes that all objects of a set share.
#[must_use]
pub fn intent_of(relation: &Relation, extent: &[u64]) -> Vec<u64> {
    members(extent).fold(full(relation.attributes()), |mut intent, object| {
        let row = relation.row_words(object);
        intent.iter_mut().zip(row).for_each(|(word, row)| *word &= row);
        intent
    })
}

/// Returns the objects that have all attributes of a set.
#[must_use]
pub fn extent_of(relation: &Relation, intent: &[u64]) -> Vec<u64> {
    let mut extent = vec![0; words_for(relation.objects())];
    for object in 0..relation.objects() {
        if is_subset(intent, &relation.row_words(object)) {
            insert(&mut extent, object);
        }
    }
    extent
}

/// Returns the smallest intent that contains a set of attributes.
#[must_use]
pub fn closure(relation: &Relation, attributes: &[u64]) -> Vec<u64> {
    intent_of(relation, &extent_of(relation, attributes))
}

/// Lists all concepts that the terms select.
pub fn concepts<V: Visitor>(
    relation: &Relation,
    terms: &Terms<'_>,
    visitor: &mut V,
) -> SearchOutcome {
    let outcome =
        SearchOutcome { concepts: 0, digest: Digest::default(), stop: SearchStop::Complete };
    let mut tree = Tree { relation, terms, visitor, outcome };
    tree.grow(&full(relation.objects()), 0, terms.share);
    tree.outcome
}

struct Tree<'a, V> {
    relation: &'a Relation,
    terms: &'a Terms<'a>,
    visitor: &'a mut V,
    outcome: SearchOutcome,
}

impl<V: Visitor> Tree<'_, V> {
    /// Lists the subtree below an extent. With a share, follows only the branches of the root that
    /// belong to it.
    fn grow(&mut self, extent: &[u64], from: usize, share: Option<Share>) {
        if self.terms.stop.is_some_and(|stop| stop()) {
            self.outcome.stop = SearchStop::Requested;
            return;
        }
        let intent = intent_of(self.relation, extent);
        if share.is_none_or(Share::has_root) {
            self.list(&intent, extent);
        }
        for attribute in from..self.relation.attributes() {
            if self.outcome.stop != SearchStop::Complete || contains(&intent, attribute) {
                continue;
            }
            if share.is_some_and(|share| !share.has(attribute)) {
                continue;
            }
            let mut attributes = intent.clone();
            insert(&mut attributes, attribute);
            let child = extent_of(self.relation, &attributes);
            let closed = intent_of(self.relation, &child);
            let is_new = (0..attribute).all(|a| contains(&closed, a) == contains(&intent, a));
            if is_new {
                self.grow(&child, attribute + 1, None);
            }
        }
    }

    fn list(&mut self, intent: &[u64], extent: &[u64]) {
        let support = count(extent);
        if support < self.terms.min_support || self.outcome.stop != SearchStop::Complete {
            return;
        }
        if self.terms.most == Some(self.outcome.concepts) {
            self.outcome.stop = SearchStop::Limit;
        } else {
            self.outcome.concepts += 1;
            if let Some(progress) = self.terms.progress {
                progress.fetch_add(1, Ordering::Relaxed);
            }
            let key = |attribute| Digest::key(as_u32(attribute));
            self.outcome.digest.add(members(intent).map(key).fold(0, u64::wrapping_add));
            let extent = if self.terms.extents { extent } else { &[] };
            self.visitor.visit(&ConceptView { intent, support, extent });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// Returns all closed sets of attributes with their extents, by closing every set of
    /// attributes.
    fn by_closing_every_set(relation: &Relation) -> BTreeMap<Vec<u64>, Vec<u64>> {
        (0..1u64 << relation.attributes())
            .map(|set| extent_of(relation, &[set][..words_for(relation.attributes())]))
            .map(|extent| (intent_of(relation, &extent), extent))
            .collect()
    }

    proptest! {
        #[test]
        fn lists_every_closed_set_once(
            attributes in 0u32..7,
            rows in prop::collection::vec(any::<u8>(), 0..8),
            min_support in 0u64..4,
        ) {
            let row = |bits: &u8| (0..attributes).filter(|a| bits >> a & 1 == 1).collect::<Vec<_>>();
            let relation = Relation::new(attributes as usize, rows.iter().map(row)).unwrap();
            let mut expected = by_closing_every_set(&relation);
            expected.retain(|_, extent| count(extent) >= min_support);
            let mut listed = Vec::new();
            let terms = Terms { min_support, extents: true, ..Terms::default() };
            let outcome = concepts(&relation, &terms, &mut |concept: &ConceptView<'_>| {
                assert_eq!(concept.support, count(concept.extent));
                listed.push((concept.intent.to_vec(), concept.extent.to_vec()));
            });
            listed.sort_unstable();
            prop_assert_eq!(outcome.concepts, listed.len() as u64);
            prop_assert_eq!(listed, expected.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn stops_on_request_and_at_the_limit() {
        let relation = Relation::new(3, [[0, 1], [1, 2], [0, 2]]).unwrap();
        let all = concepts(&relation, &Terms::default(), &mut ());
        assert_eq!((all.concepts, all.stop), (8, SearchStop::Complete));
        let of =
            |most| concepts(&relation, &Terms { most: Some(most), ..Terms::default() }, &mut ());
        assert_eq!((of(3).concepts, of(3).stop), (3, SearchStop::Limit));
        assert_eq!(of(8), all);
        let stop: &(dyn Fn() -> bool + Sync) = &|| true;
        let stopped = concepts(&relation, &Terms { stop: Some(stop), ..Terms::default() }, &mut ());
        assert_eq!((stopped.concepts, stopped.stop), (0, SearchStop::Requested));
    }
}
