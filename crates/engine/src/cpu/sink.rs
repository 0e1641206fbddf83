//! What becomes of the roots' bits: counted row by row, or kept. (Bags have a file of their own.)

use super::simd::Simd;
use crate::bits::Block;
use crate::table::Labels;
use std::ops::Range;

/// Takes the bits of roots as they are computed.
pub(super) trait Sink {
    /// The blocks that the roots are computed for next.
    fn start(&mut self, blocks: Range<usize>);

    /// The bits of a root for `N` blocks.
    fn root<S: Simd, const N: usize>(
        &mut self,
        simd: S,
        root: usize,
        first_block: usize,
        bits: [S::Bits; N],
    );
}

/// Counts rows per class.
pub(super) struct RowCounts<'a> {
    pub(super) labels: &'a Labels,
    pub(super) counts: &'a mut [u64],
}

impl Sink for RowCounts<'_> {
    fn start(&mut self, _: Range<usize>) {}

    #[inline(always)]
    fn root<S: Simd, const N: usize>(
        &mut self,
        simd: S,
        root: usize,
        first_block: usize,
        bits: [S::Bits; N],
    ) {
        count_classes(simd, self.labels, first_block, bits, self.counts, root);
    }
}

/// Adds the set bits of `N` blocks of examples to a root's counts, class by class.
#[inline(always)]
pub(super) fn count_classes<S: Simd, const N: usize>(
    simd: S,
    labels: &Labels,
    first_block: usize,
    bits: [S::Bits; N],
    counts: &mut [u64],
    root: usize,
) {
    let classes = labels.classes();
    let masks = &labels.masks_from(first_block)[..N * classes];
    for (class, count) in counts[root * classes..(root + 1) * classes].iter_mut().enumerate() {
        let mut sum = simd.no_count();
        for (index, &bits) in bits.iter().enumerate() {
            sum = simd.count(sum, simd.and(bits, simd.load(&masks[index * classes + class])));
        }
        *count += simd.total(sum);
    }
}

/// Keeps the bits of `stride` blocks from block `first` on, root after root.
pub(super) struct Coverage<'a> {
    pub(super) bits: &'a mut [Block],
    pub(super) first: usize,
    pub(super) stride: usize,
}

impl Sink for Coverage<'_> {
    fn start(&mut self, _: Range<usize>) {}

    #[inline(always)]
    fn root<S: Simd, const N: usize>(
        &mut self,
        simd: S,
        root: usize,
        first_block: usize,
        bits: [S::Bits; N],
    ) {
        let to = root * self.stride + first_block - self.first;
        for (block, bits) in self.bits[to..to + N].iter_mut().zip(bits) {
            simd.store(bits, block);
        }
    }
}
