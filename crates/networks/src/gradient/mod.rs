//! Exact gradients of the loss, and gradient descent.
//!
//! A network ranks rows; gradient descent needs a differentiable loss. The output plus a bias is
//! therefore turned into a probability, and the loss is the mean of -ln(probability of the actual
//! class). The bias does not change the ranking and is not one of the genes. Of several classes,
//! each has an output with a bias, and probabilities are their softmax. For a number, the loss is
//! the mean squared error.
//!
//! The crate `pellucid_forward` computes the scores of whole populations. Here rows come in small
//! tiles, because every step changes the genes. Both use the same activation functions.

mod adam;
mod layers;
mod loss;
mod plan;
mod tiles;

#[cfg(test)]
mod tests;

pub(crate) use adam::{Adam, TrainingSchedule};
pub(crate) use layers::{Layer, ROWS};
pub(crate) use loss::Loss;
pub(crate) use plan::bias_of;
pub(crate) use tiles::{Tiles, labels};

use crate::task::NetworkTask;
use layers::{Column, ForwardPass, ZERO_COLUMN, add, lane_sum};
use loss::differences;
use pellucid_bits::{FloatBlock, Kernel, Simd};
use tiles::Tile;

/// A network laid out for gradients: one or two layers and a weighted sum for each output.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plan {
    pub(crate) layers: Vec<Layer>,
    /// The start of the output weights, output by output.
    pub(crate) output: usize,
    /// The number of genes; the biases of the outputs follow.
    pub(crate) genes: usize,
    /// What is predicted, which decides the loss.
    pub(crate) task: NetworkTask,
}

impl Plan {
    fn widest(&self) -> usize {
        self.layers.iter().map(|layer| layer.nodes.max(layer.inputs)).max().unwrap_or(0)
    }
}

/// Buffers for a forward and a backward pass.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    sums: Vec<Vec<Column>>,
    outs: Vec<Vec<Column>>,
    /// The outputs with their biases, then the derivatives of the loss by them.
    scores: Vec<Column>,
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
            scores: vec![ZERO_COLUMN; plan.task.outputs()],
            delta: vec![ZERO_COLUMN; plan.widest()],
            input_gradient: vec![ZERO_COLUMN; plan.widest()],
            parts: vec![FloatBlock::ZERO; plan.genes + plan.task.outputs()],
        }
    }
}

/// Computes the outputs for a tile, each including its bias.
#[inline(always)]
fn scores<S: Simd>(simd: S, plan: &Plan, genes: &[f32], tile: Tile<'_>, workspace: &mut Workspace) {
    for (place, layer) in plan.layers.iter().enumerate() {
        let (before, after) = workspace.outs.split_at_mut(place);
        let x = before.last().map_or(tile.x, |outs| &outs[..layer.inputs]);
        layer.forward(simd, genes, x, tile.blocks, &mut workspace.sums[place], &mut after[0]);
    }
    let outs = workspace.outs.last().map_or(&[][..], Vec::as_slice);
    for (output, scores) in workspace.scores.iter_mut().enumerate() {
        let weights = &genes[plan.output + output * outs.len()..][..outs.len()];
        for block in 0..tile.blocks {
            let mut sum = simd.splat_float(0.0);
            for (&weight, out) in weights.iter().zip(outs) {
                let weight = simd.splat_float(weight);
                sum = simd.fused(weight, simd.load_floats(&out[block]), sum);
            }
            let bias = simd.splat_float(genes[plan.genes + output]);
            simd.store_floats(simd.plus(sum, bias), &mut scores[block]);
        }
    }
}

/// Computes the gradient over some tiles, with those of the biases last. Returns the number of rows.
pub(crate) struct Gradient<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) tiles: &'a Tiles,
    pub(crate) places: &'a [u32],
    /// The genes, followed by the biases.
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
            scores(simd, plan, genes, tile, workspace);
            differences(simd, plan.task, tile, &mut workspace.scores);
            through_outputs(simd, plan, genes, blocks, workspace);
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

/// Adds the gradient of the output weights and biases, and computes the gradient with respect to the
/// nodes of the last layer.
#[inline(always)]
fn through_outputs<S: Simd>(
    simd: S,
    plan: &Plan,
    genes: &[f32],
    blocks: usize,
    workspace: &mut Workspace,
) {
    let Workspace { outs, scores: errors, delta, parts, .. } = workspace;
    let outs = outs.last().map_or(&[][..], Vec::as_slice);
    for (output, errors) in errors.iter().enumerate() {
        for error in errors.iter().take(blocks) {
            add(simd, &mut parts[plan.genes + output], simd.load_floats(error));
        }
        let first = plan.output + output * outs.len();
        for (node, (out, delta)) in outs.iter().zip(delta.iter_mut()).enumerate() {
            let weight = simd.splat_float(genes[first + node]);
            let mut sum = simd.splat_float(0.0);
            for block in 0..blocks {
                let difference = simd.load_floats(&errors[block]);
                sum = simd.fused(difference, simd.load_floats(&out[block]), sum);
                let own = match output {
                    0 => simd.times(difference, weight),
                    _ => simd.fused(difference, weight, simd.load_floats(&delta[block])),
                };
                simd.store_floats(own, &mut delta[block]);
            }
            add(simd, &mut parts[first + node], sum);
        }
    }
}
