//! Scores: networks against tiles of rows.
//!
//! Some tiles stay in the first-level cache while all networks pass over them. Where registers are plenty,
//! four nodes take in a tile of 64 rows together, so that a number that was loaded is used four times;
//! elsewhere one.

use crate::Activation;
use crate::inputs::TILE_BLOCKS;
use crate::plan::{LayerPlan, Plan};
use crate::spec::{COEFFICIENTS, LEAST, MOST, ROUNDER};
use pellucid_bits::{FloatBlock, Kernel, Simd};
use std::f32::consts::LOG2_E;

/// One number of each row of a tile.
pub(super) type TileColumn = [FloatBlock; TILE_BLOCKS];

/// What stays in the first-level cache of numbers of rows, in bytes.
const NEAR_BYTES: usize = 24 << 10;

/// Prepared networks, one after the other, and tiles of rows that they score.
pub(super) struct Forward<'a> {
    pub(super) plan: &'a Plan,
    pub(super) networks: &'a [f32],
    /// `[tile][feature]`.
    pub(super) tiles: &'a [TileColumn],
    /// `[network][tile]`.
    pub(super) scores: &'a mut [TileColumn],
    /// What the nodes of the first of two layers give.
    pub(super) hidden: &'a mut Vec<TileColumn>,
}

impl Kernel for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Forward { plan, networks, tiles, scores, hidden } = self;
        let features = plan.layers[0].fan_in;
        let count = tiles.len() / features;
        if plan.layers.len() == 2 {
            hidden.resize(plan.layers[0].nodes, [FloatBlock::ZERO; TILE_BLOCKS]);
        }
        let near = (NEAR_BYTES / (features * size_of::<TileColumn>())).max(1);
        for (group, tiles) in tiles.chunks(near * features).enumerate() {
            for (network, params) in networks.chunks_exact(plan.words).enumerate() {
                let scores = &mut scores[network * count + group * near..];
                for (score, tile) in scores.iter_mut().zip(tiles.chunks_exact(features)) {
                    score_tile(simd, plan, params, tile, hidden, score);
                }
            }
        }
    }
}

/// The scores that a network gives to the rows of a tile.
#[inline(always)]
fn score_tile<S: Simd>(
    simd: S,
    plan: &Plan,
    params: &[f32],
    tile: &[TileColumn],
    hidden: &mut [TileColumn],
    scores: &mut TileColumn,
) {
    let zero = simd.splat_float(0.0);
    let mut output = [zero; TILE_BLOCKS];
    let weights = &params[plan.outputs..];
    match plan.layers.as_slice() {
        [first, second] => {
            layer(simd, first, params, tile, Into::Column(hidden), &mut output);
            layer(simd, second, params, hidden, Into::Output(weights), &mut output);
        }
        [only, ..] => layer(simd, only, params, tile, Into::Output(weights), &mut output),
        [] => {}
    }
    let last = simd.splat_float(f32::NEG_INFINITY);
    for (score, output) in scores.iter_mut().zip(output) {
        let found = simd.finite_or(simd.plus(output, zero), last);
        simd.store_floats(found, score);
    }
}

/// Where what a node gives goes.
enum Into<'a> {
    /// To the next layer.
    Column(&'a mut [TileColumn]),
    /// To the output, by these weights.
    Output(&'a [f32]),
}

/// All nodes of a layer, from the first to the last.
#[inline(always)]
fn layer<S: Simd>(
    simd: S,
    plan: &LayerPlan,
    params: &[f32],
    values: &[TileColumn],
    mut into: Into<'_>,
    output: &mut [S::Floats; TILE_BLOCKS],
) {
    let mut node = 0;
    if S::ROOM >= 4 * TILE_BLOCKS {
        while node + 4 <= plan.nodes {
            nodes::<S, 4>(simd, plan, params, values, node, &mut into, output);
            node += 4;
        }
    }
    while node < plan.nodes {
        nodes::<S, 1>(simd, plan, params, values, node, &mut into, output);
        node += 1;
    }
}

/// Some nodes that take in a tile together.
#[inline(always)]
fn nodes<S: Simd, const N: usize>(
    simd: S,
    plan: &LayerPlan,
    params: &[f32],
    values: &[TileColumn],
    first: usize,
    into: &mut Into<'_>,
    output: &mut [S::Floats; TILE_BLOCKS],
) {
    let once = &params[plan.once + first..][..N];
    let width = plan.link_width();
    let links = &params[plan.links + first * plan.fan_in * width..][..N * plan.fan_in * width];
    let mut sums = match plan.activation.is_radial() {
        true => distances::<S, N>(simd, links.as_chunks().0, values),
        false => weighted::<S, N>(simd, links, once, values),
    };
    for node in 0..N {
        let scale = simd.splat_float(once[node]);
        for sum in &mut sums[node] {
            *sum = activate(simd, plan.activation, scale, *sum);
        }
        match into {
            Into::Output(weights) => {
                let weight = simd.splat_float(weights[first + node]);
                for (output, given) in output.iter_mut().zip(sums[node]) {
                    *output = simd.fused(weight, given, *output);
                }
            }
            Into::Column(columns) => {
                for (block, given) in columns[first + node].iter_mut().zip(sums[node]) {
                    simd.store_floats(given, block);
                }
            }
        }
    }
}

/// The squared distances from RBF nodes.
#[inline(always)]
fn distances<S: Simd, const N: usize>(
    simd: S,
    links: &[[f32; 2]],
    values: &[TileColumn],
) -> [[S::Floats; TILE_BLOCKS]; N] {
    let mut sums = [[simd.splat_float(0.0); TILE_BLOCKS]; N];
    let of: [&[[f32; 2]]; N] = of_each(links, values.len());
    for (input, column) in values.iter().enumerate() {
        let mut value = [simd.splat_float(0.0); TILE_BLOCKS];
        for (value, block) in value.iter_mut().zip(column) {
            *value = simd.load_floats(block);
        }
        for node in 0..N {
            let [weight, centre] = of[node][input];
            let (weight, centre) = (simd.splat_float(weight), simd.splat_float(centre));
            for block in 0..TILE_BLOCKS {
                let apart = simd.fused(weight, value[block], centre);
                sums[node][block] = simd.fused(apart, apart, sums[node][block]);
            }
        }
    }
    sums
}

/// The sums of nodes that add up.
#[inline(always)]
fn weighted<S: Simd, const N: usize>(
    simd: S,
    links: &[f32],
    biases: &[f32],
    values: &[TileColumn],
) -> [[S::Floats; TILE_BLOCKS]; N] {
    let mut sums = [[simd.splat_float(0.0); TILE_BLOCKS]; N];
    for node in 0..N {
        sums[node] = [simd.splat_float(biases[node]); TILE_BLOCKS];
    }
    let of: [&[f32]; N] = of_each(links, values.len());
    for (input, column) in values.iter().enumerate() {
        let mut value = [simd.splat_float(0.0); TILE_BLOCKS];
        for (value, block) in value.iter_mut().zip(column) {
            *value = simd.load_floats(block);
        }
        for node in 0..N {
            let weight = simd.splat_float(of[node][input]);
            for block in 0..TILE_BLOCKS {
                sums[node][block] = simd.fused(weight, value[block], sums[node][block]);
            }
        }
    }
    sums
}

/// What belongs to each of N nodes, equally much.
#[inline(always)]
fn of_each<T, const N: usize>(all: &[T], each: usize) -> [&[T]; N] {
    let mut of: [&[T]; N] = [&[]; N];
    for node in 0..N {
        of[node] = &all[node * each..][..each];
    }
    of
}

/// [`crate::spec::activate`] for sixteen rows, where the sum of an RBF is its squared distance and the scale
/// its falloff; of other nodes the scale says nothing.
#[inline(always)]
pub fn activate<S: Simd>(
    simd: S,
    activation: Activation,
    scale: S::Floats,
    sum: S::Floats,
) -> S::Floats {
    let one = simd.splat_float(1.0);
    match activation {
        Activation::Rbf(_) => exp2(simd, simd.times(scale, sum)),
        Activation::Sigmoid => {
            let power = exp2(simd, simd.times(sum, simd.splat_float(-LOG2_E)));
            simd.over(one, simd.plus(one, power))
        }
        Activation::Tanh => {
            let power = exp2(simd, simd.times(sum, simd.splat_float(2.0 * LOG2_E)));
            simd.minus(one, simd.over(simd.splat_float(2.0), simd.plus(one, power)))
        }
        Activation::Relu => simd.larger(sum, simd.splat_float(0.0)),
    }
}

/// [`crate::spec::exp2`].
#[inline(always)]
fn exp2<S: Simd>(simd: S, power: S::Floats) -> S::Floats {
    let power = simd.larger(power, simd.splat_float(LEAST));
    let power = simd.smaller(power, simd.splat_float(MOST));
    let rounder = simd.splat_float(ROUNDER);
    let rounded = simd.plus(power, rounder);
    let fraction = simd.minus(power, simd.minus(rounded, rounder));
    let mut sum = simd.splat_float(COEFFICIENTS[4]);
    for place in (0..4).rev() {
        sum = simd.fused(sum, fraction, simd.splat_float(COEFFICIENTS[place]));
    }
    let sum = simd.fused(sum, fraction, simd.splat_float(1.0));
    simd.add_exponent(sum, rounded)
}
