//! Which of the models is selected: the smallest that is not worse than the best by more than its reader would mind.
//!
//! A reader of thirty rules is glad of each one fewer, a reader of five is not: up to ten rules are read at a glance, and among them
//! a model is smaller only where that costs next to nothing.

use super::fold_scores::ModelIndex;
use crate::params::Size;
use std::ops::RangeInclusive;

/// Of a number much more can be explained than of classes, so that a smaller share of it counts.
const OF_NUMBERS: f64 = 1.0 / 3.0;

/// So many rules are read at a glance.
const GLANCE: usize = 10;
/// What a model of at most so many may leave out in the middle size. As much as larger ones may was measured to cost more than half a point of
/// accuracy and of AUC on four sets with such models, and on twelve with at most ten rules, where one or two more are selected now.
const AT_A_GLANCE: Leave = Leave { share: 0.01, noise: 0.25 };

/// By how much a smaller model may be worse than the best: whichever is more.
#[derive(Clone, Copy, Debug)]
struct Leave {
    /// A share of what the best explains.
    share: f64,
    /// Standard errors of the difference between the two.
    noise: f64,
}

/// A model that may be selected.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) index: ModelIndex,
    pub(super) rules: usize,
    /// By example how far off it is on those that it has not seen.
    pub(super) losses: Vec<f64>,
}

/// Some models, judged by the same examples.
#[derive(Debug)]
pub(super) struct Candidates<'a> {
    candidates: &'a [Candidate],
    /// By candidate the mean loss.
    means: Vec<f64>,
    /// The weights of the examples; 0 for those that do not count.
    weights: &'a [f64],
    /// The unit of each example, where several examples belong to one.
    units: Option<&'a [u32]>,
    /// The weight of all.
    weight: f64,
    /// Whether they predict a number.
    of_numbers: bool,
}

impl<'a> Candidates<'a> {
    pub(super) fn new(
        candidates: &'a [Candidate],
        (weights, units): (&'a [f64], Option<&'a [u32]>),
        of_numbers: bool,
    ) -> Candidates<'a> {
        let weight = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let means = Vec::new();
        let mut all = Candidates { candidates, means, weights, units, weight, of_numbers };
        let mean = |one: &Candidate| all.mean(one.losses.iter().copied());
        all.means = candidates.iter().map(mean).collect();
        all
    }

    fn mean(&self, losses: impl Iterator<Item = f64>) -> f64 {
        losses.zip(self.weights).map(|(loss, weight)| loss * weight).sum::<f64>() / self.weight
    }

    /// The one that is selected, of equal sizes the better one. Nothing where there is none.
    pub(super) fn select(&self, size: Size) -> Option<usize> {
        let leave = Leave { share: size.share(), noise: size.noise() };
        let selected = self.smallest(0..=usize::MAX, leave)?;
        match (size, self.candidates[selected].rules) {
            (Size::Medium, few @ ..=GLANCE) => self.smallest(few..=GLANCE, AT_A_GLANCE),
            _ => Some(selected),
        }
    }

    /// Of those with so many rules, the smallest that is as good as the best of them but for what may be left out.
    fn smallest(&self, sizes: RangeInclusive<usize>, leave: Leave) -> Option<usize> {
        let rules = |one: usize| self.candidates[one].rules;
        let own = || (0..self.candidates.len()).filter(|&one| sizes.contains(&rules(one)));
        let by_loss = |one: &usize, other: &usize| self.means[*one].total_cmp(&self.means[*other]);
        let best = own().min_by(by_loss)?;
        let without_rules = (0..self.candidates.len()).find(|&one| rules(one) == 0);
        let explained =
            without_rules.map_or(0.0, |without_rules| self.means[without_rules] - self.means[best]);
        let share = leave.share * if self.of_numbers { OF_NUMBERS } else { 1.0 };
        let is_as_good = |&one: &usize| {
            let (behind, error) = self.behind(one, best);
            behind <= (share * explained).max(leave.noise * error)
        };
        let smaller = |one: &usize, other: &usize| {
            rules(*one).cmp(&rules(*other)).then_with(|| by_loss(one, other))
        };
        own().filter(is_as_good).min_by(smaller)
    }

    /// By how much one is worse than another, and the standard error of that.
    fn behind(&self, one: usize, other: usize) -> (f64, f64) {
        let [one, other] = [one, other].map(|place| &self.candidates[place].losses);
        let differences = || one.iter().zip(other).map(|(one, other)| one - other);
        let behind = self.mean(differences());
        let deviations = differences()
            .zip(self.weights)
            .map(|(difference, weight)| weight * (difference - behind));
        (behind, self.sum_of_squares(deviations).sqrt() / self.weight)
    }

    /// The sum of squared deviations. Examples of one unit do not vary independently, so theirs are added up first.
    fn sum_of_squares(&self, deviations: impl Iterator<Item = f64>) -> f64 {
        let Some(units) = self.units else {
            return deviations.map(|deviation| deviation * deviation).sum();
        };
        let mut sums = vec![0.0; units.iter().map(|&unit| unit as usize + 1).max().unwrap_or(0)];
        units
            .iter()
            .zip(deviations)
            .for_each(|(&unit, deviation)| sums[unit as usize] += deviation);
        sums.iter().map(|sum| sum * sum).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Models of so many rules, all of whose losses are the same for every one of 100 examples, so that there is no noise.
    fn selected(models: &[(usize, f64)], size: Size) -> Option<usize> {
        let candidate = |&(rules, loss): &(usize, f64)| Candidate {
            index: ModelIndex::default(),
            rules,
            losses: vec![loss; 100],
        };
        let candidates: Vec<Candidate> = models.iter().map(candidate).collect();
        let selected = Candidates::new(&candidates, (&[1.0; 100], None), false).select(size)?;
        Some(models[selected].0)
    }

    #[test]
    fn a_reader_of_few_rules_is_spared_less_than_one_of_many() {
        // What is explained is half a unit; four hundredths of that are a fiftieth.
        let many = [(0, 0.7), (15, 0.219), (20, 0.21), (40, 0.2)];
        assert_eq!(selected(&many, Size::Medium), Some(15));
        let few = [(0, 0.7), (5, 0.219), (8, 0.204), (10, 0.2)];
        assert_eq!(selected(&few, Size::Medium), Some(8));
        assert_eq!(selected(&few, Size::Small), Some(5));
        assert_eq!(selected(&few, Size::Large), Some(10));
        // Ten are the most that are selected where fewer would do, however good more of them are.
        let both = [(0, 0.7), (5, 0.219), (8, 0.213), (10, 0.206), (40, 0.2)];
        assert_eq!(selected(&both, Size::Medium), Some(10));
        assert_eq!(selected(&[], Size::Medium), None);
        assert_eq!(selected(&[(0, 0.7)], Size::Medium), Some(0));
    }

    proptest! {
        /// A larger size never tells fewer rules, whatever the losses.
        #[test]
        fn a_larger_size_tells_no_fewer_rules(
            models in prop::collection::vec((0usize..50, prop::collection::vec(0.0f64..1.0, 20)), 1..12),
            weights in prop::collection::vec(0.1f64..3.0, 20),
        ) {
            let candidates: Vec<Candidate> =
                models.into_iter().map(|(rules, losses)| Candidate { index: ModelIndex::default(), rules, losses }).collect();
            let all = Candidates::new(&candidates, (&weights, None), false);
            let selected = [Size::Small, Size::Medium, Size::Large].map(|size| all.select(size).map(|selected| candidates[selected].rules));
            prop_assert!(selected.is_sorted(), "{:?}", selected);
        }
    }
}
