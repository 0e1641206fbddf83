//! The launch configuration of the kernels.

use super::argument::{SLOT_BYTES, SLOT_WORDS};
use super::encode::Extent;
use super::tiling::TileRange;
use pellucid_device::gpu::{GpuLimits, Grid};
use std::ops::Range;

/// The number of tiles that a block holds at a time if plans are small. The kernel uses the same
/// number.
pub(super) const TALL: usize = 4;
/// The maximum number of threads on a multiprocessor for tall blocks, which need more registers.
/// The kernel uses the same number.
const TALL_THREADS: usize = 512;
/// The maximum number of concurrent blocks of threads on a multiprocessor.
const MAX_CONCURRENT_BLOCKS: usize = 4;
/// The maximum number of words of coverage fetched at a time.
const MAX_COVER_WORDS: usize = 16 << 20;

/// How a kernel iterates over a table: tile by tile, several tiles at a time, or stack by stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tally {
    Rows,
    Tall,
    Bags,
}

impl Tally {
    /// Returns the tiles or stacks of a range.
    pub(super) fn units(self, range: &TileRange) -> Range<usize> {
        match self {
            Tally::Rows | Tally::Tall => range.tiles.clone(),
            Tally::Bags => range.stacks.clone(),
        }
    }
}

/// Returns the grid of a kernel that processes `units` tiles or stacks.
pub(super) fn spread(limits: &GpuLimits, extent: Extent, shape: Tally, units: usize) -> Grid {
    let (tall, units, most_threads) = match shape {
        Tally::Tall => (TALL, units.div_ceil(TALL), limits.threads.min(TALL_THREADS)),
        Tally::Rows | Tally::Bags => (1, units, limits.threads),
    };
    let shared_bytes = tall * extent.slots * SLOT_BYTES;
    // If several blocks run concurrently, one fills its slots while another counts. The system
    // takes one kilobyte per block.
    let concurrent = match (limits.shared_bytes + 1024) / (shared_bytes + 1024) {
        0 | 1 => 1,
        2 | 3 => 2,
        _ => MAX_CONCURRENT_BLOCKS,
    };
    let blocks = (units * extent.plans).min(limits.multiprocessors * concurrent).max(1);
    // A multiple of the warp size.
    let threads = (most_threads / concurrent / 32).max(1) * 32;
    Grid { blocks, threads, shared_bytes }
}

/// Returns the maximum number of tiles or stacks of one launch. The kernels number the pairs of a
/// unit and a plan with 32 bits, and the last step of a block exceeds them by up to the number of
/// blocks.
pub(super) fn most_units(limits: &GpuLimits, plans: usize) -> usize {
    let most = u32::MAX as usize - MAX_CONCURRENT_BLOCKS * limits.multiprocessors;
    (most / plans.max(1)).max(1)
}

/// Returns the number of roots whose coverage is fetched at a time for `tiles` tiles.
pub(super) fn covered_together(tiles: usize) -> usize {
    (MAX_COVER_WORDS / (tiles * SLOT_WORDS).max(1)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::argument::BUNDLE;
    use crate::gpu::resident::MAX_ROOTS;

    /// The GPU multiplies units and plans in 32 bits, and the last step of every block exceeds the
    /// product.
    #[test]
    fn no_launch_exceeds_32_bits_of_pairs_of_units_and_plans() {
        let limits = GpuLimits {
            name: String::new(),
            multiprocessors: 1000,
            shared_bytes: 48 << 10,
            threads: 1024,
            total_bytes: 0,
            is_emulated: true,
        };
        // The maximum number of tiles, and one plan for every root of a trip.
        let most_tiles = (1usize << 31) / (SLOT_WORDS * 32);
        for plans in [1, 7, BUNDLE, 1000, MAX_ROOTS] {
            let units = most_units(&limits, plans).min(most_tiles);
            let extent = Extent { plans, slots: 3, places: 0, words: 0 };
            for shape in [Tally::Rows, Tally::Tall, Tally::Bags] {
                let blocks = spread(&limits, extent, shape, units).blocks;
                assert!(
                    u32::try_from(units * plans + blocks).is_ok(),
                    "{units} units, {plans} plans"
                );
            }
            assert!(units > 0);
        }
        for tiles in [0, 1, 1000, most_tiles] {
            let pairs =
                tiles * covered_together(tiles) + MAX_CONCURRENT_BLOCKS * limits.multiprocessors;
            assert!(u32::try_from(pairs).is_ok(), "{tiles} tiles");
        }
        assert!(
            most_units(&limits, MAX_ROOTS) < most_tiles,
            "the limit must be effective in this test"
        );
    }
}
