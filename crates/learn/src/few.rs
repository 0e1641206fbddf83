//! Many values, of which few differ: a model of few rules says the same of very many examples.
//!
//! What is the same for equal values need then be found once for each that differs, and it is these that are sorted.

use rustc_hash::FxHashMap;

/// Values that differ, at most. More of them no longer lie close at hand, and there is less to gain.
const MOST: usize = 4096;
/// Each must be met so often on average; of fewer nothing is gained.
const OFTEN: usize = 8;

/// The values that differ among many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Few {
    /// Each value once, in the order in which they are met.
    pub distinct: Vec<u64>,
    /// By value which of these it is.
    pub places: Vec<u32>,
}

impl Few {
    /// Sorts out some values; nothing where too many differ.
    ///
    /// ```
    /// use pellucid_learn::few::Few;
    ///
    /// let few = Few::of([7, 7, 3, 7].into_iter().cycle().take(400)).expect("two values");
    /// assert_eq!((few.distinct, &few.places[..4]), (vec![7, 3], &[0, 0, 1, 0][..]));
    /// assert_eq!(Few::of(0..400), None);
    /// ```
    #[must_use]
    pub fn of(values: impl Iterator<Item = u64>) -> Option<Few> {
        let most = MOST.min(values.size_hint().0 / OFTEN);
        let mut known: FxHashMap<u64, u32> = FxHashMap::default();
        let mut few =
            Few { distinct: Vec::new(), places: Vec::with_capacity(values.size_hint().0) };
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
        fn every_value_is_found_at_its_place(
            values in prop::collection::vec(prop_oneof![0u64..6, any::<u64>()], 0..60),
            times in 1usize..40,
        ) {
            let all = || values.iter().copied().cycle().take(values.len() * times);
            match Few::of(all()) {
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
