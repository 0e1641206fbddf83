//! Rules for columns that name bags.

use crate::columns::name_words::{GROUP, has_word};
use crate::source::options::{Choice, ReadOptions};
use pellucid_data::MISSING;

/// The minimum number of bags, and of rows per bag on average, for a column whose name does not suggest bags.
pub(crate) const MIN_BAGS: usize = 10;
pub(crate) const MIN_ROWS_PER_BAG: usize = 2;

/// Whether the first column may name the bags, in which case its exact text is needed.
pub(crate) fn may_name_bags(name: &str, options: &ReadOptions) -> bool {
    options.bag == Choice::Auto && (has_word(name, &["bag"]) || has_word(name, &GROUP))
}

/// Returns the number of distinct values if each of them has one label and none is missing.
pub(crate) fn one_label_each(codes: &[u32], labels: &[u32]) -> Option<usize> {
    let mut pairs: Vec<(u32, u32)> = codes.iter().copied().zip(labels.iter().copied()).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let one_label = pairs.windows(2).all(|pair| pair[0].0 != pair[1].0);
    let missing = pairs.last().is_some_and(|&(code, _)| code == MISSING);
    (one_label && !missing).then_some(pairs.len())
}
