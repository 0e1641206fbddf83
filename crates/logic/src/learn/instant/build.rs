//! Assembles formulas from pairs of literals, one part at a time.

use super::formula::Formula;
use super::pairs::{LiteralPairs, PairObjective};
use super::rows::{ExampleLayout, and, and_not};
use pellucid_device::Threads;
use pellucid_learn::metrics::{Confusion, Metric};

/// The maximum number of parts.
pub(super) const MAX_PARTS: usize = 6;
/// The minimum value of a part, as a share of its target examples, so that it is supported by
/// enough examples.
const MIN_SHARE: f64 = 0.02;

/// How parts are assembled, and the weights of target and other examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Assembly {
    /// Whether parts cover negative examples and are excluded; otherwise they cover positive ones
    /// and are joined with `or`.
    pub(super) excludes: bool,
    /// Whether a part may have two literals. Single literals are fewer and less likely to fit by
    /// chance.
    pub(super) pairs: bool,
    /// The weight of a target example.
    pub(super) gain: i32,
    /// The cost of another example; `None` forbids them.
    pub(super) cost: Option<i32>,
}

impl Assembly {
    /// The assemblies whose parts cover target examples only.
    pub(super) const CLEAN: [Assembly; 2] = [
        Assembly { excludes: false, pairs: true, gain: 1, cost: None },
        Assembly { excludes: true, pairs: true, gain: 1, cost: None },
    ];

    /// The assembly of single literals with equal weights, which is the fastest.
    pub(super) const SINGLE: Assembly =
        Assembly { excludes: false, pairs: false, gain: 1, cost: Some(1) };

    /// The assemblies whose parts may cover other examples too.
    pub(super) fn lenient() -> Vec<Assembly> {
        let mut assemblies = Vec::new();
        for pairs in [false, true] {
            for excludes in [false, true] {
                for (gain, cost) in [(1, 4), (1, 2), (1, 1), (2, 1)] {
                    assemblies.push(Assembly { excludes, pairs, gain, cost: Some(cost) });
                }
            }
        }
        assemblies
    }
}

/// Builds formulas from literals and evaluates them.
pub(super) struct FormulaBuilder<'a> {
    pub(super) pairs: &'a LiteralPairs<'a>,
    pub(super) layout: ExampleLayout,
    pub(super) measure: Metric,
    pub(super) threads: &'a Threads,
    pub(super) stop: &'a (dyn Fn() -> bool + Sync),
}

impl FormulaBuilder<'_> {
    /// Returns the quality of a coverage on the examples of a mask.
    pub(super) fn quality(&self, covered: &[u64], mask: &[u64]) -> f64 {
        let [positives, negatives] = self.layout.counts(mask).map(u64::from);
        let [positive, negative] = self.layout.counts(&and(covered, mask)).map(u64::from);
        self.measure.of(&Confusion::from_covered(positive, negative, positives, negatives))
    }

    /// Returns formulas with an increasing number of parts, built from the examples of the mask.
    pub(super) fn path(&self, assembly: Assembly, mask: &[u64]) -> Vec<Formula> {
        let mut path = Vec::new();
        let mut formula = Formula::Constant(assembly.excludes);
        let mut covered = formula.covered(self.pairs.literals(), self.layout);
        while path.len() < MAX_PARTS {
            let Some(next) = self.add_part(assembly, &formula, &covered, mask) else { break };
            formula = next;
            covered = formula.covered(self.pairs.literals(), self.layout);
            path.push(formula.clone());
        }
        path
    }

    /// Adds the part with the highest value among the examples that remain to be covered or
    /// excluded.
    fn add_part(
        &self,
        assembly: Assembly,
        formula: &Formula,
        covered: &[u64],
        mask: &[u64],
    ) -> Option<Formula> {
        let region = if assembly.excludes { and(mask, covered) } else { and_not(mask, covered) };
        let totals = self.layout.counts(mask);
        let targets = totals[usize::from(assembly.excludes)];
        // A whole number of examples, at least one.
        #[expect(clippy::cast_possible_truncation)]
        let least = (f64::from(targets) * MIN_SHARE).ceil().max(1.0) as i32;
        // More than all target examples together, but small enough that sums do not overflow.
        let fits = i32::MAX / 4 / (totals[0] + totals[1] + 1).cast_signed();
        let cost = assembly.cost.unwrap_or(targets.cast_signed() + 1).min(fits);
        let weights =
            if assembly.excludes { [-cost, assembly.gain] } else { [assembly.gain, -cost] };
        let objective = PairObjective {
            region: &region,
            weights,
            least: least * assembly.gain,
            negated: assembly.excludes,
        };
        let part = match assembly.pairs {
            true => self.pairs.best(&objective, self.threads, self.stop)?,
            false => self.pairs.best_alone(&objective)?,
        };
        let part = Formula::both(part.one, part.other);
        Some(match assembly.excludes {
            false => formula.clone().or(part),
            true => formula.clone().and(part.negated()),
        })
    }

    /// Removes operands as long as the quality does not decrease, preferring the best and shortest
    /// result.
    pub(super) fn prune(&self, formula: Formula, mask: &[u64]) -> Formula {
        self.improve(formula, mask, Formula::smaller)
    }

    /// Like [`FormulaBuilder::prune`], and also reuses literals and factors out common ones if
    /// that is shorter.
    pub(super) fn minimize(&self, formula: Formula, mask: &[u64]) -> Formula {
        self.improve(formula, mask, |formula| {
            let mut others = formula.smaller();
            others.extend(self.shorter(formula));
            others
        })
    }

    /// Moves to the best and shortest alternative as long as the quality does not decrease.
    fn improve(
        &self,
        mut formula: Formula,
        mask: &[u64],
        others: impl Fn(&Formula) -> Vec<Formula>,
    ) -> Formula {
        let literals = self.pairs.literals();
        let quality_of =
            |formula: &Formula| self.quality(&formula.covered(literals, self.layout), mask);
        let mut quality = quality_of(&formula);
        while !(self.stop)() {
            let mut best: Option<(f64, u32, Formula)> = None;
            for other in others(&formula) {
                let (value, length) = (quality_of(&other), other.length(literals));
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

    /// Returns shorter formulas in which a literal is replaced by another one or common literals
    /// are factored out.
    fn shorter(&self, formula: &Formula) -> Vec<Formula> {
        let literals = self.pairs.literals();
        let names = formula.names();
        let swaps = names.iter().flat_map(|&old| names.iter().map(move |&new| (old, new)));
        swaps
            .map(|(old, new)| formula.replaced(old, new).factored())
            .filter(|shorter| shorter.length(literals) < formula.length(literals))
            .collect()
    }
}
