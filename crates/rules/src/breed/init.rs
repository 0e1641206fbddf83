//! Initial rules: uniform over the derivations of a size.

use crate::genome::{Gene, Link};
use crate::grammar::{COMPARISON_SIZE, LEAST_SIZE, Vocabulary};
use pellucid_learn::rng::Stream;

/// Grows a rule of a random size up to the grammar's limit, at the end of `genes`.
///
/// The first production is chosen with fixed probabilities, as in the authors' program: 0.4 for a
/// single conjunction, 0.4 for several, and otherwise in proportion to the number of derivations.
pub fn rule(vocabulary: &Vocabulary, stream: &mut Stream, genes: &mut Vec<Gene>) {
    let size = LEAST_SIZE + stream.index(vocabulary.max_size() - LEAST_SIZE + 1);
    let several = match stream.unit() {
        raw if raw < 0.4 => Some(false),
        raw if raw < 0.8 => Some(true),
        _ => None,
    };
    antecedent(vocabulary, size, several, stream, genes);
}

/// Grows an antecedent of at most a size: one conjunction, several, or either.
pub(super) fn antecedent(
    vocabulary: &Vocabulary,
    size: usize,
    several: Option<bool>,
    stream: &mut Stream,
    genes: &mut Vec<Gene>,
) {
    let (comparisons, conjunctions) = shape(vocabulary.attributes(), size, several, stream);
    // A uniform composition of the comparisons into conjunctions: draw which links are ORs.
    let mut open = conjunctions - 1;
    for index in 0..comparisons {
        let left = comparisons - 1 - index;
        let link = if left == 0 {
            Link::End
        } else if stream.index(left) < open {
            open -= 1;
            Link::Or
        } else {
            Link::And
        };
        genes.push(Gene { literal: vocabulary.comparison(stream), link });
    }
}

/// Grows a conjunction of at most a size; its last link is `link`.
pub(super) fn conjunction(
    vocabulary: &Vocabulary,
    size: usize,
    link: Link,
    stream: &mut Stream,
    genes: &mut Vec<Gene>,
) {
    let comparisons = (size / COMPARISON_SIZE).max(1);
    for index in 0..comparisons {
        let link = if index + 1 == comparisons { link } else { Link::And };
        genes.push(Gene { literal: vocabulary.comparison(stream), link });
    }
}

/// Returns the numbers of comparisons and conjunctions of an antecedent of a size, weighted by the
/// number of derivations: `attributes^n` pairs for `n` comparisons, times the ways to cut them into
/// `m` conjunctions.
fn shape(
    attributes: usize,
    size: usize,
    several: Option<bool>,
    stream: &mut Stream,
) -> (usize, usize) {
    let most = ((size - 1) / COMPARISON_SIZE).max(1);
    if several == Some(false) || most == 1 {
        return (most, 1);
    }
    let fewest = if several == Some(true) { 2 } else { 1 };
    // Exact sizes first; if no number of conjunctions gives the exact size, the largest smaller
    // size.
    let mut options = Vec::new();
    for comparisons in fewest..=most {
        let conjunctions = (size - COMPARISON_SIZE * comparisons).min(comparisons);
        if conjunctions >= fewest
            && (comparisons == most || COMPARISON_SIZE * comparisons + conjunctions == size)
        {
            options.push((comparisons, conjunctions));
        }
    }
    let logs: Vec<f64> = options
        .iter()
        .map(|&(n, m)| n as f64 * libm::log(attributes as f64) + ln_choose(n - 1, m - 1))
        .collect();
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logs.iter().map(|log| libm::exp(log - largest)).collect();
    stream.weighted(&weights).map_or((most, 1), |chosen| options[chosen])
}

/// Returns the logarithm of a binomial coefficient.
fn ln_choose(n: usize, k: usize) -> f64 {
    (0..k).map(|index| libm::log((n - index) as f64 / (index + 1) as f64)).sum()
}
