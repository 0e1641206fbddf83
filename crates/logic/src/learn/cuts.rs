//! Where numbers are cut: label-free quantiles of what the individuals have.

use crate::KnowledgeBase;
use pellucid_program::Domain;

/// How many cuts a property gets at most.
pub const MOST_CUTS: usize = 32;

/// A place between two neighbouring values: `>= at_least` holds of the upper and all above, `<= at_most` of the lower and
/// all below. Each is the number with the fewest digits that says so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// The number for `>=`.
    pub at_least: f64,
    /// The number for `<=`.
    pub at_most: f64,
}

/// By data property: its cuts, ascending. Values of hidden individuals make none, and neither do texts.
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

/// The cuts of distinct ascending values of which each is there so often.
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
        // The quantiles that lie at or below this gap; a gap gets a cut when it has passed another one.
        let reached = below * (MOST_CUTS + 1) / total.max(1);
        if seen.len() <= MOST_CUTS + 1 || reached > passed {
            passed = reached;
            cuts.push(cut(pair[0].0, pair[1].0));
        }
    }
    cuts
}

/// The cut between two neighbouring values.
fn cut(low: f64, high: f64) -> Cut {
    Cut { at_least: -shortest(-high, -low), at_most: shortest(low, high) }
}

/// The number with the fewest digits that is at least `low` and below `high`; of those the nearest to the middle.
fn shortest(low: f64, high: f64) -> f64 {
    let middle = low / 2.0 + high / 2.0;
    for digits in 0..17 {
        // Written as text and read back, so that the number is the one that will be printed.
        let Ok(number) = format!("{middle:.digits$e}").parse::<f64>() else { break };
        if (low..high).contains(&number) {
            return number;
        }
    }
    low
}
