//! Exact slopes of the log-loss, and walking down them.
//!
//! A network ranks; to walk downhill it needs a loss that a slope can be taken of. So its output and a bias of its own become
//! a probability, and the mean of -ln(probability of what happened) is what falls. The bias changes no order and is no gene.
//!
//! `forward` computes scores of whole populations in its own way; here rows come in small tiles because every step changes
//! the genes.

mod adam;
mod exp;
mod layers;
mod plan;
mod tiles;

#[cfg(test)]
mod tests;

pub(crate) use adam::{Adam, Walk};
pub(crate) use layers::{Kind, Layer, ROWS};
pub(crate) use tiles::Tiles;

use exp::sigmoid;
use layers::{dot, total};
use pellucid_bits::{Kernel, Level, Simd};
use tiles::Tile;

/// A network as its slopes are taken: one or two layers, and a weighted sum.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plan {
    pub(crate) layers: Vec<Layer>,
    /// Where the weights of the sum begin.
    pub(crate) output: usize,
    /// How many genes there are.
    pub(crate) genes: usize,
}

impl Plan {
    fn last_nodes(&self) -> usize {
        self.layers.last().map_or(0, |layer| layer.nodes)
    }

    fn widest(&self) -> usize {
        self.layers.iter().map(|layer| layer.nodes.max(layer.inputs)).max().unwrap_or(0)
    }
}

/// Room to work in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Room {
    sums: Vec<Vec<f32>>,
    outs: Vec<Vec<f32>>,
    delta: Vec<f32>,
    inwards: Vec<f32>,
}

impl Room {
    pub(crate) fn new(plan: &Plan) -> Room {
        let per_layer = || plan.layers.iter().map(|layer| vec![0.0; layer.nodes * ROWS]).collect();
        Room {
            sums: per_layer(),
            outs: per_layer(),
            delta: vec![0.0; plan.widest() * ROWS],
            inwards: vec![0.0; plan.widest() * ROWS],
        }
    }
}

/// Scores of a tile without the bias.
#[inline(always)]
fn scores(plan: &Plan, genes: &[f32], x: &[f32], room: &mut Room) -> [f32; ROWS] {
    for (place, layer) in plan.layers.iter().enumerate() {
        let (before, after) = room.outs.split_at_mut(place);
        let x = before.last().map_or(x, Vec::as_slice);
        layer.forward(genes, x, &mut room.sums[place], &mut after[0]);
    }
    let mut scores = [0.0_f32; ROWS];
    if let Some(outs) = room.outs.last() {
        for node in 0..plan.last_nodes() {
            let weight = genes[plan.output + node];
            let out = &outs[node * ROWS..][..ROWS];
            (0..ROWS).for_each(|row| scores[row] += weight * out[row]);
        }
    }
    scores
}

/// The loss of one row by its score and label, in doubles: sums of many rows stay exact enough.
fn loss(score: f64, label: f32) -> f64 {
    // ln(1 + e^-|z|) and what is left of the larger side.
    let rest = libm::log1p(libm::exp(-score.abs()));
    let side = if label > 0.5 { -score } else { score };
    side.max(0.0) + rest
}

/// Adds the slopes over some tiles to `slopes`, whose last place is the bias, and says how many rows there were.
pub(crate) struct Slopes<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) tiles: &'a Tiles,
    pub(crate) places: &'a [u32],
    /// The genes and the bias.
    pub(crate) genes: &'a [f32],
    pub(crate) slopes: &'a mut [f32],
    pub(crate) room: &'a mut Room,
}

impl Kernel for Slopes<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> f32 {
        let Slopes { plan, tiles, places, genes, slopes, room } = self;
        let bias = genes[plan.genes];
        let mut rows = 0.0;
        for &place in places {
            let Tile { x, labels, weights } = tiles.tile(place);
            let scores = scores(plan, genes, x, room);
            let mut miss = [0.0_f32; ROWS];
            for row in 0..ROWS {
                miss[row] = weights[row] * (sigmoid(scores[row] + bias) - labels[row]);
            }
            rows += total(weights);
            slopes[plan.genes] += total(&miss);
            if let Some(outs) = room.outs.last() {
                for node in 0..plan.last_nodes() {
                    let gene = plan.output + node;
                    slopes[gene] += dot(&miss, &outs[node * ROWS..][..ROWS]);
                    let delta = &mut room.delta[node * ROWS..][..ROWS];
                    (0..ROWS).for_each(|row| delta[row] = miss[row] * genes[gene]);
                }
            }
            for (place, layer) in plan.layers.iter().enumerate().rev() {
                let (before, after) = room.outs.split_at(place);
                let x = before.last().map_or(x, Vec::as_slice);
                let (sums, out) = (&room.sums[place], &after[0]);
                let inwards = (place > 0).then_some(room.inwards.as_mut_slice());
                layer.backward(genes, x, sums, out, &mut room.delta, slopes, inwards);
                if place > 0 {
                    std::mem::swap(&mut room.delta, &mut room.inwards);
                }
            }
        }
        rows
    }
}

/// The mean loss over some tiles.
pub(crate) struct Loss<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) tiles: &'a Tiles,
    pub(crate) places: &'a [u32],
    /// The genes and the bias.
    pub(crate) genes: &'a [f32],
    pub(crate) room: &'a mut Room,
}

impl Kernel for Loss<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> f64 {
        let Loss { plan, tiles, places, genes, room } = self;
        let bias = f64::from(genes[plan.genes]);
        let (mut sum, mut rows) = (0.0, 0.0);
        for &place in places {
            let Tile { x, labels, weights } = tiles.tile(place);
            let scores = scores(plan, genes, x, room);
            for row in 0..ROWS {
                if weights[row] > 0.0 {
                    sum += loss(f64::from(scores[row]) + bias, labels[row]);
                    rows += 1.0;
                }
            }
        }
        if rows > 0.0 { sum / rows } else { 0.0 }
    }
}

/// The level of instructions in use, or the plain one where the environment names nonsense: a learner hears of that from the
/// device it opens.
pub(crate) fn level() -> Level {
    Level::chosen().unwrap_or(Level::Portable)
}
