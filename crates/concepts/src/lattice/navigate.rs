//! Navigation in a lattice: up, down, and from names to concepts.

use super::build::hash;
use super::{ConceptLinks, Lattice, RowExtent};
use pellucid_bits::words::{insert, is_subset, members, words_for};
use rustc_hash::FxHashMap;

impl Lattice {
    /// The extent of a concept: its objects, ascending.
    #[must_use]
    pub fn extent(&self, concept: u32) -> Vec<u32> {
        let mut extent = RowExtent::default();
        self.incidence.extent(self.intent(concept), &mut extent);
        let objects = |&row: &u32| self.incidence.objects.of(row as usize);
        let mut objects: Vec<u32> = extent.rows.iter().flat_map(objects).copied().collect();
        objects.sort_unstable();
        objects
    }

    /// Returns the largest concept with all of some attributes, given as words; `None` if it is not
    /// listed.
    #[must_use]
    pub fn concept_of_attributes(&self, attributes: &[u64]) -> Option<u32> {
        let mut extent = RowExtent::default();
        self.incidence.extent(attributes, &mut extent);
        let concept = self.table.get(hash(&self.keys, &extent.rows))?;
        // As in `covers.rs`: a hash match with all attributes is never accidental.
        is_subset(attributes, self.intent(concept)).then_some(concept)
    }

    /// Returns the smallest concept with all of some objects; `None` if it is not listed.
    #[must_use]
    pub fn concept_of_objects(&self, objects: &[u32]) -> Option<u32> {
        let rows: Vec<u32> =
            objects.iter().map(|&object| self.incidence.row_of[object as usize]).collect();
        self.concept_of_attributes(&self.incidence.intent(&rows))
    }

    /// The meet: the largest concept below two; `None` if it is not listed.
    #[must_use]
    pub fn meet(&self, a: u32, b: u32) -> Option<u32> {
        let either = self.intent(a).iter().zip(self.intent(b)).map(|(a, b)| a | b);
        self.concept_of_attributes(&either.collect::<Vec<_>>())
    }

    /// The join: the smallest concept above two.
    #[must_use]
    pub fn join(&self, a: u32, b: u32) -> u32 {
        let both = self.intent(a).iter().zip(self.intent(b)).map(|(a, b)| a & b);
        let both: Vec<u64> = both.collect();
        self.concept_of_attributes(&both).expect("concepts above a listed one are listed")
    }

    /// Whether a concept is below another or equal to it.
    #[must_use]
    pub fn is_below(&self, low: u32, high: u32) -> bool {
        is_subset(self.intent(high), self.intent(low))
    }

    /// The object concept: the smallest concept with an object; `None` if it is not listed.
    #[must_use]
    pub fn object_concept(&self, object: u32) -> Option<u32> {
        self.object_concepts[object as usize]
    }

    /// The attribute concept: the largest concept with an attribute; `None` if it is not listed.
    #[must_use]
    pub fn attribute_concept(&self, attribute: u32) -> Option<u32> {
        self.attribute_concepts[attribute as usize]
    }

    /// The reduced object label: the objects whose object concept this is. All concepts above have
    /// them too.
    #[must_use]
    pub fn own_objects(&self, concept: u32) -> &[u32] {
        self.own_objects.of(concept as usize)
    }

    /// The reduced attribute label: the attributes whose attribute concept this is. All concepts
    /// below have them too.
    #[must_use]
    pub fn own_attributes(&self, concept: u32) -> &[u32] {
        self.own_attributes.of(concept as usize)
    }

    /// Computes the reduced labels.
    pub(super) fn compute_labels(&mut self) {
        // Every row is an intent. A lookup is faster than closing each row, of which there may be
        // many.
        let by_intent: FxHashMap<&[u64], u32> =
            self.concepts().map(|concept| (self.intent(concept), concept)).collect();
        let of_row = |row| by_intent.get(&self.incidence.row_words(row)[..]).copied();
        let of_rows: Vec<Option<u32>> = (0..self.incidence.rows()).map(of_row).collect();
        self.object_concepts =
            self.incidence.row_of.iter().map(|&row| of_rows[row as usize]).collect();
        let mut alone = vec![0; words_for(self.attributes())];
        self.attribute_concepts = (0..self.attributes())
            .map(|attribute| {
                alone.fill(0);
                insert(&mut alone, attribute);
                self.concept_of_attributes(&alone)
            })
            .collect();
        self.own_objects = labels_by_concept(&self.object_concepts, self.len());
        self.own_attributes = labels_by_concept(&self.attribute_concepts, self.len());
    }

    /// The full attribute label: all attributes of a concept, ascending.
    pub fn attributes_of(&self, concept: u32) -> impl Iterator<Item = u32> + '_ {
        members(self.intent(concept))
            .map(|a| u32::try_from(a).expect("attribute numbers fit in 32 bits"))
    }
}

/// For each concept, the objects or attributes that it labels.
fn labels_by_concept(label_concepts: &[Option<u32>], concepts: usize) -> ConceptLinks {
    let mut links = ConceptLinks::new();
    label_concepts.iter().for_each(|&concept| links.push(concept));
    links.reversed(concepts)
}
