//! Two models that predict numbers.

use super::super::NumberDecisions;
use super::influence::of_mean;
use super::{Distribution, PairedFigure, PairedSummary, difference};

impl PairedSummary {
    /// Compares the predictions of two models for the same examples, in the same order. `None` if the
    /// examples differ or there are none.
    #[must_use]
    pub fn of_numbers(a: &NumberDecisions, b: &NumberDecisions) -> Option<PairedSummary> {
        let (first, second) = (a.list(), b.list());
        let is_pair = first.len() == second.len()
            && first.iter().zip(second).all(|(one, other)| one.actual == other.actual);
        if !is_pair || first.is_empty() {
            return None;
        }
        let (one, other) = (a.summary(), b.summary());
        let errors = |of: &NumberDecisions, cost: fn(f64) -> f64| -> Vec<f64> {
            let costs: Vec<f64> =
                of.list().iter().map(|one| cost(one.actual - one.predicted)).collect();
            of_mean(&costs)
        };
        let scaled =
            |of: Vec<f64>, by: f64| -> Vec<f64> { of.into_iter().map(|own| own * by).collect() };
        let square: fn(f64) -> f64 = |error| error * error;
        let count = first.len() as f64;
        let mean = first.iter().map(|one| one.actual).sum::<f64>() / count;
        let variance = first.iter().map(|one| (one.actual - mean).powi(2)).sum::<f64>() / count;
        let mut figures = Vec::new();
        let mut add = |key, name, pair: (Option<_>, Option<_>), scale: f64, cost, is_high| {
            let (Some(one), Some(other)) = pair else { return };
            let (one, other): (super::Figure, super::Figure) = (one, other);
            let (one, other) = (one.estimate, other.estimate);
            let influences = (scaled(errors(a, cost), scale), scaled(errors(b, cost), scale));
            let values = (one.value, other.value);
            let (difference, p) =
                difference(values, (&influences.0, &influences.1), Distribution::Student);
            figures.push(PairedFigure {
                key,
                name,
                a: one,
                b: other,
                difference,
                p,
                higher_is_better: is_high,
            });
        };
        // R² is 1 - MSE / variance; the variance is the same for both models.
        add("r2", "R²", (one.r2, other.r2), -1.0 / variance, square, true);
        add("mae", "mean absolute error", (one.mae, other.mae), 1.0, f64::abs, false);
        // The difference of roots is the difference of the squares divided by the sum of the roots.
        let roots =
            one.rmse.zip(other.rmse).map(|(one, other)| one.estimate.value + other.estimate.value);
        if let Some(roots) = roots.filter(|roots| *roots > 0.0) {
            let pair = (one.rmse, other.rmse);
            add("rmse", "root mean squared error", pair, 1.0 / roots, square, false);
        }
        Some(PairedSummary { evaluated: first.len(), figures, correct: None })
    }
}
