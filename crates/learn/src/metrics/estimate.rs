//! Metrics with 95 % confidence intervals.
//!
//! All methods are closed-form and draw no random numbers, so the same decisions give the same
//! interval:
//!
//! - **Proportions** (accuracy, recall, precision): Wilson's score interval, which is valid for few
//!   examples and for proportions of 0 and 1. Several decisions about one unit (repeats of a
//!   cross-validation, rows of one patient) are not independent: the variance is computed between
//!   units, and Wilson's interval uses the effective number of decisions, at most the number of
//!   units.
//! - **Means of proportions** (balanced accuracy): the intervals of the parts combined by squares
//!   (MOVER, Zou and Donner 2008).
//! - **AUC**: Newcombe's interval (2006, method 5), the score form of the variance of Hanley and
//!   `McNeil`, which does not collapse at 1.
//! - **Means** (log loss, Brier score, absolute and squared error): Student's interval over units. If
//!   probabilities come from curves fitted on the same units, it is widened by the cost of the fit.
//! - **Ratios of means** (the unexplained part of R²): Student's interval of the logarithm, with the
//!   variance between units.

use serde::{Deserialize, Serialize};
use std::f64::consts::FRAC_PI_2;

/// The normal quantile of a two-sided 95 % interval.
pub(super) const Z: f64 = 1.959_963_984_540_054;

/// A value with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// Returns a value with an interval that always contains it.
    fn new(value: f64, low: f64, high: f64) -> Estimate {
        Estimate { value, low: low.min(value), high: high.max(value) }
    }

    /// Applies a monotonic function to the value and the ends.
    #[must_use]
    pub(super) fn map(self, function: impl Fn(f64) -> f64) -> Estimate {
        Estimate::new(function(self.value), function(self.low), function(self.high))
    }

    /// Returns the estimate with an interval widened by a factor, within limits.
    #[must_use]
    pub(crate) fn stretched(self, factor: f64, limits: (f64, f64)) -> Estimate {
        let low = self.value - factor * (self.value - self.low);
        let high = self.value + factor * (self.high - self.value);
        Estimate {
            low: low.max(limits.0).min(self.value),
            high: high.min(limits.1).max(self.value),
            ..self
        }
    }

    /// Returns the estimate with an interval widened by a constant. A lower end of at least 0 stays at
    /// least 0.
    #[must_use]
    pub(crate) fn widened(self, by: f64) -> Estimate {
        let low = if self.low >= 0.0 { (self.low - by).max(0.0) } else { self.low - by };
        Estimate { low, high: self.high + by, ..self }
    }

    /// Returns a proportion of independent decisions with Wilson's score interval.
    ///
    /// ```
    /// use pellucid_learn::metrics::Estimate;
    ///
    /// let ten_of_ten = Estimate::share(1.0, 10.0);
    /// assert_eq!((ten_of_ten.value, ten_of_ten.high), (1.0, 1.0));
    /// assert!((ten_of_ten.low - 0.7225).abs() < 1e-4, "ten of ten is not certain");
    /// ```
    #[must_use]
    pub fn share(share: f64, decisions: f64) -> Estimate {
        let n = decisions.max(f64::MIN_POSITIVE);
        let square = Z * Z / n;
        let middle = (share + square / 2.0) / (1.0 + square);
        let half =
            Z / (1.0 + square) * (share * (1.0 - share) / n + square / (4.0 * n)).max(0.0).sqrt();
        Estimate::new(share, (middle - half).max(0.0), (middle + half).min(1.0))
    }

    /// Returns the mean of independent estimates.
    pub(super) fn mean(parts: &[Estimate]) -> Option<Estimate> {
        let count = parts.len() as f64;
        if parts.is_empty() {
            return None;
        }
        let value = parts.iter().map(|part| part.value).sum::<f64>() / count;
        let combined = |distance: &dyn Fn(&Estimate) -> f64| {
            parts.iter().map(|part| distance(part).powi(2)).sum::<f64>().sqrt() / count
        };
        let below = combined(&|part| part.value - part.low);
        let above = combined(&|part| part.high - part.value);
        Some(Estimate::new(value, value - below, value + above))
    }

    /// Returns an area under the ROC curve with its interval.
    #[must_use]
    pub fn auc(auc: f64, positives: usize, negatives: usize) -> Estimate {
        let (p, n) = (positives.max(1) as f64, negatives.max(1) as f64);
        let half = (p + n) / 2.0 - 1.0;
        let deviation = |area: f64| {
            let spread = 1.0 + half * ((1.0 - area) / (2.0 - area) + area / (1.0 + area));
            (area * (1.0 - area) * spread / (p * n)).max(0.0).sqrt()
        };
        // At the ends the observed area is 1.96 standard deviations away from the assumed one.
        let end = |mut inside: f64, mut outside: f64| {
            for _ in 0..60 {
                let middle = f64::midpoint(inside, outside);
                if (middle - auc).abs() <= Z * deviation(middle) {
                    inside = middle;
                } else {
                    outside = middle;
                }
            }
            inside
        };
        Estimate::new(auc, end(auc, 0.0), end(auc, 1.0))
    }
}

/// The sum and the number of the decisions about one unit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct UnitSum {
    pub(super) sum: f64,
    pub(super) count: f64,
}

/// A ratio of sums over units.
struct Ratio {
    value: f64,
    /// The number of units with a decision.
    units: f64,
    /// The variance of the ratio between units.
    variance: f64,
    /// Whether every unit has a single decision.
    single: bool,
}

impl Ratio {
    fn of(units: &[UnitSum]) -> Option<Ratio> {
        let occupied = || units.iter().filter(|unit| unit.count > 0.0);
        let count: f64 = occupied().map(|unit| unit.count).sum();
        if count == 0.0 {
            return None;
        }
        let value = occupied().map(|unit| unit.sum).sum::<f64>() / count;
        let number = occupied().count() as f64;
        let squares: f64 = occupied().map(|unit| (unit.sum - value * unit.count).powi(2)).sum();
        let variance = squares / (count * count) * number / (number - 1.0).max(1.0);
        Some(Ratio { value, units: number, variance, single: count == number })
    }
}

/// Returns the proportion of hits with its interval.
pub(super) fn share_of(units: &[UnitSum]) -> Option<Estimate> {
    let ratio = Ratio::of(units)?;
    let independent = if ratio.single || ratio.variance <= 0.0 {
        ratio.units
    } else {
        (ratio.value * (1.0 - ratio.value) / ratio.variance).clamp(1.0, ratio.units)
    };
    Some(Estimate::share(ratio.value.clamp(0.0, 1.0), independent))
}

/// Returns the mean of a nonnegative cost with its interval. `None` for a single unit, which has no
/// variance between units.
pub(super) fn mean_of(units: &[UnitSum]) -> Option<Estimate> {
    let ratio = Ratio::of(units).filter(|ratio| ratio.units >= 2.0)?;
    let half = student(ratio.units - 1.0) * ratio.variance.max(0.0).sqrt();
    Some(Estimate::new(ratio.value, (ratio.value - half).max(0.0), ratio.value + half))
}

/// Returns the ratio of the sums of two nonnegative costs of the same decisions. The interval is
/// Student's interval of the logarithm, so its ends are nonnegative.
pub(super) fn ratio_of(costs: &[UnitSum], of: &[UnitSum]) -> Option<Estimate> {
    let pairs = || costs.iter().zip(of).filter(|(cost, _)| cost.count > 0.0);
    let (cost, whole) =
        pairs().fold((0.0, 0.0), |sums, (cost, of)| (sums.0 + cost.sum, sums.1 + of.sum));
    let value = cost / whole;
    if !(whole > 0.0 && value.is_finite()) {
        return None;
    }
    if value == 0.0 {
        return Some(Estimate { value, low: value, high: value });
    }
    let units = pairs().count() as f64;
    if units < 2.0 {
        return None;
    }
    let squares: f64 = pairs().map(|(cost, of)| (cost.sum - value * of.sum).powi(2)).sum();
    let deviation = (squares / (whole * whole) * units / (units - 1.0).max(1.0)).sqrt();
    // `libm::exp` gives the same bits on every machine.
    let far = libm::exp(student(units - 1.0) * deviation / value);
    Some(Estimate::new(value, value / far, value * far))
}

/// From this many degrees of freedom on, the Cornish-Fisher expansion has six correct digits.
const MANY_DEGREES: f64 = 200.0;

/// Returns the quantile of Student's distribution for a two-sided 95 % interval, for whole degrees of
/// freedom of at least 1.
pub(super) fn student(freedom: f64) -> f64 {
    let v = freedom.max(1.0);
    if v >= MANY_DEGREES {
        let (z3, z5) = (Z.powi(3), Z.powi(5));
        return Z + (z3 + Z) / (4.0 * v) + (5.0 * z5 + 16.0 * z3 + 3.0 * Z) / (96.0 * v * v);
    }
    // The central probability grows with the angle whose tangent is t / sqrt(v).
    let (mut low, mut high) = (0.0, FRAC_PI_2);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if central_share(middle, v) < 0.95 { low = middle } else { high = middle }
    }
    v.sqrt() * libm::tan(low)
}

/// Returns the two-sided p-value of Student's variable, for whole degrees of freedom of at least 1.
pub(super) fn student_tails(t: f64, freedom: f64) -> f64 {
    let v = freedom.max(1.0);
    if v >= MANY_DEGREES {
        // The expansion of Abramowitz and Stegun 26.7.8.
        let z = t * (1.0 - 1.0 / (4.0 * v)) / (1.0 + t * t / (2.0 * v)).sqrt();
        return crate::statistics::normal_tails(z);
    }
    (1.0 - central_share(libm::atan(t.abs() / v.sqrt()), v)).clamp(0.0, 1.0)
}

/// Returns the probability that Student's variable is within ±sqrt(v) tan(angle), by the finite series
/// for whole degrees of freedom (Abramowitz and Stegun 26.7.3 and 26.7.4).
fn central_share(angle: f64, v: f64) -> f64 {
    let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
    let is_odd = v % 2.0 == 1.0;
    let (mut term, mut k) = if is_odd { (cosine, 3.0) } else { (1.0, 2.0) };
    let mut sum = 0.0;
    while k <= v {
        sum += term;
        term *= (k - 1.0) / k * cosine * cosine;
        k += 2.0;
    }
    if is_odd { (angle + sine * sum) / FRAC_PI_2 } else { sine * sum }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Streams;
    use proptest::prelude::*;

    fn close(left: f64, right: f64) -> bool {
        (left - right).abs() < 5e-4
    }

    #[test]
    fn known_intervals() {
        // Newcombe's table of 1998: 81 of 263, and none of 20.
        let share = Estimate::share(81.0 / 263.0, 263.0);
        assert!(close(share.low, 0.2553) && close(share.high, 0.3662), "{share:?}");
        let none = Estimate::share(0.0, 20.0);
        assert!(none.low == 0.0 && close(none.high, 0.1611), "{none:?}");
        let perfect = Estimate::auc(1.0, 20, 20);
        assert!(perfect.high == 1.0 && perfect.low < 0.95 && perfect.low > 0.8, "{perfect:?}");
        let table = [
            (1.0, 12.7062),
            (2.0, 4.3027),
            (3.0, 3.1824),
            (4.0, 2.7764),
            (10.0, 2.2281),
            (30.0, 2.0423),
        ];
        for (freedom, quantile) in table {
            assert!(close(student(freedom), quantile), "{freedom}: {}", student(freedom));
        }
        for (freedom, quantile) in table {
            assert!((student_tails(quantile, freedom) - 0.05).abs() < 1e-5, "{freedom}");
        }
        assert!((student_tails(2.5, 199.0) - student_tails(2.5, 200.0)).abs() < 1e-3);
        assert_eq!(student_tails(0.0, 7.0), 1.0);
        assert!(close(student(199.0), student(200.0)) && close(student(1e9), Z));
    }

    #[test]
    fn one_unit_gives_no_interval() {
        let one = [UnitSum { sum: 3.0, count: 10.0 }];
        assert_eq!((mean_of(&one), ratio_of(&one, &one)), (None, None));
        // The proportion of one unit is very uncertain.
        let share = share_of(&one).expect("a share");
        assert!(share.low < 0.1 && share.high > 0.8, "{share:?}");
        let two = [one[0], UnitSum { sum: 4.0, count: 10.0 }];
        let mean = mean_of(&two).expect("two units");
        assert!(mean.low == 0.0 && mean.high > 0.9, "{mean:?}");
    }

    #[test]
    fn repeated_decisions_do_not_narrow_the_interval() {
        let once: Vec<UnitSum> =
            (0..40).map(|i| UnitSum { sum: f64::from(u8::from(i % 4 != 0)), count: 1.0 }).collect();
        let thrice: Vec<UnitSum> =
            once.iter().map(|u| UnitSum { sum: 3.0 * u.sum, count: 3.0 }).collect();
        let (once, thrice) = (share_of(&once).unwrap(), share_of(&thrice).unwrap());
        assert_eq!(once.value, thrice.value);
        assert!((once.low - thrice.low).abs() < 0.01 && thrice.low <= once.low + 1e-12);
    }

    /// The coverage of the interval over studies with independent groups whose members agree.
    #[test]
    fn intervals_of_grouped_proportions_have_the_stated_coverage() {
        let truth = 0.8;
        let mut held = 0;
        for study in 0..600_u64 {
            let mut stream = Streams::new(study).stream(&[]);
            let units: Vec<UnitSum> = (0..40)
                .map(|_| {
                    let count = 1.0 + stream.index(5) as f64;
                    let right = stream.chance(truth);
                    UnitSum { sum: if right { count } else { 0.0 }, count }
                })
                .collect();
            let found = share_of(&units).unwrap();
            held += u32::from(found.low <= truth && truth <= found.high);
        }
        // 95 % of 600 are 570; five standard deviations are 27.
        assert!((540..=600).contains(&held), "{held} of 600");
    }

    proptest! {
        #[test]
        fn intervals_contain_their_value(
            share in 0.0_f64..=1.0,
            n in 1.0_f64..1e6,
            p in 1_usize..500,
            q in 1_usize..500,
        ) {
            for estimate in [Estimate::share(share, n), Estimate::auc(share, p, q)] {
                prop_assert!(0.0 <= estimate.low && estimate.low <= share);
                prop_assert!(share <= estimate.high && estimate.high <= 1.0);
            }
            let width = |n: f64| {
                let estimate = Estimate::share(share, n);
                estimate.high - estimate.low
            };
            prop_assert!(width(2.0 * n) < width(n));
        }
    }
}
