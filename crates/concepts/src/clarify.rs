//! A context without repetitions: equal rows are one object, equal columns one attribute.
//!
//! Picture a class list in which twins always do the same. One line for both says as much, as long as it is kept who they
//! are. Concepts do not change by it; only how many objects and attributes stand behind a name does.

use pellucid_data::Relation;
use pellucid_data::{Context, Names};
use rustc_hash::FxHashMap;

/// What is kept of a context, and what each thing that is kept stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clarified {
    /// The crosses between what is kept.
    pub relation: Relation,
    /// For each object that is kept, all objects with the same row, ascending; it has the first one's name.
    pub objects: Vec<Vec<u32>>,
    /// For each attribute that is kept, all attributes with the same column, ascending.
    pub attributes: Vec<Vec<u32>>,
}

impl Clarified {
    /// The context of it, with the names of the first of each group.
    ///
    /// # Panics
    /// When it does not come from this context.
    #[must_use]
    pub fn context(&self, original: &Context) -> Context {
        let first = |groups: &[Vec<u32>]| groups.iter().map(|group| group[0]).collect::<Vec<_>>();
        named(original, &first(&self.objects), &first(&self.attributes), self.relation.clone())
    }
}

/// Merges equal rows and equal columns.
#[must_use]
pub fn clarify(relation: &Relation) -> Clarified {
    let objects = equal_rows(relation);
    let attributes = equal_rows(&relation.transposed());
    let first = |groups: &[Vec<u32>]| groups.iter().map(|group| group[0]).collect::<Vec<_>>();
    let kept = select(relation, &first(&objects), &first(&attributes));
    Clarified { relation: kept, objects, attributes }
}

/// The objects in groups of equal rows, each group ascending, by their first objects.
pub(crate) fn equal_rows(relation: &Relation) -> Vec<Vec<u32>> {
    let mut place: FxHashMap<&[u32], usize> = FxHashMap::default();
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for (object, row) in (0u32..).zip(relation.rows()) {
        let group = *place.entry(row).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(object);
    }
    groups
}

/// The crosses between some objects and some attributes.
pub(crate) fn select(relation: &Relation, objects: &[u32], attributes: &[u32]) -> Relation {
    let mut number = vec![None; relation.attributes()];
    (0u32..).zip(attributes).for_each(|(new, &old)| number[old as usize] = Some(new));
    let rows = objects.iter().map(|&object| {
        let row = relation.row(object as usize);
        row.iter().filter_map(|&attribute| number[attribute as usize]).collect::<Vec<_>>()
    });
    Relation::new(attributes.len(), rows).expect("numbers below their count")
}

/// A part of a context with its names.
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
