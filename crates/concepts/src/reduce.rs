//! A context without anything that others say already: only what is irreducible.
//!
//! Picture a lattice as a wall. Some stones carry it; others merely fill the place where lines of the carrying ones cross.
//! An object whose row is the intersection of other rows is such a filling, and so is an attribute whose column is the
//! intersection of other columns. Without them the lattice of concepts keeps its shape, and the table is as small as it
//! can be. (The intersection of no rows at all is everything: an object that has all attributes is reducible, and so is an
//! attribute that all objects have.)

use crate::bitmap::Bitmap;
use crate::clarify::{Clarified, clarify, named, select};
use pellucid_bits::words::is_subset;
use pellucid_data::Context;
use pellucid_data::Relation;

/// The irreducible part of a context, and what became of everything else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// The crosses between what is kept.
    pub relation: Relation,
    /// What became of the objects.
    pub objects: ReducedSide,
    /// What became of the attributes.
    pub attributes: ReducedSide,
}

/// What is kept of the objects or of the attributes, and what is not, in groups of those that are equal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReducedSide {
    /// For each that is kept, all that are equal to it, ascending; it has the first one's name.
    pub kept: Vec<Vec<u32>>,
    /// Groups of those that are intersections of others.
    pub reducible: Vec<Vec<u32>>,
}

impl ReducedSide {
    /// Parts groups by whether they are reducible.
    fn new(groups: Vec<Vec<u32>>, reducible: &[bool]) -> ReducedSide {
        let mut side = ReducedSide::default();
        for (group, &reducible) in groups.into_iter().zip(reducible) {
            if reducible { side.reducible.push(group) } else { side.kept.push(group) }
        }
        side
    }

    /// The first of each group that is kept.
    fn firsts(&self) -> Vec<u32> {
        self.kept.iter().map(|group| group[0]).collect()
    }

    /// The places of what is kept and whose intersection is one of the originals, whose own row is `row`: all whose row
    /// holds it. For one that is kept that includes itself.
    fn behind(&self, row: &[u32], rows: &Relation) -> Vec<u32> {
        let holds = |group: &[u32]| {
            let other = rows.row(group[0] as usize);
            row.iter().all(|member| other.binary_search(member).is_ok())
        };
        let places = (0u32..).zip(&self.kept);
        places.filter(|(_, group)| holds(group)).map(|(place, _)| place).collect()
    }
}

impl Reduced {
    /// The context of it, with the names of the first of each group.
    ///
    /// # Panics
    /// When it does not come from this context.
    #[must_use]
    pub fn context(&self, original: &Context) -> Context {
        let (objects, attributes) = (self.objects.firsts(), self.attributes.firsts());
        named(original, &objects, &attributes, self.relation.clone())
    }

    /// The kept objects, by their places, whose rows have the row of an original object as their intersection.
    ///
    /// # Panics
    /// When it does not come from this relation.
    #[must_use]
    pub fn behind_object(&self, original: &Relation, object: usize) -> Vec<u32> {
        self.objects.behind(original.row(object), original)
    }

    /// The kept attributes, by their places, whose columns have the column of an original attribute as their intersection,
    /// given the original relation [transposed](Relation::transposed).
    ///
    /// # Panics
    /// When it does not come from this relation.
    #[must_use]
    pub fn behind_attribute(&self, transposed: &Relation, attribute: usize) -> Vec<u32> {
        self.attributes.behind(transposed.row(attribute), transposed)
    }
}

/// Merges what is equal and leaves out what is an intersection of others.
#[must_use]
pub fn reduce(relation: &Relation) -> Reduced {
    let Clarified { relation: clear, objects, attributes } = clarify(relation);
    let objects = ReducedSide::new(objects, &reducible_rows(&clear));
    let attributes = ReducedSide::new(attributes, &reducible_rows(&clear.transposed()));
    let kept = select(relation, &objects.firsts(), &attributes.firsts());
    Reduced { relation: kept, objects, attributes }
}

/// For each object of a relation without equal rows, whether its row is the intersection of all larger rows.
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
