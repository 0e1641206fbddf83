//! How much a rule explains.

use super::constraints::Demand;
use super::sums::Sums;
use std::cmp::Ordering;

/// Shrinks the gain of small sums, which are noisy.
const SHRINKAGE: f64 = 1.0;
/// The cost of each further condition, as a share of the gain.
const LENGTH: f64 = 0.1;

/// Computes the gain of sums, given the sums of all examples.
#[derive(Clone, Copy, Debug)]
pub(super) struct GainMeasure {
    all: Sums,
    /// The same in units of weight.
    all_weighed: [f64; 4],
    /// The weight of one unit in a sum.
    pub(super) unit: f64,
    /// The least and most weight that a rule may cover, in units.
    bounds: (i64, i64),
    /// One over the curvature of all examples.
    flatness: f64,
    /// Whether the intercept is fixed.
    alone: bool,
    /// A category is named if its squared gradient is at least this many times its variance.
    clear: f64,
}

/// Returns the least number of examples that a rule must cover, and must leave uncovered.
pub(super) fn fewest(examples: usize) -> f64 {
    (examples as f64 / 1000.0).clamp(4.0_f64.min(examples as f64 / 4.0), 100.0)
}

impl GainMeasure {
    /// Creates a measure from the sums of all examples.
    pub(super) fn new(
        all: Sums,
        unit: f64,
        examples: usize,
        alone: bool,
        clear: f64,
    ) -> GainMeasure {
        let least = fewest(examples);
        let all_weighed = all.0.map(|sum| sum as f64 * unit);
        #[expect(clippy::cast_possible_truncation, reason = "a part of a sum")]
        let least = (least / unit).ceil() as i64;
        let bounds = (least, all.0[2] - least);
        GainMeasure { all, all_weighed, unit, bounds, flatness: 1.0 / all_weighed[1], alone, clear }
    }

    /// Returns the weight of all examples, in units of one average example.
    pub(super) fn weight(&self) -> f64 {
        self.weight_of(&self.all)
    }

    /// Returns the weight of some examples.
    pub(super) fn weight_of(&self, sums: &Sums) -> f64 {
        sums.0[2] as f64 * self.unit
    }

    /// Returns the measure for a sample of one in `one_of` examples.
    pub(super) fn of_sample(&self, one_of: u32) -> GainMeasure {
        let all = Sums(self.all.0.map(|sum| sum / i64::from(one_of)));
        let all_weighed = all.0.map(|sum| sum as f64 * self.unit);
        let bounds = (self.bounds.0 / i64::from(one_of), self.bounds.1 / i64::from(one_of));
        let clear = self.clear / f64::from(one_of);
        GainMeasure { all, all_weighed, bounds, flatness: 1.0 / all_weighed[1], clear, ..*self }
    }

    /// Returns the gain of a rule: how much its points would reduce the loss, with the intercept
    /// free or fixed. It is 0 if the points would favor the class that is less frequent among the
    /// covered examples.
    pub(super) fn of(&self, sums: &Sums, conditions: usize) -> f64 {
        if sums.0[2] < self.bounds.0 || sums.0[2] > self.bounds.1 {
            return 0.0;
        }
        let [gradient, curvature, weight, inside] = sums.0.map(|sum| sum as f64 * self.unit);
        let [all_gradient, _, all_weight, all_inside] = self.all_weighed;
        let own = gradient - all_gradient * (curvature * self.flatness);
        let lift = inside * all_weight - all_inside * weight;
        if own * lift <= 0.0 {
            return 0.0;
        }
        let follows = if self.alone { 0.0 } else { curvature * self.flatness };
        let bend = curvature * (1.0 - follows);
        let gain =
            own * own / (bend + SHRINKAGE) * (1.0 - LENGTH * (conditions as f64 - 1.0)).max(0.1);
        // A rule and its complement have the same gain; with fewer digits the numbers are equal
        // too.
        #[expect(clippy::cast_possible_truncation, reason = "meant")]
        let rounded = gain as f32;
        f64::from(rounded)
    }

    /// Returns the rank of a rule with these sums; one that violates a demand has no gain.
    pub(super) fn rank(&self, sums: &Sums, conditions: usize, demand: Demand) -> CandidateRank {
        let score = match demand {
            Demand::Any => self.of(sums, conditions),
            demand if demand.is_met(self.favors(sums)) => self.of(sums, conditions),
            _ => 0.0,
        };
        CandidateRank { score, weight: sums.0[2] }
    }

    /// Returns whether the gradient of a category is more than noise.
    pub(super) fn is_clear(&self, sums: &Sums) -> bool {
        let [gradient, curvature, ..] = sums.0.map(|sum| sum as f64 * self.unit);
        gradient * gradient >= self.clear * curvature
    }

    /// Returns whether the class is more frequent among the examples of these sums than overall.
    pub(super) fn favors(&self, sums: &Sums) -> bool {
        let [_, _, weight, inside] = sums.0.map(|sum| sum as f64);
        let [_, _, all_weight, all_inside] = self.all.0.map(|sum| sum as f64);
        inside * all_weight > all_inside * weight
    }
}

/// The order of candidates: by gain and, for a rule and its complement, by coverage. Extending the
/// side that covers more generalized better in experiments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CandidateRank {
    pub(super) score: f64,
    weight: i64,
}

impl Eq for CandidateRank {}

impl Ord for CandidateRank {
    fn cmp(&self, other: &CandidateRank) -> Ordering {
        self.score.total_cmp(&other.score).then(self.weight.cmp(&other.weight))
    }
}

impl PartialOrd for CandidateRank {
    fn partial_cmp(&self, other: &CandidateRank) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
