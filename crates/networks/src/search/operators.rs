//! The genetic operators on genes.

use super::to_f32;
use pellucid_forward::{Layer, Shape};
use pellucid_learn::rng::Stream;

/// The size of mutations: two-sided exponential draws with a mean absolute value per gene.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MutationSize<'a> {
    /// The mean absolute value before scaling.
    pub(crate) mean: f64,
    /// The factor of each gene; empty for a factor of 1.
    pub(crate) scale: &'a [f32],
}

impl MutationSize<'_> {
    /// Returns the same size for all genes.
    pub(crate) fn even(mean: f64) -> MutationSize<'static> {
        MutationSize { mean, scale: &[] }
    }

    /// Draws the mutation of a gene.
    pub(crate) fn draw(&self, gene: usize, stream: &mut Stream) -> f32 {
        let scale = self.scale.get(gene).map_or(1.0, |&scale| f64::from(scale));
        to_f32(two_sided(stream, self.mean * scale))
    }
}

/// Draws from the two-sided exponential distribution with the given mean absolute value.
pub(crate) fn two_sided(stream: &mut Stream, mean: f64) -> f64 {
    let size = mean * stream.exponential();
    if stream.chance(0.5) { size } else { -size }
}

/// Replaces each gene with probability `p` by a draw, or adds the draw if `biased`.
pub(crate) fn mutate_weights(
    genes: &mut [f32],
    p: f64,
    biased: bool,
    mutation_size: MutationSize<'_>,
    stream: &mut Stream,
) {
    for (place, gene) in genes.iter_mut().enumerate() {
        if stream.chance(p) {
            let draw = mutation_size.draw(place, stream);
            *gene = if biased { *gene + draw } else { draw };
        }
    }
}

/// Returns all hidden nodes as pairs of layer and number.
pub(crate) fn nodes(shape: &Shape) -> Vec<(usize, usize)> {
    let of_layer =
        |(layer, &Layer { nodes, .. }): (usize, &Layer)| (0..nodes).map(move |n| (layer, n));
    shape.layers().iter().enumerate().flat_map(of_layer).collect()
}

/// Returns the genes of a node: those of its incoming links and, in the last layer, its output
/// weight.
pub(crate) fn genes_of(
    shape: &Shape,
    (layer, node): (usize, usize),
) -> impl Iterator<Item = usize> + use<> {
    let is_last = layer + 1 == shape.layers().len();
    let output = is_last.then(|| shape.outputs().start + node);
    shape.incoming(layer, node).chain(output)
}

/// Adds a draw to every gene of a node, or replaces the gene if not `biased`.
pub(crate) fn mutate_node(
    shape: &Shape,
    genes: &mut [f32],
    node: (usize, usize),
    biased: bool,
    mutation_size: MutationSize<'_>,
    stream: &mut Stream,
) {
    for gene in genes_of(shape, node) {
        let draw = mutation_size.draw(gene, stream);
        genes[gene] = if biased { genes[gene] + draw } else { draw };
    }
}

/// Takes each gene from a random parent.
pub(crate) fn cross_weights(one: &[f32], other: &[f32], stream: &mut Stream) -> Vec<f32> {
    let mut child = Vec::with_capacity(one.len());
    for (one, other) in one.chunks(64).zip(other.chunks(64)) {
        let coins = stream.next_word();
        let genes = one.iter().zip(other).enumerate();
        child.extend(genes.map(|(place, (&a, &b))| if coins >> place & 1 == 0 { a } else { b }));
    }
    child
}

/// Takes each node with its genes from a random parent.
pub(crate) fn cross_nodes(
    shape: &Shape,
    one: &[f32],
    other: &[f32],
    stream: &mut Stream,
) -> Vec<f32> {
    let mut child = one.to_vec();
    for node in nodes(shape) {
        if stream.chance(0.5) {
            genes_of(shape, node).for_each(|gene| child[gene] = other[gene]);
        }
    }
    child
}

/// Returns the network with the outgoing links of a node removed.
pub(crate) fn without_node(
    shape: &Shape,
    genes: &[f32],
    (layer, node): (usize, usize),
) -> Vec<f32> {
    let mut cut = genes.to_vec();
    shape.outgoing(layer, node).for_each(|gene| cut[gene] = 0.0);
    cut
}

/// Returns the network with the nodes of a layer reordered: node `order[n]` becomes node `n`.
pub(crate) fn reordered(shape: &Shape, genes: &[f32], layer: usize, order: &[usize]) -> Vec<f32> {
    let mut out = genes.to_vec();
    for (to, &from) in order.iter().enumerate() {
        let pairs = shape.incoming(layer, to).zip(shape.incoming(layer, from));
        pairs.for_each(|(to, from)| out[to] = genes[from]);
        let pairs = shape.outgoing(layer, to).zip(shape.outgoing(layer, from));
        pairs.for_each(|(to, from)| out[to] = genes[from]);
    }
    out
}
