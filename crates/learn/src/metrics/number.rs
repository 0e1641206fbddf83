//! How well numbers are predicted: R², the mean absolute and the root mean squared error, each with its interval.

use super::estimate::{Estimate, UnitSum, mean_of, ratio_of};
use super::{Figure, share};
use crate::run::Figures;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};

/// What one says of every example who knows the numbers of other examples and nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Middle {
    /// Their mean, which is least wrong in squares.
    pub mean: f64,
    /// Their median, which is least wrong in absolute terms.
    pub median: f64,
}

impl Middle {
    /// The middle of some numbers; 0 of none.
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
        // Each is divided before they are added: the sum of large numbers may be none.
        let mean = sorted.iter().map(|number| number / sorted.len() as f64).sum();
        Middle { mean, median: f64::midpoint(sorted[last / 2], sorted[last.div_ceil(2)]) }
    }
}

/// A number that was predicted for an example whose number is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberDecision {
    /// What it is about: several about one example, or one group of examples, have the same number and are not counted as
    /// independent.
    pub unit: u32,
    /// What it is.
    pub actual: f64,
    /// What was said.
    pub predicted: f64,
    /// What is said by who knows only the numbers that the model was learned from.
    pub trivial: Middle,
}

/// All predictions of one study: of a model on some data, or of the folds of a cross-validation together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NumberDecisions(Vec<NumberDecision>);

/// How good predicted numbers are. What cannot be told is not there.
///
/// ```
/// use pellucid_learn::metrics::{Middle, NumberDecision, NumberDecisions};
///
/// let trivial = Middle { mean: 2.5, median: 2.5 };
/// let mut said = NumberDecisions::default();
/// for (unit, (actual, predicted)) in (0..).zip([(1.0, 1.5), (2.0, 2.0), (3.0, 2.5), (4.0, 4.0)]) {
///     said.push(NumberDecision { unit, actual, predicted, trivial });
/// }
/// let summary = said.summary();
/// assert_eq!(summary.r2.map(|figure| figure.estimate.value), Some(0.9));
/// assert_eq!(summary.mae.map(|figure| (figure.estimate.value, figure.trivial)), Some((0.25, 1.0)));
/// println!("{summary}");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NumberSummary {
    /// How many predictions there are.
    pub judged: usize,
    /// About how many units they are: examples, or groups of them.
    pub units: usize,
    /// The share of the variance that is explained: 1 where every prediction is right, 0 for who says the mean, less for who does
    /// worse.
    pub r2: Option<Figure>,
    /// The mean of how far predictions are off.
    pub mae: Option<Figure>,
    /// The root of the mean square of that.
    pub rmse: Option<Figure>,
}

impl NumberSummary {
    /// The same with all intervals wider by a factor.
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
    /// Adds a prediction. One that is no number is passed over.
    pub fn push(&mut self, decision: NumberDecision) {
        if decision.actual.is_finite() && decision.predicted.is_finite() {
            self.0.push(decision);
        }
    }

    /// The predictions, in the order in which they came.
    #[must_use]
    pub fn list(&self) -> &[NumberDecision] {
        &self.0
    }

    /// For each unit the sum of a figure over its predictions.
    fn by_unit(&self, figure: impl Fn(&NumberDecision) -> f64) -> Vec<UnitSum> {
        let units = self.0.iter().map(|one| one.unit as usize + 1).max().unwrap_or(0);
        let mut sums = vec![UnitSum::default(); units];
        for one in &self.0 {
            let unit = &mut sums[one.unit as usize];
            unit.sum += figure(one);
            unit.count += 1.0;
        }
        sums
    }

    /// The mean of a figure.
    fn mean(&self, figure: impl Fn(&NumberDecision) -> f64) -> f64 {
        share(self.0.iter().map(figure).sum(), self.0.len() as f64)
    }

    /// All figures.
    #[must_use]
    pub fn summary(&self) -> NumberSummary {
        let middle = self.mean(|one| one.actual);
        let missed = |one: &NumberDecision| (one.actual - one.predicted).powi(2);
        let spread = |one: &NumberDecision| (one.actual - middle).powi(2);
        let by_mean = self.mean(|one| (one.actual - one.trivial.mean).powi(2));
        let unexplained = ratio_of(&self.by_unit(missed), &self.by_unit(spread));
        let r2 = unexplained.map(|Estimate { value, low, high }| Figure {
            estimate: Estimate { value: 1.0 - value, low: 1.0 - high, high: 1.0 - low },
            trivial: 1.0 - by_mean / self.mean(spread),
        });
        let mae = mean_of(&self.by_unit(|one| (one.actual - one.predicted).abs()));
        let by_median = self.mean(|one| (one.actual - one.trivial.median).abs());
        let mse = mean_of(&self.by_unit(missed));
        NumberSummary {
            judged: self.0.len(),
            units: self.by_unit(|_| 0.0).iter().filter(|unit| unit.count > 0.0).count(),
            r2,
            mae: mae.map(|estimate| Figure { estimate, trivial: by_median }),
            rmse: mse.map(|mse| Figure { estimate: mse.map(f64::sqrt), trivial: by_mean.sqrt() }),
        }
    }
}

/// The plain figures of predicted numbers, for records and folds.
#[must_use]
pub fn number_scores(actual: &[f64], predicted: &[f64]) -> Figures {
    let mut said = NumberDecisions::default();
    let trivial = Middle::of(actual);
    for ((unit, &actual), &predicted) in (0..).zip(actual).zip(predicted) {
        said.push(NumberDecision { unit, actual, predicted, trivial });
    }
    let NumberSummary { r2, mae, rmse, .. } = said.summary();
    let named = [("r2", r2), ("mae", mae), ("rmse", rmse)];
    named.into_iter().fold(Figures::new(), |figures, (name, figure)| match figure {
        Some(figure) => figures.with(name, figure.estimate.value),
        None => figures,
    })
}

impl Display for NumberSummary {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let head = "95 % interval";
        writeln!(out, "{:<26}{:>10}  {head:<22}  {:>10}", "", "value", "trivial")?;
        let figures = [
            ("R²", &self.r2),
            ("mean absolute error", &self.mae),
            ("root mean squared error", &self.rmse),
        ];
        for (name, figure) in figures {
            let Some(Figure { estimate, trivial }) = figure else { continue };
            let told = |number: f64| match name {
                "R²" => format!("{:.3}", (number * 1000.0).round() / 1000.0 + 0.0),
                _ => significant(number, 4),
            };
            let Estimate { value, low, high } = *estimate;
            let interval = format!("{} to {}", told(low), told(high));
            let (value, trivial) = (told(value), told(*trivial));
            writeln!(out, "{name:<26}{value:>10}  {interval:<22}  {trivial:>10}")?;
        }
        writeln!(
            out,
            "\ntrivial: the mean of the numbers learned from, for the absolute error their median"
        )
    }
}

/// A number with so many digits that tell something, without an exponent where people would write none.
///
/// ```
/// use pellucid_learn::metrics::significant;
/// assert_eq!(significant(1234.5678, 4), "1235");
/// assert_eq!(significant(0.012345, 3), "0.0123");
/// assert_eq!(significant(-12.5, 6), "-12.5");
/// ```
#[must_use]
pub fn significant(number: f64, digits: usize) -> String {
    let digits = digits.max(1);
    let rounded: f64 = format!("{number:.*e}", digits - 1).parse().unwrap_or(number);
    let size = rounded.abs();
    if size == 0.0 || (1e-6..1e15).contains(&size) {
        format!("{}", rounded + 0.0)
    } else {
        format!("{rounded:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Streams;
    use proptest::prelude::*;

    fn said(pairs: &[(f64, f64)]) -> NumberDecisions {
        let mut said = NumberDecisions::default();
        let trivial = Middle::of(&pairs.iter().map(|pair| pair.0).collect::<Vec<_>>());
        for (unit, &(actual, predicted)) in (0..).zip(pairs) {
            said.push(NumberDecision { unit, actual, predicted, trivial });
        }
        said
    }

    proptest! {
        #[test]
        fn figures_are_those_of_their_definitions(
            pairs in prop::collection::vec((-50.0_f64..50.0, -50.0_f64..50.0), 2..60),
        ) {
            let summary = said(&pairs).summary();
            let n = pairs.len() as f64;
            let mean = pairs.iter().map(|pair| pair.0).sum::<f64>() / n;
            let sse: f64 = pairs.iter().map(|(y, p)| (y - p).powi(2)).sum();
            let sst: f64 = pairs.iter().map(|(y, _)| (y - mean).powi(2)).sum();
            let sae: f64 = pairs.iter().map(|(y, p)| (y - p).abs()).sum();
            let value = |figure: Option<Figure>| figure.map(|figure| figure.estimate.value);
            prop_assert!((value(summary.r2).unwrap() - (1.0 - sse / sst)).abs() < 1e-9);
            prop_assert!((value(summary.mae).unwrap() - sae / n).abs() < 1e-9);
            prop_assert!((value(summary.rmse).unwrap() - (sse / n).sqrt()).abs() < 1e-9);
            prop_assert!(summary.r2.unwrap().trivial.abs() < 1e-9, "who says the mean explains nothing");
            for figure in [summary.r2, summary.mae, summary.rmse].into_iter().flatten() {
                let Estimate { value, low, high } = figure.estimate;
                prop_assert!(low <= value && value <= high, "{figure:?}");
            }
            prop_assert!(summary.r2.unwrap().estimate.high <= 1.0);
        }
    }

    /// How often the intervals hold the truth, over studies of 60 examples.
    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
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
            let NumberSummary { r2, mae, rmse, .. } = said(&pairs).summary();
            for ((figure, truth), held) in [r2, mae, rmse].iter().zip(truth).zip(&mut held) {
                let Estimate { low, high, .. } = figure.expect("it varies").estimate;
                *held += u32::from(low <= truth && truth <= high);
            }
        }
        // 95 % of 600 are 570.
        assert!(held.iter().all(|held| (540..=600).contains(held)), "{held:?} of 600");
    }

    #[test]
    fn nothing_is_told_of_nothing_and_no_spread_has_no_share() {
        assert_eq!(NumberDecisions::default().summary(), NumberSummary::default());
        let same = said(&[(2.0, 1.0), (2.0, 3.0)]).summary();
        assert_eq!((same.r2, same.mae.map(|mae| mae.estimate.value)), (None, Some(1.0)));
    }
}
