//! How much a rule explains.

use super::constraints::Demand;
use super::sums::Sums;
use std::cmp::Ordering;

/// What stands against the noise of small sums.
const SHRINKAGE: f64 = 1.0;
/// What a further condition costs, as a share of what a rule explains.
const LENGTH: f64 = 0.1;

/// How much sums are gain, given those of all examples.
#[derive(Clone, Copy, Debug)]
pub(super) struct GainMeasure {
    all: Sums,
    /// The same in units of weight.
    all_weighed: [f64; 4],
    /// What one unit in a sum weighs.
    pub(super) unit: f64,
    /// The least and the most weight that a rule may cover, in units.
    bounds: (i64, i64),
    /// One over the curvature of all.
    flatness: f64,
    /// Whether the base stays where it is.
    alone: bool,
    /// What is missing to a category that is named is, squared, at least so many times its variance.
    clear: f64,
}

/// Of so many examples, how many a rule holds for at least, and how many it leaves to others.
pub(super) fn fewest(examples: usize) -> f64 {
    (examples as f64 / 1000.0).clamp(4.0_f64.min(examples as f64 / 4.0), 100.0)
}

impl GainMeasure {
    /// Given the sums of so many examples.
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

    /// The weight of all examples, in examples that weigh the same.
    pub(super) fn weight(&self) -> f64 {
        self.weight_of(&self.all)
    }

    /// The weight of some.
    pub(super) fn weight_of(&self, sums: &Sums) -> f64 {
        sums.0[2] as f64 * self.unit
    }

    /// The same for a sample, of so many examples one.
    pub(super) fn of_sample(&self, one_of: u32) -> GainMeasure {
        let all = Sums(self.all.0.map(|sum| sum / i64::from(one_of)));
        let all_weighed = all.0.map(|sum| sum as f64 * self.unit);
        let bounds = (self.bounds.0 / i64::from(one_of), self.bounds.1 / i64::from(one_of));
        let clear = self.clear / f64::from(one_of);
        GainMeasure { all, all_weighed, bounds, flatness: 1.0 / all_weighed[1], clear, ..*self }
    }

    /// How much a rule of so many conditions explains: what one vote would win, the base being free to follow or not. Nothing where
    /// it would speak for what its examples are seldom.
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
        // A rule and its opposite are gain the same; in fewer digits they also look so.
        #[expect(clippy::cast_possible_truncation, reason = "meant")]
        let rounded = gain as f32;
        f64::from(rounded)
    }

    /// How a rule with these sums stands; one that does not meet a demand explains nothing.
    pub(super) fn rank(&self, sums: &Sums, conditions: usize, demand: Demand) -> CandidateRank {
        let score = match demand {
            Demand::Any => self.of(sums, conditions),
            demand if demand.is_met(self.favors(sums)) => self.of(sums, conditions),
            _ => 0.0,
        };
        CandidateRank { score, weight: sums.0[2] }
    }

    /// Whether what is missing to a category with these sums is more than chance.
    pub(super) fn is_clear(&self, sums: &Sums) -> bool {
        let [gradient, curvature, ..] = sums.0.map(|sum| sum as f64 * self.unit);
        gradient * gradient >= self.clear * curvature
    }

    /// Whether examples with these sums are of the class more often than others.
    pub(super) fn favors(&self, sums: &Sums) -> bool {
        let [_, _, weight, inside] = sums.0.map(|sum| sum as f64);
        let [_, _, all_weight, all_inside] = self.all.0.map(|sum| sum as f64);
        inside * all_weight > all_inside * weight
    }
}

/// What puts candidates in order: how much they explain, and of equals (a rule and its opposite) how
/// much they cover: what is grown from the broader side was measured to hold better on new examples.
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
