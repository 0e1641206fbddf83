//! Metrics of a ranking.

use crate::distinct::DistinctValues;

/// Why examples could not be ranked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RankError {
    /// Lists of different lengths.
    #[error(
        "found {scores} scores, {labels} labels and {weights} weights; expected the same number of each"
    )]
    Lengths {
        /// The number of scores.
        scores: usize,
        /// The number of labels.
        labels: usize,
        /// The number of weights.
        weights: usize,
    },
    /// A score that is NaN.
    #[error("the score of example {0} is NaN; expected a number or an infinity")]
    NotANumber(usize),
    /// A weight that is negative or not finite.
    #[error("found weight {weight} for example {example}; expected a finite number of at least 0")]
    Weight {
        /// The index of the example, from 0.
        example: usize,
        /// The weight found.
        weight: f64,
    },
    /// Only one class.
    #[error(
        "found total weights of {positives} for positives and {negatives} for negatives; expected both \
         to be greater than 0"
    )]
    OneClass {
        /// The total weight of the positives.
        positives: f64,
        /// The total weight of the negatives.
        negatives: f64,
    },
}

/// The treatment of ties at the end of the top share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// Tied examples count by the share of the tie that fits, the expectation over all their orders.
    /// A constant score has lift 1.
    #[default]
    Shared,
    /// Tied examples do not count, as in the genetic networks paper. A constant score has lift 0.
    Strict,
}

/// The weights of the examples with the same score.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Group {
    positive: f64,
    negative: f64,
}

/// Examples ordered by score, best first, with ties grouped.
///
/// Sorting is the expensive part: make one ranking and compute several metrics from it. Without
/// weights all sums are whole numbers and exact up to 2^53; AUC is then exact up to its last division
/// for about 90 million examples.
#[derive(Clone, Debug)]
pub struct Ranking {
    groups: Vec<Group>,
    positives: f64,
    negatives: f64,
    /// Whether the top share is a whole number of examples, which it is without weights.
    whole: bool,
}

/// Groups examples with the same score, best first, if there are few distinct scores.
fn group_distinct(few: &DistinctValues, add: impl Fn(&mut Group, usize)) -> Vec<Group> {
    let mut groups: Vec<(f64, Group)> =
        few.distinct.iter().map(|&score| (f64::from_bits(score), Group::default())).collect();
    for (example, &place) in few.places.iter().enumerate() {
        add(&mut groups[place as usize].1, example);
    }
    groups.sort_unstable_by(|(one, _), (other, _)| other.total_cmp(one));
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Groups examples with the same score, best first, by sorting all of them.
fn group_sorted(scores: &[f64], add: impl Fn(&mut Group, usize)) -> Vec<Group> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order
        .sort_unstable_by(|&a, &b| (scores[b] + 0.0).total_cmp(&(scores[a] + 0.0)).then(a.cmp(&b)));
    let tied = order.chunk_by(|&a, &b| scores[a] == scores[b]);
    tied.map(|tied| {
        let mut group = Group::default();
        tied.iter().for_each(|&example| add(&mut group, example));
        group
    })
    .collect()
}

impl Ranking {
    /// Ranks examples by score, largest first.
    ///
    /// # Errors
    /// If the lists differ in length, a score is NaN, or one of the classes is missing.
    pub fn new(scores: &[f64], labels: &[bool]) -> Result<Self, RankError> {
        Self::build(scores, labels, None)
    }

    /// Ranks weighted examples.
    ///
    /// # Errors
    /// As [`Ranking::new`], or if a weight is negative or not finite.
    pub fn weighted(scores: &[f64], labels: &[bool], weights: &[f64]) -> Result<Self, RankError> {
        Self::build(scores, labels, Some(weights))
    }

    fn build(scores: &[f64], labels: &[bool], weights: Option<&[f64]>) -> Result<Self, RankError> {
        let n = scores.len();
        let weight_count = weights.map_or(n, <[f64]>::len);
        if labels.len() != n || weight_count != n {
            return Err(RankError::Lengths {
                scores: n,
                labels: labels.len(),
                weights: weight_count,
            });
        }
        if let Some(example) = scores.iter().position(|score| score.is_nan()) {
            return Err(RankError::NotANumber(example));
        }
        if let Some((example, &weight)) = weights.and_then(|weights| {
            weights.iter().enumerate().find(|(_, w)| !(**w >= 0.0 && w.is_finite()))
        }) {
            return Err(RankError::Weight { example, weight });
        }
        let add = |group: &mut Group, example: usize| {
            let weight = weights.map_or(1.0, |weights| weights[example]);
            if labels[example] {
                group.positive += weight;
            } else {
                group.negative += weight;
            }
        };
        // Both ways add tied examples in order of their index, so that weighted sums are equal.
        // `+ 0.0` turns -0.0 into 0.0.
        let groups = match DistinctValues::of(scores.iter().map(|score| (score + 0.0).to_bits())) {
            Some(few) => group_distinct(&few, add),
            None => group_sorted(scores, add),
        };
        let mut ranking = Self { groups, positives: 0.0, negatives: 0.0, whole: weights.is_none() };
        for group in &ranking.groups {
            ranking.positives += group.positive;
            ranking.negatives += group.negative;
        }
        let (positives, negatives) = (ranking.positives, ranking.negatives);
        if !(positives > 0.0 && negatives > 0.0) {
            return Err(RankError::OneClass { positives, negatives });
        }
        Ok(ranking)
    }

    /// Returns the weighted number of pairs of a positive and a negative.
    pub(super) fn pairs(&self) -> f64 {
        self.positives * self.negatives
    }

    /// Returns the area under the ROC curve: the probability that a random positive is ranked before a
    /// random negative; a tie counts half.
    #[must_use]
    pub fn auc(&self) -> f64 {
        let mut before = 0.0;
        let mut twice = 0.0;
        for group in &self.groups {
            // A positive wins against the negatives after it and half of those tied with it.
            let after = self.negatives - before - group.negative;
            twice += group.positive * (2.0 * after + group.negative);
            before += group.negative;
        }
        (twice / (2.0 * self.positives * self.negatives)).clamp(0.0, 1.0)
    }

    /// Returns the average precision: for each positive the share of positives among the examples with
    /// at least the same score, averaged over the positives. The order of ties does not matter.
    #[must_use]
    pub fn average_precision(&self) -> f64 {
        let mut hits = 0.0;
        let mut seen = 0.0;
        let mut sum = 0.0;
        for group in &self.groups {
            hits += group.positive;
            seen += group.positive + group.negative;
            if seen > 0.0 {
                sum += group.positive * (hits / seen);
            }
        }
        sum / self.positives
    }

    /// Returns the share of positives among the top `fraction` of the examples.
    ///
    /// The top part has floor(fraction x n) examples, at least one (with weights: that share of the
    /// weight, not rounded). The fraction is clamped to 0 to 1; NaN counts as 1.
    #[must_use]
    pub fn precision_at(&self, fraction: f64, ties: Ties) -> f64 {
        let room = self.room(fraction);
        let mut left = room;
        let mut hits = 0.0;
        for group in &self.groups {
            let size = group.positive + group.negative;
            if size <= left {
                hits += group.positive;
                left -= size;
                continue;
            }
            if ties == Ties::Shared {
                hits += group.positive * (left / size);
            }
            break;
        }
        if room > 0.0 { hits / room } else { 0.0 }
    }

    /// Returns the lift: the share of positives among the top `fraction` of the examples, relative to
    /// their share among all.
    ///
    /// It is at most 5 for a fraction of 0.2. The size of the top part is that of
    /// [`Ranking::precision_at`].
    #[must_use]
    pub fn lift_at(&self, fraction: f64, ties: Ties) -> f64 {
        self.precision_at(fraction, ties) / (self.positives / (self.positives + self.negatives))
    }

    /// Returns the weight of the top part.
    fn room(&self, fraction: f64) -> f64 {
        let total = self.positives + self.negatives;
        let fraction = if fraction.is_nan() { 1.0 } else { fraction.clamp(0.0, 1.0) };
        let part = fraction * total;
        if !self.whole {
            return part;
        }
        // 0.29 x 100 is slightly less than 29 in floating point.
        let nearest = part.round();
        let whole = if (part - nearest).abs() <= 1e-9 * total { nearest } else { part.floor() };
        whole.max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Streams;
    use proptest::prelude::*;

    /// The definition: over all pairs of a positive and a negative.
    fn auc_by_pairs(scores: &[f64], labels: &[bool], weights: &[f64]) -> f64 {
        let (mut won, mut pairs) = (0.0, 0.0);
        for i in (0..scores.len()).filter(|&i| labels[i]) {
            for j in (0..scores.len()).filter(|&j| !labels[j]) {
                let pair = weights[i] * weights[j];
                pairs += pair;
                won += pair
                    * if scores[i] > scores[j] {
                        1.0
                    } else if scores[i] == scores[j] {
                        0.5
                    } else {
                        0.0
                    };
            }
        }
        won / pairs
    }

    fn precision_by_positives(scores: &[f64], labels: &[bool]) -> f64 {
        let positives = labels.iter().filter(|&&label| label).count() as f64;
        let precision = |i: usize| {
            let above = |j: &usize| scores[*j] >= scores[i];
            let hits = (0..scores.len()).filter(above).filter(|&j| labels[j]).count() as f64;
            hits / (0..scores.len()).filter(above).count() as f64
        };
        (0..scores.len()).filter(|&i| labels[i]).map(precision).sum::<f64>() / positives
    }

    /// Few distinct scores, so that ties are common; the first two labels make sure of both
    /// classes.
    fn examples() -> impl Strategy<Value = (Vec<f64>, Vec<bool>)> {
        prop::collection::vec((0_u8..8, any::<bool>()), 2..40).prop_map(|rows| {
            let scores = rows.iter().map(|&(score, _)| f64::from(score) - 3.5).collect();
            let mut labels: Vec<bool> = rows.iter().map(|&(_, label)| label).collect();
            (labels[0], labels[1]) = (true, false);
            (scores, labels)
        })
    }

    proptest! {
        #[test]
        fn auc_is_its_definition((scores, labels) in examples()) {
            let ranking = Ranking::new(&scores, &labels).expect("two classes");
            let ones = vec![1.0; scores.len()];
            prop_assert_eq!(ranking.auc(), auc_by_pairs(&scores, &labels, &ones));
            let weights: Vec<f64> = (0..scores.len()).map(|i| 0.5 + (i % 5) as f64).collect();
            let weighted = Ranking::weighted(&scores, &labels, &weights).expect("two classes");
            prop_assert!((weighted.auc() - auc_by_pairs(&scores, &labels, &weights)).abs() < 1e-12);
            let equal = Ranking::weighted(&scores, &labels, &ones).expect("two classes");
            prop_assert_eq!(equal.auc(), ranking.auc());
        }

        #[test]
        fn both_ways_of_grouping_agree(
            rows in prop::collection::vec((-3i8..4, 0.1f64..9.0, any::<bool>()), 64..200),
        ) {
            let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.0) / 3.0).collect();
            let add = |group: &mut Group, example: usize| {
                let (_, weight, is_positive) = rows[example];
                *(if is_positive { &mut group.positive } else { &mut group.negative }) += weight;
            };
            let few = DistinctValues::of(scores.iter().map(|score| score.to_bits())).expect("seven scores");
            prop_assert_eq!(group_distinct(&few, add), group_sorted(&scores, add));
        }

        #[test]
        fn average_precision_is_its_definition((scores, labels) in examples()) {
            let ranking = Ranking::new(&scores, &labels).expect("two classes");
            let expected = precision_by_positives(&scores, &labels);
            prop_assert!((ranking.average_precision() - expected).abs() < 1e-12);
        }

        #[test]
        fn the_order_of_examples_does_not_matter((scores, labels) in examples(), seed: u64) {
            let mut order: Vec<usize> = (0..scores.len()).collect();
            Streams::new(seed).stream(&[]).shuffle(&mut order);
            let moved_scores: Vec<f64> = order.iter().map(|&i| scores[i]).collect();
            let moved_labels: Vec<bool> = order.iter().map(|&i| labels[i]).collect();
            let a = Ranking::new(&scores, &labels).expect("two");
            let b = Ranking::new(&moved_scores, &moved_labels).expect("two");
            prop_assert_eq!(a.auc(), b.auc());
            prop_assert_eq!(a.average_precision(), b.average_precision());
            prop_assert_eq!(a.lift_at(0.2, Ties::Shared), b.lift_at(0.2, Ties::Shared));
        }

        #[test]
        fn shared_ties_are_the_mean_over_orders(
            (scores, labels) in examples(),
            fraction in 0.05_f64..1.0,
        ) {
            let ranking = Ranking::new(&scores, &labels).expect("two classes");
            let n = scores.len();
            let k = (1..=n).rev().find(|&k| k as f64 <= fraction * n as f64).unwrap_or(1);
            prop_assume!((fraction * n as f64).fract() > 1e-6 || (fraction * n as f64) < 1.0);
            let mut sum = 0.0;
            let orders = 400;
            for trial in 0..orders {
                let mut order: Vec<usize> = (0..n).collect();
                Streams::new(trial).stream(&[]).shuffle(&mut order);
                order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
                sum += order[..k].iter().filter(|&&i| labels[i]).count() as f64 / k as f64;
            }
            let mean = sum / f64::from(u32::try_from(orders).expect("small"));
            let shared = ranking.precision_at(fraction, Ties::Shared);
            // Four standard errors of a share at its widest, for 400 orders.
            prop_assert!((shared - mean).abs() < 0.1 + 1e-9, "{} {}", shared, mean);
            prop_assert!(ranking.precision_at(fraction, Ties::Strict) <= shared + 1e-12);
        }
    }

    #[test]
    fn a_constant_score_has_no_lift() {
        let labels: Vec<bool> = (0..100).map(|i| i % 10 == 0).collect();
        let constant = Ranking::new(&[0.5; 100], &labels).expect("two classes");
        assert_eq!(constant.auc(), 0.5);
        assert!((constant.lift_at(0.2, Ties::Shared) - 1.0).abs() < 1e-12);
        assert_eq!(constant.lift_at(0.2, Ties::Strict), 0.0);
    }

    #[test]
    fn a_perfect_ranking_has_the_largest_lift() {
        let labels: Vec<bool> = (0..1000).map(|i| i < 100).collect();
        let scores: Vec<f64> = (0..1000).map(|i| -f64::from(i)).collect();
        let ranking = Ranking::new(&scores, &labels).expect("two classes");
        assert_eq!((ranking.auc(), ranking.average_precision()), (1.0, 1.0));
        for ties in [Ties::Shared, Ties::Strict] {
            assert!((ranking.lift_at(0.2, ties) - 5.0).abs() < 1e-12);
            assert!((ranking.lift_at(1.0, ties) - 1.0).abs() < 1e-12);
            assert!((ranking.lift_at(0.0, ties) - 10.0).abs() < 1e-12, "one example at least");
        }
        assert!((ranking.precision_at(0.29, Ties::Shared) - 100.0 / 290.0).abs() < 1e-12);
    }

    #[test]
    fn strict_ties_count_a_group_that_ends_at_the_cutoff() {
        let ranking =
            Ranking::new(&[2.0, 2.0, 1.0, 1.0], &[true, false, true, false]).expect("two");
        assert_eq!(ranking.precision_at(0.5, Ties::Strict), 0.5);
        assert_eq!(ranking.precision_at(0.75, Ties::Strict), 1.0 / 3.0);
    }

    #[test]
    fn invalid_rankings_are_rejected() {
        assert_eq!(
            Ranking::new(&[0.0, f64::NAN], &[true, false]).err(),
            Some(RankError::NotANumber(1))
        );
        assert!(matches!(Ranking::new(&[0.0], &[true]), Err(RankError::OneClass { .. })));
        assert!(matches!(Ranking::new(&[], &[]), Err(RankError::OneClass { .. })));
        assert!(matches!(Ranking::new(&[0.0], &[]), Err(RankError::Lengths { .. })));
        let weights = Ranking::weighted(&[0.0, 1.0], &[true, false], &[1.0, -1.0]);
        assert!(matches!(weights, Err(RankError::Weight { example: 1, .. })));
        let zeros = Ranking::new(&[0.0, -0.0], &[true, false]).expect("two classes");
        assert_eq!(zeros.auc(), 0.5, "the two zeros tie");
        assert_eq!(Ranking::new(&[f64::INFINITY, 0.0], &[true, false]).map(|r| r.auc()), Ok(1.0));
    }
}
