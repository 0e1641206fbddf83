//! One side of a column: bounds that are ever stricter, each with the objects that only satisfy the
//! bounds up to it.

use pellucid_bits::as_u32;
use pellucid_bits::words::{contains, insert, words_for};

/// The objects by the strictest bound that they satisfy.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    ranks: Vec<RankedObjects>,
}

/// The objects of one rank.
#[derive(Clone, Debug)]
enum RankedObjects {
    /// Their numbers.
    Few(Box<[u32]>),
    /// A set, if numbers would take more words.
    Many(Box<[u64]>),
}

impl Chain {
    /// Creates a chain of `ranks` ranks from the rank of each object.
    pub(super) fn new(of_objects: &[u32], ranks: usize) -> Chain {
        let mut objects: Vec<Vec<u32>> = vec![Vec::new(); ranks];
        for (object, &rank) in of_objects.iter().enumerate() {
            objects[rank as usize].push(as_u32(object));
        }
        let words = words_for(of_objects.len());
        let pack = |objects: Vec<u32>| {
            if objects.len() <= words {
                return RankedObjects::Few(objects.into());
            }
            let mut set = vec![0; words];
            objects.iter().for_each(|&object| insert(&mut set, object as usize));
            RankedObjects::Many(set.into())
        };
        Chain { ranks: objects.into_iter().map(pack).collect() }
    }

    /// Returns whether an extent contains an object of a rank.
    #[inline]
    pub(super) fn meets(&self, rank: u32, extent: &[u64]) -> bool {
        match &self.ranks[rank as usize] {
            RankedObjects::Few(objects) => {
                objects.iter().any(|&object| contains(extent, object as usize))
            }
            RankedObjects::Many(set) => set.iter().zip(extent).any(|(set, own)| set & own != 0),
        }
    }

    /// Returns the strictest bound, from `rank` on, that all objects of a nonempty extent satisfy.
    #[inline]
    pub(super) fn bound_from(&self, mut rank: u32, extent: &[u64]) -> u32 {
        while !self.meets(rank, extent) {
            rank += 1;
        }
        rank
    }

    /// Whether there is a stricter bound.
    pub(super) fn has_after(&self, rank: u32) -> bool {
        rank as usize + 1 < self.ranks.len()
    }

    /// Removes the objects of a rank from an extent. Returns how many it contained.
    pub(super) fn remove(&self, rank: u32, extent: &mut [u64]) -> u64 {
        match &self.ranks[rank as usize] {
            RankedObjects::Few(objects) => {
                let mut removed = 0;
                for &object in objects {
                    let (word, bit) = (&mut extent[object as usize / 64], 1 << (object % 64));
                    removed += u64::from(*word & bit != 0);
                    *word &= !bit;
                }
                removed
            }
            RankedObjects::Many(set) => {
                let mut removed = 0;
                for (word, set) in extent.iter_mut().zip(set) {
                    removed += u64::from((*word & set).count_ones());
                    *word &= !set;
                }
                removed
            }
        }
    }
}
