//! From parents to children.

use super::operators::{
    MutationSize, cross_nodes, cross_weights, genes_of, mutate_node, mutate_weights, nodes,
};
use super::{Population, Responses, draw_rank};
use pellucid_forward::{Generation, Shape};
use pellucid_learn::rng::{Stream, Streams};

/// How a child is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    /// Some genes are drawn anew.
    UnbiasedMutateWeights,
    /// Draws are added to some genes.
    BiasedMutateWeights,
    /// Draws are added to all genes of two nodes.
    MutateNodes,
    /// Draws are added to, or put in place of, the genes of the node that is least use.
    MutateWeakestNodes,
    /// Each gene comes from one of two parents.
    CrossoverWeights,
    /// Each node comes from one of two parents.
    CrossoverNodes,
    /// The same, once the nodes of one stand in the order of the other's.
    CrossoverFeatures,
    /// A step down the slope of the loss.
    Hillclimb,
}

/// The operators, and how often each of a hundred children is made by it.
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

/// A child under way.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Child {
    pub(crate) operator: Operator,
    /// The rank of its first parent.
    pub(crate) parent: usize,
    pub(crate) genes: Vec<f32>,
}

/// What children are made with in the default mode.
pub(crate) struct Breeder<'a> {
    pub(crate) shape: &'a Shape,
    pub(crate) responses: &'a Responses,
    /// How far genes are moved.
    pub(crate) mutation_size: MutationSize<'a>,
}

impl Breeder<'_> {
    /// Makes a child. Of the operators that need more than genes ([`Operator::MutateWeakestNodes`],
    /// [`Operator::Hillclimb`]) the child is still its parent.
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
                // A draw in place of a gene is as large as genes are: the mutation_size is for steps.
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

/// A parent of another rank; the same where there is no other.
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

/// Children as the publication has them.
///
/// Which operators, how parents are drawn and that the best lives on are published, or known from the authors' program. How
/// often children are mutated and how far changes with the generations there: `m` falls from 6 by a half every 500 generations, a
/// child is mutated with probability `1 - (m + 2.5) / 10`, by draws of mean `1 / m`. At generation 6,000 `m` would be 0; that
/// it stays at 1 once it is there is our decision, since the schedule of the published run is not known.
pub(crate) struct PaperBreeder<'a> {
    pub(crate) shape: &'a Shape,
}

impl PaperBreeder<'_> {
    /// NetworkEnsemble of the first generation: every gene a draw of mean 1.
    pub(crate) fn first(&self, count: usize, streams: Streams) -> Vec<Vec<f32>> {
        let network = |place: usize| {
            let mut stream = streams.stream(&["first".into(), place.into()]);
            let draw = |gene| MutationSize::even(1.0).draw(gene, &mut stream);
            (0..self.shape.genes()).map(draw).collect()
        };
        (0..count).map(network).collect()
    }

    /// How the children of a generation are made.
    pub(crate) fn generation(number: u64) -> Generation {
        let m = (6.0 - 0.5 * (number / 500) as f64).max(1.0);
        Generation { number, mutated: 1.0 - (m + 2.5) / 10.0, mean: 1.0 / m }
    }

    /// A child by mutation of one node, or by crossover of two parents, never both. Devices that breed by themselves do just this, draw
    /// by draw.
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
