//! Tile by tile over the table: leaves, parts, roots, and what becomes of the roots.

use super::bags::BagCounts;
use super::cache::second_level_bytes;
use super::combine::combine;
use super::leaf::leaf;
use super::simd::{Kernel, Simd};
use crate::bits::Block;
use crate::kernel::{Hypothesis, Plan};
use crate::table::{Labels, Layout, TILE_BLOCKS, Table};
use std::ops::Range;

/// What is wanted of the roots.
pub(crate) enum Wanted<'a> {
    /// Counts per class: `counts[root * classes + class]` is added to.
    Tally { labels: &'a Labels, hypothesis: Hypothesis, counts: &'a mut [u64] },
    /// The bits themselves, in the order of the layout: those of root `r` from `r * blocks.len()` on.
    Cover { bits: &'a mut [Block] },
}

/// A plan over some blocks of a table. Blocks of bags start and end with a panel.
pub(crate) struct Sweep<'a> {
    pub(crate) table: &'a Table,
    pub(crate) plan: &'a Plan,
    pub(crate) blocks: Range<usize>,
    pub(crate) wanted: Wanted<'a>,
    pub(crate) scratch: &'a mut Scratch,
}

/// Memory for the slots of one tile, kept between sweeps.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    slots: Vec<Block>,
}

/// Takes the bits of roots as they are computed.
pub(super) trait Sink {
    /// The blocks that the roots are computed for next.
    fn start(&mut self, blocks: Range<usize>);

    /// The bits of a root for `N` blocks.
    fn root<S: Simd, const N: usize>(&mut self, simd: S, root: usize, first_block: usize, bits: [S::Bits; N]);
}

impl Kernel for Sweep<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Sweep { table, plan, blocks, wanted, scratch } = self;
        let walk = Walk { table, plan, blocks, scratch };
        match (wanted, table.layout()) {
            (Wanted::Tally { labels, hypothesis: Hypothesis::Rows, counts }, _) => {
                walk.run(simd, &mut RowCounts { labels, counts });
            }
            (Wanted::Tally { labels, hypothesis, counts }, Layout::Bags(bags)) => {
                walk.run(simd, &mut BagCounts::new(bags, labels, hypothesis, plan.roots.len(), counts));
            }
            (Wanted::Tally { .. }, Layout::Plain { .. }) => {
                unreachable!("labels of bags are only made for tables with bags")
            }
            (Wanted::Cover { bits }, _) => {
                let (first, stride) = (walk.blocks.start, walk.blocks.len());
                walk.run(simd, &mut Coverage { bits, first, stride });
            }
        }
    }
}

struct Walk<'a> {
    table: &'a Table,
    plan: &'a Plan,
    blocks: Range<usize>,
    scratch: &'a mut Scratch,
}

impl Walk<'_> {
    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S, sink: &mut impl Sink) {
        let height = height::<S>(self.plan.slots());
        let mut block = self.blocks.start;
        while block < self.blocks.end {
            let left = (TILE_BLOCKS - block % TILE_BLOCKS).min(self.blocks.end - block).min(height);
            block += match left {
                8.. => self.step::<S, 8>(simd, block, sink),
                4.. => self.step::<S, 4>(simd, block, sink),
                2.. => self.step::<S, 2>(simd, block, sink),
                _ => self.step::<S, 1>(simd, block, sink),
            };
        }
    }

    /// `N` blocks of rows, which lie in one tile; returns `N`.
    #[inline(always)]
    fn step<S: Simd, const N: usize>(&mut self, simd: S, block: usize, sink: &mut impl Sink) -> usize {
        let tile = self.table.tile(block / TILE_BLOCKS);
        let needed = self.plan.slots() * N;
        if self.scratch.slots.len() < needed {
            self.scratch.slots.resize(needed, Block::ZERO);
        }
        let slots = self.scratch.slots[..needed].as_chunks_mut::<N>().0;
        for (job, slot) in self.plan.leaves.iter().zip(&mut *slots) {
            leaf::<S, N>(simd, tile, block % TILE_BLOCKS, &self.table.columns()[job.column as usize], *job, slot);
        }
        for (index, &groups) in self.plan.parts.iter().enumerate() {
            let (known, new) = slots.split_at_mut(self.plan.leaves.len() + index);
            let bits = combine::<S, N>(simd, self.plan, groups, known);
            for (block, bits) in new[0].iter_mut().zip(bits) {
                simd.store(bits, block);
            }
        }
        sink.start(block..block + N);
        for &(root, groups) in &self.plan.roots {
            let bits = combine::<S, N>(simd, self.plan, groups, slots);
            sink.root::<S, N>(simd, root as usize, block, bits);
        }
        N
    }
}

/// How many blocks of every slot fit into the second-level cache, with room for planes and masks.
fn height<S: Simd>(slots: usize) -> usize {
    let budget = second_level_bytes() * 5 / 8;
    let mut height = S::HEIGHT;
    while height > 1 && slots * height * size_of::<Block>() > budget {
        height /= 2;
    }
    height
}

struct RowCounts<'a> {
    labels: &'a Labels,
    counts: &'a mut [u64],
}

impl Sink for RowCounts<'_> {
    fn start(&mut self, _: Range<usize>) {}

    #[inline(always)]
    fn root<S: Simd, const N: usize>(&mut self, simd: S, root: usize, first_block: usize, bits: [S::Bits; N]) {
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

struct Coverage<'a> {
    bits: &'a mut [Block],
    first: usize,
    stride: usize,
}

impl Sink for Coverage<'_> {
    fn start(&mut self, _: Range<usize>) {}

    #[inline(always)]
    fn root<S: Simd, const N: usize>(&mut self, simd: S, root: usize, first_block: usize, bits: [S::Bits; N]) {
        let to = root * self.stride + first_block - self.first;
        for (block, bits) in self.bits[to..to + N].iter_mut().zip(bits) {
            simd.store(bits, block);
        }
    }
}
