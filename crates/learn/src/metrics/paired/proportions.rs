//! The difference of two proportions of the same examples.

use super::{CorrectCounts, Estimate};

/// Returns the second accuracy minus the first, with Newcombe's interval for paired proportions (1998,
/// method 10): Wilson's intervals of both, combined with their correlation.
#[expect(clippy::cast_precision_loss, reason = "counts of examples")]
pub(super) fn paired_difference(counts: &CorrectCounts) -> Estimate {
    let CorrectCounts { both, only_a, only_b, neither } = *counts;
    let [both, only_a, only_b, neither] = [both, only_a, only_b, neither].map(|count| count as f64);
    let all = both + only_a + only_b + neither;
    let a = Estimate::share((both + only_a) / all, all);
    let b = Estimate::share((both + only_b) / all, all);
    let correlation = correlation([both, only_a, only_b, neither]);
    let combine = |one: f64, other: f64| {
        (one * one - 2.0 * correlation * one * other + other * other).max(0.0).sqrt()
    };
    let value = (only_b - only_a) / all;
    Estimate {
        value,
        low: (value - combine(b.value - b.low, a.high - a.value)).max(-1.0),
        high: (value + combine(b.high - b.value, a.value - a.low)).min(1.0),
    }
}

/// Returns the correlation of the correct predictions, with Newcombe's correction for continuity.
fn correlation([both, only_a, only_b, neither]: [f64; 4]) -> f64 {
    let all = both + only_a + only_b + neither;
    let margins = (both + only_a) * (only_b + neither) * (both + only_b) * (only_a + neither);
    if margins == 0.0 {
        return 0.0;
    }
    let product = both * neither - only_a * only_b;
    let corrected = if product > 0.0 { (product - all / 2.0).max(0.0) } else { product };
    corrected / margins.sqrt()
}
