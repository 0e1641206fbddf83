//! A first look at a sample, which says what columns deserve a look at all examples.
//!
//! Where a conjunction holds for a quarter of a million examples, a sixteenth of them tells well enough which columns explain most. The sums
//! over all examples are then gain their time for the best of those alone; what is found is as exact as without.

use super::gain::CandidateRank;
use super::scan::ColumnScan;

/// One example of so many is in the sample.
pub(super) const SAMPLED: u32 = 16;
/// From so many examples on a sample is scans at first; few in tests, which have few examples.
pub(super) const LARGE: f64 = if cfg!(test) { 60.0 } else { (1 << 18) as f64 };
/// So many columns are scans at in full.
const KEPT: usize = if cfg!(test) { 2 } else { 12 };

/// Whether an example is in the sample. What is left of its number after such a product has nothing to do with the order of examples.
#[inline]
pub(super) fn is_sampled(example: u64) -> bool {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    example.wrapping_mul(GOLDEN) <= u64::MAX / SAMPLED as u64
}

/// Whether a sample would spare anything, with so many columns.
pub(super) fn pays(columns: usize) -> bool {
    columns > 2 * KEPT
}

/// Of columns that a sample was scans at for, those that deserve more.
pub(super) fn best(scans: &[ColumnScan]) -> Vec<bool> {
    let rank = |scans: &ColumnScan| scans.best.iter().flatten().map(|(rank, _)| *rank).max();
    let mut ranks: Vec<(CandidateRank, usize)> = scans
        .iter()
        .enumerate()
        .filter_map(|(column, scans)| Some((rank(scans)?, column)))
        .collect();
    // Of equals the first.
    ranks.sort_by_key(|&(rank, column)| (std::cmp::Reverse(rank), column));
    let mut wanted = vec![false; scans.len()];
    ranks.iter().take(KEPT).for_each(|&(_, column)| wanted[column] = true);
    wanted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_have_their_share_in_any_order_of_examples() {
        for step in [1, 2, 7, 16, 100, 4096] {
            let examples = 100_000;
            let sampled = (0..examples).filter(|example| is_sampled(example * step)).count() as f64;
            let wanted = examples as f64 / f64::from(SAMPLED);
            assert!((sampled / wanted - 1.0).abs() < 0.1, "{sampled} of {wanted}, every {step}");
        }
    }
}
