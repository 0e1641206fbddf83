//! A hash table from extents to concepts.

/// A free slot.
const FREE: u32 = u32::MAX;

/// Concepts by the hashes of their extents, which are distinct.
///
/// Open addressing with linear probing. At most half of the slots are used, so probe sequences are
/// short.
#[derive(Clone, Debug)]
pub(crate) struct IntentTable {
    slots: Vec<(u64, u32)>,
}

impl IntentTable {
    /// Builds the table of concepts 0, 1, 2, … with these hashes; `None` if two hashes are equal.
    pub(crate) fn new(hashes: &[u64]) -> Option<IntentTable> {
        let size = (hashes.len() * 2).next_power_of_two();
        let mut table = IntentTable { slots: vec![(0, FREE); size] };
        for (concept, &hash) in (0u32..).zip(hashes) {
            let slot = table.slot(hash);
            if table.slots[slot].1 != FREE {
                return None;
            }
            table.slots[slot] = (hash, concept);
        }
        Some(table)
    }

    /// Returns the concept with a hash. The caller must verify it unless the extent is known to
    /// belong to a listed concept.
    pub(crate) fn get(&self, hash: u64) -> Option<u32> {
        Some(self.slots[self.slot(hash)].1).filter(|&concept| concept != FREE)
    }

    /// The slot of a hash, or the free slot where it would be inserted.
    fn slot(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        // Hashes are sums of random words, so any bits are suitable.
        let mut slot = usize::try_from(hash & mask as u64).expect("below the number of slots");
        while self.slots[slot].1 != FREE && self.slots[slot].0 != hash {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_entries_and_rejects_duplicates() {
        let hashes = [7, 0, 15, 23, u64::MAX];
        let table = IntentTable::new(&hashes).unwrap();
        for (concept, hash) in (0..).zip(hashes) {
            assert_eq!(table.get(hash), Some(concept));
        }
        assert_eq!(table.get(31), None);
        assert!(IntentTable::new(&[7, 0, 7]).is_none());
        assert_eq!(IntentTable::new(&[]).unwrap().get(0), None);
    }
}
