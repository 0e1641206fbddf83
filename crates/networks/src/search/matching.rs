//! Which node of one network does what which node of another does.
//!
//! Two networks may do the same with their nodes in another order; crossed as they are, their children would have one ability
//! twice and lack another. So before a crossover of nodes the second parent's nodes are put into the order of the first one's,
//! by what they answer to the same rows.

use super::operators::reordered;
use pellucid_forward::{Activation, LARGEST_EXPONENT, SMALLEST_EXPONENT, Shape, Width};

/// What the nodes of networks answer to a few rows.
#[derive(Clone, Debug)]
pub(crate) struct Responses {
    /// Row by row.
    rows: Vec<Vec<f32>>,
}

impl Responses {
    pub(crate) fn new(rows: Vec<Vec<f32>>) -> Responses {
        Responses { rows }
    }

    /// By node of a layer what it answers to each row, less the mean and of length 1.
    fn of(&self, shape: &Shape, genes: &[f32], layer: usize) -> Vec<Vec<f64>> {
        let nodes = shape.layers()[layer].nodes;
        let mut answers = vec![Vec::with_capacity(self.rows.len()); nodes];
        for row in &self.rows {
            let mut values: Vec<f64> = row.iter().map(|&value| f64::from(value)).collect();
            for layer in 0..=layer {
                values = layer_answers(shape, genes, layer, &values);
            }
            answers.iter_mut().zip(&values).for_each(|(answers, &value)| answers.push(value));
        }
        answers.iter_mut().for_each(|answers| standardise(answers));
        answers
    }

    /// The second network with its nodes in the order of the first one's.
    pub(crate) fn aligned(&self, shape: &Shape, one: &[f32], other: &[f32]) -> Vec<f32> {
        let mut aligned = other.to_vec();
        for layer in 0..shape.layers().len() {
            let (ours, theirs) = (self.of(shape, one, layer), self.of(shape, &aligned, layer));
            aligned = reordered(shape, &aligned, layer, &pairing(&ours, &theirs));
        }
        aligned
    }
}

/// For each node of one the node of the other that answers most like it; the most alike are paired first.
fn pairing(ours: &[Vec<f64>], theirs: &[Vec<f64>]) -> Vec<usize> {
    let mut pairs: Vec<(f64, usize, usize)> = Vec::with_capacity(ours.len() * theirs.len());
    for (own, answers) in ours.iter().enumerate() {
        for (other, others) in theirs.iter().enumerate() {
            let alike: f64 = answers.iter().zip(others).map(|(a, b)| a * b).sum();
            pairs.push((alike, own, other));
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

/// What the nodes of a layer give for one row, in doubles.
pub(crate) fn layer_answers(shape: &Shape, genes: &[f32], layer: usize, row: &[f64]) -> Vec<f64> {
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

/// The width that a gene stands for.
pub(crate) fn width_of(width: Width, gene: f64) -> f64 {
    match width {
        Width::Raw => gene,
        Width::Softplus if gene > 30.0 => gene,
        Width::Softplus => libm::log1p(libm::exp(gene)),
    }
}

fn standardise(numbers: &mut [f64]) {
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
