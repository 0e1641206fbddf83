//! Runs plans over given rows of bits, not computed from planes.

use super::sink::{Coverage, RowCounts, Sink};
use super::sweep::parts_and_roots;
use crate::plan::{LeafJob, Plan};
use crate::table::Masks;
use pellucid_bits::{Block, Kernel, Simd};
use std::ops::Range;

/// The number of blocks computed at a time, so that all slots stay in a cache.
const HEIGHT: usize = 4;

/// Runs plans over a range of blocks of given rows. The column of a leaf is the index of a row.
pub(crate) struct GivenRows<'a, 'b> {
    given: &'a [&'a [Block]],
    plans: &'a [Plan],
    blocks: Range<usize>,
    output: CombineOutput<'a, 'b>,
}

enum CombineOutput<'a, 'b> {
    Bits(&'a mut [&'b mut [Block]]),
    Counts(Masks<'a>, &'a mut [u64]),
}

impl<'a, 'b> GivenRows<'a, 'b> {
    pub(crate) fn bits(
        given: &'a [&'a [Block]],
        plans: &'a [Plan],
        blocks: Range<usize>,
        bits: &'a mut [&'b mut [Block]],
    ) -> Self {
        GivenRows { given, plans, blocks, output: CombineOutput::Bits(bits) }
    }

    pub(crate) fn counts(
        given: &'a [&'a [Block]],
        plans: &'a [Plan],
        blocks: Range<usize>,
        masks: Masks<'a>,
        counts: &'a mut [u64],
    ) -> Self {
        GivenRows { given, plans, blocks, output: CombineOutput::Counts(masks, counts) }
    }
}

impl Kernel for GivenRows<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let GivenRows { given, plans, blocks, output } = self;
        let walk = Walk { given, plans, blocks };
        match output {
            CombineOutput::Bits(bits) => {
                let first = walk.blocks.start;
                walk.run(simd, &mut Coverage { bits, first });
            }
            CombineOutput::Counts(masks, counts) => {
                walk.run(simd, &mut RowCounts::new(masks, counts))
            }
        }
    }
}

struct Walk<'a> {
    given: &'a [&'a [Block]],
    plans: &'a [Plan],
    blocks: Range<usize>,
}

impl Walk<'_> {
    #[inline(always)]
    fn run<S: Simd>(&self, simd: S, sink: &mut impl Sink) {
        let most = self.plans.iter().map(Plan::slots).max().unwrap_or(0);
        let mut slots = vec![Block::ZERO; most * HEIGHT];
        let mut block = self.blocks.start;
        while block < self.blocks.end {
            block += match self.blocks.end - block {
                HEIGHT.. => self.step::<S, HEIGHT>(simd, block, &mut slots, sink),
                _ => self.step::<S, 1>(simd, block, &mut slots, sink),
            };
        }
    }

    /// Processes `N` blocks. Returns `N`.
    #[inline(always)]
    fn step<S: Simd, const N: usize>(
        &self,
        simd: S,
        block: usize,
        slots: &mut [Block],
        sink: &mut impl Sink,
    ) -> usize {
        for plan in self.plans {
            let slots = slots.as_chunks_mut::<N>().0;
            for (&LeafJob { column, negate, .. }, slot) in plan.leaves.iter().zip(&mut *slots) {
                let from = &self.given[column as usize][block..block + N];
                for (to, from) in slot.iter_mut().zip(from) {
                    let bits = simd.load(from);
                    simd.store(if negate { simd.not(bits) } else { bits }, to);
                }
            }
            parts_and_roots::<S, N, N>(simd, plan, slots, block, sink);
        }
        N
    }
}
