//! Tile by tile over the table: leaves, parts, roots, and what becomes of the roots.

use super::bags::BagCounts;
use super::combine::combine;
use super::leaf::{Leaves, Spot};
use super::sink::{Coverage, RowCounts, Sink};
use crate::plan::{Hypothesis, Plan};
use crate::table::{Labels, Layout, TILE_BLOCKS, Table};
use pellucid_bits::{Block, HugeBlocks, Kernel, Simd, second_level_bytes};
use std::ops::Range;

/// What is wanted of the roots.
pub(crate) enum SweepOutput<'a, 'b> {
    /// Counts per mask: `counts[root * width + mask]` is added to.
    Tally { labels: &'a Labels, hypothesis: Hypothesis, counts: &'a mut [u64] },
    /// The bits themselves, in the order of the layout: those of root `r` in `bits[r]`, as long as there are
    /// blocks.
    Cover { bits: &'a mut [&'b mut [Block]] },
}

/// Plans over some blocks of a table. Blocks of bags start and end with a panel.
pub(crate) struct Sweep<'a, 'b> {
    pub(crate) table: &'a Table,
    pub(crate) plans: &'a [Plan],
    pub(crate) blocks: Range<usize>,
    pub(crate) output: SweepOutput<'a, 'b>,
    pub(crate) scratch: &'a mut Scratch,
}

/// Memory that a sweep needs, kept for the next.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// The slots of one tile.
    slots: HugeBlocks,
    /// The planes of one column as they are and inverted.
    signed: Vec<Block>,
    /// Counters of bags.
    under_way: Vec<Block>,
}

impl Kernel for Sweep<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Sweep { table, plans, blocks, output, scratch } = self;
        let Scratch { slots, signed, under_way } = scratch;
        let walk = Walk { table, plans, blocks, slots, signed };
        match (output, table.layout()) {
            (SweepOutput::Tally { labels, hypothesis: Hypothesis::Rows, counts }, _) => {
                walk.run(simd, &mut RowCounts::new(labels.masks(), counts));
            }
            (SweepOutput::Tally { labels, hypothesis, counts }, Layout::Bags(bags)) => {
                walk.run(simd, &mut BagCounts::new(bags, labels, hypothesis, counts, under_way));
            }
            (SweepOutput::Tally { .. }, Layout::Plain { .. }) => {
                unreachable!("labels of bags are only made for tables with bags")
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
    signed: &'a mut Vec<Block>,
}

impl Walk<'_> {
    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S, sink: &mut impl Sink) {
        let slots = self.plans.iter().map(Plan::slots).max().unwrap_or(0);
        let height = height::<S>(slots);
        let mut block = self.blocks.start;
        while block < self.blocks.end {
            let left = (TILE_BLOCKS - block % TILE_BLOCKS).min(self.blocks.end - block).min(height);
            // With many registers: slots as tall as a tile, as many comparisons side by side as fit. With
            // few: shorter slots, and roots for two blocks at a time.
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

    /// `N` blocks of rows, which lie in one tile: leaves for all of them, `K` of a column at once, then parts
    /// and roots for `H` at a time. Returns `N`.
    #[inline(always)]
    fn step<S: Simd, const N: usize, const H: usize, const K: usize>(
        &mut self,
        simd: S,
        block: usize,
        sink: &mut impl Sink,
    ) -> usize {
        let spot = |block: usize| Spot {
            tile: self.table.tile(block / TILE_BLOCKS),
            offset: block % TILE_BLOCKS,
        };
        let here = spot(block);
        let next = (block + N < self.blocks.end).then(|| spot(block + N));
        for plan in self.plans {
            let slots = self.slots.at_least(plan.slots() * N).as_chunks_mut::<N>().0;
            // A function of its own, the same for all that may become of the roots.
            simd.run(Leaves::<N, K> {
                here,
                next,
                columns: self.table.columns(),
                jobs: &plan.leaves,
                slots,
                signed: self.signed,
            });
            parts_and_roots::<S, N, H>(simd, plan, slots, block, sink);
        }
        N
    }
}

/// What a plan makes of `N` blocks of its leaves, which are in their slots: parts, then roots, for `H` at a
/// time.
#[inline(always)]
pub(super) fn parts_and_roots<S: Simd, const N: usize, const H: usize>(
    simd: S,
    plan: &Plan,
    slots: &mut [[Block; N]],
    block: usize,
    sink: &mut impl Sink,
) {
    if !plan.parts.is_empty() {
        // As for leaves: the same whatever becomes of the roots.
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

/// Writes the parts of a plan behind its leaves.
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

/// Bytes of slots that stay in the second-level cache, with room for planes and masks.
fn slot_bytes() -> usize {
    second_level_bytes() * 5 / 8
}

/// How many blocks of every slot stay in the cache.
fn height<S: Simd>(slots: usize) -> usize {
    let mut height = if S::TERNARY { TILE_BLOCKS } else { TILE_BLOCKS / 2 };
    while height > 1 && slots * height * size_of::<Block>() > slot_bytes() {
        height /= 2;
    }
    height
}

/// How many slots a plan may have: so many that a few blocks of each stay in the cache.
pub(crate) fn most_slots() -> usize {
    slot_bytes() / (4 * size_of::<Block>())
}
