//! Clarification: merges objects with equal rows and attributes with equal columns.
//!
//! The concept lattice of the clarified context is isomorphic to the original one. Only the number
//! of objects and attributes per name changes.

use pellucid_data::Relation;
use pellucid_data::{Context, Names};
use rustc_hash::FxHashMap;

/// A clarified context, with the group of objects or attributes behind each one that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClarifiedContext {
    /// The incidence relation between the objects and attributes that are kept.
    pub relation: Relation,
    /// For each object that is kept, all objects with the same row, ascending. It has the name of
    /// the first.
    pub objects: Vec<Vec<u32>>,
    /// For each attribute that is kept, all attributes with the same column, ascending.
    pub attributes: Vec<Vec<u32>>,
}

impl ClarifiedContext {
    /// Returns the clarified context, with the name of the first member of each group.
    ///
    /// # Panics
    /// If `original` is not the context that was clarified.
    #[must_use]
    pub fn context(&self, original: &Context) -> Context {
        let first = |groups: &[Vec<u32>]| groups.iter().map(|group| group[0]).collect::<Vec<_>>();
        named(original, &first(&self.objects), &first(&self.attributes), self.relation.clone())
    }
}

/// Merges equal rows and equal columns.
#[must_use]
pub fn clarify(relation: &Relation) -> ClarifiedContext {
    let objects = equal_rows(relation);
    let attributes = equal_rows(&relation.transposed());
    let first = |groups: &[Vec<u32>]| groups.iter().map(|group| group[0]).collect::<Vec<_>>();
    let kept = select(relation, &first(&objects), &first(&attributes));
    ClarifiedContext { relation: kept, objects, attributes }
}

/// Groups objects with equal rows. Each group is ascending, and groups are ordered by their first
/// objects.
pub(crate) fn equal_rows(relation: &Relation) -> Vec<Vec<u32>> {
    let mut group_of: FxHashMap<&[u32], usize> = FxHashMap::default();
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for (object, row) in (0u32..).zip(relation.rows()) {
        let group = *group_of.entry(row).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(object);
    }
    groups
}

/// Returns the incidence relation between some objects and some attributes.
pub(crate) fn select(relation: &Relation, objects: &[u32], attributes: &[u32]) -> Relation {
    let mut number = vec![None; relation.attributes()];
    (0u32..).zip(attributes).for_each(|(new, &old)| number[old as usize] = Some(new));
    let rows = objects.iter().map(|&object| {
        let row = relation.row(object as usize);
        row.iter().filter_map(|&attribute| number[attribute as usize]).collect::<Vec<_>>()
    });
    Relation::new(attributes.len(), rows).expect("numbers below their count")
}

/// Returns the subcontext with its names.
pub(crate) fn named(
    original: &Context,
    objects: &[u32],
    attributes: &[u32],
    relation: Relation,
) -> Context {
    let some = |names: &Names, kept: &[u32]| {
        kept.iter().map(|&index| names.get(index as usize)).collect::<Names>()
    };
    let (objects, attributes) =
        (some(&original.objects, objects), some(&original.attributes, attributes));
    let mut context = Context::new(original.name.clone(), objects, attributes, relation);
    context.notes.clone_from(&original.notes);
    context
}
