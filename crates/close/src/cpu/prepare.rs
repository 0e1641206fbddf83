//! The relation in the form the search needs: only relevant columns, rare ones first, and every
//! distinct row once.

use super::distinct::DistinctRows;
use crate::Digest;
use crate::ordered::rarest_first;
use pellucid_bits::as_u32;
use pellucid_data::Relation;
use pellucid_device::Threads;

/// A relation reduced to the part that is searched.
#[derive(Debug)]
pub(super) struct PreparedRelation {
    /// The attribute of each column. Columns with fewer objects come first.
    pub(super) columns: Vec<u32>,
    /// The attributes that all objects have. They are not columns.
    pub(super) shared: Vec<u32>,
    pub(super) rows: DistinctRows,
    /// The number of objects that have each row.
    pub(super) weights: Vec<u32>,
}

impl PreparedRelation {
    /// Leaves out the attributes that no concept with `min_support` objects can have. An attribute
    /// of all objects is in every intent. An attribute with too few objects is in no intent, except
    /// that of the bottom. Neither is searched.
    pub(super) fn new(
        relation: &Relation,
        min_support: u64,
        threads: &Threads,
    ) -> PreparedRelation {
        let objects = relation.objects() as u64;
        let supports = supports_of(relation, threads);
        let shared = (0u32..).zip(&supports).filter(|&(_, &s)| s == objects).map(|(a, _)| a);
        let shared = shared.collect();
        let columns = rarest_first(&supports, min_support.max(1)..objects);
        let rows = DistinctRows::new(relation, &columns, threads);
        let weights = (0..rows.len()).map(|row| as_u32(rows.positions.of(row).len())).collect();
        PreparedRelation { columns, shared, rows, weights }
    }

    /// Returns the tag of each column: its attribute, or the key of the attribute if concepts are
    /// only counted.
    pub(super) fn tags(&self, reads_concepts: bool) -> impl Iterator<Item = u64> {
        let tag = move |&attribute: &u32| match reads_concepts {
            true => u64::from(attribute),
            false => Digest::key(attribute),
        };
        self.columns.iter().map(tag)
    }

    /// Returns the sum of the keys of the attributes that all objects have.
    pub(super) fn shared_keys(&self) -> u64 {
        self.shared.iter().fold(0, |sum, &a| sum.wrapping_add(Digest::key(a)))
    }
}

/// Returns the number of objects of each attribute.
fn supports_of(relation: &Relation, threads: &Threads) -> Vec<u64> {
    // Adding up the parts takes a step for each attribute and part.
    let parts = threads.count().min(relation.crosses() / (8 * relation.attributes() + 1));
    if parts < 2 {
        return relation.supports();
    }
    let size = relation.objects().div_ceil(parts);
    let parts = threads.map(relation.objects().div_ceil(size), |part| {
        let mut supports = vec![0u64; relation.attributes()];
        for object in part * size..((part + 1) * size).min(relation.objects()) {
            relation.row(object).iter().for_each(|&attribute| supports[attribute as usize] += 1);
        }
        supports
    });
    let add = |mut all: Vec<u64>, part: Vec<u64>| {
        all.iter_mut().zip(part).for_each(|(all, part)| *all += part);
        all
    };
    parts.into_iter().reduce(add).unwrap_or_default()
}
