//! The forward and backward pass of one layer over a tile of rows.
//!
//! The values of a tile are stored node by node, with one number per row, sixteen to a block. Sums
//! over rows are kept in sixteen lanes, which are added once per step in a fixed order, so every
//! instruction set gives the same bits.
//!
//! Several nodes process several inputs at once, as many as registers allow. Each loaded value is
//! used for all of them, and independent sums do not wait for each other.

use pellucid_bits::{FLOATS, FloatBlock, Simd};
use pellucid_forward::{Activation, Width, activate, spec};

/// The number of rows in a tile.
pub(crate) const ROWS: usize = 128;
/// The number of blocks in a tile.
const BLOCKS: usize = ROWS / FLOATS;
/// The number of blocks whose sums are kept in registers at once.
const BLOCKS_AT_ONCE: usize = 4;

/// One number for each row of a tile.
pub(crate) type Column = [FloatBlock; BLOCKS];

/// A column of zeros.
pub(super) const ZERO_COLUMN: Column = [FloatBlock::ZERO; BLOCKS];

/// The positions of the genes of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layer {
    pub(crate) activation: Activation,
    pub(crate) inputs: usize,
    pub(crate) nodes: usize,
    /// The start of the weights, node by node.
    pub(crate) weights: usize,
    /// The start of the centers, node by node; used only by radial layers.
    pub(crate) centres: usize,
    /// The start of the widths or biases, one per node.
    pub(crate) last: usize,
}

/// The inputs, sums and outputs of a layer in the forward pass.
#[derive(Clone, Copy)]
pub(super) struct ForwardPass<'a> {
    pub(super) genes: &'a [f32],
    pub(super) x: &'a [Column],
    pub(super) sums: &'a [Column],
    pub(super) out: &'a [Column],
    /// The number of blocks that contain rows.
    pub(super) blocks: usize,
}

impl Layer {
    /// Computes the outputs of the nodes in the first `blocks` blocks, and the sums before the
    /// activation for radial nodes.
    #[inline(always)]
    pub(super) fn forward<S: Simd>(
        &self,
        simd: S,
        genes: &[f32],
        x: &[Column],
        blocks: usize,
        sums: &mut [Column],
        out: &mut [Column],
    ) {
        let mut start = 0;
        while start + BLOCKS_AT_ONCE <= blocks {
            self.forward_blocks::<S, BLOCKS_AT_ONCE>(simd, genes, x, start, sums, out);
            start += BLOCKS_AT_ONCE;
        }
        while start < blocks {
            self.forward_blocks::<S, 1>(simd, genes, x, start, sums, out);
            start += 1;
        }
    }

    /// Computes the outputs for B blocks.
    #[inline(always)]
    fn forward_blocks<S: Simd, const B: usize>(
        &self,
        simd: S,
        genes: &[f32],
        x: &[Column],
        start: usize,
        sums: &mut [Column],
        out: &mut [Column],
    ) {
        let mut node = 0;
        if S::ROOM >= 4 * B {
            while node + 4 <= self.nodes {
                self.forward_nodes::<S, 4, B>(simd, genes, x, (node, start), sums, out);
                node += 4;
            }
        }
        while node < self.nodes {
            self.forward_nodes::<S, 1, B>(simd, genes, x, (node, start), sums, out);
            node += 1;
        }
    }

    /// Computes the outputs of N nodes, starting at a node and a block.
    #[inline(always)]
    fn forward_nodes<S: Simd, const N: usize, const B: usize>(
        &self,
        simd: S,
        genes: &[f32],
        x: &[Column],
        (first, start): (usize, usize),
        sums: &mut [Column],
        out: &mut [Column],
    ) {
        let radial = self.activation.is_radial();
        let once = &genes[self.last + first..][..N];
        let weights = &genes[self.weights + first * self.inputs..][..N * self.inputs];
        let mut acc = [[simd.splat_float(0.0); B]; N];
        if radial {
            let centres = &genes[self.centres + first * self.inputs..][..N * self.inputs];
            for (input, column) in x.iter().enumerate() {
                let values = load::<S, B>(simd, column, start);
                for node in 0..N {
                    let weight = simd.splat_float(weights[node * self.inputs + input]);
                    let centre = simd.splat_float(-centres[node * self.inputs + input]);
                    for block in 0..B {
                        let apart = simd.fused(weight, values[block], centre);
                        acc[node][block] = simd.fused(apart, apart, acc[node][block]);
                    }
                }
            }
        } else {
            for node in 0..N {
                acc[node] = [simd.splat_float(once[node]); B];
            }
            for (input, column) in x.iter().enumerate() {
                let values = load::<S, B>(simd, column, start);
                for node in 0..N {
                    let weight = simd.splat_float(weights[node * self.inputs + input]);
                    for block in 0..B {
                        acc[node][block] = simd.fused(weight, values[block], acc[node][block]);
                    }
                }
            }
        }
        for node in 0..N {
            let scale = match self.activation {
                Activation::Rbf(width) => spec::falloff(width, once[node]),
                _ => 0.0,
            };
            let scale = simd.splat_float(scale);
            for block in 0..B {
                let sum = acc[node][block];
                let given = activate(simd, self.activation, scale, sum);
                simd.store_floats(given, &mut out[first + node][start + block]);
                if radial {
                    simd.store_floats(sum, &mut sums[first + node][start + block]);
                }
            }
        }
    }

    /// Adds the gradient of the genes. `delta` is the gradient of the loss with respect to the
    /// outputs and is overwritten. If `input_gradient` is set, it receives the gradient with
    /// respect to the inputs.
    #[inline(always)]
    pub(super) fn backward<S: Simd>(
        &self,
        simd: S,
        pass: ForwardPass<'_>,
        delta: &mut [Column],
        gradient: &mut [FloatBlock],
        input_gradient: Option<&mut [Column]>,
    ) {
        for (node, delta) in delta.iter_mut().take(self.nodes).enumerate() {
            match self.activation {
                Activation::Rbf(width) => {
                    self.through_radial(simd, pass, node, width, delta, gradient);
                }
                _ => self.through_activation(simd, pass, node, delta, gradient),
            }
        }
        let radial = self.activation.is_radial();
        let (mut node, most) = (0, if S::ROOM >= 16 { 4 } else { 2 });
        while node < self.nodes {
            let nodes = if node + most <= self.nodes { most } else { 1 };
            match (radial, nodes) {
                (true, _) => self.radial_gradients(simd, pass, node, delta, gradient),
                (false, 4) => self.weight_gradients::<S, 4>(simd, pass, node, delta, gradient),
                (false, 2) => self.weight_gradients::<S, 2>(simd, pass, node, delta, gradient),
                (false, _) => self.weight_gradients::<S, 1>(simd, pass, node, delta, gradient),
            }
            node += if radial { 1 } else { nodes };
        }
        if let Some(input_gradient) = input_gradient {
            self.input_gradient(simd, pass, delta, input_gradient);
        }
    }

    /// Turns the gradient with respect to the output of a node into the gradient with respect to
    /// its sum.
    #[inline(always)]
    fn through_activation<S: Simd>(
        &self,
        simd: S,
        pass: ForwardPass<'_>,
        node: usize,
        delta: &mut Column,
        gradient: &mut [FloatBlock],
    ) {
        let (one, zero) = (simd.splat_float(1.0), simd.splat_float(0.0));
        let mut sum = zero;
        for (delta, out) in delta.iter_mut().zip(&pass.out[node]).take(pass.blocks) {
            let (moved, out) = (simd.load_floats(delta), simd.load_floats(out));
            let bend = match self.activation {
                Activation::Sigmoid => simd.times(out, simd.minus(one, out)),
                Activation::Tanh => simd.minus(one, simd.times(out, out)),
                // The output of a ReLU is nonzero exactly where its derivative is 1.
                _ => simd.smaller(simd.times(out, simd.splat_float(f32::MAX)), one),
            };
            let moved = simd.times(moved, bend);
            sum = simd.plus(sum, moved);
            simd.store_floats(moved, delta);
        }
        add(simd, &mut gradient[self.last + node], sum);
    }

    /// Does the same for a radial node. `delta` becomes the factor of each difference from the
    /// center.
    #[inline(always)]
    fn through_radial<S: Simd>(
        &self,
        simd: S,
        pass: ForwardPass<'_>,
        node: usize,
        width: Width,
        delta: &mut Column,
        gradient: &mut [FloatBlock],
    ) {
        let gene = pass.genes[self.last + node];
        let (wide, bend) = match width {
            Width::Raw => (gene, 1.0),
            // d(width)/d(gene) of the softplus is the sigmoid.
            Width::Softplus => (spec::softplus(gene), 1.0 / (1.0 + libm::expf(-gene))),
        };
        let (falloff, twice) = (simd.splat_float(-wide), simd.splat_float(2.0 * wide));
        let (bend, zero) = (simd.splat_float(bend), simd.splat_float(0.0));
        let mut sum = zero;
        let blocks = delta.iter_mut().zip(&pass.out[node]).zip(&pass.sums[node]);
        for ((delta, out), distance) in blocks.take(pass.blocks) {
            let distance = simd.load_floats(distance);
            let exponent = simd.times(falloff, distance);
            // Where the exponent is clamped, the derivative is 0.
            let moves = simd.above(exponent, simd.splat_float(-87.0))
                & simd.above(simd.splat_float(60.0), exponent);
            let mut cut = FloatBlock::ZERO;
            cut.0.iter_mut().enumerate().for_each(|(lane, cut)| {
                *cut = f32::from(u8::from(moves >> lane & 1 == 1));
            });
            let out = simd.times(simd.load_floats(out), simd.load_floats(&cut));
            let moved = simd.minus(zero, simd.times(simd.load_floats(delta), out));
            sum = simd.fused(simd.times(bend, moved), distance, sum);
            simd.store_floats(simd.times(moved, twice), delta);
        }
        add(simd, &mut gradient[self.last + node], sum);
    }

    /// Adds the gradient of the weights of N nodes.
    #[inline(always)]
    fn weight_gradients<S: Simd, const N: usize>(
        &self,
        simd: S,
        pass: ForwardPass<'_>,
        first: usize,
        delta: &[Column],
        gradient: &mut [FloatBlock],
    ) {
        let mut input = 0;
        while input + N <= self.inputs {
            self.weight_gradient_tile::<S, N, N>(simd, pass, (first, input), delta, gradient);
            input += N;
        }
        while input < self.inputs {
            self.weight_gradient_tile::<S, N, 1>(simd, pass, (first, input), delta, gradient);
            input += 1;
        }
    }

    /// Adds the gradient of the weights of N nodes for M inputs.
    #[inline(always)]
    fn weight_gradient_tile<S: Simd, const N: usize, const M: usize>(
        &self,
        simd: S,
        pass: ForwardPass<'_>,
        (first, input): (usize, usize),
        delta: &[Column],
        gradient: &mut [FloatBlock],
    ) {
        let mut acc = [[simd.splat_float(0.0); M]; N];
        let (delta, x) = (&delta[first..][..N], &pass.x[input..][..M]);
        for block in 0..pass.blocks {
            let mut values = [simd.splat_float(0.0); M];
            for of in 0..M {
                values[of] = simd.load_floats(&x[of][block]);
            }
            for node in 0..N {
                let moved = simd.load_floats(&delta[node][block]);
                for of in 0..M {
                    acc[node][of] = simd.fused(moved, values[of], acc[node][of]);
                }
            }
        }
        for node in 0..N {
            let first = self.weights + (first + node) * self.inputs + input;
            for (slope, acc) in gradient[first..][..M].iter_mut().zip(acc[node]) {
                add(simd, slope, acc);
            }
        }
    }

    /// Adds the gradient of the weights and centers of a radial node.
    #[inline(always)]
    fn radial_gradients<S: Simd>(
        &self,
        simd: S,
        pass: ForwardPass<'_>,
        node: usize,
        delta: &[Column],
        gradient: &mut [FloatBlock],
    ) {
        for (input, x) in pass.x.iter().enumerate() {
            let gene = node * self.inputs + input;
            let weight = simd.splat_float(pass.genes[self.weights + gene]);
            let centre = simd.splat_float(-pass.genes[self.centres + gene]);
            let zero = simd.splat_float(0.0);
            let (mut by_weight, mut by_centre) = (zero, zero);
            for (delta, x) in delta[node].iter().zip(x).take(pass.blocks) {
                let x = simd.load_floats(x);
                let pull = simd.times(simd.load_floats(delta), simd.fused(weight, x, centre));
                by_weight = simd.fused(pull, x, by_weight);
                by_centre = simd.minus(by_centre, pull);
            }
            add(simd, &mut gradient[self.weights + gene], by_weight);
            add(simd, &mut gradient[self.centres + gene], by_centre);
        }
    }

    /// Computes the gradient with respect to each input.
    #[inline(always)]
    fn input_gradient<S: Simd>(
        &self,
        simd: S,
        pass: ForwardPass<'_>,
        delta: &[Column],
        input_gradient: &mut [Column],
    ) {
        for (input, (input_gradient, x)) in input_gradient.iter_mut().zip(pass.x).enumerate() {
            for block in 0..pass.blocks {
                let (mut sum, x) = (simd.splat_float(0.0), simd.load_floats(&x[block]));
                for (node, delta) in delta.iter().take(self.nodes).enumerate() {
                    let gene = node * self.inputs + input;
                    let weight = simd.splat_float(pass.genes[self.weights + gene]);
                    let mut moved = simd.load_floats(&delta[block]);
                    if self.activation.is_radial() {
                        let centre = simd.splat_float(-pass.genes[self.centres + gene]);
                        moved = simd.times(moved, simd.fused(weight, x, centre));
                    }
                    sum = simd.fused(moved, weight, sum);
                }
                simd.store_floats(sum, &mut input_gradient[block]);
            }
        }
    }

    /// Whether a gene is a weight of this layer.
    pub(super) fn has_weight(&self, gene: usize) -> bool {
        (self.weights..self.weights + self.nodes * self.inputs).contains(&gene)
    }
}

/// Loads B blocks of a column.
#[inline(always)]
fn load<S: Simd, const B: usize>(simd: S, column: &Column, start: usize) -> [S::Floats; B] {
    let mut values = [simd.splat_float(0.0); B];
    for (value, block) in values.iter_mut().zip(&column[start..][..B]) {
        *value = simd.load_floats(block);
    }
    values
}

/// Adds numbers to a block.
#[inline(always)]
pub(super) fn add<S: Simd>(simd: S, block: &mut FloatBlock, numbers: S::Floats) {
    simd.store_floats(simd.plus(simd.load_floats(block), numbers), block);
}

/// Returns the sum of the sixteen lanes, halves onto halves.
pub(super) fn lane_sum(parts: &FloatBlock) -> f32 {
    let mut parts = parts.0;
    let mut half = FLOATS / 2;
    while half > 0 {
        (0..half).for_each(|part| parts[part] += parts[part + half]);
        half /= 2;
    }
    parts[0]
}
