//! A small, fast map from 64-bit numbers to 32-bit ones, emptied in no time.

/// Numbers by number.
///
/// Planning looks a number up for every comparison of every formula, and starts anew thousands of times a
/// second: an entry counts only while it bears the stamp of the present map, so that emptying it is to choose
/// another stamp.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    entries: Vec<Entry>,
    stamp: u32,
    len: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    stamp: u32,
    number: u32,
}

/// The fewest entries; always a power of two.
const FEWEST: usize = 256;

impl Numbers {
    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            // All stamps were used: old entries would come back.
            self.entries.clear();
            self.stamp = 1;
        }
    }

    /// The number of a key. Where it has none, `new` gives it one.
    #[inline]
    pub(super) fn get_or(&mut self, key: u64, new: impl FnOnce() -> u32) -> u32 {
        if 4 * self.len >= self.entries.len() {
            self.grow();
        }
        let place = place(&self.entries, self.stamp, key);
        let entry = &mut self.entries[place];
        if entry.stamp != self.stamp {
            *entry = Entry { key, stamp: self.stamp, number: new() };
            self.len += 1;
        }
        entry.number
    }

    /// The number of a key, if it has one.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        let entry = self.entries[place(&self.entries, self.stamp, key)];
        (entry.stamp == self.stamp).then_some(entry.number)
    }

    #[cold]
    fn grow(&mut self) {
        // A fresh entry bears stamp 0, which no map has.
        self.stamp = self.stamp.max(1);
        let size = (4 * self.entries.len()).max(FEWEST);
        let old = std::mem::replace(&mut self.entries, vec![Entry::default(); size]);
        for entry in old.into_iter().filter(|entry| entry.stamp == self.stamp) {
            let place = place(&self.entries, self.stamp, entry.key);
            self.entries[place] = entry;
        }
    }
}

/// Where a key is, or where it would be put; most of the entries are free.
#[inline]
fn place(entries: &[Entry], stamp: u32, key: u64) -> usize {
    let mask = entries.len() - 1;
    // The upper bits of the product depend on all bits of the key.
    let shift = mask.leading_zeros();
    #[expect(clippy::cast_possible_truncation, reason = "shifted below the number of entries")]
    let mut place = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize;
    while entries[place].stamp == stamp && entries[place].key != key {
        place = (place + 1) & mask;
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn does_what_a_hash_map_does(
            rounds in prop::collection::vec(prop::collection::vec(0u64..700, 0..900), 1..4),
        ) {
            let mut numbers = Numbers::default();
            for keys in rounds {
                numbers.clear();
                let mut expected = HashMap::new();
                for (index, key) in (0u32..).zip(keys) {
                    // Spread over all bits, as tokens are.
                    let key = key << 32 | key.rotate_left(13);
                    prop_assert_eq!(numbers.get(key), expected.get(&key).copied());
                    prop_assert_eq!(numbers.get_or(key, || index), *expected.entry(key).or_insert(index));
                }
            }
        }
    }
}
