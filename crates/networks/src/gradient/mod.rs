//! Exact gradients of the log-loss, and gradient descent.
//!
//! A network ranks rows; gradient descent needs a differentiable loss. The output plus a bias is
//! therefore turned into a probability, and the loss is the mean of -ln(probability of the actual
//! class). The bias does not change the ranking and is not one of the genes.
//!
//! The crate `pellucid_forward` computes the scores of whole populations. Here rows come in small
//! tiles, because every step changes the genes. Both use the same activation functions.

mod adam;
mod layers;
mod plan;
mod tiles;

#[cfg(test)]
mod tests;

pub(crate) use adam::{Adam, TrainingSchedule};
pub(crate) use layers::{Layer, ROWS};
pub(crate) use tiles::Tiles;

use layers::{Column, ForwardPass, ZERO_COLUMN, add, lane_sum};
use pellucid_bits::{FloatBlock, Kernel, Simd};
use pellucid_forward::{Activation, activate};
use tiles::Tile;

/// A network laid out for gradients: one or two layers and a weighted sum.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plan {
    pub(crate) layers: Vec<Layer>,
    /// The start of the output weights.
    pub(crate) output: usize,
    /// The number of genes.
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

/// Buffers for a forward and a backward pass.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    sums: Vec<Vec<Column>>,
    outs: Vec<Vec<Column>>,
    delta: Vec<Column>,
    input_gradient: Vec<Column>,
    /// The gradient, in sixteen lanes per gene.
    parts: Vec<FloatBlock>,
}

impl Workspace {
    pub(crate) fn new(plan: &Plan) -> Workspace {
        let per_layer = || plan.layers.iter().map(|layer| vec![ZERO_COLUMN; layer.nodes]).collect();
        Workspace {
            sums: per_layer(),
            outs: per_layer(),
            delta: vec![ZERO_COLUMN; plan.widest()],
            input_gradient: vec![ZERO_COLUMN; plan.widest()],
            parts: vec![FloatBlock::ZERO; plan.genes + 1],
        }
    }
}

/// Returns the scores of a tile, including the bias.
#[inline(always)]
fn scores<S: Simd>(
    simd: S,
    plan: &Plan,
    genes: &[f32],
    tile: Tile<'_>,
    workspace: &mut Workspace,
) -> Column {
    for (place, layer) in plan.layers.iter().enumerate() {
        let (before, after) = workspace.outs.split_at_mut(place);
        let x = before.last().map_or(tile.x, |outs| &outs[..layer.inputs]);
        layer.forward(simd, genes, x, tile.blocks, &mut workspace.sums[place], &mut after[0]);
    }
    let mut scores = ZERO_COLUMN;
    let outs = workspace.outs.last().map_or(&[][..], Vec::as_slice);
    for block in 0..tile.blocks {
        let mut sum = simd.splat_float(0.0);
        for (node, out) in outs.iter().enumerate() {
            let weight = simd.splat_float(genes[plan.output + node]);
            sum = simd.fused(weight, simd.load_floats(&out[block]), sum);
        }
        let bias = simd.splat_float(genes[plan.genes]);
        simd.store_floats(simd.plus(sum, bias), &mut scores[block]);
    }
    scores
}

/// Returns the loss of one row in double precision, so that sums over many rows stay accurate.
fn loss(score: f64, label: f32) -> f64 {
    // ln(1 + e^z) = max(z, 0) + ln(1 + e^-|z|), which does not overflow.
    let rest = libm::log1p(libm::exp(-score.abs()));
    let side = if label > 0.5 { -score } else { score };
    side.max(0.0) + rest
}

/// Computes the gradient over some tiles, with that of the bias last. Returns the number of rows.
pub(crate) struct Gradient<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) tiles: &'a Tiles,
    pub(crate) places: &'a [u32],
    /// The genes, followed by the bias.
    pub(crate) genes: &'a [f32],
    pub(crate) gradient: &'a mut [f32],
    pub(crate) workspace: &'a mut Workspace,
}

impl Kernel for Gradient<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> f32 {
        let Gradient { plan, tiles, places, genes, gradient, workspace } = self;
        workspace.parts.fill(FloatBlock::ZERO);
        let mut rows = 0;
        for &place in places {
            let tile = tiles.tile(place);
            let blocks = tile.blocks;
            rows += tile.rows;
            let mut errors = scores(simd, plan, genes, tile, workspace);
            let bias = &mut workspace.parts[plan.genes];
            let of_tile = tile.labels.iter().zip(tile.weights).take(blocks);
            for (error, (label, weight)) in errors.iter_mut().zip(of_tile) {
                let score = simd.load_floats(error);
                let probability = activate(simd, Activation::Sigmoid, score, score);
                let difference = simd.minus(probability, simd.load_floats(label));
                let difference = simd.times(simd.load_floats(weight), difference);
                add(simd, bias, difference);
                simd.store_floats(difference, error);
            }
            let outs = workspace.outs.last().map_or(&[][..], Vec::as_slice);
            for (node, (out, delta)) in outs.iter().zip(&mut workspace.delta).enumerate() {
                let weight = simd.splat_float(genes[plan.output + node]);
                let mut sum = simd.splat_float(0.0);
                for block in 0..blocks {
                    let difference = simd.load_floats(&errors[block]);
                    sum = simd.fused(difference, simd.load_floats(&out[block]), sum);
                    simd.store_floats(simd.times(difference, weight), &mut delta[block]);
                }
                add(simd, &mut workspace.parts[plan.output + node], sum);
            }
            for (place, layer) in plan.layers.iter().enumerate().rev() {
                let (before, after) = workspace.outs.split_at(place);
                let x = before.last().map_or(tile.x, |outs| &outs[..layer.inputs]);
                let pass =
                    ForwardPass { genes, x, sums: &workspace.sums[place], out: &after[0], blocks };
                let input_gradient = (place > 0).then_some(workspace.input_gradient.as_mut_slice());
                layer.backward(
                    simd,
                    pass,
                    &mut workspace.delta,
                    &mut workspace.parts,
                    input_gradient,
                );
                if place > 0 {
                    std::mem::swap(&mut workspace.delta, &mut workspace.input_gradient);
                }
            }
        }
        gradient
            .iter_mut()
            .zip(&workspace.parts)
            .for_each(|(slope, parts)| *slope = lane_sum(parts));
        rows as f32
    }
}

/// Computes the mean loss over some tiles.
pub(crate) struct Loss<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) tiles: &'a Tiles,
    pub(crate) places: &'a [u32],
    /// The genes, followed by the bias.
    pub(crate) genes: &'a [f32],
    pub(crate) workspace: &'a mut Workspace,
}

impl Kernel for Loss<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> f64 {
        let Loss { plan, tiles, places, genes, workspace } = self;
        let (mut sum, mut rows) = (0.0, 0);
        for &place in places {
            let tile = tiles.tile(place);
            let scores = scores(simd, plan, genes, tile, workspace);
            let numbers = scores.iter().flat_map(|block| block.0);
            let labels = tile.labels.iter().flat_map(|block| block.0);
            for (score, label) in numbers.zip(labels).take(tile.rows) {
                sum += loss(f64::from(score), label);
            }
            rows += tile.rows;
        }
        if rows > 0 { sum / rows as f64 } else { 0.0 }
    }
}
