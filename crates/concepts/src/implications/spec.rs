//! The specification: Ganter's algorithm. It walks through all sets that are closed under the implications found so far, in
//! lectic order, so that every set comes after all of its subsets; each is an intent, or else the next pseudo-intent.
//! Nothing here is fast, and nothing is ever taken out.

use super::{Implication, unite};
use pellucid_bits::words::{contains, count, insert, is_subset, words_for};
use pellucid_close::spec;
use pellucid_data::Relation;

/// The canonical base, by the premise's size and then in lectic order.
#[must_use]
pub fn base(relation: &Relation) -> Vec<Implication> {
    let mut implications: Vec<Implication> = Vec::new();
    let mut next = Some(vec![0; words_for(relation.attributes())]);
    while let Some(set) = next {
        let extent = spec::extent_of(relation, &set);
        let closed = spec::intent_of(relation, &extent);
        if closed != set {
            implications.push(Implication {
                conclusion: closed.iter().zip(&set).map(|(closed, set)| closed & !set).collect(),
                premise: set.clone().into(),
                support: count(&extent),
            });
        }
        next = next_closed(relation.attributes(), &implications, &set);
    }
    implications.sort_by(Implication::order);
    implications
}

/// What follows from a set: every implication is asked again until none has anything to add.
#[must_use]
pub fn closure(implications: &[Implication], set: &[u64]) -> Vec<u64> {
    let mut closed = set.to_vec();
    while let Some(fires) = implications
        .iter()
        .find(|i| is_subset(&i.premise, &closed) && !is_subset(&i.conclusion, &closed))
    {
        unite(&mut closed, &fires.conclusion);
    }
    closed
}

/// The lectically next set that is closed under implications: for the last attribute possible, what lies before it stays
/// as it is, it comes in, and closing brings in nothing before it.
fn next_closed(attributes: usize, implications: &[Implication], set: &[u64]) -> Option<Vec<u64>> {
    (0..attributes).rev().filter(|&attribute| !contains(set, attribute)).find_map(|attribute| {
        let mut wanted = vec![0; set.len()];
        (0..attribute).filter(|&a| contains(set, a)).for_each(|a| insert(&mut wanted, a));
        insert(&mut wanted, attribute);
        let closed = closure(implications, &wanted);
        (0..attribute).all(|a| contains(&closed, a) == contains(set, a)).then_some(closed)
    })
}
