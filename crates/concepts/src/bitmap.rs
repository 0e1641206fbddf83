//! A relation as bit sets: the attributes of every object and the objects of every attribute.

use pellucid_bits::words::{full, insert, members, words_for};
use pellucid_data::Relation;

/// The incidence relation as bit sets, by row and by column.
#[derive(Clone, Debug)]
pub(crate) struct Bitmap {
    objects: usize,
    attributes: usize,
    rows: Vec<u64>,
    columns: Vec<u64>,
    /// All attributes.
    everything: Vec<u64>,
}

impl Bitmap {
    pub(crate) fn new(relation: &Relation) -> Bitmap {
        let (objects, attributes) = (relation.objects(), relation.attributes());
        let (wide, tall) = (words_for(attributes), words_for(objects));
        let mut rows = vec![0; objects * wide];
        let mut columns = vec![0; attributes * tall];
        for (object, row) in relation.rows().enumerate() {
            for &attribute in row {
                let attribute = attribute as usize;
                insert(&mut rows[object * wide..], attribute);
                insert(&mut columns[attribute * tall..], object);
            }
        }
        Bitmap { objects, attributes, rows, columns, everything: full(attributes) }
    }

    pub(crate) fn objects(&self) -> usize {
        self.objects
    }

    pub(crate) fn attributes(&self) -> usize {
        self.attributes
    }

    /// The attributes of an object.
    pub(crate) fn row(&self, object: usize) -> &[u64] {
        let wide = words_for(self.attributes);
        &self.rows[object * wide..][..wide]
    }

    /// The objects of an attribute.
    pub(crate) fn column(&self, attribute: usize) -> &[u64] {
        let tall = words_for(self.objects);
        &self.columns[attribute * tall..][..tall]
    }

    /// The extent of a set of attributes: the objects that have all of them.
    pub(crate) fn extent(&self, attributes: &[u64]) -> Vec<u64> {
        let mut extent = full(self.objects);
        members(attributes).for_each(|attribute| intersect(&mut extent, self.column(attribute)));
        extent
    }

    /// Writes the intent of a set of objects, given some attributes that all of them are known to
    /// have. Returns as soon as only known attributes are left, usually long before the last
    /// object.
    pub(crate) fn intent_into(&self, extent: &[u64], known: &[u64], intent: &mut Vec<u64>) {
        intent.clear();
        intent.extend_from_slice(&self.everything);
        for object in members(extent) {
            let mut more = 0;
            for ((word, row), known) in intent.iter_mut().zip(self.row(object)).zip(known) {
                *word &= row;
                more |= *word & !known;
            }
            if more == 0 {
                return;
            }
        }
    }

    /// The intent of a set of objects: the attributes that all of them have.
    pub(crate) fn intent(&self, extent: &[u64]) -> Vec<u64> {
        let mut intent = Vec::new();
        self.intent_into(extent, &vec![0; words_for(self.attributes)], &mut intent);
        intent
    }
}

/// Intersects a set with another one in place.
pub(crate) fn intersect(set: &mut [u64], other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(word, other)| *word &= other);
}

/// Returns the size of the intersection of two sets.
pub(crate) fn common(a: &[u64], b: &[u64]) -> u64 {
    a.iter().zip(b).map(|(a, b)| u64::from((a & b).count_ones())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_close::spec;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn derives_what_the_specification_derives(
            rows in prop::collection::vec(prop::collection::vec(0u32..70, 0..60), 0..70),
            attributes in prop::collection::vec(0usize..70, 0..4),
        ) {
            let relation = Relation::new(70, &rows).unwrap();
            let bitmap = Bitmap::new(&relation);
            let mut set = vec![0; words_for(70)];
            attributes.iter().for_each(|&attribute| insert(&mut set, attribute));
            let extent = bitmap.extent(&set);
            prop_assert_eq!(&extent, &spec::extent_of(&relation, &set));
            let closed = spec::intent_of(&relation, &extent);
            prop_assert_eq!(&bitmap.intent(&extent), &closed);
            // The known attributes do not change the result.
            let mut intent = Vec::new();
            bitmap.intent_into(&extent, &set, &mut intent);
            prop_assert_eq!(&intent, &closed);
            bitmap.intent_into(&extent, &closed, &mut intent);
            prop_assert_eq!(&intent, &closed);
        }
    }
}
