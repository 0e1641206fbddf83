//! Ways through a lattice: up, down, and from names to concepts.

use super::build::hash;
use super::{ConceptLinks, Lattice, RowExtent};
use pellucid_bits::words::{insert, is_subset, members, words_for};
use rustc_hash::FxHashMap;

impl Lattice {
    /// The objects of a concept, ascending.
    #[must_use]
    pub fn extent(&self, concept: u32) -> Vec<u32> {
        let mut extent = RowExtent::default();
        self.sides.extent(self.intent(concept), &mut extent);
        let objects = |&row: &u32| self.sides.objects.of(row as usize);
        let mut objects: Vec<u32> = extent.rows.iter().flat_map(objects).copied().collect();
        objects.sort_unstable();
        objects
    }

    /// The largest concept that has all of some attributes, given as words; none if it is not listed.
    #[must_use]
    pub fn concept_of_attributes(&self, attributes: &[u64]) -> Option<u32> {
        let mut extent = RowExtent::default();
        self.sides.extent(attributes, &mut extent);
        let concept = self.table.get(hash(&self.keys, &extent.rows))?;
        // As in `covers.rs`: what has all of them cannot be there by chance.
        is_subset(attributes, self.intent(concept)).then_some(concept)
    }

    /// The smallest concept that has all of some objects; none if it is not listed.
    #[must_use]
    pub fn concept_of_objects(&self, objects: &[u32]) -> Option<u32> {
        let rows: Vec<u32> =
            objects.iter().map(|&object| self.sides.row_of[object as usize]).collect();
        self.concept_of_attributes(&self.sides.intent(&rows))
    }

    /// The largest concept below two; none if it is not listed.
    #[must_use]
    pub fn meet(&self, a: u32, b: u32) -> Option<u32> {
        let either = self.intent(a).iter().zip(self.intent(b)).map(|(a, b)| a | b);
        self.concept_of_attributes(&either.collect::<Vec<_>>())
    }

    /// The smallest concept above two.
    #[must_use]
    pub fn join(&self, a: u32, b: u32) -> u32 {
        let both = self.intent(a).iter().zip(self.intent(b)).map(|(a, b)| a & b);
        let both: Vec<u64> = both.collect();
        self.concept_of_attributes(&both).expect("whatever is above is listed too")
    }

    /// Whether a concept lies below another or is the same.
    #[must_use]
    pub fn is_below(&self, low: u32, high: u32) -> bool {
        is_subset(self.intent(high), self.intent(low))
    }

    /// The smallest concept with an object; none if it is not listed.
    #[must_use]
    pub fn object_concept(&self, object: u32) -> Option<u32> {
        self.object_concepts[object as usize]
    }

    /// The largest concept with an attribute; none if it is not listed.
    #[must_use]
    pub fn attribute_concept(&self, attribute: u32) -> Option<u32> {
        self.attribute_concepts[attribute as usize]
    }

    /// The objects whose smallest concept this is: the reduced label. All concepts above have them too.
    #[must_use]
    pub fn own_objects(&self, concept: u32) -> &[u32] {
        self.own_objects.of(concept as usize)
    }

    /// The attributes whose largest concept this is: the reduced label. All concepts below have them too.
    #[must_use]
    pub fn own_attributes(&self, concept: u32) -> &[u32] {
        self.own_attributes.of(concept as usize)
    }

    /// Finds where each object and each attribute is told.
    pub(super) fn place_labels(&mut self) {
        // A row is an intent as it is: there may be far more rows than concepts, and to close each would take long.
        let by_intent: FxHashMap<&[u64], u32> =
            self.concepts().map(|concept| (self.intent(concept), concept)).collect();
        let of_row = |row| by_intent.get(&self.sides.row_words(row)[..]).copied();
        let of_rows: Vec<Option<u32>> = (0..self.sides.rows()).map(of_row).collect();
        self.object_concepts = self.sides.row_of.iter().map(|&row| of_rows[row as usize]).collect();
        let mut alone = vec![0; words_for(self.attributes())];
        self.attribute_concepts = (0..self.attributes())
            .map(|attribute| {
                alone.fill(0);
                insert(&mut alone, attribute);
                self.concept_of_attributes(&alone)
            })
            .collect();
        self.own_objects = told_at(&self.object_concepts, self.len());
        self.own_attributes = told_at(&self.attribute_concepts, self.len());
    }

    /// All attributes of a concept, ascending: the full label.
    pub fn attributes_of(&self, concept: u32) -> impl Iterator<Item = u32> + '_ {
        members(self.intent(concept)).map(|a| u32::try_from(a).expect("attributes by 32 bits"))
    }
}

/// For each concept the things that are told there.
fn told_at(places: &[Option<u32>], concepts: usize) -> ConceptLinks {
    let mut links = ConceptLinks::new();
    places.iter().for_each(|&place| links.push(place));
    links.reversed(concepts)
}
