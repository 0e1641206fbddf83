//! How much a rule explains.

use super::constraints::Demand;
use super::screen;
use super::sums::Sums;
use pellucid_bits::{Kernel, Level, Simd};
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
    /// The instructions for many gains at once.
    level: Level,
}

/// The sums up to several cut points, kind by kind.
#[derive(Clone, Debug, Default)]
pub(super) struct CutSums {
    /// The step of each cut point.
    pub(super) steps: Vec<u8>,
    kinds: [Vec<i64>; 4],
    /// The gain of the examples below each cut point, and of those above it.
    pub(super) gains: [Vec<f64>; 2],
}

impl CutSums {
    /// Removes all cut points.
    pub(super) fn clear(&mut self) {
        self.steps.clear();
        self.kinds.iter_mut().for_each(Vec::clear);
    }

    /// Adds a cut point.
    pub(super) fn push(&mut self, step: u8, below: &Sums) {
        self.steps.push(step);
        self.kinds.iter_mut().zip(below.0).for_each(|(kind, sum)| kind.push(sum));
    }

    /// Returns the weight below a cut point.
    pub(super) fn weight(&self, place: usize) -> i64 {
        self.kinds[2][place]
    }

    /// Returns the sums below a cut point.
    pub(super) fn sums(&self, place: usize) -> Sums {
        Sums(std::array::from_fn(|kind| self.kinds[kind][place]))
    }
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
        let flatness = 1.0 / all_weighed[1];
        let level = Level::Portable;
        GainMeasure { all, all_weighed, unit, bounds, flatness, alone, clear, level }
    }

    /// Sets the instructions for many gains at once.
    pub(super) fn with_level(self, level: Level) -> GainMeasure {
        GainMeasure { level, ..self }
    }

    /// Returns the weight of all examples, in units of one average example.
    pub(super) fn weight(&self) -> f64 {
        self.weight_of(&self.all)
    }

    /// Returns the weight of some examples.
    pub(super) fn weight_of(&self, sums: &Sums) -> f64 {
        sums.0[2] as f64 * self.unit
    }

    /// Returns the measure for all examples, or for a [sample](super::screen) of them.
    pub(super) fn of_scan(&self, sampled: bool) -> GainMeasure {
        if sampled { self.of_sample(screen::SAMPLED) } else { *self }
    }

    /// Returns the measure for a sample of one in `one_of` examples.
    fn of_sample(&self, one_of: u32) -> GainMeasure {
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
        self.gain(sums.0, length_factor(conditions))
    }

    /// Returns the gain of sums, given the factor for the number of conditions. There are no branches, so
    /// that the compiler can compute several gains at once.
    #[inline(always)]
    fn gain(&self, sums: [i64; 4], factor: f64) -> f64 {
        let [gradient, curvature, weight, inside] = sums.map(|sum| sum as f64 * self.unit);
        let [all_gradient, _, all_weight, all_inside] = self.all_weighed;
        let own = gradient - all_gradient * (curvature * self.flatness);
        let lift = inside * all_weight - all_inside * weight;
        let follows = if self.alone { 0.0 } else { curvature * self.flatness };
        let bend = curvature * (1.0 - follows);
        let gain = own * own / (bend + SHRINKAGE) * factor;
        // A rule and its complement have the same gain; with fewer digits the numbers are equal
        // too.
        #[expect(clippy::cast_possible_truncation, reason = "meant")]
        let rounded = f64::from(gain as f32);
        let is_out_of_bounds = (sums[2] < self.bounds.0) | (sums[2] > self.bounds.1);
        if is_out_of_bounds | (own * lift <= 0.0) { 0.0 } else { rounded }
    }

    /// Computes the gains of all cut points, given the sums of all examples of the conjunction.
    pub(super) fn of_cuts(&self, cuts: &mut CutSums, total: &Sums, conditions: usize) {
        self.level.run(CutGains { measure: self, cuts, total, factor: length_factor(conditions) });
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

/// Returns the factor of a gain for the number of conditions.
pub(super) fn length_factor(conditions: usize) -> f64 {
    (1.0 - LENGTH * (conditions as f64 - 1.0)).max(0.1)
}

/// Computes the gains of cut points.
struct CutGains<'a> {
    measure: &'a GainMeasure,
    cuts: &'a mut CutSums,
    total: &'a Sums,
    factor: f64,
}

impl Kernel for CutGains<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let CutSums { kinds: [gradients, curvatures, weights, insides], gains, .. } = self.cuts;
        let sums = || gradients.iter().zip(&*curvatures).zip(weights.iter().zip(&*insides));
        let [below, above] = gains;
        below.clear();
        above.clear();
        let measure = *self.measure;
        let [gradient, curvature, weight, inside] = self.total.0;
        below.extend(sums().map(|((&g, &c), (&w, &i))| measure.gain([g, c, w, i], self.factor)));
        above.extend(sums().map(|((g, c), (w, i))| {
            measure.gain([gradient - g, curvature - c, weight - w, inside - i], self.factor)
        }));
    }
}

/// The order of candidates: by gain and, for a rule and its complement, by coverage. Extending the
/// side that covers more generalized better in experiments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CandidateRank {
    pub(super) score: f64,
    pub(super) weight: i64,
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Many gains at once are the same as one by one, with any instructions.
        #[test]
        fn gains_of_cut_points_are_those_of_their_sums(
            steps in prop::collection::vec((-900i64..900, 1i64..300, 1i64..1000, 0i64..1000), 1..70),
            alone: bool,
            conditions in 1usize..5,
        ) {
            let sums = |&(gradient, curvature, weight, inside): &(i64, i64, i64, i64)| {
                Sums([gradient, curvature, weight, inside.min(weight)])
            };
            let mut total = Sums::default();
            steps.iter().for_each(|step| total.add(&sums(step)));
            let measure = GainMeasure::new(total, 1e-3, 40, alone, 0.0);
            for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
                let (mut cuts, mut below) = (CutSums::default(), Sums::default());
                for (step, own) in (0u8..).zip(&steps) {
                    below.add(&sums(own));
                    cuts.push(step, &below);
                }
                measure.with_level(level).of_cuts(&mut cuts, &total, conditions);
                for place in 0..steps.len() {
                    let below = cuts.sums(place);
                    prop_assert_eq!(cuts.gains[0][place], measure.of(&below, conditions), "{}", level);
                    let above = total.without(&below);
                    prop_assert_eq!(cuts.gains[1][place], measure.of(&above, conditions), "{}", level);
                }
            }
        }
    }
}
