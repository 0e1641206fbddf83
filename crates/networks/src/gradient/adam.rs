//! Walking down the gradient: Adam, with a rate that falls to nothing and an eye on rows that are not walked on.

use super::{Loss, Plan, Workspace, Gradient, Tiles, level};
use pellucid_learn::rng::Streams;
use serde::{Deserialize, Serialize};

/// How to schedule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TrainingSchedule {
    /// How far a step goes at first.
    pub(crate) rate: f64,
    /// How many rows a tile has.
    pub(crate) rows_in_tile: usize,
    /// How many tiles make a step.
    pub(crate) tiles: usize,
    /// After how many rounds the rate has fallen to nothing.
    pub(crate) rounds: u64,
    /// What is taken off weights in each step, as a share of the rate.
    pub(crate) decay: f64,
    /// Rounds without a better loss after which nothing more is expected.
    pub(crate) patience: u64,
}

/// A network on its way down. All of it goes into checkpoints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Adam {
    /// The genes, and the bias in the last place.
    pub(crate) genes: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
    steps: u64,
    pub(crate) round: u64,
    /// The least loss on the rows that are held out, and the genes that had it.
    pub(crate) best: Option<(f64, Vec<f32>)>,
    best_round: u64,
}

impl Adam {
    /// Begins with genes and a bias.
    pub(crate) fn new(genes: Vec<f32>) -> Adam {
        let zeros = vec![0.0; genes.len()];
        let (first, second) = (zeros.clone(), zeros);
        Adam { genes, first, second, steps: 0, round: 0, best: None, best_round: 0 }
    }

    /// Whether a state from a file fits.
    pub(crate) fn fits(&self, genes: usize) -> bool {
        let lengths = [self.genes.len(), self.first.len(), self.second.len()];
        let best = self.best.as_ref().is_none_or(|(_, best)| best.len() == genes);
        best && lengths.iter().all(|&length| length == genes)
    }

    /// Whether there is nothing more to expect.
    pub(crate) fn is_done(&self, schedule: &TrainingSchedule) -> bool {
        self.round >= schedule.rounds || self.round >= self.best_round + schedule.patience
    }

    /// Walks once over all training tiles in an order of its own, and looks what the loss is on the others.
    pub(crate) fn round(
        &mut self,
        plan: &Plan,
        tiles: &Tiles,
        train: &[u32],
        held_out: &[u32],
        schedule: &TrainingSchedule,
        streams: Streams,
    ) {
        let mut order = train.to_vec();
        streams.stream(&["round".into(), self.round.into()]).shuffle(&mut order);
        let (mut gradient, mut workspace) = (vec![0.0_f32; self.genes.len()], Workspace::new(plan));
        let outputs = plan.output..plan.output + plan.last_nodes();
        let is_weight = |gene| plan.layers.iter().any(|layer| layer.has_weight(gene));
        let decays: Vec<bool> =
            (0..self.genes.len()).map(|gene| outputs.contains(&gene) || is_weight(gene)).collect();
        let in_all = schedule.rounds.max(1) as f64;
        let steps = order.len().div_ceil(schedule.tiles.max(1));
        for (step, places) in order.chunks(schedule.tiles.max(1)).enumerate() {
            let genes = &self.genes;
            let rows = level().run(Gradient {
                plan,
                tiles,
                places,
                genes,
                gradient: &mut gradient,
                workspace: &mut workspace,
            });
            let way = (self.round as f64 + step as f64 / steps as f64) / in_all;
            // A cosine from 1 to 0.
            let rate = schedule.rate * 0.5 * (1.0 + libm::cos(std::f64::consts::PI * way.min(1.0)));
            self.step(&gradient, rows.max(1.0), rate, schedule.decay, &decays);
        }
        self.round += 1;
        let loss = level().run(Loss {
            plan,
            tiles,
            places: held_out,
            genes: &self.genes,
            workspace: &mut workspace,
        });
        if loss.is_finite() && self.best.as_ref().is_none_or(|(best, _)| loss < *best) {
            self.best = Some((loss, self.genes.clone()));
            self.best_round = self.round;
        }
    }

    /// One step against the mean slope; `decays` says which genes lose some of themselves.
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
            // A slope that is no number moves nothing.
            *gene = if next.is_finite() { next } else { *gene };
        }
        if self.first.iter().chain(&self.second).any(|moment| !moment.is_finite()) {
            self.first.fill(0.0);
            self.second.fill(0.0);
        }
    }
}
