//! A first scan of a sample, which selects the columns for a full scan.
//!
//! For a conjunction with a quarter of a million examples, a sixteenth of them shows well enough
//! which columns have the largest gain. Only the best columns are then scanned in full; the result
//! is exact for them.

use super::gain::CandidateRank;
use super::scan::ColumnScan;

/// One in this many examples is in the sample.
pub(super) const SAMPLED: u32 = 16;
/// From this number of examples on, a sample is scanned first; small in tests.
pub(super) const LARGE: f64 = if cfg!(test) { 60.0 } else { (1 << 18) as f64 };
/// The number of columns that are scanned in full.
const KEPT: usize = if cfg!(test) { 2 } else { 12 };

/// Returns whether an example is in the sample.
#[inline]
pub(super) fn is_sampled(example: u64) -> bool {
    is_one_of(example, u64::from(SAMPLED))
}

/// Returns whether an example is in a sample of one in `one_of` examples. The multiplicative hash does not
/// depend on the order of examples.
#[inline]
pub(super) fn is_one_of(example: u64, one_of: u64) -> bool {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    example.wrapping_mul(GOLDEN) <= u64::MAX / one_of
}

/// Returns whether a sample saves time with this many columns.
pub(super) fn pays(columns: usize) -> bool {
    columns > 2 * KEPT
}

/// Returns the columns to scan in full, given the scans of a sample.
pub(super) fn best(scans: &[ColumnScan]) -> Vec<bool> {
    let rank = |scans: &ColumnScan| scans.best.iter().flatten().map(|(rank, _)| *rank).max();
    let mut ranks: Vec<(CandidateRank, usize)> = scans
        .iter()
        .enumerate()
        .filter_map(|(column, scans)| Some((rank(scans)?, column)))
        .collect();
    // In a tie the first one wins.
    ranks.sort_by_key(|&(rank, column)| (std::cmp::Reverse(rank), column));
    let mut wanted = vec![false; scans.len()];
    ranks.iter().take(KEPT).for_each(|&(_, column)| wanted[column] = true);
    wanted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_have_the_right_size_in_any_order_of_examples() {
        for step in [1, 2, 7, 16, 100, 4096] {
            let examples = 100_000;
            let sampled = (0..examples).filter(|example| is_sampled(example * step)).count() as f64;
            let wanted = examples as f64 / f64::from(SAMPLED);
            assert!((sampled / wanted - 1.0).abs() < 0.1, "{sampled} of {wanted}, every {step}");
        }
    }
}
