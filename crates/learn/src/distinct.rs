//! Lists with few distinct values: a model with few rules gives the same score to many examples.
//!
//! Work that depends only on the value, such as sorting, is then done once per distinct value.

use rustc_hash::FxHashMap;

/// The maximum number of distinct values; more do not fit in the cache and gain less.
const MOST: usize = 4096;
/// The minimum number of occurrences per distinct value, on average.
const OFTEN: usize = 8;

/// The distinct values of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistinctValues {
    /// Each distinct value, in order of first occurrence.
    pub distinct: Vec<u64>,
    /// By element of the list, the index of its value in `distinct`.
    pub places: Vec<u32>,
}

impl DistinctValues {
    /// Collects the distinct values; `None` if there are too many.
    ///
    /// ```
    /// use pellucid_learn::distinct::DistinctValues;
    ///
    /// let few = DistinctValues::of([7, 7, 3, 7].into_iter().cycle().take(400)).expect("two values");
    /// assert_eq!((few.distinct, &few.places[..4]), (vec![7, 3], &[0, 0, 1, 0][..]));
    /// assert_eq!(DistinctValues::of(0..400), None);
    /// ```
    #[must_use]
    pub fn of(values: impl Iterator<Item = u64>) -> Option<DistinctValues> {
        let most = MOST.min(values.size_hint().0 / OFTEN);
        let mut known: FxHashMap<u64, u32> = FxHashMap::default();
        let mut few = DistinctValues {
            distinct: Vec::new(),
            places: Vec::with_capacity(values.size_hint().0),
        };
        let mut last = None;
        for value in values {
            let place = match last {
                Some((same, place)) if same == value => place,
                _ => {
                    let next = u32::try_from(few.distinct.len()).ok()?;
                    let place = *known.entry(value).or_insert(next);
                    if place == next {
                        if few.distinct.len() == most {
                            return None;
                        }
                        few.distinct.push(value);
                    }
                    place
                }
            };
            last = Some((value, place));
            few.places.push(place);
        }
        Some(few)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_value_has_the_right_index(
            values in prop::collection::vec(prop_oneof![0u64..6, any::<u64>()], 0..60),
            times in 1usize..40,
        ) {
            let all = || values.iter().copied().cycle().take(values.len() * times);
            match DistinctValues::of(all()) {
                Some(few) => {
                    let found: Vec<u64> =
                        few.places.iter().map(|&place| few.distinct[place as usize]).collect();
                    prop_assert_eq!(found, all().collect::<Vec<_>>());
                    let mut once = few.distinct.clone();
                    once.sort_unstable();
                    once.dedup();
                    prop_assert_eq!(once.len(), few.distinct.len());
                }
                None => prop_assert!(values.len() * OFTEN > all().count()),
            }
        }
    }
}
