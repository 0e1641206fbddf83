//! How many of some bits are of each class.

use pellucid_bits::Block;
use pellucid_bits::{Kernel, Simd};

/// Adds the set bits to the counts of their classes; the masks of a block's classes lie side by side.
pub(super) struct CountClasses<'a> {
    pub(super) bits: &'a [Block],
    pub(super) masks: &'a [Block],
    pub(super) counts: &'a mut [u64],
}

impl Kernel for CountClasses<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let classes = self.counts.len();
        for (class, count) in self.counts.iter_mut().enumerate() {
            let mut sum = simd.no_count();
            for (block, masks) in self.bits.iter().zip(self.masks.chunks_exact(classes)) {
                sum = simd.count(sum, simd.and(simd.load(block), simd.load(&masks[class])));
            }
            *count += simd.total(sum);
        }
    }
}
