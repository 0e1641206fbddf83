//! What the kernels are given, laid out as `cover.cu` declares it.

use crate::plan::{Decision, Hypothesis};
use pellucid_bits::as_u32;

/// Addresses on the card and a few numbers: the one argument of every kernel.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    pub(super) planes: u64,
    pub(super) occupied: u64,
    pub(super) labels: u64,
    pub(super) stacks: u64,
    pub(super) joins: u64,
    pub(super) plans: u64,
    pub(super) jobs: u64,
    pub(super) leaves: u64,
    pub(super) levels: u64,
    pub(super) starts: u64,
    pub(super) targets: u64,
    pub(super) steps: u64,
    pub(super) counts: u64,
    pub(super) bits: u64,
    pub(super) state: u64,
    pub(super) plan_count: u32,
    pub(super) plane_count: u32,
    pub(super) tiles: u32,
    pub(super) stack_count: u32,
    /// Masks of the labels in a tile or stack: one for each class, or for each bit of its weights.
    pub(super) classes: u32,
    pub(super) state_roots: u32,
    pub(super) counter_planes: u32,
    pub(super) low: u32,
    pub(super) high: u32,
    pub(super) has_high: u32,
}

impl Work {
    /// When a bag is positive.
    pub(super) fn decide(&mut self, hypothesis: Hypothesis) {
        let (low, high) = hypothesis.range();
        (self.low, self.high) = (low, high.unwrap_or(0));
        self.has_high = u32::from(high.is_some());
        self.counter_planes = match hypothesis.decision() {
            // At most 32, and no planes would mean presence.
            Decision::Count { planes, .. } => as_u32(planes.max(1)),
            Decision::Presence | Decision::Always | Decision::Never => 0,
        };
    }
}

/// Words of 32 bits in one slot, and in one plane of a tile.
pub(super) const SLOT_WORDS: usize = 32;
/// Bytes of one slot.
pub(super) const SLOT_BYTES: usize = 4 * SLOT_WORDS;
/// Formulas that take the same steps side by side.
pub(super) const BUNDLE: usize = 8;
/// Quarters of a warp, each with two formulas of a bundle.
pub(super) const QUARTERS: usize = 4;
/// No plane, no formula, no join.
pub(super) const NONE: u32 = 0x7fff_ffff;
/// In a target: the result is complemented.
pub(super) const COMPLEMENT: u32 = 1 << 31;
/// Slots that a step can name.
pub(super) const NAMED_SLOTS: usize = 2048;
/// Slots behind those of a plan: of zeros, and of ones.
pub(super) const SPECIAL_SLOTS: usize = 2;
/// Words of a plan, as the kernel declares it.
pub(super) const PLAN_WORDS: usize = 5;
