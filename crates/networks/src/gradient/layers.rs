//! One layer forwards and backwards, over a tile of rows.
//!
//! Numbers of a tile lie node by node, each with a number for every row, [`ROWS`] of them. Sums over rows are kept in sixteen
//! parts and added up in a fixed order, so every instruction set gives the same bits.

use super::exp::{exp, sigmoid, tanh};

/// Rows in a tile.
pub(crate) const ROWS: usize = 128;
/// Rows whose sums over inputs are kept in registers together.
const STRETCH: usize = 32;
/// Parts in which sums over rows are kept.
const PARTS: usize = 16;

/// What a node does with its sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// exp(-width × squared distance), the width any number.
    RbfRaw,
    /// The same with the softplus of the gene as the width.
    RbfSoftplus,
    Sigmoid,
    Tanh,
    Relu,
}

impl Kind {
    pub(crate) fn is_rbf(self) -> bool {
        matches!(self, Kind::RbfRaw | Kind::RbfSoftplus)
    }
}

/// Where the genes of a layer lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layer {
    pub(crate) kind: Kind,
    pub(crate) inputs: usize,
    pub(crate) nodes: usize,
    /// Where the weights begin, node by node.
    pub(crate) weights: usize,
    /// Where the centres begin, node by node; of no meaning for other layers than radial ones.
    pub(crate) centres: usize,
    /// Where the widths or the biases begin, one for each node.
    pub(crate) last: usize,
}

/// The width of a radial node.
#[inline(always)]
fn width(kind: Kind, gene: f32) -> f32 {
    match kind {
        Kind::RbfSoftplus if gene > 20.0 => gene,
        Kind::RbfSoftplus => libm::log1pf(libm::expf(gene)),
        _ => gene,
    }
}

impl Layer {
    /// What the nodes give, and their sums before that.
    #[inline(always)]
    pub(super) fn forward(&self, genes: &[f32], x: &[f32], sums: &mut [f32], out: &mut [f32]) {
        for node in 0..self.nodes {
            let weights = &genes[self.weights + node * self.inputs..][..self.inputs];
            let last = genes[self.last + node];
            let sums = &mut sums[node * ROWS..][..ROWS];
            if self.kind.is_rbf() {
                let centres = &genes[self.centres + node * self.inputs..][..self.inputs];
                distances(weights, centres, x, sums);
            } else {
                products(weights, last, x, sums);
            }
            let out = &mut out[node * ROWS..][..ROWS];
            match self.kind {
                Kind::RbfRaw | Kind::RbfSoftplus => {
                    let width = width(self.kind, last);
                    out.iter_mut().zip(&*sums).for_each(|(out, sum)| *out = exp(-width * sum));
                }
                Kind::Sigmoid => {
                    out.iter_mut().zip(&*sums).for_each(|(out, &sum)| *out = sigmoid(sum));
                }
                Kind::Tanh => out.iter_mut().zip(&*sums).for_each(|(out, &sum)| *out = tanh(sum)),
                Kind::Relu => out.iter_mut().zip(&*sums).for_each(|(out, sum)| *out = sum.max(0.0)),
            }
        }
    }

    /// Adds the slopes of the genes, given how the loss moves with what each node gives (`delta`, which is used up); and, where
    /// they are asked for, how it moves with each input.
    #[inline(always)]
    #[expect(
        clippy::too_many_arguments,
        reason = "what goes in and what comes out lie in different rooms"
    )]
    pub(super) fn backward(
        &self,
        genes: &[f32],
        x: &[f32],
        sums: &[f32],
        out: &[f32],
        delta: &mut [f32],
        slopes: &mut [f32],
        mut inwards: Option<&mut [f32]>,
    ) {
        if let Some(inwards) = &mut inwards {
            inwards[..self.inputs * ROWS].fill(0.0);
        }
        for node in 0..self.nodes {
            let place = node * ROWS;
            let (sums, out) = (&sums[place..][..ROWS], &out[place..][..ROWS]);
            let delta = &mut delta[place..][..ROWS];
            let last = genes[self.last + node];
            match self.kind {
                Kind::RbfRaw | Kind::RbfSoftplus => {
                    let width = width(self.kind, last);
                    // d(width)/d(gene) of the softplus is the sigmoid.
                    let bend = match self.kind {
                        Kind::RbfSoftplus => 1.0 / (1.0 + libm::expf(-last)),
                        _ => 1.0,
                    };
                    for row in 0..ROWS {
                        // Where the exponent is cut, the node does not move.
                        let exponent = -width * sums[row];
                        let moves =
                            if exponent > -87.0 && exponent < 88.0 { out[row] } else { 0.0 };
                        delta[row] *= -moves;
                    }
                    slopes[self.last + node] += bend * dot(delta, sums);
                    delta.iter_mut().for_each(|delta| *delta *= 2.0 * width);
                    for input in 0..self.inputs {
                        let gene = node * self.inputs + input;
                        let (weight, centre) =
                            (genes[self.weights + gene], genes[self.centres + gene]);
                        let x = &x[input * ROWS..][..ROWS];
                        let (by_weight, by_centre) = moments(delta, x, weight, centre);
                        slopes[self.weights + gene] += by_weight;
                        slopes[self.centres + gene] -= by_centre;
                        if let Some(inwards) = &mut inwards {
                            let inwards = &mut inwards[input * ROWS..][..ROWS];
                            for row in 0..ROWS {
                                inwards[row] += delta[row] * (weight * x[row] - centre) * weight;
                            }
                        }
                    }
                }
                Kind::Sigmoid | Kind::Tanh | Kind::Relu => {
                    for row in 0..ROWS {
                        delta[row] *= match self.kind {
                            Kind::Sigmoid => out[row] * (1.0 - out[row]),
                            Kind::Tanh => 1.0 - out[row] * out[row],
                            _ => f32::from(u8::from(sums[row] > 0.0)),
                        };
                    }
                    slopes[self.last + node] += total(delta);
                    for input in 0..self.inputs {
                        let gene = self.weights + node * self.inputs + input;
                        let x = &x[input * ROWS..][..ROWS];
                        slopes[gene] += dot(delta, x);
                        if let Some(inwards) = &mut inwards {
                            let inwards = &mut inwards[input * ROWS..][..ROWS];
                            (0..ROWS).for_each(|row| inwards[row] += delta[row] * genes[gene]);
                        }
                    }
                }
            }
        }
    }
}

/// Squared distances from a centre after weighting.
#[inline(always)]
fn distances(weights: &[f32], centres: &[f32], x: &[f32], sums: &mut [f32]) {
    for (stretch, sums) in sums.chunks_exact_mut(STRETCH).enumerate() {
        let mut acc = [0.0_f32; STRETCH];
        for (input, (&weight, &centre)) in weights.iter().zip(centres).enumerate() {
            let x = &x[input * ROWS + stretch * STRETCH..][..STRETCH];
            for row in 0..STRETCH {
                let apart = weight * x[row] - centre;
                acc[row] += apart * apart;
            }
        }
        sums.copy_from_slice(&acc);
    }
}

/// Weighted sums and a bias.
#[inline(always)]
fn products(weights: &[f32], bias: f32, x: &[f32], sums: &mut [f32]) {
    for (stretch, sums) in sums.chunks_exact_mut(STRETCH).enumerate() {
        let mut acc = [bias; STRETCH];
        for (input, &weight) in weights.iter().enumerate() {
            let x = &x[input * ROWS + stretch * STRETCH..][..STRETCH];
            (0..STRETCH).for_each(|row| acc[row] += weight * x[row]);
        }
        sums.copy_from_slice(&acc);
    }
}

/// The sums over rows of delta × apart × x and of delta × apart, where apart = weight × x - centre.
#[inline(always)]
fn moments(delta: &[f32], x: &[f32], weight: f32, centre: f32) -> (f32, f32) {
    let (mut with_x, mut alone) = ([0.0_f32; PARTS], [0.0_f32; PARTS]);
    for (delta, x) in delta.chunks_exact(PARTS).zip(x.chunks_exact(PARTS)) {
        for part in 0..PARTS {
            let pull = delta[part] * (weight * x[part] - centre);
            with_x[part] += pull * x[part];
            alone[part] += pull;
        }
    }
    (added(with_x), added(alone))
}

/// The sum over rows of products.
#[inline(always)]
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut parts = [0.0_f32; PARTS];
    for (a, b) in a.chunks_exact(PARTS).zip(b.chunks_exact(PARTS)) {
        (0..PARTS).for_each(|part| parts[part] += a[part] * b[part]);
    }
    added(parts)
}

/// The sum over rows.
#[inline(always)]
pub(super) fn total(numbers: &[f32]) -> f32 {
    let mut parts = [0.0_f32; PARTS];
    for numbers in numbers.chunks_exact(PARTS) {
        (0..PARTS).for_each(|part| parts[part] += numbers[part]);
    }
    added(parts)
}

/// Halves onto halves, so that vectors need no other order.
#[inline(always)]
fn added(mut parts: [f32; PARTS]) -> f32 {
    let mut half = PARTS / 2;
    while half > 0 {
        (0..half).for_each(|part| parts[part] += parts[part + half]);
        half /= 2;
    }
    parts[0]
}

impl Layer {
    /// Whether a gene is one of the weights.
    pub(super) fn has_weight(&self, gene: usize) -> bool {
        (self.weights..self.weights + self.nodes * self.inputs).contains(&gene)
    }
}
