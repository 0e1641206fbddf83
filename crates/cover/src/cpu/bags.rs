//! Rows to bags: presence and counts on slot-major bags, 512 bags at a time.

use super::sink::{Sink, count_masks};
use crate::plan::{Decision, Hypothesis};
use crate::table::{Bags, Join, Labels};
use pellucid_bits::{Block, Kernel, Simd, load, planes};
use std::ops::Range;

/// Counts bags. What is known of a panel that does not end in the tile at hand is kept per root until it
/// does.
pub(super) struct BagCounts<'a> {
    bags: &'a Bags,
    labels: &'a Labels,
    decision: Decision,
    counts: &'a mut [u64],
    /// Per root: the counter of the panel under way; cleared where a panel starts.
    under_way: &'a mut Vec<Block>,
    /// The stretches of panels in the tile at hand.
    stretches: Vec<Stretch>,
}

/// The part of a panel that lies in a tile.
#[derive(Clone, Debug)]
struct Stretch {
    panel: usize,
    blocks: Range<usize>,
    starts: bool,
    ends: bool,
}

impl<'a> BagCounts<'a> {
    pub(super) fn new(
        bags: &'a Bags,
        labels: &'a Labels,
        hypothesis: Hypothesis,
        counts: &'a mut [u64],
        under_way: &'a mut Vec<Block>,
    ) -> BagCounts<'a> {
        let decision = hypothesis.decision();
        under_way.resize(counts.len() / labels.width() * decision.state(), Block::ZERO);
        BagCounts { bags, labels, decision, counts, under_way, stretches: Vec::new() }
    }
}

impl Sink for BagCounts<'_> {
    fn start(&mut self, blocks: Range<usize>) {
        self.stretches.clear();
        let panels = self.bags.panels();
        let first =
            panels.partition_point(|panel| panel.first_block + panel.height <= blocks.start);
        for (panel, shape) in panels.iter().enumerate().skip(first) {
            let end = shape.first_block + shape.height;
            if shape.first_block >= blocks.end {
                break;
            }
            self.stretches.push(Stretch {
                panel,
                blocks: shape.first_block.max(blocks.start) - blocks.start
                    ..end.min(blocks.end) - blocks.start,
                starts: shape.first_block >= blocks.start,
                ends: end <= blocks.end,
            });
        }
    }

    #[inline(always)]
    fn root<S: Simd, const N: usize>(
        &mut self,
        simd: S,
        root: usize,
        first_block: usize,
        bits: [S::Bits; N],
    ) {
        let occupied: &[Block; N] =
            self.bags.occupied()[first_block..].first_chunk().expect("every block has its mask");
        let mut covered = [Block::ZERO; N];
        for ((covered, occupied), bits) in covered.iter_mut().zip(occupied).zip(bits) {
            simd.store(simd.and(bits, simd.load(occupied)), covered);
        }
        // A function of its own, the same for any number of blocks.
        simd.run(AddCovered { to: self, root, covered: &covered });
    }
}

/// Adds the rows that a root covers, block by block, to the counters of their panels, and counts the bags of
/// those that end.
struct AddCovered<'a, 'b> {
    to: &'a mut BagCounts<'b>,
    root: usize,
    covered: &'a [Block],
}

impl Kernel for AddCovered<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let AddCovered { to, root, covered } = self;
        let size = to.decision.state();
        let state = &mut to.under_way[root * size..(root + 1) * size];
        for stretch in &to.stretches {
            if stretch.starts {
                state.fill(Block::ZERO);
            }
            let rows = &covered[stretch.blocks.clone()];
            match to.decision {
                Decision::Never | Decision::Always => {}
                Decision::Presence => {
                    let mut any = simd.load(&state[0]);
                    for row in rows {
                        any = simd.or(any, simd.load(row));
                    }
                    simd.store(any, &mut state[0]);
                }
                Decision::Count { .. } => add_rows(simd, state, rows),
            }
            if stretch.ends {
                let join = to.bags.panels()[stretch.panel].join.as_ref();
                let positive = match to.decision {
                    Decision::Never => simd.splat(false),
                    Decision::Always => simd.splat(true),
                    Decision::Presence => presence(simd, simd.load(&state[0]), join),
                    Decision::Count { low, high, .. } => {
                        if let Some(join) = join {
                            join_counts(simd, state, join);
                        }
                        within(simd, state, low, high)
                    }
                };
                let masks = to.labels.masks();
                count_masks(simd, masks, stretch.panel, [positive], to.counts, root);
            }
        }
    }
}

/// A folded bag is present where any of its lanes is: adding ones to all lanes but the last carries into the
/// last exactly when one of them is set.
#[inline(always)]
fn presence<S: Simd>(simd: S, any: S::Bits, join: Option<&Join>) -> S::Bits {
    match join {
        None => any,
        Some(join) => {
            let inner = simd.load(&join.inner);
            simd.or(any, simd.add_words(simd.and(any, inner), inner))
        }
    }
}

/// Adds rows of bits to bit-sliced counters: `state[k]` holds bit `k` of 512 counters, the last block says
/// which ran over.
#[inline(always)]
fn add_rows<S: Simd>(simd: S, state: &mut [Block], rows: &[Block]) {
    let mut rest = rows;
    if state.len() > 2 {
        // Four rows at a time: three full adders, and a single carry goes on.
        while let Some((four, more)) = rest.split_first_chunk() {
            let [a, b, c, d] = load(simd, four);
            let (ones, twos) = (simd.load(&state[0]), simd.load(&state[1]));
            let (sum, first) = (simd.parity(ones, a, b), simd.majority(ones, a, b));
            simd.store(simd.parity(sum, c, d), &mut state[0]);
            let second = simd.majority(sum, c, d);
            simd.store(simd.parity(twos, first, second), &mut state[1]);
            carry(simd, &mut state[2..], simd.majority(twos, first, second));
            rest = more;
        }
    }
    for row in rest {
        carry(simd, state, simd.load(row));
    }
}

/// Adds one bit at the first plane given, and notes what runs over in the last block.
#[inline(always)]
fn carry<S: Simd>(simd: S, state: &mut [Block], mut bits: S::Bits) {
    let Some((over, planes)) = state.split_last_mut() else { return };
    for plane in planes {
        let old = simd.load(plane);
        simd.store(simd.xor(old, bits), plane);
        bits = simd.and(old, bits);
    }
    simd.store(simd.or(simd.load(over), bits), over);
}

/// Adds the counters of all lanes of a bag into its last lane: a scan over the lanes in steps of 1, 2, 4 …
/// 32.
#[inline(always)]
fn join_counts<S: Simd>(simd: S, state: &mut [Block], join: &Join) {
    for (power, reach) in join.reach.iter().enumerate() {
        let reach = simd.load(reach);
        let Some((over, planes)) = state.split_last_mut() else { return };
        let mut carried = simd.splat(false);
        for plane in planes {
            let old = simd.load(plane);
            let other = simd.and(simd.shift_words(old, 1 << power), reach);
            simd.store(simd.parity(old, other, carried), plane);
            carried = simd.majority(old, other, carried);
        }
        let old = simd.load(over);
        let other = simd.and(simd.shift_words(old, 1 << power), reach);
        simd.store(simd.or(simd.or(old, other), carried), over);
    }
}

/// The counters from `low` to `high`, both included.
#[inline(always)]
fn within<S: Simd>(simd: S, state: &[Block], low: u32, high: Option<u32>) -> S::Bits {
    let Some((over, planes)) = state.split_last() else { return simd.splat(false) };
    let over = simd.load(over);
    let enough = if low == 0 { simd.splat(true) } else { above(simd, planes, low - 1) };
    match high {
        // Counters that ran over are beyond every number that fits into them.
        None => simd.or(enough, over),
        Some(high) => simd.and(enough, simd.not(simd.or(above(simd, planes, high), over))),
    }
}

/// The counters greater than `cut`.
#[inline(always)]
fn above<S: Simd>(simd: S, counters: &[Block], cut: u32) -> S::Bits {
    planes::above::<S, 1, 1>(simd, counters.as_chunks().0.iter(), [cut], [false])[0][0]
}
