//! Sorting short lists: stable, as the standard library's, and compiled once.
//!
//! The sort of the standard library is several kilobytes of code for every kind of item and every order. Here it sorts the places
//! of the items, always numbers, and asks for their order through a pointer; the items are moved afterwards. Where many are sorted
//! again and again the standard library's is the right one.

use std::cmp::Ordering;

/// Sorts items as [`slice::sort_by`] does.
pub fn sort_by<T>(items: &mut [T], order: impl Fn(&T, &T) -> Ordering) {
    let mut places = sorted_places(items.len(), &|one, other| order(&items[one], &items[other]));
    // Round by round: a place gets its item from another, which gets its own from a third, until the first one's is reached.
    for first in 0..items.len() {
        let mut at = first;
        while places[at] != first {
            let from = std::mem::replace(&mut places[at], at);
            items.swap(at, from);
            at = from;
        }
        places[at] = at;
    }
}

/// Sorts items as [`slice::sort_by_key`] does.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |one, other| key(one).cmp(&key(other)));
}

/// Where the items of a list lie, in their order.
fn sorted_places(len: usize, order: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..len).collect();
    places.sort_by(|&one, &other| order(one, other));
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn items_are_sorted_as_by_the_standard_library(mut items in prop::collection::vec((0_u8..8, any::<String>()), 0..60)) {
            let mut expected = items.clone();
            expected.sort_by_key(|item| std::cmp::Reverse(item.0));
            sort_by(&mut items, |one, other| other.0.cmp(&one.0));
            prop_assert_eq!(&items, &expected);
            expected.sort_by_key(|item| item.1.len());
            sort_by_key(&mut items, |item| item.1.len());
            prop_assert_eq!(items, expected);
        }
    }
}
