//! Separable natural evolution strategies: T. Schaul, T. Glasmachers and J. Schmidhuber, "High
//! dimensions and heavy tails for natural evolution strategies" (2011).

use super::to_f32;
use crate::metric::Fitness;
use pellucid_learn::rng::Streams;
use serde::{Deserialize, Serialize};

/// A normal distribution of networks with independent genes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Snes {
    pub(crate) mean: Vec<f32>,
    pub(crate) std_dev: Vec<f32>,
}

impl Snes {
    /// Creates a distribution around a network.
    pub(crate) fn new(genes: &[f32], std_dev: Vec<f32>) -> Snes {
        Snes { mean: genes.to_vec(), std_dev }
    }

    /// Returns the standardized draws of a network.
    fn draws(&self, streams: Streams, place: usize) -> Vec<f64> {
        let mut stream = streams.stream(&["cloud".into(), place.into()]);
        self.mean.iter().map(|_| stream.normal()).collect()
    }

    /// Draws a network.
    pub(crate) fn network(&self, streams: Streams, place: usize) -> Vec<f32> {
        let draws = self.draws(streams, place);
        let genes = self.mean.iter().zip(&self.std_dev).zip(&draws);
        genes.map(|((&mean, &std_dev), &draw)| mean + std_dev * to_f32(draw)).collect()
    }

    /// Updates the distribution by the fitness of its networks.
    pub(crate) fn update(&mut self, streams: Streams, fitness: &[Fitness]) {
        let count = fitness.len();
        if count < 2 {
            return;
        }
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|&a, &b| fitness[b].order(&fitness[a]).then(a.cmp(&b)));
        // The weights of the better half grow with the rank; all weights sum to 0.
        let weight = |rank: usize| {
            (libm::log(count as f64 / 2.0 + 1.0) - libm::log(rank as f64 + 1.0)).max(0.0)
        };
        let sum: f64 = (0..count).map(weight).sum();
        let genes = self.mean.len();
        let (mut moves, mut stretches) = (vec![0.0_f64; genes], vec![0.0_f64; genes]);
        for (rank, &place) in order.iter().enumerate() {
            let utility = weight(rank) / sum - 1.0 / count as f64;
            for (gene, draw) in self.draws(streams, place).into_iter().enumerate() {
                moves[gene] += utility * draw;
                stretches[gene] += utility * (draw * draw - 1.0);
            }
        }
        let rate = (3.0 + libm::log(genes.max(1) as f64)) / (5.0 * (genes.max(1) as f64).sqrt());
        for gene in 0..genes {
            self.mean[gene] += self.std_dev[gene] * to_f32(moves[gene]);
            self.std_dev[gene] *=
                to_f32(libm::exp((rate / 2.0 * stretches[gene]).clamp(-1.0, 1.0)));
        }
    }
}
