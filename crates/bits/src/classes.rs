//! Counts of bits by class. The class masks of a block are stored next to each other.

use crate::{Block, Kernel, Simd};

/// Counts the bits of `N` blocks that are in one of `classes` classes.
#[inline(always)]
pub fn count_class<S: Simd, const N: usize>(
    simd: S,
    bits: [S::Bits; N],
    masks: &[Block],
    classes: usize,
    class: usize,
) -> S::Count {
    let mut sum = simd.no_count();
    for (index, &bits) in bits.iter().enumerate() {
        sum = simd.count(sum, simd.and(bits, simd.load(&masks[index * classes + class])));
    }
    sum
}

/// Adds the bits of `N` blocks to the counts of their classes. The length of `counts` is the number of
/// classes. Two classes are summed together, which is faster than one after the other.
#[inline(always)]
pub fn count_classes<S: Simd, const N: usize>(
    simd: S,
    bits: [S::Bits; N],
    masks: &[Block],
    counts: &mut [u64],
) {
    let classes = counts.len();
    let (pairs, single) = counts.as_chunks_mut::<2>();
    for (pair, counts) in pairs.iter_mut().enumerate() {
        let one = count_class(simd, bits, masks, classes, 2 * pair);
        let other = count_class(simd, bits, masks, classes, 2 * pair + 1);
        let totals = simd.totals(one, other);
        counts[0] += totals.0;
        counts[1] += totals.1;
    }
    for count in single {
        *count += simd.total(count_class(simd, bits, masks, classes, classes - 1));
    }
}

/// Adds the bits of many blocks to the counts of their classes.
#[derive(Debug)]
pub struct CountClasses<'a> {
    /// The bits.
    pub bits: &'a [Block],
    /// The masks of all classes, for every block.
    pub masks: &'a [Block],
    /// One count per class.
    pub counts: &'a mut [u64],
}

impl Kernel for CountClasses<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let classes = self.counts.len();
        // A register is summed once for all blocks, because the sum is slow.
        for (class, count) in self.counts.iter_mut().enumerate() {
            let mut sum = simd.no_count();
            for (block, masks) in self.bits.iter().zip(self.masks.chunks_exact(classes)) {
                sum = simd.count(sum, simd.and(simd.load(block), simd.load(&masks[class])));
            }
            *count += simd.total(sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Level, load};
    use pellucid_testdata::cases;
    use proptest::prelude::*;

    struct FourBlocks<'a>(&'a [Block; 4], &'a [Block], &'a mut [u64]);

    impl Kernel for FourBlocks<'_> {
        type Output = ();

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) {
            count_classes(simd, load(simd, self.0), self.1, self.2);
        }
    }

    fn block() -> impl Strategy<Value = Block> {
        prop::array::uniform8(any::<u64>()).prop_map(Block)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(cases(64)))]

        #[test]
        fn counts_agree_with_counting_one_by_one(
            classes in 0usize..6,
            bits in prop::collection::vec(block(), 4),
            masks in prop::collection::vec(block(), 4 * 5),
        ) {
            let masks = &masks[..4 * classes];
            let shared = |class: usize| -> u64 {
                let blocks = bits.iter().enumerate();
                let shared = blocks.map(|(index, bits)| {
                    let words = bits.0.iter().zip(masks[index * classes + class].0);
                    words.map(|(bits, mask)| u64::from((bits & mask).count_ones())).sum::<u64>()
                });
                shared.sum()
            };
            let expected: Vec<u64> = (0..classes).map(|class| 3 + shared(class)).collect();
            for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
                let mut counts = vec![3; classes];
                let four = bits.first_chunk().expect("four blocks");
                level.run(FourBlocks(four, masks, &mut counts));
                prop_assert_eq!(&counts, &expected, "{}", level);
                if classes > 0 {
                    let mut counts = vec![3; classes];
                    level.run(CountClasses { bits: &bits, masks, counts: &mut counts });
                    prop_assert_eq!(&counts, &expected, "{}", level);
                }
            }
        }
    }
}
