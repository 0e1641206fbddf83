//! Scores around a threshold: who is above a bracket, and what is within it.
//!
//! Where rows lie in several places nobody can sort all scores. What a place can say is how many of its rows
//! are above a bracket and how many within it; whole numbers, which add up over all places.

use crate::{Inputs, Part};
use pellucid_bits::as_u32;
use serde::{Deserialize, Serialize};

/// Standard deviations of a threshold's place in a sample that a bracket reaches to either side: a miss in
/// thirty thousand.
const REACH: f64 = 4.0;

/// Scores from a lower to an upper one, both included, as numbers that grow with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Bracket {
    /// The lowest.
    pub low: u32,
    /// The highest.
    pub high: u32,
}

impl Bracket {
    /// All scores.
    pub const ALL: Bracket =
        Bracket { low: ascending(f32::NEG_INFINITY), high: ascending(f32::INFINITY) };

    /// From one score to another.
    #[must_use]
    pub fn between(low: f32, high: f32) -> Bracket {
        Bracket { low: ascending(low), high: ascending(high) }
    }

    /// Whether all of another is within it.
    #[must_use]
    pub fn holds(&self, other: &Bracket) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// Both ends as scores. No score is -0, so nothing is lost by ending below it.
    pub(crate) fn ends(&self) -> (f32, f32) {
        let below_zero = ascending(-0.0);
        let high = if self.high == below_zero { below_zero - 1 } else { self.high };
        (score(self.low), score(high))
    }
}

/// A score as a whole number that grows with it.
#[must_use]
pub const fn ascending(score: f32) -> u32 {
    let bits = score.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

/// The score of such a number.
const fn score(ascending: u32) -> f32 {
    f32::from_bits(if ascending >> 31 == 1 { ascending & !(1 << 31) } else { !ascending })
}

/// The ranks between which a threshold most likely lies in a sample of so many rows, if so many of all rows
/// are above it; the first may be 0 and the last beyond the end.
pub(crate) fn ranks_around(wanted: usize, rows: usize, sample: usize) -> (usize, usize) {
    let share = wanted as f64 / rows as f64;
    let middle = share * sample as f64;
    let reach = REACH * (middle * (1.0 - share)).sqrt() + 2.0;
    // Both are positive, and it is for the caller to look whether there are such ranks.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let ranks = ((middle - reach).max(0.0) as usize, (middle + reach) as usize);
    ranks
}

/// A network, a part of the rows, and the scores that are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// The number of the network.
    pub network: usize,
    /// The number of the part.
    pub part: usize,
    /// The scores.
    pub bracket: Bracket,
}

/// Rows above a bracket, and the scores within it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Near {
    /// How many rows are above, and how many of them are positive.
    pub above: [u32; 2],
    /// The scores of positives within.
    pub positives: Vec<f32>,
    /// The scores of all others within.
    pub negatives: Vec<f32>,
}

impl Near {
    /// What scores, given by place, say; the specification of all other ways to find it.
    pub(crate) fn plain(inputs: &Inputs, part: &Part, scores: &[f32], bracket: &Bracket) -> Near {
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

    /// How many scores are within.
    #[must_use]
    pub fn within(&self) -> usize {
        self.positives.len() + self.negatives.len()
    }

    /// Rows above a bracket that is not wider, and then rows within it in buckets of `1 << shift` scores
    /// each, from the lowest. Rows are in the lower half of a word, and those of them that are positive in
    /// the upper half.
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

/// Rows and positives of a word of [`Near::counted`].
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
        fn greater_scores_have_greater_numbers(one in prop::num::f32::ANY, other in prop::num::f32::ANY) {
            prop_assume!(!one.is_nan() && !other.is_nan());
            prop_assert_eq!(ascending(one).cmp(&ascending(other)), one.total_cmp(&other));
            prop_assert_eq!(score(ascending(one)).to_bits(), one.to_bits());
        }
    }
}
