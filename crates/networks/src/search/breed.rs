//! Makes children from parents.

use super::operators::{
    MutationSize, cross_nodes, cross_weights, genes_of, mutate_node, mutate_weights, nodes,
};
use super::{Population, Responses, draw_rank};
use pellucid_forward::{GenerationSettings, Shape};
use pellucid_learn::rng::{Stream, Streams};

/// A genetic operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    /// Replaces some genes by random draws.
    UnbiasedMutateWeights,
    /// Adds random draws to some genes.
    BiasedMutateWeights,
    /// Adds random draws to all genes of two nodes.
    MutateNodes,
    /// Perturbs or replaces the genes of the weakest node.
    MutateWeakestNodes,
    /// Takes each gene from one of two parents.
    CrossoverWeights,
    /// Takes each node from one of two parents.
    CrossoverNodes,
    /// The same, after the nodes of one parent are matched to those of the other.
    CrossoverFeatures,
    /// Takes a gradient step on the loss.
    Hillclimb,
}

/// The operators, with their shares in percent.
const SHARES: [(Operator, u64); 8] = [
    (Operator::UnbiasedMutateWeights, 4),
    (Operator::BiasedMutateWeights, 26),
    (Operator::MutateNodes, 14),
    (Operator::MutateWeakestNodes, 6),
    (Operator::CrossoverWeights, 10),
    (Operator::CrossoverNodes, 8),
    (Operator::CrossoverFeatures, 20),
    (Operator::Hillclimb, 12),
];

/// A child, possibly unfinished.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Child {
    pub(crate) operator: Operator,
    /// The rank of the first parent.
    pub(crate) parent: usize,
    pub(crate) genes: Vec<f32>,
}

/// Makes children in the default mode.
pub(crate) struct Breeder<'a> {
    pub(crate) shape: &'a Shape,
    pub(crate) responses: &'a Responses,
    /// The size of mutations.
    pub(crate) mutation_size: MutationSize<'a>,
}

impl Breeder<'_> {
    /// Makes a child. [`Operator::MutateWeakestNodes`] and [`Operator::Hillclimb`] need more than
    /// genes; their children are still copies of the parent.
    pub(crate) fn child(&self, population: &Population, stream: &mut Stream) -> Child {
        let mut at = stream.below(SHARES.iter().map(|(_, share)| share).sum());
        let operator = SHARES.iter().find_map(|&(operator, share)| {
            if at < share {
                return Some(operator);
            }
            at -= share;
            None
        });
        let operator = operator.unwrap_or(Operator::BiasedMutateWeights);
        let parent = draw_rank(stream, population.len());
        let one = population.network(parent);
        let mut genes = one.to_vec();
        match operator {
            Operator::UnbiasedMutateWeights => {
                // A replacement is as large as a typical gene.
                let mutation_size = MutationSize { mean: 1.0, ..self.mutation_size };
                mutate_weights(&mut genes, 0.02, false, mutation_size, stream);
            }
            Operator::BiasedMutateWeights => {
                mutate_weights(&mut genes, 0.1, true, self.mutation_size, stream);
            }
            Operator::MutateNodes => {
                let all = nodes(self.shape);
                for _ in 0..2 {
                    let node = all[stream.index(all.len())];
                    mutate_node(self.shape, &mut genes, node, true, self.mutation_size, stream);
                }
            }
            Operator::CrossoverWeights | Operator::CrossoverNodes | Operator::CrossoverFeatures => {
                let other = population.network(other_than(parent, population.len(), stream));
                genes = match operator {
                    Operator::CrossoverWeights => cross_weights(one, other, stream),
                    Operator::CrossoverNodes => cross_nodes(self.shape, one, other, stream),
                    _ => {
                        let other = self.responses.aligned(self.shape, one, other);
                        cross_nodes(self.shape, one, &other, stream)
                    }
                };
            }
            Operator::MutateWeakestNodes | Operator::Hillclimb => {}
        }
        Child { operator, parent, genes }
    }
}

/// Draws a parent of another rank, or returns the same one if there is no other.
fn other_than(parent: usize, population: usize, stream: &mut Stream) -> usize {
    if population < 2 {
        return parent;
    }
    loop {
        let other = draw_rank(stream, population);
        if other != parent {
            return other;
        }
    }
}

/// Makes children as in the publication.
///
/// The operators, the selection of parents and the survival of the best network are published or
/// known from the authors' program. There the mutation rate and the mutation size change over the
/// generations: `m` falls from 6 by 0.5 every 500 generations, a child is mutated with probability
/// `1 - (m + 2.5) / 10`, and draws have mean `1 / m`. At generation 6,000 `m` would reach 0. The
/// schedule of the published run is unknown, so here `m` stays at 1 once it is reached.
pub(crate) struct PaperBreeder<'a> {
    pub(crate) shape: &'a Shape,
}

impl PaperBreeder<'_> {
    /// Returns the first generation: every gene is a draw of mean 1.
    pub(crate) fn first(&self, count: usize, streams: Streams) -> Vec<Vec<f32>> {
        let network = |place: usize| {
            let mut stream = streams.stream(&["first".into(), place.into()]);
            let draw = |gene| MutationSize::even(1.0).draw(gene, &mut stream);
            (0..self.shape.genes()).map(draw).collect()
        };
        (0..count).map(network).collect()
    }

    /// Returns the mutation rate and size of a generation.
    pub(crate) fn generation(number: u64) -> GenerationSettings {
        let m = (6.0 - 0.5 * (number / 500) as f64).max(1.0);
        GenerationSettings { number, mutated: 1.0 - (m + 2.5) / 10.0, mean: 1.0 / m }
    }

    /// Makes a child by mutation of one node or by crossover of two parents, never both. Devices
    /// that breed by themselves make exactly the same draws.
    pub(crate) fn child(
        &self,
        population: &Population,
        generation: u64,
        stream: &mut Stream,
    ) -> Child {
        let how = PaperBreeder::generation(generation);
        let parent = draw_rank(stream, population.len());
        let one = population.network(parent);
        if stream.chance(how.mutated) || population.len() < 2 {
            let mut genes = one.to_vec();
            let all = nodes(self.shape);
            let node = all[stream.index(all.len())];
            let mutation_size = MutationSize::even(how.mean);
            for gene in genes_of(self.shape, node) {
                genes[gene] += mutation_size.draw(gene, stream);
            }
            return Child { operator: Operator::MutateNodes, parent, genes };
        }
        let other = population.network(other_than(parent, population.len(), stream));
        let genes = cross_weights(one, other, stream);
        Child { operator: Operator::CrossoverWeights, parent, genes }
    }
}
