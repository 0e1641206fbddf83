//! From pairs to whole answers, a part at a time.

use super::formula::Formula;
use super::pairs::{LiteralPairs, Wanted};
use super::rows::{Shape, and, and_not};
use pellucid_device::Threads;
use pellucid_learn::metrics::{Confusion, Metric};

/// The most parts of an answer.
pub(super) const MOST_PARTS: usize = 6;
/// Every part must be worth this share of the examples it is for: fewer say nothing about others.
const LEAST_SHARE: f64 = 0.02;

/// How parts are put together, and how much one that is not wanted weighs against those that are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Assembly {
    /// Whether parts cover negative examples and are excluded; else they cover positive ones and are joined by `or`.
    pub(super) excludes: bool,
    /// Whether a part may be two literals; of single ones there are few enough to be found by chance less often.
    pub(super) pairs: bool,
    /// What one that is wanted is worth.
    pub(super) gain: i32,
    /// What one that is not wanted costs; nothing said, there may be none.
    pub(super) cost: Option<i32>,
}

impl Assembly {
    /// Parts without any that is not wanted.
    pub(super) const CLEAN: [Assembly; 2] = [
        Assembly { excludes: false, pairs: true, gain: 1, cost: None },
        Assembly { excludes: true, pairs: true, gain: 1, cost: None },
    ];

    /// The ways that allow for some that are not wanted.
    pub(super) fn lenient() -> Vec<Assembly> {
        let mut ways = Vec::new();
        for pairs in [false, true] {
            for excludes in [false, true] {
                for (gain, cost) in [(1, 4), (1, 2), (1, 1), (2, 1)] {
                    ways.push(Assembly { excludes, pairs, gain, cost: Some(cost) });
                }
            }
        }
        ways
    }
}

/// What answers are built from and judged by.
pub(super) struct Workshop<'a> {
    pub(super) pairs: &'a LiteralPairs<'a>,
    pub(super) shape: Shape,
    pub(super) measure: Metric,
    pub(super) threads: &'a Threads,
    pub(super) stop: &'a (dyn Fn() -> bool + Sync),
}

impl Workshop<'_> {
    /// The measure of some examples covered among those that count.
    pub(super) fn quality(&self, covered: &[u64], mask: &[u64]) -> f64 {
        let [positives, negatives] = self.shape.counts(mask).map(u64::from);
        let [positive, negative] = self.shape.counts(&and(covered, mask)).map(u64::from);
        self.measure.of(&Confusion::from_covered(positive, negative, positives, negatives))
    }

    /// One answer after the other, each a part larger, from the examples of the mask alone.
    pub(super) fn path(&self, way: Assembly, mask: &[u64]) -> Vec<Formula> {
        let mut path = Vec::new();
        let mut formula = Formula::Constant(way.excludes);
        let mut covered = formula.covered(self.pairs.literals(), self.shape);
        while path.len() < MOST_PARTS {
            let Some(next) = self.next(way, &formula, &covered, mask) else { break };
            formula = next;
            covered = formula.covered(self.pairs.literals(), self.shape);
            path.push(formula.clone());
        }
        path
    }

    /// Adds the part that is worth most among what is still to be covered, or excluded.
    fn next(
        &self,
        way: Assembly,
        formula: &Formula,
        covered: &[u64],
        mask: &[u64],
    ) -> Option<Formula> {
        let region = if way.excludes { and(mask, covered) } else { and_not(mask, covered) };
        let totals = self.shape.counts(mask);
        let wanted = totals[usize::from(way.excludes)];
        // A whole number of examples, at least one.
        #[expect(clippy::cast_possible_truncation)]
        let least = (f64::from(wanted) * LEAST_SHARE).ceil().max(1.0) as i32;
        // More than all that are wanted together, but not so much that sums of it would not fit.
        let fits = i32::MAX / 4 / (totals[0] + totals[1] + 1).cast_signed();
        let cost = way.cost.unwrap_or(wanted.cast_signed() + 1).min(fits);
        let weights = if way.excludes { [-cost, way.gain] } else { [way.gain, -cost] };
        let wanted =
            Wanted { region: &region, weights, least: least * way.gain, negated: way.excludes };
        let part = match way.pairs {
            true => self.pairs.best(&wanted, self.threads, self.stop)?,
            false => self.pairs.best_alone(&wanted)?,
        };
        let part = Formula::both(part.one, part.other);
        Some(match way.excludes {
            false => formula.clone().or(part),
            true => formula.clone().and(part.negated()),
        })
    }

    /// Leaves out operands as long as the quality holds, those that make it best and shortest first.
    pub(super) fn pruned(&self, formula: Formula, mask: &[u64]) -> Formula {
        self.improved(formula, mask, Formula::smaller)
    }

    /// As [`Workshop::pruned`], and has literals that are there already stand for others where that makes it shorter, and
    /// writes once what is common.
    pub(super) fn minimised(&self, formula: Formula, mask: &[u64]) -> Formula {
        self.improved(formula, mask, |formula| {
            let mut others = formula.smaller();
            others.extend(self.plainer(formula));
            others
        })
    }

    /// Goes over to the best and shortest of the others as long as that is no worse.
    fn improved(
        &self,
        mut formula: Formula,
        mask: &[u64],
        others: impl Fn(&Formula) -> Vec<Formula>,
    ) -> Formula {
        let literals = self.pairs.literals();
        let judged = |formula: &Formula| self.quality(&formula.covered(literals, self.shape), mask);
        let mut quality = judged(&formula);
        while !(self.stop)() {
            let mut best: Option<(f64, u32, Formula)> = None;
            for other in others(&formula) {
                let (value, length) = (judged(&other), other.length(literals));
                let better = best.as_ref().is_none_or(|(best, shortest, _)| {
                    value > *best || (value >= *best && length < *shortest)
                });
                if value >= quality && better {
                    best = Some((value, length, other));
                }
            }
            let Some((value, _, other)) = best else { break };
            (quality, formula) = (value, other);
        }
        formula
    }

    /// Shorter ones in which a literal stands for another one, or something common is written once.
    fn plainer(&self, formula: &Formula) -> Vec<Formula> {
        let literals = self.pairs.literals();
        let names = formula.names();
        let swaps = names.iter().flat_map(|&old| names.iter().map(move |&new| (old, new)));
        swaps
            .map(|(old, new)| formula.replaced(old, new).factored())
            .filter(|plainer| plainer.length(literals) < formula.length(literals))
            .collect()
    }
}
