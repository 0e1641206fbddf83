//! Networks that live together, and who has children.

use crate::metric::Fitness;
use pellucid_learn::rng::Stream;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The ratio between the chances of one rank and the next.
const RANK_RATIO: f64 = 0.92;

/// Networks of one shape, the best first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Population {
    /// The genes of all, one network after the other.
    pub(crate) genes: Vec<f32>,
    pub(crate) fitness: Vec<Fitness>,
}

impl Population {
    pub(crate) fn len(&self) -> usize {
        self.fitness.len()
    }

    /// The genes of one network.
    pub(crate) fn network(&self, place: usize) -> &[f32] {
        let each = self.genes.len() / self.len().max(1);
        &self.genes[place * each..][..each]
    }

    /// Puts networks in order, the best first; of copies only one stays. At most so many stay.
    pub(crate) fn sorted(networks: Vec<(Vec<f32>, Fitness)>, most: usize) -> Population {
        let mut order: Vec<usize> = (0..networks.len()).collect();
        // Of equal ones the first: parents come before children.
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

    /// The same as pairs.
    pub(crate) fn into_networks(self) -> Vec<(Vec<f32>, Fitness)> {
        let fitness = self.fitness.iter().copied();
        (0..self.len()).map(|place| self.network(place).to_vec()).zip(fitness).collect()
    }
}

/// Genes that can be compared and hashed; the two zeros differ, and so do networks with them.
pub(crate) fn bits(genes: &[f32]) -> Vec<u32> {
    genes.iter().map(|gene| gene.to_bits()).collect()
}

/// The rank of a parent: each rank has a chance of [`RANK_RATIO`] times that of the one before.
pub(crate) fn ranked(stream: &mut Stream, population: usize) -> usize {
    let rate = -libm::log(RANK_RATIO);
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
