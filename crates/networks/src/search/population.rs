//! Populations, and the selection of parents.

use crate::metric::Fitness;
use pellucid_learn::rng::Stream;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// The ratio of the selection probabilities of successive ranks.
const RANK_RATIO: f64 = 0.92;

/// Networks of one shape, best first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Population {
    /// The genes of all networks, concatenated.
    pub(crate) genes: Vec<f32>,
    pub(crate) fitness: Vec<Fitness>,
}

impl Population {
    pub(crate) fn len(&self) -> usize {
        self.fitness.len()
    }

    /// Returns the genes of one network.
    pub(crate) fn network(&self, place: usize) -> &[f32] {
        let each = self.genes.len() / self.len().max(1);
        &self.genes[place * each..][..each]
    }

    /// Sorts networks, best first, removes duplicates, and keeps at most `most` of them.
    pub(crate) fn sorted(networks: Vec<(Vec<f32>, Fitness)>, most: usize) -> Population {
        let mut order: Vec<usize> = (0..networks.len()).collect();
        // In a tie the first one wins: parents come before children.
        order.sort_by(|&a, &b| networks[b].1.order(&networks[a].1).then(a.cmp(&b)));
        let (mut sorted, mut seen) = (Population::default(), HashSet::new());
        for place in order {
            let (genes, fitness) = &networks[place];
            if sorted.len() < most && seen.insert(bits(genes)) {
                sorted.genes.extend_from_slice(genes);
                sorted.fitness.push(*fitness);
            }
        }
        sorted
    }

    /// Returns the networks with their fitness.
    pub(crate) fn into_networks(self) -> Vec<(Vec<f32>, Fitness)> {
        let fitness = self.fitness.iter().copied();
        (0..self.len()).map(|place| self.network(place).to_vec()).zip(fitness).collect()
    }
}

/// Returns genes in a form that can be compared and hashed; 0 and -0 differ.
pub(crate) fn bits(genes: &[f32]) -> Vec<u32> {
    genes.iter().map(|gene| gene.to_bits()).collect()
}

/// Numbers networks so that duplicates have the same number.
#[derive(Debug, Default)]
pub(crate) struct DistinctNetworks<'a> {
    networks: Vec<&'a [f32]>,
    places: HashMap<u64, usize>,
}

impl<'a> DistinctNetworks<'a> {
    /// Returns the number of a network: that of an earlier duplicate, or the next number.
    pub(crate) fn number(&mut self, genes: &'a [f32]) -> usize {
        let next = self.networks.len();
        let place = *self.places.entry(hash(genes)).or_insert(next);
        let same = |a: &[f32], b: &[f32]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
        };
        if place < next && same(self.networks[place], genes) {
            return place;
        }
        // Either new, or a hash collision.
        self.networks.push(genes);
        next
    }

    pub(crate) fn len(&self) -> usize {
        self.networks.len()
    }
}

/// Returns a hash of a network. Four independent sums, because the steps of one sum depend on each
/// other.
fn hash(genes: &[f32]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut sums = [0_u64; 4];
    for genes in genes.chunks(4) {
        for (sum, gene) in sums.iter_mut().zip(genes) {
            *sum = (sum.rotate_left(23) ^ u64::from(gene.to_bits())).wrapping_mul(ODD);
        }
    }
    sums.into_iter().fold(0, |all, sum| (all.rotate_left(23) ^ sum).wrapping_mul(ODD))
}

/// Returns the rate of the exponential distribution from which ranks are drawn.
pub(crate) fn rank_rate() -> f64 {
    -libm::log(RANK_RATIO)
}

/// Draws the rank of a parent; each rank is [`RANK_RATIO`] times as likely as the one before.
pub(crate) fn draw_rank(stream: &mut Stream, population: usize) -> usize {
    let rate = rank_rate();
    loop {
        let rank = (stream.exponential() / rate).floor();
        if rank < population as f64 {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "below a length"
            )]
            return rank as usize;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn only_duplicates_share_a_number(
            networks in prop::collection::vec(prop::collection::vec(-2_i8..2, 5), 1..40),
        ) {
            // Few values, so that duplicates occur; 0 and -0 differ.
            let genes: Vec<Vec<f32>> =
                networks.iter().map(|of| of.iter().map(|&gene| f32::from(gene) * -0.5).collect()).collect();
            let mut distinct = DistinctNetworks::default();
            let numbers: Vec<usize> = genes.iter().map(|genes| distinct.number(genes)).collect();
            for (place, number) in numbers.iter().enumerate() {
                let first = (0..=place).find(|&other| bits(&genes[other]) == bits(&genes[place]));
                prop_assert_eq!(Some(*number), first.map(|first| numbers[first]));
            }
            let all: HashSet<Vec<u32>> = genes.iter().map(|genes| bits(genes)).collect();
            prop_assert_eq!(distinct.len(), all.len());
        }
    }
}
