//! Metrics of predicted numbers: R², the mean absolute error and the root mean squared error, each
//! with its interval.

use super::estimate::{Estimate, UnitSum, mean_of, ratio_of};
use super::{Figure, share};
use crate::digits::significant;
use crate::run::Figures;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};

/// The mean and median of the training numbers: the predictions of the baseline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Middle {
    /// The mean, which minimizes the squared error.
    pub mean: f64,
    /// The median, which minimizes the absolute error.
    pub median: f64,
}

impl Middle {
    /// Returns the mean and median of some numbers; 0 for none.
    ///
    /// ```
    /// use pellucid_learn::metrics::Middle;
    /// assert_eq!(Middle::of(&[1.0, 2.0, 9.0]), Middle { mean: 4.0, median: 2.0 });
    /// assert_eq!(Middle::of(&[1.0, 2.0, 3.0, 10.0]).median, 2.5);
    /// ```
    #[must_use]
    pub fn of(numbers: &[f64]) -> Middle {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let Some(last) = sorted.len().checked_sub(1) else { return Middle::default() };
        // Divide before adding: the sum of large numbers may overflow.
        let mean = sorted.iter().map(|number| number / sorted.len() as f64).sum();
        Middle { mean, median: f64::midpoint(sorted[last / 2], sorted[last.div_ceil(2)]) }
    }
}

/// A predicted number for an example with a known number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberDecision {
    /// The unit: predictions for one example, or for one group of examples, have the same unit and do
    /// not count as independent.
    pub unit: u32,
    /// The actual number.
    pub actual: f64,
    /// The predicted number.
    pub predicted: f64,
    /// The baseline: the mean and median of the training numbers.
    pub baseline: Middle,
}

/// All predictions of a model on some data, or of all folds of a cross-validation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NumberDecisions(Vec<NumberDecision>);

/// Metrics of predicted numbers. A metric that is undefined is `None`.
///
/// ```
/// use pellucid_learn::metrics::{Middle, NumberDecision, NumberDecisions};
///
/// let baseline = Middle { mean: 2.5, median: 2.5 };
/// let mut decisions = NumberDecisions::default();
/// for (unit, (actual, predicted)) in (0..).zip([(1.0, 1.5), (2.0, 2.0), (3.0, 2.5), (4.0, 4.0)]) {
///     decisions.push(NumberDecision { unit, actual, predicted, baseline });
/// }
/// let summary = decisions.summary();
/// assert_eq!(summary.r2.map(|figure| figure.estimate.value), Some(0.9));
/// assert_eq!(summary.mae.map(|figure| (figure.estimate.value, figure.baseline)), Some((0.25, 1.0)));
/// println!("{summary}");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NumberSummary {
    /// The number of evaluated examples.
    #[serde(rename = "judged")]
    pub evaluated: usize,
    /// The number of units: examples or groups.
    pub units: usize,
    /// The explained share of the variance: 1 if every prediction is exact, 0 for the mean, negative if
    /// worse than the mean.
    pub r2: Option<Figure>,
    /// The mean absolute error.
    pub mae: Option<Figure>,
    /// The root mean squared error.
    pub rmse: Option<Figure>,
}

impl NumberSummary {
    /// Returns the summary with all intervals widened by a factor.
    #[must_use]
    pub(crate) fn stretched(mut self, factor: f64) -> NumberSummary {
        for figure in [&mut self.mae, &mut self.rmse].into_iter().flatten() {
            figure.estimate = figure.estimate.stretched(factor, (0.0, f64::INFINITY));
        }
        if let Some(figure) = &mut self.r2 {
            figure.estimate = figure.estimate.stretched(factor, (f64::NEG_INFINITY, 1.0));
        }
        self
    }
}

impl NumberDecisions {
    /// Adds a prediction. Predictions that are not finite are ignored.
    pub fn push(&mut self, decision: NumberDecision) {
        if decision.actual.is_finite() && decision.predicted.is_finite() {
            self.0.push(decision);
        }
    }

    /// Returns the predictions in order.
    #[must_use]
    pub fn list(&self) -> &[NumberDecision] {
        &self.0
    }

    /// Returns for each unit the sum of a value over its predictions.
    fn by_unit(&self, value: impl Fn(&NumberDecision) -> f64) -> Vec<UnitSum> {
        let units = self.0.iter().map(|one| one.unit as usize + 1).max().unwrap_or(0);
        let mut sums = vec![UnitSum::default(); units];
        for one in &self.0 {
            let unit = &mut sums[one.unit as usize];
            unit.sum += value(one);
            unit.count += 1.0;
        }
        sums
    }

    /// Returns the mean of a value.
    fn mean(&self, value: impl Fn(&NumberDecision) -> f64) -> f64 {
        share(self.0.iter().map(value).sum(), self.0.len() as f64)
    }

    /// Returns all metrics.
    #[must_use]
    pub fn summary(&self) -> NumberSummary {
        let mean = self.mean(|one| one.actual);
        let squared_error = |one: &NumberDecision| (one.actual - one.predicted).powi(2);
        let variance = |one: &NumberDecision| (one.actual - mean).powi(2);
        let by_mean = self.mean(|one| (one.actual - one.baseline.mean).powi(2));
        let unexplained = ratio_of(&self.by_unit(squared_error), &self.by_unit(variance));
        let r2 = unexplained.map(|Estimate { value, low, high }| Figure {
            estimate: Estimate { value: 1.0 - value, low: 1.0 - high, high: 1.0 - low },
            baseline: 1.0 - by_mean / self.mean(variance),
        });
        let mae = mean_of(&self.by_unit(|one| (one.actual - one.predicted).abs()));
        let by_median = self.mean(|one| (one.actual - one.baseline.median).abs());
        let mse = mean_of(&self.by_unit(squared_error));
        NumberSummary {
            evaluated: self.0.len(),
            units: self.by_unit(|_| 0.0).iter().filter(|unit| unit.count > 0.0).count(),
            r2,
            mae: mae.map(|estimate| Figure { estimate, baseline: by_median }),
            rmse: mse.map(|mse| Figure { estimate: mse.map(f64::sqrt), baseline: by_mean.sqrt() }),
        }
    }
}

/// Returns the metrics of predicted numbers without intervals, for records and folds.
#[must_use]
pub fn number_scores(actual: &[f64], predicted: &[f64]) -> Figures {
    let mut decisions = NumberDecisions::default();
    let baseline = Middle::of(actual);
    for ((unit, &actual), &predicted) in (0..).zip(actual).zip(predicted) {
        decisions.push(NumberDecision { unit, actual, predicted, baseline });
    }
    let NumberSummary { r2, mae, rmse, .. } = decisions.summary();
    let named = [("r2", r2), ("mae", mae), ("rmse", rmse)];
    named.into_iter().fold(Figures::new(), |figures, (name, figure)| match figure {
        Some(figure) => figures.with(name, figure.estimate.value),
        None => figures,
    })
}

impl Display for NumberSummary {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let head = "95 % interval";
        writeln!(out, "{:<26}{:>10}  {head:<22}  {:>10}", "", "value", "baseline")?;
        let figures = [
            ("R²", &self.r2),
            ("mean absolute error", &self.mae),
            ("root mean squared error", &self.rmse),
        ];
        for (name, figure) in figures {
            let Some(Figure { estimate, baseline }) = figure else { continue };
            let format_value = |number: f64| match name {
                "R²" => format!("{:.3}", (number * 1000.0).round() / 1000.0 + 0.0),
                _ => significant(number, 4),
            };
            let Estimate { value, low, high } = *estimate;
            let interval = format!("{} to {}", format_value(low), format_value(high));
            let (value, baseline) = (format_value(value), format_value(*baseline));
            writeln!(out, "{name:<26}{value:>10}  {interval:<22}  {baseline:>10}")?;
        }
        writeln!(
            out,
            "\nbaseline: always predict the mean of the training data (absolute error: the median)"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Streams;
    use proptest::prelude::*;

    fn decisions(pairs: &[(f64, f64)]) -> NumberDecisions {
        let mut decisions = NumberDecisions::default();
        let baseline = Middle::of(&pairs.iter().map(|pair| pair.0).collect::<Vec<_>>());
        for (unit, &(actual, predicted)) in (0..).zip(pairs) {
            decisions.push(NumberDecision { unit, actual, predicted, baseline });
        }
        decisions
    }

    proptest! {
        #[test]
        fn metrics_match_their_definitions(
            pairs in prop::collection::vec((-50.0_f64..50.0, -50.0_f64..50.0), 2..60),
        ) {
            let summary = decisions(&pairs).summary();
            let n = pairs.len() as f64;
            let mean = pairs.iter().map(|pair| pair.0).sum::<f64>() / n;
            let sse: f64 = pairs.iter().map(|(y, p)| (y - p).powi(2)).sum();
            let sst: f64 = pairs.iter().map(|(y, _)| (y - mean).powi(2)).sum();
            let sae: f64 = pairs.iter().map(|(y, p)| (y - p).abs()).sum();
            let value = |figure: Option<Figure>| figure.map(|figure| figure.estimate.value);
            prop_assert!((value(summary.r2).unwrap() - (1.0 - sse / sst)).abs() < 1e-9);
            prop_assert!((value(summary.mae).unwrap() - sae / n).abs() < 1e-9);
            prop_assert!((value(summary.rmse).unwrap() - (sse / n).sqrt()).abs() < 1e-9);
            prop_assert!(summary.r2.unwrap().baseline.abs() < 1e-9, "the mean explains nothing");
            for figure in [summary.r2, summary.mae, summary.rmse].into_iter().flatten() {
                let Estimate { value, low, high } = figure.estimate;
                prop_assert!(low <= value && value <= high, "{figure:?}");
            }
            prop_assert!(summary.r2.unwrap().estimate.high <= 1.0);
        }
    }

    /// The coverage of the intervals over studies of 60 examples.
    #[test]
    fn intervals_have_the_stated_coverage() {
        let mut held = [0; 3];
        // A number of variance 1 + 1, of which a half is predicted; the error is normal.
        let truth = [0.5, (2.0 / std::f64::consts::PI).sqrt(), 1.0];
        for study in 0..600_u64 {
            let mut stream = Streams::new(study).stream(&[]);
            let mut normal = || (0..12).map(|_| stream.unit()).sum::<f64>() - 6.0;
            let pairs: Vec<(f64, f64)> = (0..60)
                .map(|_| {
                    let known = normal();
                    (known + normal(), known)
                })
                .collect();
            let NumberSummary { r2, mae, rmse, .. } = decisions(&pairs).summary();
            for ((figure, truth), held) in [r2, mae, rmse].iter().zip(truth).zip(&mut held) {
                let Estimate { low, high, .. } = figure.expect("it varies").estimate;
                *held += u32::from(low <= truth && truth <= high);
            }
        }
        // 95 % of 600 are 570.
        assert!(held.iter().all(|held| (540..=600).contains(held)), "{held:?} of 600");
    }

    #[test]
    fn no_predictions_and_no_variance_give_no_metrics() {
        assert_eq!(NumberDecisions::default().summary(), NumberSummary::default());
        let same = decisions(&[(2.0, 1.0), (2.0, 3.0)]).summary();
        assert_eq!((same.r2, same.mae.map(|mae| mae.estimate.value)), (None, Some(1.0)));
    }
}
