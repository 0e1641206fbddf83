//! Tests of whether two samples come from the same distribution, from counts by bin.

use super::chi_squared_tail;

/// The result of a test of two samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Homogeneity {
    /// The test statistic.
    pub statistic: f64,
    /// The degrees of freedom, for tests that have them.
    pub freedom: Option<f64>,
    /// The probability of a statistic at least as large if both samples have the same distribution.
    pub p: f64,
}

/// Returns the test of Kolmogorov and Smirnov for two samples, from their counts in the same bins of
/// ascending numbers. The distance is measured at the ends of the bins, so it is a lower bound and the
/// p-value an upper one. `None` if a sample is empty.
#[must_use]
pub fn kolmogorov_smirnov(first: &[u64], second: &[u64]) -> Option<Homogeneity> {
    let (n, m) = (total(first), total(second));
    if n == 0.0 || m == 0.0 {
        return None;
    }
    let (mut below, mut distance) = ([0.0, 0.0], 0.0_f64);
    for (&one, &other) in first.iter().zip(second) {
        below[0] += as_number(one);
        below[1] += as_number(other);
        distance = distance.max((below[0] / n - below[1] / m).abs());
    }
    let size = (n * m / (n + m)).sqrt();
    // Stephens' correction for finite samples.
    let p = kolmogorov_tail((size + 0.12 + 0.11 / size) * distance);
    Some(Homogeneity { statistic: distance, freedom: None, p })
}

/// Returns the tail of the distribution of Kolmogorov.
fn kolmogorov_tail(x: f64) -> f64 {
    if x < 0.2 {
        return 1.0;
    }
    let (mut sum, mut sign) = (0.0, 1.0);
    for k in 1..=100_u32 {
        let term = libm::exp(-2.0 * f64::from(k * k) * x * x);
        sum += sign * term;
        sign = -sign;
        if term < 1e-18 {
            break;
        }
    }
    (2.0 * sum).clamp(0.0, 1.0)
}

/// Returns the chi-squared test of two samples of categories. Categories that neither sample has do not
/// count.
/// `None` if a sample is empty or fewer than two categories occur.
#[must_use]
pub fn chi_squared_test(first: &[u64], second: &[u64]) -> Option<Homogeneity> {
    let (n, m) = (total(first), total(second));
    if n == 0.0 || m == 0.0 {
        return None;
    }
    let (mut statistic, mut categories) = (0.0, 0.0);
    for (&one, &other) in first.iter().zip(second) {
        let (one, other) = (as_number(one), as_number(other));
        if one + other == 0.0 {
            continue;
        }
        categories += 1.0;
        for (count, size) in [(one, n), (other, m)] {
            let expected = (one + other) * size / (n + m);
            statistic += (count - expected).powi(2) / expected;
        }
    }
    let freedom = categories - 1.0;
    if freedom < 1.0 {
        return None;
    }
    let p = chi_squared_tail(statistic, freedom);
    Some(Homogeneity { statistic, freedom: Some(freedom), p })
}

fn total(counts: &[u64]) -> f64 {
    as_number(counts.iter().sum())
}

#[expect(clippy::cast_precision_loss, reason = "counts of examples")]
fn as_number(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Streams;

    #[test]
    fn known_tests() {
        // From `scipy.stats.chi2_contingency([[10, 20, 30], [25, 20, 15]])`.
        let found = chi_squared_test(&[10, 20, 30, 0], &[25, 20, 15, 0]).expect("three categories");
        assert!((found.statistic - 11.428_571_428_571_43).abs() < 1e-9, "{found:?}");
        assert_eq!(found.freedom, Some(2.0));
        assert!((found.p - 0.003_298_5).abs() < 1e-6, "{found:?}");
        // The critical value of Kolmogorov's distribution for 5 %.
        assert!((kolmogorov_tail(1.358_1) - 0.05).abs() < 1e-4);
        assert_eq!((kolmogorov_tail(0.0), kolmogorov_tail(40.0)), (1.0, 0.0));
    }

    #[test]
    fn samples_without_two_categories_have_no_test() {
        assert_eq!(chi_squared_test(&[5, 0], &[9, 0]), None);
        assert_eq!(chi_squared_test(&[5, 1], &[0, 0]), None);
        assert_eq!(kolmogorov_smirnov(&[0, 0], &[1, 1]), None);
        assert_eq!(kolmogorov_smirnov(&[3, 3], &[1, 1]).map(|test| test.p), Some(1.0));
    }

    #[test]
    fn equal_distributions_are_seldom_rejected_and_shifted_ones_always() {
        let sample = |seed: u64, shift: u64| {
            let mut stream = Streams::new(seed).stream(&[]);
            let mut counts = vec![0; 20];
            for _ in 0..400 {
                let bin = (stream.below(16) + shift).min(19);
                counts[usize::try_from(bin).expect("small")] += 1;
            }
            counts
        };
        type Test = fn(&[u64], &[u64]) -> Option<Homogeneity>;
        for test in [kolmogorov_smirnov as Test, chi_squared_test] {
            let p = |seed, shift| test(&sample(seed, 0), &sample(seed + 1, shift)).map(|one| one.p);
            let rejected = (0..200).filter(|&one| p(2 * one, 0).is_some_and(|p| p < 0.05)).count();
            assert!(rejected <= 20, "{rejected} of 200 equal pairs");
            assert!((0..20).all(|one| p(2 * one, 4).is_some_and(|p| p < 1e-3)));
        }
    }
}
