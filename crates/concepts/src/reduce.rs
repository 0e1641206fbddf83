//! Reduction: keeps only irreducible objects and attributes.
//!
//! An object is reducible if its row is the intersection of other rows, an attribute if its column
//! is the intersection of other columns. The reduced context has an isomorphic concept lattice and
//! is the smallest such context. The empty intersection is everything, so an object with all
//! attributes and an attribute of all objects are reducible.

use crate::bitmap::Bitmap;
use crate::clarify::{ClarifiedContext, clarify, named, select};
use pellucid_bits::words::is_subset;
use pellucid_data::Context;
use pellucid_data::Relation;

/// A reduced context, with the objects and attributes that were removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReducedContext {
    /// The incidence relation between the objects and attributes that are kept.
    pub relation: Relation,
    /// Which objects are kept and which are reducible.
    pub objects: ReductionGroups,
    /// Which attributes are kept and which are reducible.
    pub attributes: ReductionGroups,
}

/// The kept and the reducible objects (or attributes), in groups of equal ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReductionGroups {
    /// For each that is kept, all that are equal to it, ascending. It has the name of the first.
    pub kept: Vec<Vec<u32>>,
    /// The groups of reducible ones.
    pub reducible: Vec<Vec<u32>>,
}

impl ReductionGroups {
    /// Splits groups by whether they are reducible.
    fn new(groups: Vec<Vec<u32>>, reducible: &[bool]) -> ReductionGroups {
        let mut side = ReductionGroups::default();
        for (group, &reducible) in groups.into_iter().zip(reducible) {
            if reducible { side.reducible.push(group) } else { side.kept.push(group) }
        }
        side
    }

    /// The first member of each group that is kept.
    fn firsts(&self) -> Vec<u32> {
        self.kept.iter().map(|group| group[0]).collect()
    }

    /// Returns the indices of the kept groups whose intersection is `row`: all whose row contains
    /// it. A kept row is among its own.
    fn generators(&self, row: &[u32], rows: &Relation) -> Vec<u32> {
        let contains_row = |group: &[u32]| {
            let other = rows.row(group[0] as usize);
            row.iter().all(|member| other.binary_search(member).is_ok())
        };
        let groups = (0u32..).zip(&self.kept);
        groups.filter(|(_, group)| contains_row(group)).map(|(index, _)| index).collect()
    }
}

impl ReducedContext {
    /// Returns the reduced context, with the name of the first member of each group.
    ///
    /// # Panics
    /// If `original` is not the context that was reduced.
    #[must_use]
    pub fn context(&self, original: &Context) -> Context {
        let (objects, attributes) = (self.objects.firsts(), self.attributes.firsts());
        named(original, &objects, &attributes, self.relation.clone())
    }

    /// Returns the indices of the kept objects whose rows intersect to the row of an original
    /// object.
    ///
    /// # Panics
    /// If `original` is not the relation that was reduced.
    #[must_use]
    pub fn generators_of_object(&self, original: &Relation, object: usize) -> Vec<u32> {
        self.objects.generators(original.row(object), original)
    }

    /// Returns the indices of the kept attributes whose columns intersect to the column of an
    /// original attribute, given the original relation [transposed](Relation::transposed).
    ///
    /// # Panics
    /// If `transposed` is not the transpose of the relation that was reduced.
    #[must_use]
    pub fn generators_of_attribute(&self, transposed: &Relation, attribute: usize) -> Vec<u32> {
        self.attributes.generators(transposed.row(attribute), transposed)
    }
}

/// Clarifies a relation and removes reducible objects and attributes.
#[must_use]
pub fn reduce(relation: &Relation) -> ReducedContext {
    let ClarifiedContext { relation: clear, objects, attributes } = clarify(relation);
    let objects = ReductionGroups::new(objects, &reducible_rows(&clear));
    let attributes = ReductionGroups::new(attributes, &reducible_rows(&clear.transposed()));
    let kept = select(relation, &objects.firsts(), &attributes.firsts());
    ReducedContext { relation: kept, objects, attributes }
}

/// For each object of a clarified relation, whether its row is the intersection of all larger rows.
fn reducible_rows(relation: &Relation) -> Vec<bool> {
    let bitmap = Bitmap::new(relation);
    let mut shared = Vec::new();
    (0..relation.objects())
        .map(|object| {
            let row = bitmap.row(object);
            let mut larger = bitmap.extent(row);
            larger[object / 64] &= !(1 << (object % 64));
            bitmap.intent_into(&larger, row, &mut shared);
            is_subset(&shared, row)
        })
        .collect()
}
