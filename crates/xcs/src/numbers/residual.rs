//! What the selected rules leave unexplained, and how much of it another rule would explain.

use crate::generalize::CoverageGain;
use pellucid_bits::{BLOCK_BITS, Block, words};
use pellucid_ruleset::number::NumberFit;

/// The number of pseudo-examples without a residual that every rule is assumed to cover.
const PRIOR: f64 = 8.0;
/// The minimum share of the gain that a bound must add to be kept.
const MIN_GAIN: f64 = 0.1;

/// The residuals of all examples.
#[derive(Clone, Debug)]
pub(super) struct Residuals {
    /// The weight of each example, and its weighted residual. The residuals sum to 0.
    examples: Vec<Share>,
    /// The sum of all weights.
    weight: f64,
    /// The variance of the residuals.
    variance: f64,
}

/// Sums over some examples.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Share {
    pub(super) residual: f64,
    pub(super) weight: f64,
}

impl Share {
    pub(super) fn add(&mut self, other: Share) {
        self.residual += other.residual;
        self.weight += other.weight;
    }
}

impl Residuals {
    pub(super) fn of(fit: &NumberFit) -> Residuals {
        let residuals = fit.residuals();
        let weights: Vec<f64> = (0..).zip(&residuals).map(|(place, _)| fit.weight(place)).collect();
        let weight = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let all = || residuals.iter().zip(&weights);
        let mean = all().map(|(residual, weight)| residual * weight).sum::<f64>() / weight;
        let share = |(residual, &weight): (&f64, &f64)| Share {
            residual: weight * (residual - mean),
            weight,
        };
        let squares = all().map(|(residual, weight)| weight * (residual - mean).powi(2));
        let variance = squares.sum::<f64>() / weight;
        Residuals { examples: all().map(share).collect(), weight, variance }
    }

    /// Returns an example.
    pub(super) fn example(&self, place: usize) -> Share {
        self.examples[place]
    }

    /// Returns the sums over the covered examples.
    pub(super) fn sums(&self, covered: &[Block]) -> Share {
        let mut sums = Share::default();
        for (block, examples) in covered.iter().zip(self.examples.chunks(BLOCK_BITS)) {
            words::members(&block.0).for_each(|place| sums.add(examples[place]));
        }
        sums
    }

    /// Returns by how much a rule with these sums reduces the squared error, if its amount and the
    /// starting value are fitted.
    pub(super) fn gain_of(&self, sums: Share) -> f64 {
        sums.residual * sums.residual / (self.contrast(sums) + PRIOR)
    }

    /// Returns the squared z-score of the mean residual of the covered examples.
    pub(super) fn significance(&self, sums: Share) -> f64 {
        let expected = self.contrast(sums) * self.variance;
        if expected > 0.0 { sums.residual * sums.residual / expected } else { 0.0 }
    }

    /// Returns the number of examples that the covered ones and the others are worth when compared.
    fn contrast(&self, sums: Share) -> f64 {
        (sums.weight * (1.0 - sums.weight / self.weight)).max(0.0)
    }
}

impl CoverageGain for Residuals {
    fn gain(&self, covered: &[Block]) -> f64 {
        self.gain_of(self.sums(covered))
    }

    fn min_gain(&self) -> f64 {
        MIN_GAIN
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_ruleset::number::Loss;
    use proptest::prelude::*;

    /// Returns the weighted sum of squared distances from the mean.
    fn squares(examples: &[(f64, f64)]) -> f64 {
        let weight = examples.iter().map(|one| one.1).sum::<f64>().max(f64::MIN_POSITIVE);
        let mean = examples.iter().map(|one| one.0 * one.1).sum::<f64>() / weight;
        examples.iter().map(|one| one.1 * (one.0 - mean).powi(2)).sum()
    }

    proptest! {
        /// Without pseudo-examples, the gain is what separate means of the covered and the other examples
        /// save.
        #[test]
        fn the_gain_is_the_saved_squared_error(
            examples in prop::collection::vec((-9.0..9.0_f64, 0.5..2.0_f64, any::<bool>()), 4..60),
        ) {
            let (numbers, weights): (Vec<f64>, Vec<f64>) =
                examples.iter().map(|&(number, weight, _)| (number, weight)).unzip();
            let mut fit = NumberFit::new(&numbers, weights.clone().into(), Loss::Squared);
            fit.refit();
            let residuals = Residuals::of(&fit);
            let mut covered = [Block::ZERO];
            let places = examples.iter().enumerate().filter(|(_, one)| one.2);
            places.for_each(|(place, _)| covered[0].set(place));
            let sums = residuals.sums(&covered);
            let of_part = |part: bool| -> Vec<(f64, f64)> {
                let own = fit.residuals().into_iter().zip(&examples).filter(|(_, one)| one.2 == part);
                own.map(|(residual, one)| (residual, one.1)).collect()
            };
            let all = [of_part(true), of_part(false)].concat();
            let saved = squares(&all) - squares(&of_part(true)) - squares(&of_part(false));
            let contrast = residuals.contrast(sums);
            prop_assume!(contrast > 1e-3);
            let gain = residuals.gain_of(sums) * (contrast + PRIOR) / contrast;
            prop_assert!((gain - saved).abs() < 1e-6, "{gain} {saved}");
            prop_assert!(residuals.gain(&covered) >= 0.0 && residuals.gain(&covered) <= saved + 1e-9);
        }
    }
}
