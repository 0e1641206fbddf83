//! The relation in the form the search needs: only relevant columns, rare ones first, and every
//! distinct row once.

use super::rows::Lists;
use crate::ordered::rarest_first;
use pellucid_bits::as_u32;
use pellucid_data::Relation;
use std::sync::Arc;

/// A relation reduced to the part that is searched.
#[derive(Debug)]
pub(super) struct PreparedRelation {
    /// The attribute of each column. Columns with fewer objects come first.
    pub(super) columns: Vec<u32>,
    /// The attributes that all objects have. They are not columns.
    pub(super) shared: Vec<u32>,
    /// The distinct rows, as descending columns.
    pub(super) rows: Arc<Lists>,
    /// The number of objects that have each row.
    pub(super) weights: Vec<u32>,
    /// The objects that have each row.
    pub(super) members: Lists,
}

impl PreparedRelation {
    /// Leaves out the attributes that no concept with `min_support` objects can have. An attribute
    /// of all objects is in every intent. An attribute with too few objects is in no intent, except
    /// that of the bottom. Neither is searched.
    pub(super) fn new(relation: &Relation, min_support: u64) -> PreparedRelation {
        let objects = relation.objects() as u64;
        let supports = relation.supports();
        let shared = (0u32..).zip(&supports).filter(|&(_, &s)| s == objects).map(|(a, _)| a);
        let shared = shared.collect();
        let columns = rarest_first(&supports, min_support.max(1)..objects);
        let all = rows_over(relation, &columns);
        let (rows, members) = merge_equal_rows(&all, columns.len());
        let weights = (0..members.len()).map(|row| as_u32(members.of(row).len())).collect();
        PreparedRelation { columns, shared, rows: Arc::new(rows), weights, members }
    }
}

/// Returns the rows of a relation as descending columns. The last column is distributed first.
fn rows_over(relation: &Relation, columns: &[u32]) -> Lists {
    let transposed = relation.transposed();
    let column =
        |(column, &attribute): (usize, &u32)| (as_u32(column), transposed.row(attribute as usize));
    Lists::inverted(columns.iter().enumerate().rev().map(column), relation.objects())
}

/// Returns the distinct rows in order, and the original positions of each.
fn merge_equal_rows(all: &Lists, columns: usize) -> (Lists, Lists) {
    // Numbers compare faster than lists. A row of up to 128 columns fits into a number; of longer
    // rows the highest columns decide most comparisons.
    let is_exact = columns <= 128;
    let key = |row: &[u32]| {
        if is_exact {
            row.iter().fold(0u128, |bits, &column| bits | 1 << column)
        } else {
            let item = |at| row.get(at).map_or(0, |&column| u128::from(column) + 1);
            item(0) << 96 | item(1) << 64 | item(2) << 32 | item(3)
        }
    };
    // Rows without crosses are equal and come first. There may be very many of them.
    let is_empty = |row: &usize| all.of(*row).is_empty();
    let mut order: Vec<(u128, u32)> = (0..all.len())
        .filter(|row| !is_empty(row))
        .map(|row| (key(all.of(row)), as_u32(row)))
        .collect();
    let rest = |row: u32| if is_exact { &[] } else { all.of(row as usize) };
    order.sort_unstable_by(|a, b| {
        a.0.cmp(&b.0).then_with(|| rest(a.1).cmp(rest(b.1))).then(a.1.cmp(&b.1))
    });
    let (mut lists, mut places) = (Lists::new(), Lists::new());
    if order.len() < all.len() {
        lists.push([]);
        places.push((0..all.len()).filter(is_empty).map(as_u32));
    }
    for equal in order.chunk_by(|a, b| a.0 == b.0 && rest(a.1) == rest(b.1)) {
        lists.push(all.of(equal[0].1 as usize).iter().copied());
        places.push(equal.iter().map(|&(_, row)| row));
    }
    (lists, places)
}
