//! The maximum height of a lane, the only choice in the slot-major layout.

use pellucid_bits::BLOCK_BITS;

/// The maximum number of lanes of a bag. They stay within one 64-bit word, so that a carry can run
/// through them.
pub(super) const WORD_LANES: usize = 64;

/// The cost of joining the lanes of a panel, in blocks of rows that could be evaluated in the same
/// time (measured with `pellucid-bench bags`).
const JOIN_COST: usize = 12;

/// Returns the maximum lane height that gives the cheapest layout. Low lanes waste little on bags
/// of different sizes; high lanes need no joining.
pub(super) fn best_height(sizes: &[usize]) -> usize {
    let tallest = sizes.iter().copied().max().unwrap_or(0).max(1);
    let mut best = (cost(sizes, tallest), tallest);
    let mut height = tallest.div_ceil(WORD_LANES);
    while height < tallest {
        best = best.min((cost(sizes, height), height));
        height += height.div_ceil(8);
    }
    best.1
}

/// Returns the number of lanes of a bag of this size, and their height.
pub(super) fn lanes(size: usize, height: usize) -> (usize, usize) {
    let lanes = size.div_ceil(height).max(1);
    (lanes, size.div_ceil(lanes))
}

/// Returns the number of blocks of rows plus the cost of joining panels with folded bags. This
/// close estimate ignores the few lanes left empty at word ends.
fn cost(sizes: &[usize], height: usize) -> usize {
    let mut heights = vec![0usize; height + 1];
    let mut folded = false;
    for &size in sizes {
        let (lanes, tall) = lanes(size, height);
        heights[tall] += lanes;
        folded |= lanes > 1;
    }
    let (mut blocks, mut filled, mut panels) = (0, 0, 0);
    for (tall, &lanes) in heights.iter().enumerate().rev() {
        // The first lane of each panel is its tallest.
        let started = (filled + lanes).div_ceil(BLOCK_BITS) - panels;
        blocks += started * tall;
        panels += started;
        filled += lanes;
    }
    blocks + if folded { panels * JOIN_COST } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_bags_that_fill_panels_are_not_folded() {
        assert_eq!(best_height(&vec![10; 10_000]), 10);
        assert_eq!(best_height(&vec![100; 1_024]), 100);
    }

    #[test]
    fn a_few_ragged_bags_are_folded() {
        // 102 bags of 1 to 1,044 rows, as in Musk2: unfolded they would take 1,044 blocks for 6,598 rows.
        let mut sizes: Vec<usize> = (0..101).map(|bag| 1 + bag % 110).collect();
        sizes.push(1_044);
        let height = best_height(&sizes);
        assert!(cost(&sizes, height) < 40, "height {height} costs {}", cost(&sizes, height));
        assert!(1_044_usize.div_ceil(height) <= WORD_LANES);
    }

    #[test]
    fn no_bags_and_single_rows() {
        assert_eq!(best_height(&[]), 1);
        assert_eq!(best_height(&[1, 1, 1]), 1);
    }
}
