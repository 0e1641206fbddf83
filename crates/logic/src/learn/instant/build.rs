//! From pairs to whole answers, a part at a time.

use super::formula::Formula;
use super::pairs::{Pairs, Wanted};
use super::rows::{Shape, and, and_not};
use pellucid_engine::Threads;
use pellucid_learn::metrics::{Confusion, Metric};

/// The most parts of an answer.
pub(super) const MOST_PARTS: usize = 6;

/// How parts are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Parts that cover positive examples and no negative one, joined by `or`.
    Cover,
    /// Parts that cover negative examples and no positive one, each excluded.
    Exclude,
    /// Whatever helps most, joined by `or` or excluded, beginning with nothing.
    Climb,
    /// The same, beginning with everything.
    Carve,
}

impl Way {
    pub(super) const ALL: [Way; 4] = [Way::Cover, Way::Exclude, Way::Climb, Way::Carve];
}

/// What answers are built from and judged by.
pub(super) struct Workshop<'a> {
    pub(super) pairs: &'a Pairs<'a>,
    pub(super) shape: Shape,
    pub(super) measure: Metric,
    /// The share of a part that may be wrong.
    pub(super) noise: f64,
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
    pub(super) fn path(&self, way: Way, mask: &[u64]) -> Vec<Formula> {
        let mut path = Vec::new();
        let mut formula = Formula::Constant(matches!(way, Way::Exclude | Way::Carve));
        let mut covered = formula.covered(self.pairs.literals(), self.shape);
        while path.len() < MOST_PARTS {
            let next = match way {
                Way::Cover => self.clean(&formula, &covered, mask, 0),
                Way::Exclude => self.clean(&formula, &covered, mask, 1),
                Way::Climb | Way::Carve => self.climb(&formula, &covered, mask),
            };
            let Some(next) = next else { break };
            formula = next;
            covered = formula.covered(self.pairs.literals(), self.shape);
            path.push(formula.clone());
            let [positives, _] = self.shape.counts(mask);
            let [positive, negative] = self.shape.counts(&and(&covered, mask));
            if positive == positives && negative == 0 {
                break;
            }
        }
        path
    }

    /// Adds the part that covers most of what is still to be covered and nothing, or little, of the other kind.
    fn clean(
        &self,
        formula: &Formula,
        covered: &[u64],
        mask: &[u64],
        good: usize,
    ) -> Option<Formula> {
        let region = if good == 0 { and_not(mask, covered) } else { and(mask, covered) };
        let least = f64::from(self.shape.counts(mask)[good]) * 0.02;
        let noise = self.noise;
        let value = |good: u32, bad: u32| {
            let allowed = f64::from(bad) <= noise * f64::from(good + bad);
            if allowed && good > 0 { f64::from(good) - f64::from(bad) } else { -1.0 }
        };
        let wanted = Wanted { region: &region, good, value: &value, floor: least.max(0.5) };
        let part = self.pairs.best(&wanted, self.threads, self.stop)?;
        let part = Formula::both(part.one, part.other);
        Some(if good == 0 { formula.clone().or(part) } else { formula.clone().and(part.negated()) })
    }

    /// Adds or excludes the part that makes the whole best, if any makes it better.
    fn climb(&self, formula: &Formula, covered: &[u64], mask: &[u64]) -> Option<Formula> {
        let totals = self.shape.counts(mask);
        let [positive, negative] = self.shape.counts(&and(covered, mask));
        let judge = |positive: u32, negative: u32| {
            let counts = Confusion::from_covered(
                positive.into(),
                negative.into(),
                totals[0].into(),
                totals[1].into(),
            );
            self.measure.of(&counts)
        };
        let now = judge(positive, negative);
        let inside = and(mask, covered);
        let outside = and_not(mask, covered);
        let added = |good: u32, bad: u32| judge(positive + good, negative + bad);
        let floor = now + 1e-9;
        let wanted = Wanted { region: &outside, good: 0, value: &added, floor };
        let add = self.pairs.best(&wanted, self.threads, self.stop);
        let excluded = |good: u32, bad: u32| {
            judge(positive.saturating_sub(bad), negative.saturating_sub(good))
        };
        let wanted = Wanted { region: &inside, good: 1, value: &excluded, floor };
        let exclude = self.pairs.best(&wanted, self.threads, self.stop);
        match (add, exclude) {
            (None, None) => None,
            (Some(add), exclude) if exclude.is_none_or(|other| add.value >= other.value) => {
                Some(formula.clone().or(Formula::both(add.one, add.other)))
            }
            (_, Some(part)) => {
                Some(formula.clone().and(Formula::both(part.one, part.other).negated()))
            }
            (Some(_), None) => None,
        }
    }

    /// Leaves out operands as long as the quality holds, those that make it shortest first.
    pub(super) fn minimised(&self, mut formula: Formula, mask: &[u64]) -> Formula {
        let literals = self.pairs.literals();
        let judged = |formula: &Formula| self.quality(&formula.covered(literals, self.shape), mask);
        let mut quality = judged(&formula);
        loop {
            let mut best: Option<(f64, u32, Formula)> = None;
            for smaller in formula.smaller() {
                let (value, length) = (judged(&smaller), smaller.length(literals));
                let better = best.as_ref().is_none_or(|(best, shortest, _)| {
                    (value, std::cmp::Reverse(length)) > (*best, std::cmp::Reverse(*shortest))
                });
                if value >= quality && better {
                    best = Some((value, length, smaller));
                }
            }
            let Some((value, _, smaller)) = best else { return formula };
            (quality, formula) = (value, smaller);
        }
    }
}
