//! The difference between two distributions.

use super::{BinCounts, Bins, Distribution};
use crate::statistics::{Homogeneity, chi_squared_test, kolmogorov_smirnov};

/// From this population stability index on, there is some drift.
const MODERATE: f64 = 0.1;
/// From this population stability index on, there is much drift.
const LARGE: f64 = 0.25;
/// A difference that is more likely than this by chance is not called drift.
const LEVEL: f64 = 0.01;
/// The index is computed for at most this many bins of numbers.
const MOST_BINS: usize = 10;

/// The test of a drift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriftTest {
    /// Kolmogorov and Smirnov, for numbers.
    KolmogorovSmirnov,
    /// Chi-squared, for categories.
    ChiSquared,
}

impl DriftTest {
    /// Returns the name of the test.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            DriftTest::KolmogorovSmirnov => "Kolmogorov-Smirnov",
            DriftTest::ChiSquared => "chi-squared",
        }
    }
}

/// How much two distributions differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A small difference, or one that may be chance.
    Stable,
    /// Some drift.
    Moderate,
    /// Much drift.
    Large,
}

impl Severity {
    /// Returns the severity in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Severity::Stable => "stable",
            Severity::Moderate => "some drift",
            Severity::Large => "drift",
        }
    }
}

/// The drift from one distribution to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Drift {
    /// The population stability index: the sum over bins of the difference of the shares times the
    /// logarithm of their ratio. Missing values are a bin.
    pub psi: f64,
    /// The test.
    pub test: DriftTest,
    /// The result of the test; `None` if there are too few values.
    pub result: Option<Homogeneity>,
    /// The reference.
    pub reference: BinCounts,
    /// The new values, in the same bins.
    pub new: BinCounts,
}

impl Drift {
    /// Returns how much the distributions differ, by the index and the test.
    #[must_use]
    pub fn severity(&self) -> Severity {
        let is_chance = self.result.is_none_or(|result| result.p >= LEVEL);
        // The test of numbers ignores missing values.
        let is_missing =
            missing_test(&self.reference, &self.new).is_some_and(|test| test.p < LEVEL);
        match self.psi {
            _ if is_chance && !is_missing => Severity::Stable,
            psi if psi >= LARGE => Severity::Large,
            psi if psi >= MODERATE => Severity::Moderate,
            _ => Severity::Stable,
        }
    }
}

/// Returns the test of whether values are missing equally often.
fn missing_test(reference: &BinCounts, new: &BinCounts) -> Option<Homogeneity> {
    let parts = |counts: &BinCounts| [counts.missing, counts.total() - counts.missing];
    chi_squared_test(&parts(reference), &parts(new))
}

impl Distribution {
    /// Returns the drift from this distribution to new values, counted in the same bins.
    #[must_use]
    pub fn drift(&self, new: BinCounts) -> Drift {
        let reference = self.counts();
        let (test, result, groups) = match &self.bins {
            Bins::Numbers { counts, .. } => {
                let result = kolmogorov_smirnov(&reference.bins, &new.bins);
                let width = counts.len().div_ceil(MOST_BINS);
                (DriftTest::KolmogorovSmirnov, result, width)
            }
            Bins::Categories { .. } => {
                (DriftTest::ChiSquared, chi_squared_test(&reference.bins, &new.bins), 1)
            }
        };
        let psi = stability_index(&grouped(&reference, groups), &grouped(&new, groups));
        Drift { psi, test, result, reference, new }
    }
}

/// Returns the counts with this many neighboring bins joined, and the missing values.
fn grouped(counts: &BinCounts, width: usize) -> Vec<u64> {
    let joined = counts.bins.chunks(width.max(1)).map(|group| group.iter().sum());
    joined.chain([counts.missing]).collect()
}

/// Returns the population stability index of counts. Half a value is added to each bin, so that an empty
/// bin has a finite logarithm; bins that are empty in both do not count.
fn stability_index(reference: &[u64], new: &[u64]) -> f64 {
    let used: Vec<(f64, f64)> = reference
        .iter()
        .zip(new)
        .filter(|(one, other)| **one + **other > 0)
        .map(|(&one, &other)| (as_number(one) + 0.5, as_number(other) + 0.5))
        .collect();
    let all = used.iter().fold((0.0, 0.0), |sums, pair| (sums.0 + pair.0, sums.1 + pair.1));
    used.iter()
        .map(|(one, other)| {
            let (one, other) = (one / all.0, other / all.1);
            (other - one) * libm::log(other / one)
        })
        .sum()
}

#[expect(clippy::cast_precision_loss, reason = "counts of rows")]
fn as_number(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Streams;

    fn normal(seed: u64, shift: f64, count: usize) -> Vec<f64> {
        let mut stream = Streams::new(seed).stream(&[]);
        (0..count).map(|_| stream.normal() + shift).collect()
    }

    #[test]
    fn the_index_is_its_definition() {
        // (0.6 - 0.5) ln(0.6 / 0.5) + (0.4 - 0.5) ln(0.4 / 0.5) for many values.
        let found = stability_index(&[500_000, 500_000, 0], &[600_000, 400_000, 0]);
        let expected = 0.1 * 1.2_f64.ln() - 0.1 * 0.8_f64.ln();
        assert!((found - expected).abs() < 1e-5, "{found}");
    }

    #[test]
    fn equal_samples_are_stable_and_shifted_ones_drift() {
        let reference = Distribution::of_numbers("x", &normal(1, 0.0, 1000));
        let severity = |seed, shift, count| {
            reference.drift(reference.count_numbers(&normal(seed, shift, count))).severity()
        };
        let called = (2..102).filter(|&seed| severity(seed, 0.0, 300) > Severity::Stable).count();
        assert!(called <= 2, "{called} of 100 samples of the same distribution");
        assert_eq!(severity(2, 0.4, 1000), Severity::Moderate);
        assert_eq!(severity(2, 1.0, 1000), Severity::Large);
        // Few values say little.
        assert_eq!(severity(2, 0.3, 8), Severity::Stable);
    }

    #[test]
    fn missing_values_are_drift() {
        let reference = Distribution::of_numbers("x", &normal(1, 0.0, 1000));
        let mut new = normal(2, 0.0, 1000);
        new.iter_mut().take(300).for_each(|number| *number = f64::NAN);
        assert_eq!(reference.drift(reference.count_numbers(&new)).severity(), Severity::Large);
    }
}
