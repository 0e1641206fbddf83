//! The contributions of examples to the sums of a search for rules that add up to a number.

use super::local::{Block, Objective, in_blocks};
use super::sums::{Contribution, SCALE};
use crate::params::Loss;
use pellucid_device::Threads;
use pellucid_ruleset::number::NumberFit;

/// Spreads below this are treated as 0.
const NOTHING: f64 = 1e-9;

impl Objective for NumberFit {
    fn blocks(&self, examples: &[u32], threads: &Threads) -> (Vec<Block>, f64) {
        let residuals = self.residuals();
        let off = |example: u32| residuals[example as usize];
        let weight = |example: u32| self.weight(example);
        let (mut squares, mut all) = (0.0, 0.0);
        for &example in examples {
            squares += weight(example) * off(example).powi(2);
            all += weight(example);
        }
        // Residuals are scaled by their own spread, so that the gain of a rule does not depend on
        // how much is already explained.
        let spread = (squares / all.max(f64::MIN_POSITIVE)).sqrt();
        let missing = |example: u32| match self.loss() {
            _ if spread <= NOTHING => 0.0,
            Loss::Squared => weight(example) * off(example) / spread,
            Loss::Absolute if off(example) == 0.0 => 0.0,
            Loss::Absolute => weight(example) * off(example).signum(),
        };
        let largest =
            |most: f64, &example: &u32| most.max(missing(example).abs()).max(weight(example));
        let unit = examples.iter().fold(f64::MIN_POSITIVE, largest) / SCALE;
        #[expect(clippy::cast_possible_truncation, reason = "at most 2^30")]
        let whole = |number: f64| (number / unit).round() as i32;
        let part = |example: u32| {
            let (missing, weight) = (whole(missing(example)), whole(weight(example)));
            // A rule raises the number if the residuals are positive.
            Contribution([missing, weight, weight, missing])
        };
        (in_blocks(examples, threads, part), unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_residual_has_no_gain() {
        let same = NumberFit::new(&[3.0; 6], vec![1.0; 6].into(), Loss::Squared);
        let (blocks, _) = same.blocks(&[0, 1, 2, 3, 4, 5], &Threads::callers());
        assert!(blocks.iter().flat_map(|piece| &piece.parts).all(|part| part.0[0] == 0));
    }
}
