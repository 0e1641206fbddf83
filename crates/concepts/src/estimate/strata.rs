//! One run of an estimate: a walk through the search tree that keeps one node of every stratum.

use super::tree::{Node, Tree};
use std::collections::BTreeMap;

/// The result of a run.
pub(super) struct Run {
    /// The estimated number of concepts.
    pub(super) size: f64,
    /// The number of words of bits that were processed.
    pub(super) work: u64,
}

/// A node, and the number of nodes for which it stands.
struct Kept {
    node: Node,
    weight: f64,
}

/// Walks the tree once. Returns nothing if `stop` returned true.
pub(super) fn run(tree: &Tree, seed: u64, number: u64, stop: &dyn Fn() -> bool) -> Option<Run> {
    let mut random = Random::new(seed, number);
    let mut run = Run { size: tree.without_objects(), work: 0 };
    let root = Kept { node: tree.root(), weight: 1.0 };
    let mut level = BTreeMap::from([(0, root)]);
    while !level.is_empty() {
        let mut next: BTreeMap<u64, Kept> = BTreeMap::new();
        for Kept { node, weight } in std::mem::take(&mut level).into_values() {
            run.size += weight;
            tree.for_each_child(&node, &mut run.work, stop, |child| {
                if child.candidates.is_empty() {
                    run.size += weight;
                    return;
                }
                let key = stratum(child.candidates.len() as u64) << 32 | stratum(child.support);
                match next.get_mut(&key) {
                    None => {
                        next.insert(key, Kept { node: child, weight });
                    }
                    Some(kept) => {
                        kept.weight += weight;
                        if random.fraction() * kept.weight < weight {
                            kept.node = child;
                        }
                    }
                }
            })?;
        }
        level = next;
    }
    Some(run)
}

/// Returns the stratum of a number: the number itself up to 8, then four strata from each power of
/// two to the next.
fn stratum(number: u64) -> u64 {
    let exponent = u64::from(number.max(1).ilog2());
    if exponent < 3 { number } else { exponent * 4 + (number >> (exponent - 2) & 3) }
}

/// A sequence of pseudo-random numbers (`SplitMix64`).
struct Random(u64);

impl Random {
    fn new(seed: u64, number: u64) -> Random {
        let mut random = Random(seed);
        random.0 = random.next() ^ number;
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ bits >> 31
    }

    /// Returns a number of at least 0 and less than 1.
    fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::stratum;

    #[test]
    fn strata_grow_with_the_number() {
        assert_eq!((0..9).map(stratum).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6, 7, 12]);
        assert!((1..5000).all(|number| stratum(number) <= stratum(number + 1)));
        assert_eq!(stratum(16), stratum(8) + 4);
    }
}
