//! Tests of significance. All are closed-form and draw no random numbers.
//!
//! ```
//! use pellucid_learn::statistics::{chi_squared_tail, mcnemar};
//!
//! // One model is right where the other is wrong for 2 examples, the other way round for 12.
//! assert!((mcnemar(2, 12) - 0.012_939).abs() < 1e-6);
//! assert!((chi_squared_tail(3.841_459, 1.0) - 0.05).abs() < 1e-6);
//! ```

mod gamma;
mod two_samples;

pub use gamma::chi_squared_tail;
pub use two_samples::{Homogeneity, chi_squared_test, kolmogorov_smirnov};

use std::f64::consts::{LN_2, SQRT_2};

/// Returns the two-sided p-value of `McNemar`'s exact test: of the examples that only one of two models
/// predicts correctly, each is as likely to be the first model's as the second's.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts of examples")]
pub fn mcnemar(only_first: u64, only_second: u64) -> f64 {
    let (few, all) = (only_first.min(only_second) as f64, (only_first + only_second) as f64);
    if only_first == only_second {
        return 1.0;
    }
    let logarithm = libm::lgamma(all + 1.0)
        - libm::lgamma(few + 1.0)
        - libm::lgamma(all - few + 1.0)
        - all * LN_2;
    // The terms of the binomial tail, from the largest down.
    let (mut term, mut sum, mut count) = (libm::exp(logarithm), 0.0, few);
    while term > 0.0 && count >= 0.0 && term > sum * 1e-17 {
        sum += term;
        term *= count / (all - count + 1.0);
        count -= 1.0;
    }
    (2.0 * sum).min(1.0)
}

/// Returns the two-sided p-value of a standard normal variable.
#[must_use]
pub fn normal_tails(z: f64) -> f64 {
    libm::erfc(z.abs() / SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mcnemar_is_the_binomial_test() {
        // From `scipy.stats.binomtest(k, n, 0.5).pvalue`.
        let known = [
            ((0, 1), 1.0),
            ((0, 6), 0.03125),
            ((5, 15), 0.041_389_465_332_031_25),
            ((40, 60), 0.056_887_933_640_980_78),
            ((900, 1100), 8.457_089_535_503_81e-6),
        ];
        for ((first, second), expected) in known {
            let found = mcnemar(first, second);
            assert!((found / expected - 1.0).abs() < 1e-6, "{first} {second}: {found}");
            assert_eq!(found, mcnemar(second, first));
        }
        assert_eq!((mcnemar(0, 0), mcnemar(7, 7)), (1.0, 1.0));
        assert_eq!(mcnemar(0, 100_000), 0.0);
    }

    #[test]
    fn normal_tails_are_known() {
        assert!((normal_tails(1.959_963_985) - 0.05).abs() < 1e-9);
        assert_eq!(normal_tails(0.0), 1.0);
        assert_eq!(normal_tails(-2.0), normal_tails(2.0));
    }
}
