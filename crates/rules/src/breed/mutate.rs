//! Mutation: one node of the derivation is regrown, flipped, or gets a new constant.

use super::init;
use crate::genome::{Gene, conjunction_end, size};
use crate::grammar::{COMPARISON_SIZE, LEAST_SIZE, Vocabulary};
use pellucid_learn::rng::Stream;

/// Changes one random node of a rule. `spare` is a buffer.
pub(super) fn mutate(
    vocabulary: &Vocabulary,
    genes: &mut Vec<Gene>,
    stream: &mut Stream,
    spare: &mut Vec<Gene>,
) {
    // Nodes of a comparison: conjunction, comparison, operator and pair (non-terminals), the
    // operator itself, the value. Nodes of a conjunction: its antecedent. Between comparisons: AND
    // or OR.
    let conjunctions = genes.iter().filter(|gene| !gene.link.is_inside()).count();
    let comparisons = genes.len();
    let node = stream.index(6 * comparisons + conjunctions + comparisons - 1);
    if node < 6 * comparisons {
        let gene = node / 6;
        let literal = genes[gene].literal;
        match node % 6 {
            0 => regrow_conjunction(vocabulary, genes, gene, stream, spare),
            1 => genes[gene].literal = vocabulary.comparison(stream),
            // The operator, as a symbol to be derived again or (below) as a terminal to be flipped.
            2 => genes[gene].literal = vocabulary.fresh_operator(literal, stream),
            3 => genes[gene].literal = vocabulary.fresh_pair(literal, stream),
            4 => genes[gene].literal = vocabulary.flipped(literal),
            _ => genes[gene].literal = vocabulary.fresh_value(literal, stream),
        }
    } else if node < 6 * comparisons + conjunctions {
        regrow_antecedent(vocabulary, genes, node - 6 * comparisons, stream);
    } else {
        let gene = node - 6 * comparisons - conjunctions;
        genes[gene].link = genes[gene].link.flipped();
    }
}

/// Draws a size from the least that a symbol needs to what the limit allows without the old
/// subtree.
fn drawn_size(
    least: usize,
    limit: usize,
    whole: usize,
    branch: usize,
    stream: &mut Stream,
) -> usize {
    let most = (limit + branch).saturating_sub(whole).max(least);
    least + stream.index(most - least + 1)
}

fn regrow_conjunction(
    vocabulary: &Vocabulary,
    genes: &mut Vec<Gene>,
    gene: usize,
    stream: &mut Stream,
    spare: &mut Vec<Gene>,
) {
    let end = conjunction_end(genes, gene);
    let branch = COMPARISON_SIZE * (end - gene);
    let wanted = drawn_size(COMPARISON_SIZE, vocabulary.max_size(), size(genes), branch, stream);
    spare.clear();
    spare.extend_from_slice(&genes[..gene]);
    init::conjunction(vocabulary, wanted, genes[end - 1].link, stream, spare);
    spare.extend_from_slice(&genes[end..]);
    std::mem::swap(genes, spare);
}

/// Regrows the `conjunction`-th conjunction and all after it.
fn regrow_antecedent(
    vocabulary: &Vocabulary,
    genes: &mut Vec<Gene>,
    conjunction: usize,
    stream: &mut Stream,
) {
    let start = (0..conjunction).fold(0, |start, _| conjunction_end(genes, start));
    let branch = size(&genes[start..]);
    let wanted = drawn_size(LEAST_SIZE, vocabulary.max_size(), size(genes), branch, stream);
    genes.truncate(start);
    init::antecedent(vocabulary, wanted, None, stream, genes);
}
