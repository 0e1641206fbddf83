//! The confusion counts of two classes, and metrics from them.

use super::share;
use serde::{Deserialize, Serialize};
use std::ops::{Add, AddAssign};

/// The confusion counts of two classes.
///
/// Rates with the value 0/0 are 0. P = tp + fn, N = tn + fp and n = P + N.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Confusion {
    /// True positives.
    pub tp: u64,
    /// False positives.
    pub fp: u64,
    /// True negatives.
    pub tn: u64,
    /// False negatives (`fn` in files).
    #[serde(rename = "fn")]
    pub fn_: u64,
}

impl Confusion {
    /// Returns the counts of a rule that covers `tp` of `positives` and `fp` of `negatives`.
    ///
    /// Counts larger than these totals are reduced to them.
    #[must_use]
    pub fn from_covered(tp: u64, fp: u64, positives: u64, negatives: u64) -> Self {
        let (tp, fp) = (tp.min(positives), fp.min(negatives));
        Self { tp, fp, tn: negatives - fp, fn_: positives - tp }
    }

    /// Counts one decision.
    pub fn record(&mut self, actual: bool, predicted: bool) {
        match (actual, predicted) {
            (true, true) => self.tp += 1,
            (false, true) => self.fp += 1,
            (false, false) => self.tn += 1,
            (true, false) => self.fn_ += 1,
        }
    }

    /// P = tp + fn.
    #[must_use]
    pub fn positives(&self) -> f64 {
        self.tp as f64 + self.fn_ as f64
    }

    /// N = tn + fp.
    #[must_use]
    pub fn negatives(&self) -> f64 {
        self.tn as f64 + self.fp as f64
    }

    /// tp + fp, the number predicted positive.
    #[must_use]
    pub fn covered(&self) -> f64 {
        self.tp as f64 + self.fp as f64
    }

    /// n, the total number.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.positives() + self.negatives()
    }

    /// (tp + tn) / n.
    #[must_use]
    pub fn accuracy(&self) -> f64 {
        share(self.tp as f64 + self.tn as f64, self.total())
    }

    /// tp / P, also called recall or the true positive rate.
    #[must_use]
    pub fn sensitivity(&self) -> f64 {
        share(self.tp as f64, self.positives())
    }

    /// tn / N, also called the true negative rate.
    #[must_use]
    pub fn specificity(&self) -> f64 {
        share(self.tn as f64, self.negatives())
    }

    /// tp / (tp + fp), also called confidence.
    #[must_use]
    pub fn precision(&self) -> f64 {
        share(self.tp as f64, self.covered())
    }

    /// (1 + b²) tp / ((1 + b²) tp + b² fn + fp): recall weighs `b` times as much as precision.
    #[must_use]
    pub fn f_beta(&self, b: f64) -> f64 {
        let square = b * b;
        let hits = (1.0 + square) * self.tp as f64;
        share(hits, hits + square * self.fn_ as f64 + self.fp as f64)
    }

    /// (tp + m P/n) / (tp + fp + m): precision shrunk toward the share of positives with weight `m`.
    #[must_use]
    pub fn m_estimate(&self, m: f64) -> f64 {
        let prior = share(self.positives(), self.total());
        share(self.tp as f64 + m * prior, self.covered() + m)
    }

    /// (tp tn - fp fn) / sqrt((tp+fp) P N (tn+fn)), Matthews' correlation.
    #[must_use]
    pub fn mcc(&self) -> f64 {
        // Integers keep the difference exact, and products of two factors cannot overflow.
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        let (good, bad) = (product(self.tp, self.tn), product(self.fp, self.fn_));
        let difference = if good >= bad { (good - bad) as f64 } else { -((bad - good) as f64) };
        let predicted_negative = self.tn as f64 + self.fn_ as f64;
        let scale = (self.covered() * self.positives()).sqrt()
            * (self.negatives() * predicted_negative).sqrt();
        share(difference, scale)
    }

    /// (accuracy - e) / (1 - e) with e the agreement expected by chance, Cohen's kappa.
    #[must_use]
    pub fn kappa(&self) -> f64 {
        let n = self.total();
        let by_chance = share(
            self.covered() * self.positives() + (n - self.covered()) * self.negatives(),
            n * n,
        );
        share(self.accuracy() - by_chance, 1.0 - by_chance)
    }
}

impl Add for Confusion {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl AddAssign for Confusion {
    fn add_assign(&mut self, other: Self) {
        self.tp += other.tp;
        self.fp += other.fp;
        self.tn += other.tn;
        self.fn_ += other.fn_;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn counts_come_from_coverage() {
        let confusion = Confusion::from_covered(8, 1, 10, 10);
        assert_eq!(confusion, Confusion { tp: 8, fp: 1, tn: 9, fn_: 2 });
        let mut counted = Confusion::default();
        for (actual, predicted, times) in
            [(true, true, 8), (false, true, 1), (false, false, 9), (true, false, 2)]
        {
            (0..times).for_each(|_| counted.record(actual, predicted));
        }
        assert_eq!(counted, confusion);
        assert_eq!(Confusion::from_covered(9, 9, 1, 2), Confusion { tp: 1, fp: 2, tn: 0, fn_: 0 });
    }

    #[test]
    fn json_uses_fn() {
        let json = serde_json::to_string(&Confusion { tp: 1, fp: 2, tn: 3, fn_: 4 });
        assert_eq!(json.expect("plain data"), r#"{"tp":1,"fp":2,"tn":3,"fn":4}"#);
    }

    proptest! {
        #[test]
        fn mcc_is_the_correlation_of_the_two_indicators(
            tp in 0_u64..50,
            fp in 0_u64..50,
            tn in 0_u64..50,
            fn_ in 0_u64..50,
        ) {
            let c = Confusion { tp, fp, tn, fn_ };
            // Pearson's correlation of the 0/1 variables by its definition.
            let n = c.total();
            prop_assume!(n > 0.0);
            let (a, p) = (c.positives() / n, c.covered() / n);
            let covariance = tp as f64 / n - a * p;
            let deviation = (a * (1.0 - a) * p * (1.0 - p)).sqrt();
            let expected = if deviation < 1e-12 { 0.0 } else { covariance / deviation };
            prop_assert!((c.mcc() - expected).abs() < 1e-9, "{} {expected}", c.mcc());
        }
    }
}
