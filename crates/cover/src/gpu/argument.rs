//! The kernels of `cover.cu` and their arguments.

use crate::plan::{Decision, Hypothesis};
use pellucid_bits::as_u32;
use pellucid_device::gpu::{Reads, Uint2, Uint4, Writes};
use pellucid_device::{kernel_structs, kernels};

kernel_structs! {
    /// The work of a block on a tile. All indices are relative to the start of the lists in CoverWork.
    pub(super) struct TilePlan {
        pub(super) first_job: u32,
        pub(super) jobs: u32,
        /// The number of slots. One of zeros and one of ones follow.
        pub(super) slots: u32,
        /// The last level is the roots, those before it are parts. Each uses only slots of earlier levels.
        pub(super) first_level: u32,
        pub(super) levels: u32,
    }

    /// A stack of tiles: the first rows of 1,024 bags, their second rows, and so on.
    pub(super) struct TileStack {
        pub(super) first_tile: u32,
        pub(super) height: u32,
        pub(super) join: u32,
        pub(super) unused: u32,
    }

    /// The argument of all kernels.
    pub(super) struct CoverWork<'a> {
        /// [tile][plane][LANES].
        pub(super) planes: Reads<'a, Uint4>,
        /// [tile][LANES]: the positions that have a row.
        pub(super) occupied: Reads<'a, Uint4>,
        /// [tile, or stack][class][LANES].
        pub(super) labels: Reads<'a, Uint4>,
        pub(super) stacks: Reads<'a, TileStack>,
        /// [join][7][LANES]: one inner mask, then the reach of each step.
        pub(super) joins: Reads<'a, Uint4>,
        pub(super) plans: Reads<'a, TilePlan>,
        /// The first plane; the numbers of planes and of groups of four comparisons, and the kind; the
        /// validity plane; the index among the leaves.
        pub(super) jobs: Reads<'a, Uint4>,
        /// For each job: [four comparisons][QUARTERS]: the cut; the use of the result.
        pub(super) leaves: Reads<'a, Uint2>,
        /// The first bundle and the end.
        pub(super) levels: Reads<'a, Uint2>,
        /// [bundle + 1]: its first step; the last entry is the end.
        pub(super) starts: Reads<'a, u32>,
        /// [bundle][BUNDLE]: a slot or root. The top bit is set if the result is complemented.
        pub(super) targets: Reads<'a, u32>,
        /// [step][QUARTERS].
        pub(super) steps: Reads<'a, Uint4>,
        /// [root][pair of classes]: one class in each half.
        pub(super) counts: Writes<'a, u64>,
        /// [root][tile][LANES].
        pub(super) bits: Writes<'a, Uint4>,
        /// [block][root][plane of a counter][LANES].
        pub(super) state: Writes<'a, Uint4>,
        pub(super) plan_count: u32,
        pub(super) plane_count: u32,
        pub(super) tiles: u32,
        pub(super) stack_count: u32,
        /// The number of label masks of a tile or stack: one for each class, or for each bit of its weights.
        pub(super) classes: u32,
        pub(super) state_roots: u32,
        /// A bag is positive if it has low to high covered rows. The rows are counted in this number of
        /// planes; 0 if one covered row is enough.
        pub(super) counter_planes: u32,
        pub(super) low: u32,
        pub(super) high: u32,
        pub(super) has_high: u32,
    }
}

impl CoverWork<'_> {
    /// Sets when a bag is positive.
    pub(super) fn decide(&mut self, hypothesis: Hypothesis) {
        let (low, high) = hypothesis.range();
        (self.low, self.high) = (low, high.unwrap_or(0));
        self.has_high = u32::from(high.is_some());
        self.counter_planes = counter_planes(hypothesis);
    }
}

/// Returns the number of planes for counting the covered rows of a bag; 0 if one covered row is
/// enough.
pub(super) fn counter_planes(hypothesis: Hypothesis) -> u32 {
    match hypothesis.decision() {
        // At most 32. At least 1, because 0 means presence.
        Decision::Count { planes, .. } => as_u32(planes.max(1)),
        Decision::Presence | Decision::Always | Decision::Never => 0,
    }
}

kernels! {
    /// The kernels of `cover.cu`.
    pub(super) static COVER = "cover" in "generated/cover.ptx", emulated by pellucid_emulate_cover,
        shared on demand: true;
    kernel TALLY_ROWS: CoverWork<'static> = tally_rows;
    kernel TALLY_TALL: CoverWork<'static> = tally_tall;
    kernel TALLY_BAGS: CoverWork<'static> = tally_bags;
    kernel COVER_ROWS: CoverWork<'static> = cover_rows;
}

/// The number of 32-bit words in a slot and in a plane of a tile.
pub(super) const SLOT_WORDS: usize = 32;
/// The number of bytes of a slot.
pub(super) const SLOT_BYTES: usize = 4 * SLOT_WORDS;
/// The number of formulas that run the same steps in parallel.
pub(super) const BUNDLE: usize = 8;
/// The number of quarters of a warp. Each handles two formulas of a bundle.
pub(super) const QUARTERS: usize = 4;
/// Marks the absence of a plane, formula or join.
pub(super) const NONE: u32 = 0x7fff_ffff;
/// The bit of a target that complements the result.
pub(super) const COMPLEMENT: u32 = 1 << 31;
/// The number of slots that a step can address.
pub(super) const ADDRESSABLE_SLOTS: usize = 2048;
/// The number of special slots after those of a plan: one of zeros and one of ones.
pub(super) const SPECIAL_SLOTS: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_device::gpu::KernelHeader;
    use std::path::Path;

    #[test]
    fn headers_match_the_declarations() {
        let header = KernelHeader::new("gpu/argument.rs")
            .with::<TilePlan>()
            .with::<TileStack>()
            .with::<CoverWork<'_>>()
            .with_kernels(&COVER);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/gpu/kernels");
        header.check(&folder.join("arguments.cuh")).unwrap();
    }
}
