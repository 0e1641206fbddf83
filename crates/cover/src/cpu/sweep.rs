//! Runs plans over a table tile by tile: leaves, parts, roots, and the output of the roots.

use super::bags::BagCounts;
use super::combine::combine;
use super::leaf::{BlockPosition, Leaves};
use super::sink::{Coverage, RowCounts, Sink};
use crate::plan::{Hypothesis, Plan};
use crate::table::{Labels, Layout, TILE_BLOCKS, Table};
use pellucid_bits::{Block, HugeBlocks, Kernel, Simd, second_level_bytes};
use std::ops::Range;

/// The requested output.
pub(crate) enum SweepOutput<'a, 'b> {
    /// Adds the counts per mask to `counts[root * width + mask]`.
    Tally { labels: &'a Labels, hypothesis: Hypothesis, counts: &'a mut [u64] },
    /// Writes the bits in layout order: those of root `r` to `bits[r]`, one block for each block of
    /// the sweep.
    Cover { bits: &'a mut [&'b mut [Block]] },
}

/// Runs plans over a range of blocks of a table. With bags, the range starts and ends with a panel.
pub(crate) struct Sweep<'a, 'b> {
    pub(crate) table: &'a Table,
    pub(crate) plans: &'a [Plan],
    pub(crate) blocks: Range<usize>,
    pub(crate) output: SweepOutput<'a, 'b>,
    pub(crate) scratch: &'a mut Scratch,
}

/// Scratch memory of a sweep, kept for the next one.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// The slots of one tile.
    slots: HugeBlocks,
    /// The planes of one column, plain and inverted, or its digits.
    planes: Vec<Block>,
    /// The counters of bags.
    counters: Vec<Block>,
}

impl Kernel for Sweep<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Sweep { table, plans, blocks, output, scratch } = self;
        let Scratch { slots, planes, counters } = scratch;
        let walk = Walk { table, plans, blocks, slots, planes };
        match (output, table.layout()) {
            (SweepOutput::Tally { labels, hypothesis: Hypothesis::Rows, counts }, _) => {
                walk.run(simd, &mut RowCounts::new(labels.masks(), counts));
            }
            (SweepOutput::Tally { labels, hypothesis, counts }, Layout::Bags(bags)) => {
                walk.run(simd, &mut BagCounts::new(bags, labels, hypothesis, counts, counters));
            }
            (SweepOutput::Tally { .. }, Layout::Plain { .. }) => {
                unreachable!("bag labels exist only for tables with bags")
            }
            (SweepOutput::Cover { bits }, _) => {
                let first = walk.blocks.start;
                walk.run(simd, &mut Coverage { bits, first });
            }
        }
    }
}

struct Walk<'a> {
    table: &'a Table,
    plans: &'a [Plan],
    blocks: Range<usize>,
    slots: &'a mut HugeBlocks,
    planes: &'a mut Vec<Block>,
}

impl Walk<'_> {
    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S, sink: &mut impl Sink) {
        let slots = self.plans.iter().map(Plan::slots).max().unwrap_or(0);
        let height = height::<S>(slots);
        let mut block = self.blocks.start;
        while block < self.blocks.end {
            let left = (TILE_BLOCKS - block % TILE_BLOCKS).min(self.blocks.end - block).min(height);
            // With many registers: slots as tall as a tile, and as many parallel comparisons as
            // fit. With few registers: shorter slots, and roots for two blocks at a time.
            block += match (left, S::TERNARY) {
                (8.., true) => self.step::<S, 8, 8, 2>(simd, block, sink),
                (4.., true) => self.step::<S, 4, 4, 4>(simd, block, sink),
                (2.., true) => self.step::<S, 2, 2, 4>(simd, block, sink),
                (_, true) => self.step::<S, 1, 1, 4>(simd, block, sink),
                (4.., false) => self.step::<S, 4, 2, 1>(simd, block, sink),
                (2.., false) => self.step::<S, 2, 2, 1>(simd, block, sink),
                (_, false) => self.step::<S, 1, 1, 1>(simd, block, sink),
            };
        }
    }

    /// Processes `N` blocks of rows in one tile: leaves for all of them, `K` leaves of a column at
    /// once, then parts and roots for `H` blocks at a time. Returns `N`.
    #[inline(always)]
    fn step<S: Simd, const N: usize, const H: usize, const K: usize>(
        &mut self,
        simd: S,
        block: usize,
        sink: &mut impl Sink,
    ) -> usize {
        let position = |block: usize| BlockPosition {
            tile: self.table.tile(block / TILE_BLOCKS),
            offset: block % TILE_BLOCKS,
        };
        let here = position(block);
        let next = (block + N < self.blocks.end).then(|| position(block + N));
        for plan in self.plans {
            let slots = self.slots.at_least(plan.slots() * N).as_chunks_mut::<N>().0;
            // A separate function, so that all outputs share its code.
            simd.run(Leaves::<N, K> {
                here,
                next,
                columns: self.table.columns(),
                jobs: &plan.leaves,
                slots,
                planes: self.planes,
            });
            parts_and_roots::<S, N, H>(simd, plan, slots, block, sink);
        }
        N
    }
}

/// Computes the parts and roots of a plan for `N` blocks whose leaves are in their slots, `H`
/// blocks at a time.
#[inline(always)]
pub(super) fn parts_and_roots<S: Simd, const N: usize, const H: usize>(
    simd: S,
    plan: &Plan,
    slots: &mut [[Block; N]],
    block: usize,
    sink: &mut impl Sink,
) {
    if !plan.parts.is_empty() {
        // Like the leaves: a separate function that all outputs share.
        simd.run(Parts::<N, H> { plan, slots });
    }
    for from in (0..N).step_by(H) {
        let first = block + from;
        sink.start(first..first + H);
        for &(root, groups) in &plan.roots {
            let bits = combine::<S, N, H>(simd, plan, groups, slots, from);
            sink.root::<S, H>(simd, root as usize, first, bits);
        }
    }
}

/// Writes the parts of a plan to the slots after its leaves.
struct Parts<'a, const N: usize, const H: usize> {
    plan: &'a Plan,
    slots: &'a mut [[Block; N]],
}

impl<const N: usize, const H: usize> Kernel for Parts<'_, N, H> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Parts { plan, slots } = self;
        for (index, &groups) in plan.parts.iter().enumerate() {
            let (known, new) = slots.split_at_mut(plan.leaves.len() + index);
            for from in (0..N).step_by(H) {
                let bits = combine::<S, N, H>(simd, plan, groups, known, from);
                for (block, bits) in new[0][from..].iter_mut().zip(bits) {
                    simd.store(bits, block);
                }
            }
        }
    }
}

/// Returns the number of bytes of slots that stay in the second-level cache, leaving room for
/// planes and masks.
fn slot_bytes() -> usize {
    second_level_bytes() * 5 / 8
}

/// Returns the number of blocks per slot that stay in the cache.
fn height<S: Simd>(slots: usize) -> usize {
    let mut height = if S::TERNARY { TILE_BLOCKS } else { TILE_BLOCKS / 2 };
    while height > 1 && slots * height * size_of::<Block>() > slot_bytes() {
        height /= 2;
    }
    height
}

/// Returns the maximum number of slots of a plan, chosen so that a few blocks of each slot stay in
/// the cache.
pub(crate) fn max_slots() -> usize {
    slot_bytes() / (4 * size_of::<Block>())
}
