//! A roulette wheel with changing weights.

use serde::{Deserialize, Serialize};

/// The number of slots in a block.
const BLOCK: usize = 64;

/// Integer weights of slots with sums over blocks. A weight changes in constant time, and a draw
/// scans the block sums and then one block. Weights are integers, because integer sums do not
/// depend on the order of additions: a wheel restored from a checkpoint is identical to the
/// original.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<u64>", into = "Vec<u64>")]
pub(crate) struct Roulette {
    weights: Vec<u64>,
    sums: Vec<u64>,
    total: u64,
}

impl From<Vec<u64>> for Roulette {
    fn from(mut weights: Vec<u64>) -> Roulette {
        // Sums of valid weights stay far below the limit; those of a corrupt file must not
        // overflow.
        weights.iter_mut().for_each(|weight| *weight = (*weight).min(1 << 40));
        let sums: Vec<u64> = weights.chunks(BLOCK).map(|block| block.iter().sum()).collect();
        let total = sums.iter().sum();
        Roulette { weights, sums, total }
    }
}

impl From<Roulette> for Vec<u64> {
    fn from(wheel: Roulette) -> Vec<u64> {
        wheel.weights
    }
}

impl Roulette {
    /// Returns the number of slots.
    pub(crate) fn len(&self) -> usize {
        self.weights.len()
    }

    /// Returns the sum of all weights.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// Sets the weight of a slot, which may be one past the last.
    #[inline]
    pub(crate) fn set(&mut self, slot: usize, weight: f64) {
        /// Weights are stored in units of 1/64, up to 2^40 units.
        const SCALE: f64 = 64.0;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "saturates, not negative"
        )]
        let weight = ((weight * SCALE) as u64).min(1 << 40);
        if slot >= self.weights.len() {
            self.weights.resize(slot + 1, 0);
            self.sums.resize(self.weights.len().div_ceil(BLOCK), 0);
        }
        let old = std::mem::replace(&mut self.weights[slot], weight);
        let sum = &mut self.sums[slot / BLOCK];
        *sum = *sum - old + weight;
        self.total = self.total - old + weight;
    }

    /// Returns the slot that a number below the total falls on.
    pub(crate) fn at(&self, mut aim: u64) -> Option<usize> {
        let mut block = 0;
        while aim >= *self.sums.get(block)? {
            aim -= self.sums[block];
            block += 1;
        }
        let weights = self.weights[block * BLOCK..].iter().take(BLOCK);
        for (slot, &weight) in (block * BLOCK..).zip(weights) {
            if aim < weight {
                return Some(slot);
            }
            aim -= weight;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn draws_match_plain_cumulative_sums(
            changes in prop::collection::vec((0usize..300, 0u32..50), 1..400),
        ) {
            let mut wheel = Roulette::default();
            let mut plain = vec![0u64; 300];
            for (slot, weight) in changes {
                wheel.set(slot, f64::from(weight) / 64.0);
                plain[slot] = u64::from(weight);
            }
            let total: u64 = plain.iter().sum();
            prop_assert_eq!(wheel.total(), total);
            let mut from = 0;
            for (slot, &weight) in plain.iter().enumerate() {
                for aim in [from, (from + weight).saturating_sub(1)] {
                    if weight > 0 {
                        prop_assert_eq!(wheel.at(aim), Some(slot));
                    }
                }
                from += weight;
            }
            prop_assert_eq!(wheel.at(total), None);
            let again = Roulette::from(Vec::from(wheel.clone()));
            prop_assert_eq!(again, wheel);
        }
    }
}
