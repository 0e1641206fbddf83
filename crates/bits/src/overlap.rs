//! Weighted intersections of one set with many: the inner loop of searches over all pairs.

use super::level::Level;
use super::simd::{Kernel, Simd};
use crate::Block;

/// Computes the weighted size of the intersection of one set of bits with each of many sets. Bits before word
/// `split` have one weight, those from there on another.
///
/// The sets are stored in groups of eight: a group has one block per word of a set, and the eight words of
/// block `w` are word `w` of the eight sets. Thus eight counts fit in one register.
///
/// ```
/// use pellucid_bits::{Block, Level, overlap};
/// let many = [Block([0b1011; 8]), Block([0b0110; 8])];
/// let mut shared = [0; 8];
/// overlap(Level::best(), &[0b0011, 0b1111], &many, 1, [10, -1], &mut shared);
/// assert_eq!(shared, [20 - 2; 8]);
/// ```
///
/// # Panics
/// When the length of `many` is not that of `one` for every eight elements of `shared`, or the split is out
/// of range.
pub fn overlap(
    level: Level,
    one: &[u64],
    many: &[Block],
    split: usize,
    weights: [i32; 2],
    shared: &mut [i32],
) {
    assert!(split <= one.len(), "found split {split}; expected at most {}", one.len());
    assert_eq!(
        many.len(),
        one.len() * shared.len().div_ceil(8),
        "expected one block per word for every eight sets"
    );
    if one.is_empty() {
        return shared.fill(0);
    }
    level.run(Overlap { one, many, split, weights, shared });
}

struct Overlap<'a> {
    one: &'a [u64],
    many: &'a [Block],
    split: usize,
    weights: [i32; 2],
    shared: &'a mut [i32],
}

impl Kernel for Overlap<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Overlap { one, many, split, weights, shared } = self;
        let mut groups = many.chunks_exact(one.len());
        let mut whole = shared.chunks_exact_mut(8);
        for (shared, eight) in whole.by_ref().zip(groups.by_ref()) {
            shared.copy_from_slice(&weighted(simd, one, eight, split, weights));
        }
        if let Some(eight) = groups.next() {
            let last = whole.into_remainder();
            last.copy_from_slice(&weighted(simd, one, eight, split, weights)[..last.len()]);
        }
    }
}

/// The weighted sizes of the intersections of one set with eight.
#[inline(always)]
fn weighted<S: Simd>(
    simd: S,
    one: &[u64],
    eight: &[Block],
    split: usize,
    weights: [i32; 2],
) -> [i32; 8] {
    let left = count(simd, &one[..split], &eight[..split]);
    let right = count(simd, &one[split..], &eight[split..]);
    let mut both = [0; 8];
    for lane in 0..8 {
        both[lane] = left[lane] * weights[0] + right[lane] * weights[1];
    }
    both
}

/// The sizes of the intersections of one set with eight.
#[inline(always)]
fn count<S: Simd>(simd: S, one: &[u64], eight: &[Block]) -> [i32; 8] {
    let mut counts = simd.splat_word(0);
    for (&word, block) in one.iter().zip(eight) {
        counts = simd.count_words(counts, simd.and(simd.splat_word(word), simd.load(block)));
    }
    let mut stored = Block::ZERO;
    simd.store(counts, &mut stored);
    let mut small = [0; 8];
    for (small, count) in small.iter_mut().zip(stored.0) {
        // A set has far fewer than 2^31 bits, because many sets are in memory.
        #[expect(clippy::cast_possible_truncation)]
        {
            *small = count as i32;
        }
    }
    small
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_levels_agree_with_counting_one_by_one(
            sets in prop::collection::vec(prop::collection::vec(any::<u64>(), 7), 1..40),
            one in prop::collection::vec(any::<u64>(), 7),
            words in 0usize..=7,
            split: prop::sample::Index,
            weights in [-9i32..9, -9i32..9],
        ) {
            let split = split.index(words + 1);
            let mut many = vec![Block::ZERO; sets.len().div_ceil(8) * words];
            for (at, set) in sets.iter().enumerate() {
                for word in 0..words {
                    many[at / 8 * words + word].0[at % 8] = set[word];
                }
            }
            let count = |set: &[u64], words: std::ops::Range<usize>| -> u32 {
                words.map(|word| (set[word] & one[word]).count_ones()).sum()
            };
            let weighed = |set: &[u64]| {
                count(set, 0..split).cast_signed() * weights[0]
                    + count(set, split..words).cast_signed() * weights[1]
            };
            let expected: Vec<i32> = sets.iter().map(|set| weighed(set)).collect();
            for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
                let mut shared = vec![9; sets.len()];
                overlap(level, &one[..words], &many, split, weights, &mut shared);
                prop_assert_eq!(&shared, &expected, "{}", level);
            }
        }
    }
}
