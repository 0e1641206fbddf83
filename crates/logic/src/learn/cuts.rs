//! Cuts of numeric values: quantiles of the values of the individuals, independent of the labels.

use crate::KnowledgeBase;
use pellucid_program::Domain;

/// The maximum number of cuts per property.
pub const MAX_CUTS: usize = 32;

/// A cut between two adjacent values: `>= at_least` is true for the upper one and all above, `<=
/// at_most` for the lower one and all below. Each is the number with the fewest digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// The number for `>=`.
    pub at_least: f64,
    /// The number for `<=`.
    pub at_most: f64,
}

/// Returns the cuts of each data property, ascending. Values of hidden individuals and texts are
/// ignored.
pub(super) fn cuts(kb: &KnowledgeBase, hidden: &[u32]) -> Vec<Vec<Cut>> {
    let is_hidden = |individual: u32| hidden.binary_search(&individual).is_ok();
    let properties = kb.world.properties().iter();
    let of = |property: &pellucid_relate::Property| {
        let Domain::Numeric(values) = &property.values else { return Vec::new() };
        let mut counts = vec![0usize; values.len()];
        for [subject, value] in property.edges.pairs() {
            if !is_hidden(subject) {
                counts[value as usize] += 1;
            }
        }
        between_quantiles(values, &counts)
    };
    properties.map(of).collect()
}

/// Returns the cuts of distinct ascending values with their frequencies.
fn between_quantiles(values: &[f64], counts: &[usize]) -> Vec<Cut> {
    let seen: Vec<(f64, usize)> = values
        .iter()
        .zip(counts)
        .filter(|&(value, &count)| count > 0 && value.is_finite())
        .map(|(&value, &count)| (value, count))
        .collect();
    let total: usize = seen.iter().map(|&(_, count)| count).sum();
    let mut cuts = Vec::new();
    let (mut below, mut passed) = (0, 0);
    for pair in seen.windows(2) {
        below += pair[0].1;
        // The number of quantiles at or below this gap; a gap gets a cut if it passes another
        // quantile.
        let reached = below * (MAX_CUTS + 1) / total.max(1);
        if seen.len() <= MAX_CUTS + 1 || reached > passed {
            passed = reached;
            cuts.push(cut(pair[0].0, pair[1].0));
        }
    }
    cuts
}

/// Returns the cut between two adjacent values.
fn cut(low: f64, high: f64) -> Cut {
    Cut { at_least: -shortest(-high, -low), at_most: shortest(low, high) }
}

/// Returns the number with the fewest digits in `low..high`, as close to the middle as possible.
fn shortest(low: f64, high: f64) -> f64 {
    let middle = low / 2.0 + high / 2.0;
    for digits in 0..17 {
        // Formatted and parsed, so that it is exactly the number that is printed.
        let Ok(number) = format!("{middle:.digits$e}").parse::<f64>() else { break };
        if (low..high).contains(&number) {
            return number;
        }
    }
    low
}
