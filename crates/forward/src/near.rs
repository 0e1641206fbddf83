//! Scores around a threshold: the rows above a bracket, and the scores inside it.
//!
//! Remote scores cannot be sorted together. Each part can count its rows above a bracket and inside
//! it, and these counts are summed over all parts.

use crate::{Inputs, RowPart};
use pellucid_bits::as_u32;
use serde::{Deserialize, Serialize};

/// The half-width of a bracket in standard deviations of the position of a threshold in a sample;
/// it misses once in thirty thousand times.
const REACH: f64 = 4.0;

/// A range of scores, both ends included, as integers in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Bracket {
    /// The lowest score.
    pub low: u32,
    /// The highest score.
    pub high: u32,
}

impl Bracket {
    /// All scores.
    pub const ALL: Bracket =
        Bracket { low: ascending(f32::NEG_INFINITY), high: ascending(f32::INFINITY) };

    /// Creates a bracket from one score to another.
    #[must_use]
    pub fn between(low: f32, high: f32) -> Bracket {
        Bracket { low: ascending(low), high: ascending(high) }
    }

    /// Whether it contains another bracket.
    #[must_use]
    pub fn holds(&self, other: &Bracket) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// Returns both ends as scores. No score is -0, so ending below it loses nothing.
    pub(crate) fn ends(&self) -> (f32, f32) {
        let below_zero = ascending(-0.0);
        let high = if self.high == below_zero { below_zero - 1 } else { self.high };
        (score(self.low), score(high))
    }
}

/// Converts a score to an integer; the order is kept.
#[must_use]
pub const fn ascending(score: f32) -> u32 {
    let bits = score.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

/// Converts such an integer back to a score.
const fn score(ascending: u32) -> f32 {
    f32::from_bits(if ascending >> 31 == 1 { ascending & !(1 << 31) } else { !ascending })
}

/// Returns the ranks between which a threshold most likely lies in a sample, if `wanted` of all
/// rows are above it. The first may be 0, and the last may be beyond the end.
pub(crate) fn ranks_around(wanted: usize, rows: usize, sample: usize) -> (usize, usize) {
    let share = wanted as f64 / rows as f64;
    let middle = share * sample as f64;
    let reach = REACH * (middle * (1.0 - share)).sqrt() + 2.0;
    // Both are positive; the caller checks whether such ranks exist.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let ranks = ((middle - reach).max(0.0) as usize, (middle + reach) as usize);
    ranks
}

/// A network, a part of the rows, and a bracket of scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BracketQuery {
    /// The number of the network.
    pub network: usize,
    /// The number of the part.
    pub part: usize,
    /// The bracket.
    pub bracket: Bracket,
}

/// The number of rows above a bracket, and the scores inside it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Near {
    /// The number of rows above, and of the positive ones among them.
    pub above: [u32; 2],
    /// The scores of positives inside.
    pub positives: Vec<f32>,
    /// The scores of negatives inside.
    pub negatives: Vec<f32>,
}

impl Near {
    /// Computes the result from scores by position; the specification of all implementations.
    pub(crate) fn plain(
        inputs: &Inputs,
        part: &RowPart,
        scores: &[f32],
        bracket: &Bracket,
    ) -> Near {
        let mut near = Near::default();
        for (place, &score) in scores.iter().enumerate().filter(|(place, _)| part.has(*place)) {
            let (key, positive) = (ascending(score), place < inputs.positives());
            if key > bracket.high {
                near.above[0] += 1;
                near.above[1] += u32::from(positive);
            } else if key >= bracket.low {
                (if positive { &mut near.positives } else { &mut near.negatives }).push(score);
            }
        }
        near
    }

    /// Returns the number of scores inside.
    #[must_use]
    pub fn within(&self) -> usize {
        self.positives.len() + self.negatives.len()
    }

    /// Counts the rows above a bracket that is not wider, and then the rows inside it in buckets of
    /// `1 << shift` scores each, lowest first. The lower half of a word counts rows, the upper half
    /// the positive ones among them.
    #[must_use]
    pub fn counted(&self, bracket: &Bracket, shift: u32, buckets: usize) -> Vec<u64> {
        let mut words = vec![0; 1 + buckets];
        words[0] = u64::from(self.above[0]) | u64::from(self.above[1]) << 32;
        let mut count = |scores: &[f32], one: u64| {
            for &score in scores {
                let key = ascending(score);
                if key > bracket.high {
                    words[0] += one;
                } else if key >= bracket.low {
                    let bucket = ((key - bracket.low) >> shift) as usize;
                    words[1 + bucket.min(buckets - 1)] += one;
                }
            }
        };
        count(&self.positives, 1 | 1 << 32);
        count(&self.negatives, 1);
        words
    }
}

/// Returns the rows and positives of a word of [`Near::counted`].
pub(crate) fn halves(word: u64) -> [u32; 2] {
    let lower = word & u64::from(u32::MAX);
    [lower, word >> 32].map(|half| as_u32(usize::try_from(half).unwrap_or(usize::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn integers_keep_the_order_of_scores(
            one in prop::num::f32::ANY, other in prop::num::f32::ANY,
        ) {
            prop_assume!(!one.is_nan() && !other.is_nan());
            prop_assert_eq!(ascending(one).cmp(&ascending(other)), one.total_cmp(&other));
            prop_assert_eq!(score(ascending(one)).to_bits(), one.to_bits());
        }
    }
}
