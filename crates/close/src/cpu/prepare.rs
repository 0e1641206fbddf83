//! The relation as the search wants it: only columns that matter, rare ones first, and every different row
//! once.

use super::rows::Lists;
use crate::ordered::rarest_first;
use pellucid_bits::as_u32;
use pellucid_data::Relation;

/// A relation cut down to what the search goes through.
#[derive(Debug)]
pub(super) struct Prepared {
    /// The attribute behind each column; columns with fewer objects come first.
    pub(super) columns: Vec<u32>,
    /// The attributes that all objects have; they are no columns.
    pub(super) shared: Vec<u32>,
    /// The different rows, as descending columns.
    pub(super) rows: Lists,
    /// How many objects have each of the rows.
    pub(super) weights: Vec<u32>,
    /// The objects that have each of the rows.
    pub(super) members: Lists,
}

impl Prepared {
    /// Leaves out what no concept with so many objects can have. An attribute of all objects is in every
    /// intent, and one of too few in none (but the bottom's): neither is searched.
    pub(super) fn new(relation: &Relation, min_support: u64) -> Prepared {
        let objects = relation.objects() as u64;
        let supports = relation.supports();
        let shared = (0u32..).zip(&supports).filter(|&(_, &s)| s == objects).map(|(a, _)| a);
        let shared = shared.collect();
        let columns = rarest_first(&supports, min_support.max(1)..objects);
        let all = rows_over(relation, &columns);
        let (rows, members) = merged(&all, columns.len());
        let weights = (0..members.len()).map(|row| as_u32(members.of(row).len())).collect();
        Prepared { columns, shared, rows, weights, members }
    }
}

/// The rows of a relation as descending columns: the last column is handed out first.
fn rows_over(relation: &Relation, columns: &[u32]) -> Lists {
    let turned = relation.transposed();
    let column =
        |(column, &attribute): (usize, &u32)| (as_u32(column), turned.row(attribute as usize));
    Lists::handed_out(columns.iter().enumerate().rev().map(column), relation.objects())
}

/// The different rows in order, and where each of them stood.
fn merged(all: &Lists, columns: usize) -> (Lists, Lists) {
    // A number is compared faster than a list. Few columns are a number as they are; of many the highest
    // decide most comparisons.
    let is_exact = columns <= 128;
    let key = |row: &[u32]| {
        if is_exact {
            row.iter().fold(0u128, |bits, &column| bits | 1 << column)
        } else {
            let item = |at| row.get(at).map_or(0, |&column| u128::from(column) + 1);
            item(0) << 96 | item(1) << 64 | item(2) << 32 | item(3)
        }
    };
    // Rows without a cross are equal and come first; there may be very many of them.
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
