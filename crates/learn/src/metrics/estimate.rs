//! How sure a figure is: a value with the range that 95 of 100 such studies would put the truth in.
//!
//! Every method here is in closed form and draws no random numbers, so the same decisions give the same interval:
//!
//! - a **share** (accuracy, recall, precision): Wilson's score interval, which is honest for few examples and for shares of 0 and 1.
//!   Where several decisions are about one unit (repeats of a cross-validation, rows of one patient) they do not count as so
//!   many: the share's variance is taken between units, and Wilson's interval gets the number of independent decisions
//!   that has this variance, never more than there are units;
//! - a **mean of shares** (balanced accuracy): the shares' own intervals joined by squares (the MOVER of Zou and Donner, 2008);
//! - the **AUC**: Newcombe's interval of 2006 (his method 5), the score form of a variance by Hanley and `McNeil`, which does not
//!   shrink to nothing at 1;
//! - a **mean** (log loss, Brier, absolute and squared error): Student's interval over units; where probabilities come from curves
//!   that are fitted on the same units, it is widened by what fitting a curve costs;
//! - a **ratio of means** (what R² leaves unexplained): Student's interval of its logarithm, the variance taken between units.

use serde::{Deserialize, Serialize};
use std::f64::consts::FRAC_PI_2;

/// The normal quantile of a two-sided interval of 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// A figure with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Estimate {
    /// A figure with the ends of its interval, within which it always lies.
    fn new(value: f64, low: f64, high: f64) -> Estimate {
        Estimate { value, low: low.min(value), high: high.max(value) }
    }

    /// The same with the figure and the ends put through a function that keeps their order.
    #[must_use]
    pub(super) fn map(self, function: impl Fn(f64) -> f64) -> Estimate {
        Estimate::new(function(self.value), function(self.low), function(self.high))
    }

    /// The same with an interval that is wider by a factor, within these limits.
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

    /// The same with both ends of the interval further away; a lower end of at least 0 stays so.
    #[must_use]
    pub(crate) fn widened(self, by: f64) -> Estimate {
        let low = if self.low >= 0.0 { (self.low - by).max(0.0) } else { self.low - by };
        Estimate { low, high: self.high + by, ..self }
    }

    /// A share of so many independent decisions: Wilson's score interval.
    ///
    /// ```
    /// use pellucid_learn::metrics::Estimate;
    ///
    /// let ten_of_ten = Estimate::share(1.0, 10.0);
    /// assert_eq!((ten_of_ten.value, ten_of_ten.high), (1.0, 1.0));
    /// assert!((ten_of_ten.low - 0.7225).abs() < 1e-4, "all of ten is no proof of all");
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

    /// The mean of estimates that do not depend on each other.
    pub(super) fn mean(parts: &[Estimate]) -> Option<Estimate> {
        let count = parts.len() as f64;
        if parts.is_empty() {
            return None;
        }
        let value = parts.iter().map(|part| part.value).sum::<f64>() / count;
        let joined = |gap: &dyn Fn(&Estimate) -> f64| {
            parts.iter().map(|part| gap(part).powi(2)).sum::<f64>().sqrt() / count
        };
        let below = joined(&|part| part.value - part.low);
        let above = joined(&|part| part.high - part.value);
        Some(Estimate::new(value, value - below, value + above))
    }

    /// An area under the ROC curve, from so many positives and negatives.
    #[must_use]
    pub fn auc(auc: f64, positives: usize, negatives: usize) -> Estimate {
        let (p, n) = (positives.max(1) as f64, negatives.max(1) as f64);
        let half = (p + n) / 2.0 - 1.0;
        let deviation = |area: f64| {
            let spread = 1.0 + half * ((1.0 - area) / (2.0 - area) + area / (1.0 + area));
            (area * (1.0 - area) * spread / (p * n)).max(0.0).sqrt()
        };
        // The ends are where the observed area is just 1.96 deviations away from the assumed one.
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

/// What the decisions about one unit add up to, and how many they are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct UnitSum {
    pub(super) sum: f64,
    pub(super) count: f64,
}

/// A ratio of sums over units.
struct Ratio {
    value: f64,
    /// How many units have a decision.
    units: f64,
    /// The variance of the ratio, taken between units.
    variance: f64,
    /// Whether every unit has one decision alone.
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

/// The share of decisions that hit.
pub(super) fn share_of(units: &[UnitSum]) -> Option<Estimate> {
    let ratio = Ratio::of(units)?;
    let independent = if ratio.single || ratio.variance <= 0.0 {
        ratio.units
    } else {
        (ratio.value * (1.0 - ratio.value) / ratio.variance).clamp(1.0, ratio.units)
    };
    Some(Estimate::share(ratio.value.clamp(0.0, 1.0), independent))
}

/// The mean of a cost that is never below 0; `None` for a single unit, which says nothing about how units differ.
pub(super) fn mean_of(units: &[UnitSum]) -> Option<Estimate> {
    let ratio = Ratio::of(units).filter(|ratio| ratio.units >= 2.0)?;
    let half = student(ratio.units - 1.0) * ratio.variance.max(0.0).sqrt();
    Some(Estimate::new(ratio.value, (ratio.value - half).max(0.0), ratio.value + half))
}

/// The sum of one cost over the sum of another, both of the same decisions and never below 0. The interval is Student's of the
/// logarithm, so that its ends are not below 0 either.
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
    // The library's own exponential is the same on every machine.
    let far = libm::exp(student(units - 1.0) * deviation / value);
    Some(Estimate::new(value, value / far, value * far))
}

/// From this many degrees of freedom on the expansion of Cornish and Fisher is good to six digits.
const MANY_DEGREES: f64 = 200.0;

/// The quantile of Student's distribution for a two-sided interval of 95 %, for a whole number of degrees of freedom of at least 1.
fn student(freedom: f64) -> f64 {
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

/// The probability that Student's variable lies within ±sqrt(v) tan(angle), by the finite series for whole degrees of freedom
/// (Abramowitz and Stegun 26.7.3 and 26.7.4).
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
        assert!(close(student(199.0), student(200.0)) && close(student(1e9), Z));
    }

    #[test]
    fn one_unit_gives_no_interval() {
        let one = [UnitSum { sum: 3.0, count: 10.0 }];
        assert_eq!((mean_of(&one), ratio_of(&one, &one)), (None, None));
        // A share of one unit says next to nothing.
        let share = share_of(&one).expect("a share");
        assert!(share.low < 0.1 && share.high > 0.8, "{share:?}");
        let two = [one[0], UnitSum { sum: 4.0, count: 10.0 }];
        let mean = mean_of(&two).expect("two units");
        assert!(mean.low == 0.0 && mean.high > 0.9, "{mean:?}");
    }

    #[test]
    fn repeats_of_the_same_decisions_make_nothing_surer() {
        let once: Vec<UnitSum> =
            (0..40).map(|i| UnitSum { sum: f64::from(u8::from(i % 4 != 0)), count: 1.0 }).collect();
        let thrice: Vec<UnitSum> =
            once.iter().map(|u| UnitSum { sum: 3.0 * u.sum, count: 3.0 }).collect();
        let (once, thrice) = (share_of(&once).unwrap(), share_of(&thrice).unwrap());
        assert_eq!(once.value, thrice.value);
        assert!((once.low - thrice.low).abs() < 0.01 && thrice.low <= once.low + 1e-12);
    }

    /// How often an interval holds the truth, over studies with independent groups whose members agree.
    #[test]
    fn shares_of_groups_hold_the_truth_as_often_as_they_say() {
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
        fn intervals_hold_their_value(share in 0.0_f64..=1.0, n in 1.0_f64..1e6, p in 1_usize..500, q in 1_usize..500) {
            for estimate in [Estimate::share(share, n), Estimate::auc(share, p, q)] {
                prop_assert!(0.0 <= estimate.low && estimate.low <= share);
                prop_assert!(share <= estimate.high && estimate.high <= 1.0);
            }
            prop_assert!(Estimate::share(share, 2.0 * n).high - Estimate::share(share, 2.0 * n).low
                < Estimate::share(share, n).high - Estimate::share(share, n).low);
        }
    }
}
