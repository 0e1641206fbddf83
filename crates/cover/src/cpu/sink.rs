//! Uses the bits of the roots: counts rows or stores the bits. (Bags are counted in `bags`.)

use crate::table::Masks;
use pellucid_bits::{Block, Simd, count_class, count_classes};
use std::ops::Range;

/// Receives the bits of roots as they are computed.
pub(super) trait Sink {
    /// Announces the blocks for which roots are computed next.
    fn start(&mut self, blocks: Range<usize>);

    /// Receives the bits of a root for `N` blocks.
    fn root<S: Simd, const N: usize>(
        &mut self,
        simd: S,
        root: usize,
        first_block: usize,
        bits: [S::Bits; N],
    );
}

/// Counts rows per mask of the labels.
pub(super) struct RowCounts<'a> {
    masks: Masks<'a>,
    counts: &'a mut [u64],
    /// Whether there are two masks and every current row is in exactly one of them. One count then
    /// gives the other.
    one_or_other: bool,
}

impl<'a> RowCounts<'a> {
    pub(super) fn new(masks: Masks<'a>, counts: &'a mut [u64]) -> RowCounts<'a> {
        RowCounts { masks, counts, one_or_other: false }
    }
}

impl Sink for RowCounts<'_> {
    fn start(&mut self, blocks: Range<usize>) {
        self.one_or_other = self.masks.are_one_or_other(blocks);
    }

    #[inline(always)]
    fn root<S: Simd, const N: usize>(
        &mut self,
        simd: S,
        root: usize,
        first_block: usize,
        bits: [S::Bits; N],
    ) {
        if self.one_or_other {
            let masks = &self.masks.from(first_block)[..2 * N];
            let mut all = simd.no_count();
            for bits in bits {
                all = simd.count(all, bits);
            }
            let (all, first) = simd.totals(all, count_class(simd, bits, masks, 2, 0));
            let counts = &mut self.counts[2 * root..2 * root + 2];
            counts[0] += first;
            counts[1] += all - first;
        } else {
            count_masks(simd, self.masks, first_block, bits, self.counts, root);
        }
    }
}

/// Adds the set bits of `N` blocks of examples to the counts of a root, mask by mask.
#[inline(always)]
pub(super) fn count_masks<S: Simd, const N: usize>(
    simd: S,
    masks: Masks<'_>,
    first_block: usize,
    bits: [S::Bits; N],
    counts: &mut [u64],
    root: usize,
) {
    let width = masks.width;
    let masks = &masks.from(first_block)[..N * width];
    count_classes(simd, bits, masks, &mut counts[root * width..(root + 1) * width]);
}

/// Stores the bits from block `first` on, one row of blocks for every root.
pub(super) struct Coverage<'a, 'b> {
    pub(super) bits: &'a mut [&'b mut [Block]],
    pub(super) first: usize,
}

impl Sink for Coverage<'_, '_> {
    fn start(&mut self, _: Range<usize>) {}

    #[inline(always)]
    fn root<S: Simd, const N: usize>(
        &mut self,
        simd: S,
        root: usize,
        first_block: usize,
        bits: [S::Bits; N],
    ) {
        let to = first_block - self.first;
        for (block, bits) in self.bits[root][to..to + N].iter_mut().zip(bits) {
            simd.store(bits, block);
        }
    }
}
