//! The metrics that networks are evaluated by.

use pellucid_forward::{RankRequest, Ranks, RowPart, TieCounting};
use pellucid_learn::params::NamedChoice;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// The metric that the search optimizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FitnessMetric {
    /// The share of positives among the highest-scoring rows, divided by the overall share. Higher
    /// is better.
    #[default]
    Lift,
    /// The share of positives among the highest-scoring rows. Higher is better.
    Precision,
    /// The area under the ROC curve. Higher is better.
    Auc,
    /// The mean of -ln(probability of the actual class), with probabilities from the best-fitting
    /// sigmoid. Lower is better.
    LogLoss,
    /// The Matthews correlation coefficient if as many rows are predicted positive as there are
    /// positives. Higher is better.
    Mcc,
}

impl NamedChoice for FitnessMetric {
    const ALL: &'static [FitnessMetric] = &[
        FitnessMetric::Lift,
        FitnessMetric::Precision,
        FitnessMetric::Auc,
        FitnessMetric::LogLoss,
        FitnessMetric::Mcc,
    ];

    fn name(self) -> &'static str {
        match self {
            FitnessMetric::Lift => "lift",
            FitnessMetric::Precision => "precision",
            FitnessMetric::Auc => "auc",
            FitnessMetric::LogLoss => "log-loss",
            FitnessMetric::Mcc => "mcc",
        }
    }
}

/// The number of standard errors by which a network from the search must be better than the network
/// it started from. With one standard error, one in six networks that are no better would pass.
const REQUIRED_ERRORS: f64 = 2.0;

/// The fitness of a network: the metric, negated if lower is better, and the area under the ROC
/// curve as a tie-breaker, which is 0 if it was not requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Fitness {
    pub(crate) value: f64,
    pub(crate) auc: f64,
}

impl Fitness {
    /// The worst possible fitness.
    pub(crate) const WORST: Fitness = Fitness { value: f64::NEG_INFINITY, auc: 0.0 };

    /// Compares two fitness values; NaN is worse than any number.
    pub(crate) fn order(&self, other: &Fitness) -> Ordering {
        let number = |value: f64| if value.is_nan() { f64::NEG_INFINITY } else { value };
        let by_value = number(self.value).total_cmp(&number(other.value));
        by_value.then(number(self.auc).total_cmp(&number(other.auc)))
    }

    pub(crate) fn is_better(&self, other: &Fitness) -> bool {
        self.order(other) == Ordering::Greater
    }

    /// Returns the mean, or the worst fitness if there is none.
    pub(crate) fn mean(all: &[Fitness]) -> Fitness {
        if all.is_empty() {
            return Fitness::WORST;
        }
        let mean = |of: fn(&Fitness) -> f64| all.iter().map(of).sum::<f64>() / all.len() as f64;
        Fitness { value: mean(|one| one.value), auc: mean(|one| one.auc) }
    }
}

impl Fitness {
    /// Whether a network is better than another by more than chance. Both are evaluated on the same
    /// random halves of the rows; the standard deviation of the difference over the halves
    /// estimates its standard error on all rows.
    pub(crate) fn is_significantly_better(one: &[Fitness], other: &[Fitness]) -> bool {
        let count = one.len().min(other.len()).max(1) as f64;
        let difference = |(one, other): (&Fitness, &Fitness)| one.value - other.value;
        let mean = one.iter().zip(other).map(difference).sum::<f64>() / count;
        let squares =
            one.iter().zip(other).map(difference).map(|difference| (difference - mean).powi(2));
        mean > REQUIRED_ERRORS * (squares.sum::<f64>() / count).sqrt()
    }
}

/// The objective: which ranks to request, and how to turn them into a fitness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Objective {
    pub(crate) metric: FitnessMetric,
    /// The share of the rows that counts as the top.
    pub(crate) top: f64,
    /// The number of rows in the top, and the total number of rows; used instead of the share.
    pub(crate) top_rows: Option<(usize, usize)>,
    pub(crate) ties: TieCounting,
    /// Whether ties are broken by the area under the ROC curve. Without it only the top is
    /// computed, which takes half the time.
    pub(crate) auc_breaks_ties: bool,
}

impl Objective {
    /// Returns the ranks to request for a part.
    pub(crate) fn ask(&self, number: usize, part: &RowPart) -> RankRequest {
        if part.rows() == 0 {
            // A half of very few rows can be empty and has no top.
            return RankRequest::pairs(number);
        }
        let top = match (self.metric, self.top_rows) {
            (FitnessMetric::Mcc, _) => part.positives(),
            // A part has a proportional top.
            (_, Some((top, all))) => part.share(top.min(all) as f64 / all.max(1) as f64),
            _ => part.share(self.top),
        };
        let ask = RankRequest::top(number, top.clamp(1, part.rows()));
        if self.needs_auc() { ask.and_pairs() } else { ask }
    }

    fn needs_auc(&self) -> bool {
        self.auc_breaks_ties || matches!(self.metric, FitnessMetric::Auc | FitnessMetric::LogLoss)
    }

    /// Whether the fitness depends only on the number of positives in the top, with ties counted
    /// strictly.
    pub(crate) fn counts_positives(&self) -> bool {
        self.ties == TieCounting::Strict
            && !self.needs_auc()
            && matches!(
                self.metric,
                FitnessMetric::Lift | FitnessMetric::Precision | FitnessMetric::Mcc
            )
    }

    /// Whether the metric needs scores in addition to ranks.
    pub(crate) fn needs_scores(&self) -> bool {
        self.metric == FitnessMetric::LogLoss
    }

    /// Returns the metric in its usual sign: a lower log-loss is better.
    pub(crate) fn metric_value(&self, fitness: Fitness) -> f64 {
        if self.metric == FitnessMetric::LogLoss { -fitness.value } else { fitness.value }
    }

    /// Computes the fitness from ranks.
    pub(crate) fn fitness_from_ranks(&self, ranks: &Ranks) -> Fitness {
        let auc = if self.needs_auc() { ranks.auc() } else { 0.0 };
        let value = match self.metric {
            FitnessMetric::Lift => ranks.lift(self.ties),
            FitnessMetric::Precision => ranks.precision(self.ties),
            FitnessMetric::Auc | FitnessMetric::LogLoss => auc,
            FitnessMetric::Mcc => {
                let (rows, positives) = (f64::from(ranks.rows), f64::from(ranks.positives));
                let found = ranks.top.positives(self.ties);
                let missed = positives - found;
                let true_negatives = rows - 2.0 * positives + found;
                let scale = positives * (rows - positives);
                if scale > 0.0 { (found * true_negatives - missed * missed) / scale } else { 0.0 }
            }
        };
        Fitness { value, auc }
    }

    /// Computes the fitness from scores.
    pub(crate) fn fitness_from_scores(
        &self,
        scores: &[f32],
        positive: &[bool],
        auc: f64,
    ) -> Fitness {
        Fitness { value: -Sigmoid::fit(scores, positive).1, auc }
    }
}

/// A sigmoid over scores: probability = 1 / (1 + exp(-(slope × score + offset))).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sigmoid {
    pub(crate) slope: f64,
    pub(crate) offset: f64,
}

impl Sigmoid {
    /// Fits a sigmoid with a nonnegative slope by Newton steps. Returns it and the mean log-loss.
    pub(crate) fn fit(scores: &[f32], positive: &[bool]) -> (Sigmoid, f64) {
        let known = || scores.iter().zip(positive).filter(|(score, _)| score.is_finite());
        let count = known().count().max(1) as f64;
        let positives = known().filter(|(_, positive)| **positive).count() as f64;
        // Half a row is added to each class, so that no probability is 0 or 1.
        let share = (positives + 0.5) / (count + 1.0);
        let flat = libm::log(share / (1.0 - share));
        // Scores are standardized first, because they can have any size.
        let mean = known().map(|(&score, _)| f64::from(score)).sum::<f64>() / count;
        let square = |(&score, _): (&f32, &bool)| (f64::from(score) - mean).powi(2);
        let spread = (known().map(square).sum::<f64>() / count).sqrt();
        let scale = if spread > 0.0 && spread.is_finite() { 1.0 / spread } else { 0.0 };
        let loss = |slope: f64, offset: f64| {
            let of = |(&score, &positive): (&f32, &bool)| {
                let z = slope * (f64::from(score) - mean) * scale + offset;
                (if positive { -z } else { z }).max(0.0) + libm::log1p(libm::exp(-z.abs()))
            };
            known().map(of).sum::<f64>() / count
        };
        let (mut slope, mut offset) = (0.0, flat);
        let mut best = loss(slope, offset);
        for _ in 0..40 {
            let (mut by, mut curve) = ([0.0; 2], [1e-9, 0.0, 1e-9]);
            for (&score, &positive) in known() {
                let z = (f64::from(score) - mean) * scale;
                let share = 1.0 / (1.0 + libm::exp(-(slope * z + offset)));
                let (miss, weight) = (share - f64::from(u8::from(positive)), share * (1.0 - share));
                by = [by[0] + miss * z, by[1] + miss];
                curve = [curve[0] + weight * z * z, curve[1] + weight * z, curve[2] + weight];
            }
            let whole = curve[0] * curve[2] - curve[1] * curve[1];
            if whole.is_nan() || whole <= 0.0 {
                break;
            }
            let step = [
                (curve[2] * by[0] - curve[1] * by[1]) / whole,
                (curve[0] * by[1] - curve[1] * by[0]) / whole,
            ];
            let mut part = 1.0;
            let next = loop {
                let next = (slope - part * step[0], offset - part * step[1]);
                let there = loss(next.0, next.1);
                if there < best {
                    break Some((next, there));
                }
                part /= 2.0;
                if part < 1e-4 {
                    break None;
                }
            };
            let Some((next, there)) = next else { break };
            let gained = best - there;
            ((slope, offset), best) = (next, there);
            if gained < 1e-10 {
                break;
            }
        }
        if slope.is_nan() || slope <= 0.0 {
            // Scores in the wrong order carry no information.
            return (Sigmoid { slope: 0.0, offset: flat }, loss(0.0, flat));
        }
        (Sigmoid { slope: slope * scale, offset: offset - slope * mean * scale }, best)
    }

    /// Returns a sigmoid that keeps the order of the scores. A few rows with very large scores can
    /// determine the scale of all scores; with the offset, smaller scores may then round to the
    /// same number, and the offset is dropped. Scores in the wrong order are kept unchanged.
    pub(crate) fn keeping_order(self, scores: &[f32]) -> Sigmoid {
        let mut sorted: Vec<f32> =
            scores.iter().copied().filter(|score| score.is_finite()).collect();
        sorted.sort_unstable_by(f32::total_cmp);
        let value = |score: f32| self.slope * f64::from(score) + self.offset;
        let is_lost = |pair: &[f32]| pair[0] < pair[1] && value(pair[0]) >= value(pair[1]);
        match sorted.windows(2).any(is_lost) {
            false => self,
            true if self.slope > 0.0 => Sigmoid { offset: 0.0, ..self },
            true => Sigmoid { slope: 1.0, offset: 0.0 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_forward::{Pairs, TopCounts};
    use proptest::prelude::*;

    fn objective(metric: FitnessMetric, ties: TieCounting) -> Objective {
        Objective { metric, top: 0.2, top_rows: None, ties, auc_breaks_ties: true }
    }

    #[test]
    fn constant_scores_earn_nothing() {
        let top =
            TopCounts { wanted: 20, above: 0, tied: 100, positives_above: 0, positives_tied: 10 };
        let ranks = Ranks { rows: 100, positives: 10, top, pairs: Pairs { won: 0, tied: 900 } };
        assert_eq!(
            objective(FitnessMetric::Lift, TieCounting::Shared).fitness_from_ranks(&ranks).value,
            1.0
        );
        assert_eq!(
            objective(FitnessMetric::Lift, TieCounting::Strict).fitness_from_ranks(&ranks).value,
            0.0
        );
        assert_eq!(
            objective(FitnessMetric::Auc, TieCounting::Shared).fitness_from_ranks(&ranks).value,
            0.5
        );
    }

    #[test]
    fn a_difference_by_chance_is_not_significant() {
        let of = |values: &[f64]| -> Vec<Fitness> {
            values.iter().map(|&value| Fitness { value, auc: 0.0 }).collect()
        };
        let seed = of(&[3.0, 3.0, 3.0, 3.0]);
        assert!(Fitness::is_significantly_better(&of(&[3.2, 3.3, 3.2, 3.1]), &seed));
        assert!(
            !Fitness::is_significantly_better(&of(&[3.9, 2.9, 2.7, 2.8]), &seed),
            "better once"
        );
        assert!(!Fitness::is_significantly_better(&seed, &seed));
        assert!(!Fitness::is_significantly_better(&[Fitness::WORST], &[Fitness::WORST]));
        assert!(!Fitness::is_significantly_better(&[], &[]));
    }

    #[test]
    fn mcc_is_one_if_the_positives_come_first() {
        let top = |positives_above, positives_tied| TopCounts {
            wanted: 10,
            above: 9,
            tied: 1,
            positives_above,
            positives_tied,
        };
        let of = |top| {
            let ranks = Ranks { rows: 100, positives: 10, top, pairs: Pairs::default() };
            objective(FitnessMetric::Mcc, TieCounting::Shared).fitness_from_ranks(&ranks).value
        };
        assert_eq!(of(top(9, 1)), 1.0);
        // No positive in the top: ten false positives and ten false negatives.
        assert!((of(top(0, 0)) - (-100.0 / 900.0)).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn a_sigmoid_recovers_its_parameters(slope in 0.2_f64..4.0, offset in -2.0_f64..2.0) {
            // A hundred rows at each of many scores, with the share of positives that the sigmoid
            // gives.
            let (mut scores, mut positive) = (Vec::new(), Vec::new());
            for step in 0..200_u16 {
                let score = f32::from(step) / 50.0 - 2.0;
                let share = 1.0 / (1.0 + (-(slope * f64::from(score) + offset)).exp());
                for row in 0..100_u16 {
                    scores.push(score);
                    positive.push(f64::from(row) + 0.5 < 100.0 * share);
                }
            }
            let (found, loss) = Sigmoid::fit(&scores, &positive);
            prop_assert!((found.slope / slope - 1.0).abs() < 0.1, "{} {slope}", found.slope);
            prop_assert!((found.offset - offset).abs() < 0.1, "{} {offset}", found.offset);
            prop_assert!(loss < 0.7);
        }

        /// The order of the rows is kept for scores of any size, even in the wrong order.
        #[test]
        fn rows_keep_their_order(
            rows in prop::collection::vec(
                (prop::num::f32::NORMAL | prop::num::f32::ZERO, any::<bool>()), 2..60,
            ),
            common in prop::collection::vec((-3.0_f32..3.0, any::<bool>()), 0..60),
        ) {
            let (mut scores, positive): (Vec<f32>, Vec<bool>) = rows.into_iter().chain(common).unzip();
            let found = Sigmoid::fit(&scores, &positive).0.keeping_order(&scores);
            let value = |score: f32| found.slope * f64::from(score) + found.offset;
            scores.sort_by(f32::total_cmp);
            for pair in scores.windows(2).filter(|pair| pair[0] < pair[1]) {
                prop_assert!(value(pair[0]) < value(pair[1]), "{} and {}: {found:?}", pair[0], pair[1]);
            }
        }

        #[test]
        fn the_loss_is_finite_for_any_scores(
            rows in prop::collection::vec((prop::num::f32::ANY, any::<bool>()), 0..50),
        ) {
            let (scores, positive): (Vec<f32>, Vec<bool>) = rows.into_iter().unzip();
            let (found, loss) = Sigmoid::fit(&scores, &positive);
            prop_assert!(found.slope >= 0.0 && found.slope.is_finite() && found.offset.is_finite());
            prop_assert!(loss.is_finite());
        }
    }
}
