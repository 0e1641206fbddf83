//! The reference implementation: Ganter's algorithm. It visits all sets that are closed under the
//! implications found so far in lectic order, so every set comes after its subsets. Each set is an
//! intent or the next pseudo-intent. This code is written for clarity, not for speed.

use super::{Implication, unite};
use pellucid_bits::words::{contains, count, insert, is_subset, words_for};
use pellucid_close::spec;
use pellucid_data::Relation;

/// Returns the stem base, by the size of the premise and then in lectic order.
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

/// Returns the closure of a set under implications, which are applied until none adds anything.
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

/// Returns the lectically next closed set: for the last possible attribute, earlier members stay,
/// the attribute is added, and the closure adds nothing before it.
fn next_closed(attributes: usize, implications: &[Implication], set: &[u64]) -> Option<Vec<u64>> {
    (0..attributes).rev().filter(|&attribute| !contains(set, attribute)).find_map(|attribute| {
        let mut next = vec![0; set.len()];
        (0..attribute).filter(|&a| contains(set, a)).for_each(|a| insert(&mut next, a));
        insert(&mut next, attribute);
        let closed = closure(implications, &next);
        (0..attribute).all(|a| contains(&closed, a) == contains(set, a)).then_some(closed)
    })
}
