//! A small, fast map from 64-bit numbers to 32-bit numbers that can be cleared in constant time.

/// A map from 64-bit keys to 32-bit numbers.
///
/// Planning looks up a number for every comparison of every formula, and clears the map thousands
/// of times per second. An entry is valid only if it has the current stamp, so clearing means
/// changing the stamp.
#[derive(Debug, Default)]
pub(super) struct NumberMap {
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

/// The minimum number of entries. The number of entries is always a power of two.
const MIN_ENTRIES: usize = 256;

impl NumberMap {
    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            // The stamp wrapped around, so old entries would become valid again.
            self.entries.clear();
            self.stamp = 1;
        }
    }

    /// Returns the number of a key. A new key gets the number that `new` returns.
    #[inline]
    pub(super) fn get_or(&mut self, key: u64, new: impl FnOnce() -> u32) -> u32 {
        if 4 * self.len >= self.entries.len() {
            self.grow();
        }
        let index = find(&self.entries, self.stamp, key);
        let entry = &mut self.entries[index];
        if entry.stamp != self.stamp {
            *entry = Entry { key, stamp: self.stamp, number: new() };
            self.len += 1;
        }
        entry.number
    }

    /// Returns the number of a key, if there is one.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        let entry = self.entries[find(&self.entries, self.stamp, key)];
        (entry.stamp == self.stamp).then_some(entry.number)
    }

    #[cold]
    fn grow(&mut self) {
        // A new entry has stamp 0, which is never the current stamp.
        self.stamp = self.stamp.max(1);
        let size = (4 * self.entries.len()).max(MIN_ENTRIES);
        let old = std::mem::replace(&mut self.entries, vec![Entry::default(); size]);
        for entry in old.into_iter().filter(|entry| entry.stamp == self.stamp) {
            let index = find(&self.entries, self.stamp, entry.key);
            self.entries[index] = entry;
        }
    }
}

/// Returns the index of a key, or of the free entry where it belongs. Most entries are free.
#[inline]
fn find(entries: &[Entry], stamp: u32, key: u64) -> usize {
    let mask = entries.len() - 1;
    // The upper bits of the product depend on all bits of the key.
    let shift = mask.leading_zeros();
    #[expect(clippy::cast_possible_truncation, reason = "shifted below the number of entries")]
    let mut index = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize;
    while entries[index].stamp == stamp && entries[index].key != key {
        index = (index + 1) & mask;
    }
    index
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
            let mut numbers = NumberMap::default();
            for keys in rounds {
                numbers.clear();
                let mut expected = HashMap::new();
                for (index, key) in (0u32..).zip(keys) {
                    // Keys are spread over all bits, like tokens.
                    let key = key << 32 | key.rotate_left(13);
                    prop_assert_eq!(numbers.get(key), expected.get(&key).copied());
                    prop_assert_eq!(numbers.get_or(key, || index), *expected.entry(key).or_insert(index));
                }
            }
        }
    }
}
