//! Matches the nodes of two networks by their outputs.
//!
//! Two networks may compute the same function with their nodes in a different order. A crossover of
//! such parents would duplicate some nodes and lose others. Before a crossover of nodes, the nodes
//! of the second parent are therefore reordered to match those of the first, by their outputs on
//! the same rows.

use super::operators::reordered;
use pellucid_forward::{Activation, LARGEST_EXPONENT, SMALLEST_EXPONENT, Shape, Width};

/// A few rows on which the outputs of nodes are compared.
#[derive(Clone, Debug)]
pub(crate) struct Responses {
    /// The inputs of each row.
    rows: Vec<Vec<f32>>,
}

impl Responses {
    pub(crate) fn new(rows: Vec<Vec<f32>>) -> Responses {
        Responses { rows }
    }

    /// Returns the outputs of each node of a layer, centered and normalized to length 1.
    fn of(&self, shape: &Shape, genes: &[f32], layer: usize) -> Vec<Vec<f64>> {
        let nodes = shape.layers()[layer].nodes;
        let mut answers = vec![Vec::with_capacity(self.rows.len()); nodes];
        for row in &self.rows {
            let mut values: Vec<f64> = row.iter().map(|&value| f64::from(value)).collect();
            for layer in 0..=layer {
                values = layer_outputs(shape, genes, layer, &values);
            }
            answers.iter_mut().zip(&values).for_each(|(answers, &value)| answers.push(value));
        }
        answers.iter_mut().for_each(|answers| standardize(answers));
        answers
    }

    /// Returns the second network with its nodes reordered to match the first.
    pub(crate) fn aligned(&self, shape: &Shape, one: &[f32], other: &[f32]) -> Vec<f32> {
        let mut aligned = other.to_vec();
        for layer in 0..shape.layers().len() {
            let (ours, theirs) = (self.of(shape, one, layer), self.of(shape, &aligned, layer));
            aligned = reordered(shape, &aligned, layer, &pairing(&ours, &theirs));
        }
        aligned
    }
}

/// Pairs each node of the first network with the most similar node of the second, most similar
/// pairs first.
fn pairing(ours: &[Vec<f64>], theirs: &[Vec<f64>]) -> Vec<usize> {
    let mut pairs: Vec<(f64, usize, usize)> = Vec::with_capacity(ours.len() * theirs.len());
    for (own, answers) in ours.iter().enumerate() {
        for (other, others) in theirs.iter().enumerate() {
            let similarity: f64 = answers.iter().zip(others).map(|(a, b)| a * b).sum();
            pairs.push((similarity, own, other));
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let (mut order, mut taken) = (vec![usize::MAX; ours.len()], vec![false; theirs.len()]);
    for (_, own, other) in pairs {
        if order[own] == usize::MAX && !taken[other] {
            order[own] = other;
            taken[other] = true;
        }
    }
    order
}

/// Returns the outputs of a layer for one row, in double precision.
pub(crate) fn layer_outputs(shape: &Shape, genes: &[f32], layer: usize, row: &[f64]) -> Vec<f64> {
    let activation = shape.layers()[layer].activation;
    let of_node = |node: usize| {
        let weights = &genes[shape.weights_of(layer, node)];
        let last = f64::from(genes[shape.width_or_bias_of(layer, node)]);
        let centres = &genes[shape.centres_of(layer, node)];
        let products = weights.iter().zip(row).map(|(&weight, value)| f64::from(weight) * value);
        if let Activation::Rbf(width) = activation {
            let apart = products.zip(centres).map(|(product, &centre)| product - f64::from(centre));
            let distance: f64 = apart.map(|apart| apart * apart).sum();
            let exponent = -width_of(width, last) * distance;
            return libm::exp(exponent.clamp(SMALLEST_EXPONENT, LARGEST_EXPONENT));
        }
        let sum = products.sum::<f64>() + last;
        match activation {
            Activation::Sigmoid => 1.0 / (1.0 + libm::exp(-sum)),
            Activation::Tanh => libm::tanh(sum),
            Activation::Relu | Activation::Rbf(_) => sum.max(0.0),
        }
    };
    (0..shape.layers()[layer].nodes).map(of_node).collect()
}

/// Returns the width that a gene encodes.
pub(crate) fn width_of(width: Width, gene: f64) -> f64 {
    match width {
        Width::Raw => gene,
        Width::Softplus if gene > 30.0 => gene,
        Width::Softplus => libm::log1p(libm::exp(gene)),
    }
}

fn standardize(numbers: &mut [f64]) {
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    numbers.iter_mut().for_each(|number| *number -= mean);
    let length = numbers.iter().map(|number| number * number).sum::<f64>().sqrt();
    if length > 0.0 && length.is_finite() {
        numbers.iter_mut().for_each(|number| *number /= length);
    } else {
        numbers.fill(0.0);
    }
}
