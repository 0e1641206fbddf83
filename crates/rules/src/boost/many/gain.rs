//! How much a rule with points for several classes explains.

use super::super::gain::{CandidateRank, fewest, length_factor};
use super::super::screen;
use super::contribution::Layout;
use pellucid_bits::{Kernel, Level, Simd};

/// Shrinks the gain of small sums, which are noisy.
const SHRINKAGE: f64 = 1.0;

/// Computes the gain of sums, given the sums of all examples.
#[derive(Clone, Debug)]
pub(in crate::boost) struct ManyGain {
    pub(super) layout: Layout,
    /// The sums of all examples, in units of weight.
    all: Vec<f64>,
    /// One over the curvature of all examples, by class.
    flatness: Vec<f64>,
    /// The weight of one unit in a sum.
    unit: f64,
    /// The least and most weight that a rule may cover, in units.
    bounds: (i64, i64),
    /// A category is named if its squared gradient is at least this many times its variance.
    clear: f64,
    level: Level,
}

/// The sums below several cut points, kind by kind, and their gains.
#[derive(Debug)]
pub(super) struct ManyCuts {
    /// The number of cut points for which there is room.
    room: usize,
    pub(super) steps: Vec<u8>,
    pub(super) weights: Vec<i64>,
    /// The gradients and curvatures, class by class.
    kinds: Vec<f64>,
    /// The gain of the examples below each cut point, and of those above it.
    pub(super) gains: [Vec<f64>; 2],
}

impl ManyCuts {
    /// Creates room for cut points.
    pub(super) fn new(layout: Layout, room: usize) -> ManyCuts {
        ManyCuts {
            room,
            steps: Vec::with_capacity(room),
            weights: Vec::with_capacity(room),
            kinds: vec![0.0; 2 * layout.classes * room],
            gains: [Vec::new(), Vec::new()],
        }
    }
}

impl ManyGain {
    /// Creates a measure from the sums of all examples.
    pub(in crate::boost) fn new(
        layout: Layout,
        sums: &[i64],
        unit: f64,
        examples: usize,
        clear: f64,
        level: Level,
    ) -> ManyGain {
        #[expect(clippy::cast_possible_truncation, reason = "a part of a sum")]
        let least = (fewest(examples) / unit).ceil() as i64;
        let bounds = (least, sums[layout.weight()] - least);
        let all: Vec<f64> = sums.iter().map(|&sum| sum as f64 * unit).collect();
        let curvatures = &all[layout.classes..2 * layout.classes];
        let flatness = curvatures.iter().map(|curvature| 1.0 / curvature).collect();
        ManyGain { layout, all, flatness, unit, bounds, clear, level }
    }

    /// Returns the measure for all examples, or for a [sample](screen) of them.
    pub(in crate::boost) fn of_scan(&self, sampled: bool) -> ManyGain {
        if !sampled {
            return self.clone();
        }
        let one_of = f64::from(screen::SAMPLED);
        let bounds = (
            self.bounds.0 / i64::from(screen::SAMPLED),
            self.bounds.1 / i64::from(screen::SAMPLED),
        );
        ManyGain {
            all: self.all.iter().map(|sum| sum / one_of).collect(),
            flatness: self.flatness.iter().map(|flatness| flatness * one_of).collect(),
            bounds,
            clear: self.clear / one_of,
            ..self.clone()
        }
    }

    /// Returns the weight of all examples.
    pub(in crate::boost) fn weight(&self) -> f64 {
        self.all[self.layout.weight()]
    }

    /// Returns the weight of some examples.
    pub(in crate::boost) fn weight_of(&self, sums: &[i64]) -> f64 {
        sums[self.layout.weight()] as f64 * self.unit
    }

    /// Returns the gradient of a class relative to its curvature, shrunk if there are few examples.
    pub(super) fn lean(&self, sums: &[i64], class: usize, shrinkage: f64) -> f64 {
        let [gradient, curvature] = self.of_class(sums, class);
        gradient / (curvature + shrinkage)
    }

    /// Returns whether the gradient of a category is more than noise for any class.
    pub(super) fn is_clear(&self, sums: &[i64]) -> bool {
        (0..self.layout.classes).any(|class| {
            let [gradient, curvature] = self.of_class(sums, class);
            gradient * gradient >= self.clear * curvature
        })
    }

    fn of_class(&self, sums: &[i64], class: usize) -> [f64; 2] {
        [sums[class], sums[self.layout.classes + class]].map(|sum| sum as f64 * self.unit)
    }

    /// Returns the rank of a rule with these sums: by how much its points would reduce the loss.
    pub(super) fn rank(&self, sums: &[i64], conditions: usize) -> CandidateRank {
        let weight = sums[self.layout.weight()];
        let gain = (0..self.layout.classes).map(|class| {
            let [gradient, curvature] = self.of_class(sums, class);
            self.gain_of_class(class, gradient, curvature)
        });
        CandidateRank { score: self.bounded(gain.sum(), weight, conditions), weight }
    }

    /// Returns the gain of points for one class.
    #[inline(always)]
    fn gain_of_class(&self, class: usize, gradient: f64, curvature: f64) -> f64 {
        let (all_gradient, flatness) = (self.all[class], self.flatness[class]);
        gain(all_gradient, flatness, gradient, curvature)
    }

    /// Returns the gain of a rule, given the sum over classes; 0 if it covers too few or too many examples.
    fn bounded(&self, gain: f64, weight: i64, conditions: usize) -> f64 {
        if weight < self.bounds.0 || weight > self.bounds.1 {
            return 0.0;
        }
        // A rule and its complement have the same gain; with fewer digits the numbers are equal too.
        #[expect(clippy::cast_possible_truncation, reason = "meant")]
        let rounded = f64::from((gain * length_factor(conditions)) as f32);
        rounded
    }

    /// Adds a cut point, given the sums below it.
    pub(super) fn push_cut(&self, cuts: &mut ManyCuts, step: u8, below: &[i64]) {
        let place = cuts.steps.len();
        cuts.steps.push(step);
        cuts.weights.push(below[self.layout.weight()]);
        for (kind, &sum) in below[..2 * self.layout.classes].iter().enumerate() {
            cuts.kinds[kind * cuts.room + place] = sum as f64 * self.unit;
        }
    }

    /// Computes the gains of all cut points, given the sums of all examples of the conjunction.
    pub(super) fn of_cuts(&self, cuts: &mut ManyCuts, total: &[i64], conditions: usize) {
        let count = cuts.steps.len();
        let ManyCuts { room, kinds, gains: [below, above], weights, .. } = cuts;
        for gains in [&mut *below, &mut *above] {
            gains.clear();
            gains.resize(count, 0.0);
        }
        for class in 0..self.layout.classes {
            let of_kind = |kind: usize| &kinds[kind * *room..][..count];
            self.level.run(ClassGains {
                all_gradient: self.all[class],
                flatness: self.flatness[class],
                total: self.of_class(total, class),
                gradients: of_kind(class),
                curvatures: of_kind(self.layout.classes + class),
                below,
                above,
            });
        }
        let all = total[self.layout.weight()];
        for ((below, above), &weight) in below.iter_mut().zip(above).zip(&*weights) {
            *below = self.bounded(*below, weight, conditions);
            *above = self.bounded(*above, all - weight, conditions);
        }
    }
}

/// Returns the gain of points for a class, if the intercept of the class is free.
#[inline(always)]
fn gain(all_gradient: f64, flatness: f64, gradient: f64, curvature: f64) -> f64 {
    let own = gradient - all_gradient * (curvature * flatness);
    let bend = curvature * (1.0 - curvature * flatness);
    own * own / (bend + SHRINKAGE)
}

/// Adds the gains of one class for all cut points.
struct ClassGains<'a> {
    all_gradient: f64,
    flatness: f64,
    /// The gradient and the curvature of the conjunction.
    total: [f64; 2],
    gradients: &'a [f64],
    curvatures: &'a [f64],
    below: &'a mut [f64],
    above: &'a mut [f64],
}

impl Kernel for ClassGains<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let (all_gradient, flatness, total) = (self.all_gradient, self.flatness, self.total);
        let sums = self.gradients.iter().zip(self.curvatures);
        for ((&gradient, &curvature), (below, above)) in
            sums.zip(self.below.iter_mut().zip(self.above))
        {
            *below += gain(all_gradient, flatness, gradient, curvature);
            let (gradient, curvature) = (total[0] - gradient, total[1] - curvature);
            *above += gain(all_gradient, flatness, gradient, curvature);
        }
    }
}
