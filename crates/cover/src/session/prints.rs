//! Formulas of earlier calls, found by their fingerprints.

use crate::plan::Fingerprint;
use pellucid_bits::as_u32;

/// The minimum number of entries. The number of entries is always a power of two.
const MIN_ENTRIES: usize = 1024;

/// A set of fingerprints, each with a number.
///
/// Most formulas of a learner are new, and every one is looked up before the first is evaluated. A
/// lookup therefore reads one word: most entries are free, and an entry has half of the bits of a
/// fingerprint that a search does not use.
#[derive(Debug, Default)]
pub(super) struct PrintSet {
    /// By the highest bits of a fingerprint: a tag in the upper half, and the place in `known` plus
    /// 1 in the lower half. A free entry is 0.
    entries: Vec<u64>,
    /// The fingerprints and their numbers, in the order in which they were added.
    known: Vec<(Fingerprint, u32)>,
}

impl PrintSet {
    /// Removes all fingerprints but keeps the allocated memory.
    pub(super) fn clear(&mut self) {
        self.entries.fill(0);
        self.known.clear();
    }

    /// Makes room for `more` more fingerprints, so that at least half of the entries stay free.
    pub(super) fn reserve(&mut self, more: usize) {
        self.known.reserve(more);
        let needed = (2 * (self.known.len() + more)).next_power_of_two().max(MIN_ENTRIES);
        if needed <= self.entries.len() {
            return;
        }
        self.entries.clear();
        self.entries.resize(needed, 0);
        for (place, &(print, _)) in self.known.iter().enumerate() {
            let mut index = first(&self.entries, print);
            while self.entries[index] != 0 {
                index = (index + 1) & (self.entries.len() - 1);
            }
            self.entries[index] = entry(print, place);
        }
    }

    /// Returns the number of a fingerprint. A new one gets the given number, and `None` is
    /// returned; there must be [room](PrintSet::reserve) for it.
    #[inline]
    pub(super) fn get_or_add(&mut self, print: Fingerprint, number: u32) -> Option<u32> {
        let entries = self.entries.as_mut_slice();
        let mut index = first(entries, print);
        let new = entry(print, self.known.len());
        loop {
            let found = entries[index];
            if found == 0 {
                entries[index] = new;
                self.known.push((print, number));
                return None;
            }
            if found >> 32 == new >> 32
                && let (known, number) = self.known[place(found)]
                && known == print
            {
                return Some(number);
            }
            index = (index + 1) & (entries.len() - 1);
        }
    }
}

/// Returns the index of the entry of a fingerprint, if it is free.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "shifted below the number of entries")]
fn first(entries: &[u64], print: Fingerprint) -> usize {
    (print.highest_bits() >> (u64::BITS - entries.len().trailing_zeros())) as usize
}

#[inline]
fn entry(print: Fingerprint, place: usize) -> u64 {
    u64::from(print.tag()) << 32 | u64::from(as_u32(place) + 1)
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the lower half")]
fn place(entry: u64) -> usize {
    (entry as u32 - 1) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn does_what_a_list_does(
            rounds in prop::collection::vec(prop::collection::vec(0_u64..900, 0..700), 1..5),
            clears: bool,
        ) {
            let mut prints = PrintSet::default();
            let mut known: Vec<u64> = Vec::new();
            for numbers in rounds {
                if clears {
                    prints.clear();
                    known.clear();
                }
                prints.reserve(numbers.len());
                for number in numbers {
                    let found = known.iter().position(|&other| other == number).map(as_u32);
                    let print = Fingerprint::of(&[number / 30, number % 30]);
                    prop_assert_eq!(prints.get_or_add(print, as_u32(known.len())), found);
                    if found.is_none() {
                        known.push(number);
                    }
                }
            }
        }
    }

    /// Fingerprints that share an entry, and those that share a tag as well.
    #[test]
    fn fingerprints_that_collide_are_told_apart() {
        let colliding = |count: u64| (0..count).map(|low| Fingerprint::from_halves(low, low << 32));
        let mut prints = PrintSet::default();
        prints.reserve(300);
        for (number, print) in (0..).zip(colliding(300)) {
            assert_eq!(prints.get_or_add(print, number), None);
        }
        prints.reserve(2000);
        for (number, print) in (0..).zip(colliding(300)) {
            assert_eq!(prints.get_or_add(print, 1000), Some(number));
        }
    }
}
