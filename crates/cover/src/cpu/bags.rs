//! Converts covered rows to bags: presence and counts on slot-major bags, 512 bags at a time.

use super::sink::{Sink, count_masks};
use crate::plan::{Decision, Hypothesis};
use crate::table::{BagLayout, Join, Labels};
use pellucid_bits::{Block, Kernel, Simd, load, planes};
use std::ops::Range;

/// Counts bags. If a panel does not end in the current tile, its counters are kept per root until
/// it does.
pub(super) struct BagCounts<'a> {
    bags: &'a BagLayout,
    labels: &'a Labels,
    decision: Decision,
    counts: &'a mut [u64],
    /// By root: the counters of the current panel. They are cleared at the start of a panel.
    counters: &'a mut Vec<Block>,
    /// The parts of panels in the current tile.
    panel_parts: Vec<PanelPart>,
}

/// The part of a panel in a tile.
#[derive(Clone, Debug)]
struct PanelPart {
    panel: usize,
    blocks: Range<usize>,
    starts: bool,
    ends: bool,
}

impl<'a> BagCounts<'a> {
    pub(super) fn new(
        bags: &'a BagLayout,
        labels: &'a Labels,
        hypothesis: Hypothesis,
        counts: &'a mut [u64],
        counters: &'a mut Vec<Block>,
    ) -> BagCounts<'a> {
        let decision = hypothesis.decision();
        counters.resize(counts.len() / labels.width() * decision.state(), Block::ZERO);
        BagCounts { bags, labels, decision, counts, counters, panel_parts: Vec::new() }
    }
}

impl Sink for BagCounts<'_> {
    fn start(&mut self, blocks: Range<usize>) {
        self.panel_parts.clear();
        let panels = self.bags.panels();
        let first =
            panels.partition_point(|panel| panel.first_block + panel.height <= blocks.start);
        for (panel, shape) in panels.iter().enumerate().skip(first) {
            let end = shape.first_block + shape.height;
            if shape.first_block >= blocks.end {
                break;
            }
            self.panel_parts.push(PanelPart {
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
            self.bags.occupied()[first_block..].first_chunk().expect("every block has a mask");
        let mut covered = [Block::ZERO; N];
        for ((covered, occupied), bits) in covered.iter_mut().zip(occupied).zip(bits) {
            simd.store(simd.and(bits, simd.load(occupied)), covered);
        }
        // A separate function, so that all numbers of blocks share its code.
        simd.run(AddCovered { to: self, root, covered: &covered });
    }
}

/// Adds the rows that a root covers to the counters of their panels, block by block, and counts the
/// bags of panels that end.
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
        let state = &mut to.counters[root * size..(root + 1) * size];
        for part in &to.panel_parts {
            if part.starts {
                state.fill(Block::ZERO);
            }
            let rows = &covered[part.blocks.clone()];
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
            if part.ends {
                let join = to.bags.panels()[part.panel].join.as_ref();
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
                count_masks(simd, masks, part.panel, [positive], to.counts, root);
            }
        }
    }
}

/// A folded bag is present if any of its lanes is set. Adding ones to all lanes except the last
/// carries into the last lane exactly when one of them is set.
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

/// Adds rows of bits to bit-sliced counters: `state[k]` holds bit `k` of 512 counters, and the last
/// block marks counters that overflowed.
#[inline(always)]
fn add_rows<S: Simd>(simd: S, state: &mut [Block], rows: &[Block]) {
    let mut rest = rows;
    if state.len() > 2 {
        // Four rows at a time: three full adders leave a single carry.
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

/// Adds one bit at the first plane given, and records overflow in the last block.
#[inline(always)]
fn carry<S: Simd>(simd: S, state: &mut [Block], mut bits: S::Bits) {
    let Some((overflow, planes)) = state.split_last_mut() else { return };
    for plane in planes {
        let old = simd.load(plane);
        simd.store(simd.xor(old, bits), plane);
        bits = simd.and(old, bits);
    }
    simd.store(simd.or(simd.load(overflow), bits), overflow);
}

/// Adds the counters of all lanes of a bag into its last lane: a scan over the lanes in steps of 1,
/// 2, 4, …, 32.
#[inline(always)]
fn join_counts<S: Simd>(simd: S, state: &mut [Block], join: &Join) {
    for (power, reach) in join.reach.iter().enumerate() {
        let reach = simd.load(reach);
        let Some((overflow, planes)) = state.split_last_mut() else { return };
        let mut carried = simd.splat(false);
        for plane in planes {
            let old = simd.load(plane);
            let other = simd.and(simd.shift_words(old, 1 << power), reach);
            simd.store(simd.parity(old, other, carried), plane);
            carried = simd.majority(old, other, carried);
        }
        let old = simd.load(overflow);
        let other = simd.and(simd.shift_words(old, 1 << power), reach);
        simd.store(simd.or(simd.or(old, other), carried), overflow);
    }
}

/// Returns which counters are from `low` to `high`, both included.
#[inline(always)]
fn within<S: Simd>(simd: S, state: &[Block], low: u32, high: Option<u32>) -> S::Bits {
    let Some((overflow, planes)) = state.split_last() else { return simd.splat(false) };
    let overflow = simd.load(overflow);
    let enough = if low == 0 { simd.splat(true) } else { above(simd, planes, low - 1) };
    match high {
        // A counter that overflowed is greater than every number that fits into it.
        None => simd.or(enough, overflow),
        Some(high) => simd.and(enough, simd.not(simd.or(above(simd, planes, high), overflow))),
    }
}

/// Returns which counters are greater than `cut`.
#[inline(always)]
fn above<S: Simd>(simd: S, counters: &[Block], cut: u32) -> S::Bits {
    planes::above::<S, 1, 1>(simd, counters.as_chunks().0.iter(), [cut], [false])[0][0]
}
