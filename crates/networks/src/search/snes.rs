//! A distribution of networks around one, which moves and stretches towards the better ones: the separable natural evolution strategy of
//! T. Schaul, T. Glasmachers and J. Schmidhuber, "High dimensions and heavy tails for natural evolution strategies" (2011).

use super::to_f32;
use crate::metric::Fitness;
use pellucid_learn::rng::Streams;
use serde::{Deserialize, Serialize};

/// The distribution: its mean, and how far it reaches along each gene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Snes {
    pub(crate) mean: Vec<f32>,
    pub(crate) spread: Vec<f32>,
}

impl Snes {
    /// A distribution around a network.
    pub(crate) fn new(genes: &[f32], spread: Vec<f32>) -> Snes {
        Snes { mean: genes.to_vec(), spread }
    }

    /// How far a network of the distribution lies from the mean, in units of the spread.
    fn draws(&self, streams: Streams, place: usize) -> Vec<f64> {
        let mut stream = streams.stream(&["cloud".into(), place.into()]);
        self.mean.iter().map(|_| stream.normal()).collect()
    }

    /// A network of the distribution.
    pub(crate) fn network(&self, streams: Streams, place: usize) -> Vec<f32> {
        let draws = self.draws(streams, place);
        let genes = self.mean.iter().zip(&self.spread).zip(&draws);
        genes.map(|((&mean, &spread), &draw)| mean + spread * to_f32(draw)).collect()
    }

    /// Moves and stretches the distribution by how good its networks were.
    pub(crate) fn learn(&mut self, streams: Streams, fitness: &[Fitness]) {
        let count = fitness.len();
        if count < 2 {
            return;
        }
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|&a, &b| fitness[b].order(&fitness[a]).then(a.cmp(&b)));
        // The better half pulls, the more the better it is; all pulls together are as strong as all pushes.
        let pull = |rank: usize| {
            (libm::log(count as f64 / 2.0 + 1.0) - libm::log(rank as f64 + 1.0)).max(0.0)
        };
        let sum: f64 = (0..count).map(pull).sum();
        let genes = self.mean.len();
        let (mut moves, mut stretches) = (vec![0.0_f64; genes], vec![0.0_f64; genes]);
        for (rank, &place) in order.iter().enumerate() {
            let worth = pull(rank) / sum - 1.0 / count as f64;
            for (gene, draw) in self.draws(streams, place).into_iter().enumerate() {
                moves[gene] += worth * draw;
                stretches[gene] += worth * (draw * draw - 1.0);
            }
        }
        let rate = (3.0 + libm::log(genes.max(1) as f64)) / (5.0 * (genes.max(1) as f64).sqrt());
        for gene in 0..genes {
            self.mean[gene] += self.spread[gene] * to_f32(moves[gene]);
            self.spread[gene] *= to_f32(libm::exp((rate / 2.0 * stretches[gene]).clamp(-1.0, 1.0)));
        }
    }
}
