//! The loss by task, and its derivatives by the outputs of a network.

use super::layers::Column;
use super::tiles::{Tile, Tiles};
use super::{Plan, Workspace, scores};
use crate::task::NetworkTask;
use pellucid_bits::{FLOATS, FloatBlock, Kernel, Simd};
use pellucid_forward::{Activation, Width, activate};
use std::f32::consts::LOG2_E;

/// Replaces the outputs for a tile by the derivatives of the loss by them.
#[inline(always)]
pub(super) fn differences<S: Simd>(
    simd: S,
    task: NetworkTask,
    tile: Tile<'_>,
    outputs: &mut [Column],
) {
    match task {
        NetworkTask::TwoClasses => {
            for (block, output) in outputs[0].iter_mut().enumerate().take(tile.blocks) {
                let score = simd.load_floats(output);
                let probability = activate(simd, Activation::Sigmoid, score, score);
                difference(simd, tile, (0, block), probability, output);
            }
        }
        NetworkTask::Classes(_) => {
            for block in 0..tile.blocks {
                softmax(simd, block, outputs);
                for (class, outputs) in outputs.iter_mut().enumerate() {
                    let probability = simd.load_floats(&outputs[block]);
                    difference(simd, tile, (class, block), probability, &mut outputs[block]);
                }
            }
        }
        NetworkTask::Number => {
            for (block, output) in outputs[0].iter_mut().enumerate().take(tile.blocks) {
                let score = simd.load_floats(output);
                difference(simd, tile, (0, block), score, output);
            }
        }
    }
}

/// Stores the difference between a prediction and the label, 0 for unused positions of the tile.
#[inline(always)]
fn difference<S: Simd>(
    simd: S,
    tile: Tile<'_>,
    (output, block): (usize, usize),
    predicted: S::Floats,
    out: &mut FloatBlock,
) {
    let difference = simd.minus(predicted, simd.load_floats(&tile.labels[output][block]));
    let weight = simd.load_floats(&tile.weights[block]);
    simd.store_floats(simd.times(weight, difference), out);
}

/// Replaces the outputs of a block of rows by their softmax.
#[inline(always)]
fn softmax<S: Simd>(simd: S, block: usize, outputs: &mut [Column]) {
    let mut largest = simd.splat_float(f32::MIN);
    for output in outputs.iter() {
        largest = simd.larger(simd.load_floats(&output[block]), largest);
    }
    let mut sum = simd.splat_float(0.0);
    // The exponential of a radial node: two to the power of the scale times the sum.
    let (exponential, scale) = (Activation::Rbf(Width::Raw), simd.splat_float(LOG2_E));
    for output in outputs.iter_mut() {
        let below = simd.minus(simd.load_floats(&output[block]), largest);
        let power = activate(simd, exponential, scale, below);
        sum = simd.plus(sum, power);
        simd.store_floats(power, &mut output[block]);
    }
    for output in outputs.iter_mut() {
        let share = simd.over(simd.load_floats(&output[block]), sum);
        simd.store_floats(share, &mut output[block]);
    }
}

/// Computes the mean loss over some tiles.
pub(crate) struct Loss<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) tiles: &'a Tiles,
    pub(crate) places: &'a [u32],
    /// The genes, followed by the biases.
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
            scores(simd, plan, genes, tile, workspace);
            for row in 0..tile.rows {
                sum += loss_of_row(plan.task, row, &workspace.scores, tile.labels);
            }
            rows += tile.rows;
        }
        if rows > 0 { sum / rows as f64 } else { 0.0 }
    }
}

/// Returns the loss of a row of a tile.
fn loss_of_row(task: NetworkTask, row: usize, outputs: &[Column], labels: &[Column]) -> f64 {
    match task {
        NetworkTask::TwoClasses => loss(f64::from(at(&outputs[0], row)), at(&labels[0], row)),
        NetworkTask::Classes(_) => {
            let scores = || outputs.iter().map(|output| f64::from(at(output, row)));
            let largest = scores().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = scores().map(|score| libm::exp(score - largest)).sum();
            let actual = labels.iter().position(|label| at(label, row) > 0.5).unwrap_or(0);
            libm::log(sum) + largest - f64::from(at(&outputs[actual], row))
        }
        NetworkTask::Number => {
            let difference = f64::from(at(&outputs[0], row)) - f64::from(at(&labels[0], row));
            difference * difference
        }
    }
}

/// Returns the number of a row of a tile.
fn at(column: &Column, row: usize) -> f32 {
    column[row / FLOATS].0[row % FLOATS]
}

/// Returns the loss of one row in double precision, so that sums over many rows stay accurate.
pub(super) fn loss(score: f64, label: f32) -> f64 {
    // ln(1 + e^z) = max(z, 0) + ln(1 + e^-|z|), which does not overflow.
    let rest = libm::log1p(libm::exp(-score.abs()));
    let side = if label > 0.5 { -score } else { score };
    side.max(0.0) + rest
}
