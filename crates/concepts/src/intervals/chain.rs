//! One side of a column: bounds that are ever stricter, each with the objects that only satisfy the
//! bounds up to it.

use pellucid_bits::as_u32;
use pellucid_bits::words::{contains, count, insert, words_for};

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
    /// All objects except these.
    AllBut(Box<[u32]>),
}

impl RankedObjects {
    fn new(objects: Vec<u32>, words: usize) -> RankedObjects {
        if objects.len() <= words {
            return RankedObjects::Few(objects.into());
        }
        let mut set = vec![0; words];
        objects.iter().for_each(|&object| insert(&mut set, object as usize));
        RankedObjects::Many(set.into())
    }

    /// Returns how many of these objects an extent with `support` objects contains.
    fn count_in(&self, extent: &[u64], support: u64) -> u64 {
        match self {
            RankedObjects::Few(objects) => members_of(objects, extent),
            RankedObjects::Many(set) => {
                set.iter().zip(extent).map(|(set, own)| u64::from((set & own).count_ones())).sum()
            }
            RankedObjects::AllBut(objects) => support - members_of(objects, extent),
        }
    }
}

/// Returns how many objects an extent contains.
fn members_of(objects: &[u32], extent: &[u64]) -> u64 {
    objects.iter().map(|&object| u64::from(contains(extent, object as usize))).sum()
}

impl Chain {
    /// Creates a chain of `ranks` ranks from the rank of each object.
    pub(super) fn new(of_objects: &[u32], ranks: usize) -> Chain {
        let mut objects: Vec<Vec<u32>> = vec![Vec::new(); ranks];
        for (object, &rank) in of_objects.iter().enumerate() {
            objects[rank as usize].push(as_u32(object));
        }
        let words = words_for(of_objects.len());
        let pack = |objects| RankedObjects::new(objects, words);
        Chain { ranks: objects.into_iter().map(pack).collect() }
    }

    /// Creates the chain of a category that some of `all` objects have. The first rank is that of the
    /// other objects. Rare categories take little memory, so that a column may have very many.
    pub(super) fn of_category(objects: Vec<u32>, all: usize) -> Chain {
        let words = words_for(all);
        let others = if objects.len() <= words {
            RankedObjects::AllBut(objects.as_slice().into())
        } else {
            let mut is_other = vec![true; all];
            objects.iter().for_each(|&object| is_other[object as usize] = false);
            let others = (0..as_u32(all)).filter(|&object| is_other[object as usize]).collect();
            RankedObjects::new(others, words)
        };
        Chain { ranks: vec![others, RankedObjects::new(objects, words)] }
    }

    /// Returns whether an extent contains an object of a rank.
    #[inline]
    pub(super) fn meets(&self, rank: u32, extent: &[u64]) -> bool {
        match &self.ranks[rank as usize] {
            RankedObjects::Few(objects) => {
                objects.iter().any(|&object| contains(extent, object as usize))
            }
            RankedObjects::Many(set) => set.iter().zip(extent).any(|(set, own)| set & own != 0),
            RankedObjects::AllBut(objects) => {
                let mut excluded = members_of(objects, extent);
                extent.iter().any(|word| {
                    let ones = u64::from(word.count_ones());
                    let has_other = ones > excluded;
                    excluded = excluded.saturating_sub(ones);
                    has_other
                })
            }
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

    /// Returns how many objects of an extent satisfy the next bound; 0 if there is none.
    pub(super) fn support_after(&self, rank: u32, extent: &[u64], support: u64) -> u64 {
        match rank as usize + 1 < self.ranks.len() {
            true => support - self.ranks[rank as usize].count_in(extent, support),
            false => 0,
        }
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
            RankedObjects::AllBut(objects) => {
                let before = count(extent);
                let kept = objects.iter().copied().filter(|&one| contains(extent, one as usize));
                let kept: Vec<u32> = kept.collect();
                extent.fill(0);
                kept.iter().for_each(|&object| insert(extent, object as usize));
                before - kept.len() as u64
            }
        }
    }
}
