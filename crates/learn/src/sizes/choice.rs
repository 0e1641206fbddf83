//! The selection of a model: the smallest one that is not much worse than the best.
//!
//! With thirty rules, each rule less helps the reader; with five it does not. Models with up to ten
//! rules are easy to read, so among them a smaller one is selected only if it costs almost nothing.

use super::Size;
use pellucid_device::Threads;

/// More can be explained of a number than of classes, so a smaller share is allowed.
const OF_NUMBERS: f64 = 1.0 / 3.0;

/// With more than two classes, models need more rules, and each rule less costs more. Half the
/// allowance selected a quarter more rules and gained half a point of accuracy on 21 tables.
const OF_MANY_CLASSES: f64 = 0.5;

/// The lines of a scorecard are easier to read than rules, so it may have more of them: with half the
/// allowance of rules it had 10 instead of 14 lines on 39 tables, and .0025 less AUC.
const OF_SCORECARDS: f64 = 0.15;

/// Models with up to this many rules are easy to read.
const GLANCE: usize = 10;
/// The allowance for small models at medium size. With the allowance of larger models, accuracy and
/// AUC fell by more than half a point on four data sets with such models, and on twelve with at
/// most ten rules; now one or two more rules are selected.
const AT_A_GLANCE: Leave = Leave { share: 0.01, remaining: f64::INFINITY, noise: 0.25 };

/// With fewer units than this, differences between sizes are mostly noise.
const FEW_UNITS: usize = 300;
/// The allowance in standard errors with few units, for models with more than [`GLANCE`] rules. For smaller
/// models it cost 1.4 points of AUC and saved one rule.
const NOISE_OF_FEW: f64 = 1.0;

/// A smaller model of medium size may add at most this share to the loss of the best. Where nearly
/// everything is explained, a small part of it is a large part of the errors. With more than two classes,
/// models had a third more rules for an accuracy of .001 more on eleven tables, so it is for two classes.
const OF_REMAINING: f64 = 0.1;
/// The number of units from which on [`OF_REMAINING`] applies. With fewer, a tenth of the loss is hardly
/// one error.
const MANY_UNITS: usize = 2000;

/// How much worse than the best a smaller model may be: the larger of both.
#[derive(Clone, Copy, Debug)]
struct Leave {
    /// A share of what the best model explains,
    share: f64,
    /// but at most this share of its loss.
    remaining: f64,
    /// A number of standard errors of the difference.
    noise: f64,
}

/// A model that may be selected, with an index of the kind `I`.
#[derive(Clone, Debug)]
pub struct Candidate<I> {
    /// Which model it is.
    pub index: I,
    /// The number of its rules.
    pub rules: usize,
    /// The out-of-fold loss of each example.
    pub losses: Vec<f64>,
}

impl<I> Candidate<I> {
    /// Returns the mean loss, given the weights of examples.
    #[must_use]
    pub fn mean(&self, weights: &[f64]) -> f64 {
        weighted_sum(self.losses.iter().copied(), weights) / total(weights)
    }
}

/// Returns the total of some weights, above 0.
fn total(weights: &[f64]) -> f64 {
    weights.iter().sum::<f64>().max(f64::MIN_POSITIVE)
}

fn weighted_sum(numbers: impl Iterator<Item = f64>, weights: &[f64]) -> f64 {
    numbers.zip(weights).map(|(number, weight)| number * weight).sum()
}

/// Models with losses on the same examples.
#[derive(Debug)]
pub struct Candidates<'a, I> {
    candidates: &'a [Candidate<I>],
    /// The mean loss of each candidate.
    means: Vec<f64>,
    /// The weights of the examples; 0 for those that do not count.
    weights: &'a [f64],
    /// The unit of each example, if units have several examples.
    units: Option<&'a [u32]>,
    /// The total weight.
    weight: f64,
    /// Whether the models predict a number.
    of_numbers: bool,
    /// The factor for the allowance.
    part: f64,
    /// The share of the loss of the best model that a smaller one of medium size may add.
    remaining: f64,
    threads: &'a Threads,
}

impl<'a, I: Sync> Candidates<'a, I> {
    /// Creates a comparison of models, given the weights of examples and their units, if units have
    /// several examples.
    #[must_use]
    pub fn new(
        candidates: &'a [Candidate<I>],
        (weights, units): (&'a [f64], Option<&'a [u32]>),
        outputs: usize,
        of_scorecards: bool,
        threads: &'a Threads,
    ) -> Candidates<'a, I> {
        let part = match outputs {
            _ if of_scorecards => OF_SCORECARDS,
            3.. => OF_MANY_CLASSES,
            _ => 1.0,
        };
        Candidates {
            candidates,
            means: threads.map(candidates.len(), |one| candidates[one].mean(weights)),
            weights,
            units,
            weight: total(weights),
            of_numbers: outputs == 1,
            part,
            remaining: if outputs == 2 { OF_REMAINING } else { f64::INFINITY },
            threads,
        }
    }

    /// Returns the number of units.
    fn unit_count(&self) -> usize {
        let Some(units) = self.units else { return self.weights.len() };
        let mut units = units.to_vec();
        units.sort_unstable();
        units.dedup();
        units.len()
    }

    /// Returns the selected model; among models of the same size the better one. `None` without
    /// candidates.
    #[must_use]
    pub fn select(&self, size: Size) -> Option<usize> {
        self.select_of(size, |_| true)
    }

    /// Returns the selected scorecard: one with lines on two columns only if the best of these is better
    /// than the best one without by more than the noise.
    #[must_use]
    pub fn select_card(
        &self,
        size: Size,
        has_pairs: impl Fn(&Candidate<I>) -> bool,
    ) -> Option<usize> {
        let are_worth_it = match (self.best(|one| !has_pairs(one)), self.best(&has_pairs)) {
            (Some(single), Some(paired)) => {
                let (behind, error) = self.behind(single, paired);
                behind > error
            }
            (single, _) => single.is_none(),
        };
        self.select_of(size, |one| has_pairs(one) == are_worth_it)
    }

    /// Returns the model that would be selected of some models.
    #[must_use]
    pub fn select_of(&self, size: Size, of: impl Fn(&Candidate<I>) -> bool) -> Option<usize> {
        let units = self.unit_count();
        let noise = match size {
            Size::Medium if units < FEW_UNITS => self.part * NOISE_OF_FEW,
            _ => self.part * size.noise(),
        };
        let remaining = match size {
            Size::Medium if units >= MANY_UNITS => self.remaining,
            _ => f64::INFINITY,
        };
        let leave = Leave { share: self.part * size.share(), remaining, noise };
        let selected = self.smallest(&of, leave)?;
        match (size, self.candidates[selected].rules) {
            (Size::Medium, few @ ..=GLANCE) => {
                let is_small = |one: &Candidate<I>| of(one) && (few..=GLANCE).contains(&one.rules);
                self.smallest(is_small, AT_A_GLANCE)
            }
            _ => Some(selected),
        }
    }

    /// Returns the smallest of some models that is nearly as good as the best of them.
    fn smallest(&self, of: impl Fn(&Candidate<I>) -> bool, leave: Leave) -> Option<usize> {
        let rules = |one: usize| self.candidates[one].rules;
        let own = (0..self.candidates.len()).filter(|&one| of(&self.candidates[one]));
        let by_loss = |one: &usize, other: &usize| self.means[*one].total_cmp(&self.means[*other]);
        let best = self.best(&of)?;
        let without_rules = (0..self.candidates.len()).find(|&one| rules(one) == 0);
        let explained =
            without_rules.map_or(0.0, |without_rules| self.means[without_rules] - self.means[best]);
        let share = leave.share * if self.of_numbers { OF_NUMBERS } else { 1.0 };
        let is_as_good = |one: usize| {
            let (behind, error) = self.behind(one, best);
            let allowed = (share * explained).min(leave.remaining * self.means[best]);
            behind <= allowed.max(leave.noise * error)
        };
        let smaller = |one: &usize, other: &usize| {
            rules(*one).cmp(&rules(*other)).then_with(|| by_loss(one, other))
        };
        let own: Vec<usize> = own.collect();
        let as_good = self.threads.map(own.len(), |place| is_as_good(own[place]));
        let as_good = own.iter().zip(as_good).filter(|(_, is_as_good)| *is_as_good);
        as_good.map(|(&one, _)| one).min_by(smaller)
    }

    /// Returns the best of some models.
    #[must_use]
    pub fn best(&self, of: impl Fn(&Candidate<I>) -> bool) -> Option<usize> {
        let own = (0..self.candidates.len()).filter(|&one| of(&self.candidates[one]));
        own.min_by(|&one, &other| self.means[one].total_cmp(&self.means[other]))
    }

    /// Returns how much worse one model is than another, and the standard error of the difference.
    #[must_use]
    pub fn behind(&self, one: usize, other: usize) -> (f64, f64) {
        let [one, other] = [one, other].map(|place| &self.candidates[place].losses);
        let differences = || one.iter().zip(other).map(|(one, other)| one - other);
        let behind = weighted_sum(differences(), self.weights) / self.weight;
        let deviations = differences()
            .zip(self.weights)
            .map(|(difference, weight)| weight * (difference - behind));
        (behind, self.sum_of_squares(deviations).sqrt() / self.weight)
    }

    /// Returns the sum of squared deviations. Examples of one unit are not independent, so their
    /// deviations are added first.
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

    /// Returns the selected size of models whose losses are constant over 100 examples, so that
    /// there is no noise.
    fn selected(models: &[(usize, f64)], size: Size) -> Option<usize> {
        selected_of(100, models, size)
    }

    fn selected_of(examples: usize, models: &[(usize, f64)], size: Size) -> Option<usize> {
        let candidate = |&(rules, loss): &(usize, f64)| Candidate {
            index: (),
            rules,
            losses: vec![loss; examples],
        };
        let candidates: Vec<Candidate<()>> = models.iter().map(candidate).collect();
        let (weights, threads) = (vec![1.0; examples], Threads::callers());
        let all = Candidates::new(&candidates, (&weights, None), 2, false, &threads);
        Some(models[all.select(size)?].0)
    }

    #[test]
    fn small_models_are_reduced_less_than_large_ones() {
        // The explained loss is 0.5; 4 % of it is 0.02.
        let many = [(0, 0.7), (15, 0.219), (20, 0.21), (40, 0.2)];
        assert_eq!(selected(&many, Size::Medium), Some(15));
        let few = [(0, 0.7), (5, 0.219), (8, 0.204), (10, 0.2)];
        assert_eq!(selected(&few, Size::Medium), Some(8));
        assert_eq!(selected(&few, Size::Small), Some(5));
        assert_eq!(selected(&few, Size::Large), Some(10));
        // If fewer than ten rules would do, at most ten are selected, however good larger models
        // are.
        let both = [(0, 0.7), (5, 0.219), (8, 0.213), (10, 0.206), (40, 0.2)];
        assert_eq!(selected(&both, Size::Medium), Some(10));
        // Nearly everything is explained: 4 % of it is more than the whole loss of the best model.
        let clear = [(0, 0.7), (5, 0.035), (15, 0.0215), (40, 0.02)];
        assert_eq!(selected_of(2000, &clear, Size::Medium), Some(15));
        assert_eq!(selected_of(2000, &clear, Size::Small), Some(5));
        assert_eq!(selected(&clear, Size::Medium), Some(5));
        assert_eq!(selected(&[], Size::Medium), None);
        assert_eq!(selected(&[(0, 0.7)], Size::Medium), Some(0));
    }

    #[test]
    fn few_examples_select_within_one_standard_error() {
        // Each example differs, so that 20 rules are 0.8 standard errors behind 40.
        let selected = |examples: usize, rules: [usize; 2]| {
            let distance = 0.8 / (examples as f64).sqrt();
            let of_model = |rules: usize, behind: f64| Candidate {
                index: (),
                rules,
                losses: (0..examples)
                    .map(|example| {
                        10.0 + behind
                            * if example % 2 == 0 { 1.0 + distance } else { distance - 1.0 }
                    })
                    .collect(),
            };
            let models = [of_model(rules[0], 1.0), of_model(rules[1], 0.0)];
            let weights = vec![1.0; examples];
            let threads = Threads::callers();
            let all = Candidates::new(&models, (&weights, None), 2, false, &threads);
            all.select(Size::Medium).map(|selected| models[selected].rules)
        };
        assert_eq!(selected(200, [20, 40]), Some(20));
        assert_eq!(selected(400, [20, 40]), Some(40));
        assert_eq!(selected(200, [5, 10]), Some(10));
    }

    proptest! {
        /// A larger size never selects fewer rules.
        #[test]
        fn a_larger_size_selects_no_fewer_rules(
            models in prop::collection::vec((0usize..50, prop::collection::vec(0.0f64..1.0, 20)), 1..12),
            weights in prop::collection::vec(0.1f64..3.0, 20),
        ) {
            let candidate = |(rules, losses)| {
                Candidate { index: (), rules, losses }
            };
            let candidates: Vec<Candidate<()>> = models.into_iter().map(candidate).collect();
            let threads = Threads::callers();
            let all = Candidates::new(&candidates, (&weights, None), 2, false, &threads);
            let rules = |size| all.select(size).map(|selected| candidates[selected].rules);
            let selected = [Size::Small, Size::Medium, Size::Large].map(rules);
            prop_assert!(selected.is_sorted(), "{:?}", selected);
        }
    }
}
