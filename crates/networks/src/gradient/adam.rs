//! The Adam optimizer, with a cosine learning rate and early stopping on held-out rows.

use super::{Gradient, Loss, Plan, Tiles, Workspace};
use pellucid_bits::Level;
use pellucid_learn::rng::Streams;
use serde::{Deserialize, Serialize};

/// The schedule of gradient training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TrainingSchedule {
    /// The initial learning rate.
    pub(crate) rate: f64,
    /// The number of rows in a tile.
    pub(crate) rows_in_tile: usize,
    /// The number of tiles in a batch.
    pub(crate) tiles: usize,
    /// The number of epochs after which the learning rate reaches 0.
    pub(crate) rounds: u64,
    /// The weight decay per step, as a share of the learning rate.
    pub(crate) decay: f64,
    /// The number of epochs without a lower loss after which training stops.
    pub(crate) patience: u64,
}

/// A network in gradient training. Checkpoints contain all of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Adam {
    /// The genes, followed by the biases.
    pub(crate) genes: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
    steps: u64,
    pub(crate) round: u64,
    /// The lowest loss on the held-out rows, and the genes that had it.
    pub(crate) best: Option<(f64, Vec<f32>)>,
    best_round: u64,
}

impl Adam {
    /// Starts from genes followed by the biases.
    pub(crate) fn new(genes: Vec<f32>) -> Adam {
        let zeros = vec![0.0; genes.len()];
        let (first, second) = (zeros.clone(), zeros);
        Adam { genes, first, second, steps: 0, round: 0, best: None, best_round: 0 }
    }

    /// Whether a state from a checkpoint has the right number of genes.
    pub(crate) fn fits(&self, genes: usize) -> bool {
        let lengths = [self.genes.len(), self.first.len(), self.second.len()];
        let best = self.best.as_ref().is_none_or(|(_, best)| best.len() == genes);
        best && lengths.iter().all(|&length| length == genes)
    }

    /// Whether training has stopped.
    pub(crate) fn is_done(&self, schedule: &TrainingSchedule) -> bool {
        self.round >= schedule.rounds || self.round >= self.best_round + schedule.patience
    }

    /// Trains for one epoch over the tiles of all folds but one, in random order, then computes the
    /// loss on the tiles of that fold.
    pub(crate) fn round(
        &mut self,
        plan: &Plan,
        tiles: &Tiles,
        fold: usize,
        schedule: &TrainingSchedule,
        streams: Streams,
        level: Level,
    ) {
        let mut order = tiles.without(fold);
        streams.stream(&["round".into(), self.round.into()]).shuffle(&mut order);
        let (mut gradient, mut workspace) = (vec![0.0_f32; self.genes.len()], Workspace::new(plan));
        let outputs = plan.output..plan.genes;
        let is_weight = |gene| plan.layers.iter().any(|layer| layer.has_weight(gene));
        let decays: Vec<bool> =
            (0..self.genes.len()).map(|gene| outputs.contains(&gene) || is_weight(gene)).collect();
        let epochs = schedule.rounds.max(1) as f64;
        let steps = order.len().div_ceil(schedule.tiles.max(1));
        for (step, places) in order.chunks(schedule.tiles.max(1)).enumerate() {
            let genes = &self.genes;
            let rows = level.run(Gradient {
                plan,
                tiles,
                places,
                genes,
                gradient: &mut gradient,
                workspace: &mut workspace,
            });
            let progress = (self.round as f64 + step as f64 / steps as f64) / epochs;
            // A cosine from 1 to 0.
            let rate =
                schedule.rate * 0.5 * (1.0 + libm::cos(std::f64::consts::PI * progress.min(1.0)));
            self.step(&gradient, rows.max(1.0), rate, schedule.decay, &decays);
        }
        self.round += 1;
        let loss = level.run(Loss {
            plan,
            tiles,
            places: &tiles.of_fold(fold),
            genes: &self.genes,
            workspace: &mut workspace,
        });
        if loss.is_finite() && self.best.as_ref().is_none_or(|(best, _)| loss < *best) {
            self.best = Some((loss, self.genes.clone()));
            self.best_round = self.round;
        }
    }

    /// Takes one step along the mean gradient; `decays` marks the genes with weight decay.
    #[expect(clippy::cast_possible_truncation, reason = "rates and powers near 1")]
    fn step(&mut self, gradient: &[f32], rows: f32, rate: f64, decay: f64, decays: &[bool]) {
        self.steps += 1;
        let power = |base: f64| 1.0 - libm::pow(base, self.steps as f64);
        let step = (rate / power(0.9)) as f32;
        let even = (1.0 / power(0.999)) as f32;
        let kept = (1.0 - rate * decay) as f32;
        let moments = self.first.iter_mut().zip(&mut self.second);
        let genes = self.genes.iter_mut().zip(decays);
        for ((gene, &decays), ((first, second), slope)) in genes.zip(moments.zip(gradient)) {
            let slope = slope / rows;
            *first += 0.1 * (slope - *first);
            *second += 0.001 * (slope * slope - *second);
            let by = step * *first / ((*second * even).sqrt() + 1e-8);
            let own = if decays { *gene * kept } else { *gene };
            let next = own - by;
            // A gradient that is not finite does not change the gene.
            *gene = if next.is_finite() { next } else { *gene };
        }
        if self.first.iter().chain(&self.second).any(|moment| !moment.is_finite()) {
            self.first.fill(0.0);
            self.second.fill(0.0);
        }
    }
}
