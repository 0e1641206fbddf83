//! Which concept has an extent, by the extent's hash.

/// A slot without concept.
const FREE: u32 = u32::MAX;

/// Concepts by the hashes of their extents, no two of which are alike.
///
/// Open addressing: a hash points to a slot, and whoever finds it taken goes on to the next. At most half of the slots are
/// taken, so that the way is short.
#[derive(Clone, Debug)]
pub(crate) struct IntentTable {
    slots: Vec<(u64, u32)>,
}

impl IntentTable {
    /// The table of the concepts 0, 1, 2, … with these hashes; nothing if two hashes are alike.
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

    /// The concept with a hash. Only whoever knows that the extent belongs to some concept may believe it unseen.
    pub(crate) fn get(&self, hash: u64) -> Option<u32> {
        Some(self.slots[self.slot(hash)].1).filter(|&concept| concept != FREE)
    }

    /// The slot of a hash, or the free one where it would go.
    fn slot(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        // Hashes are sums of random words, so any of their bits will do.
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
    fn finds_what_is_in_and_refuses_what_is_twice_in() {
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
