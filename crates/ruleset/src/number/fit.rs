//! The joint fit of the amounts of all rules.
//!
//! Targets are centered and scaled, so that it does not matter whether a price is in euros or in
//! cents. As with classes, examples to which the same rules apply are one pattern. All amounts are
//! fitted again after each rule, with `z` the target and `f` the sum of intercept and amounts:
//!
//! ```text
//! squared    sum over examples of (z - f)^2 / 2  +  PENALTY / 2 · sum over rules of amount^2
//! absolute   sum over examples of |z - f|        +  PENALTY / 2 · sum over rules of amount^2
//! ```
//!
//! The squared loss is minimized by solving a linear system, the absolute loss by iteratively
//! reweighted least squares, with the inverse of the error as the weight of an example. An amount
//! keeps the sign with which its rule was found; one that would change its sign is set to 0 for now.

use super::Loss;
use super::digits::{short, usual};
use pellucid_learn::linear::solve_positive;
use std::sync::Arc;

/// The penalty of amounts, equivalent to this many examples with target 0.
const PENALTY: f64 = 2.0;
/// The number of reweighting rounds for the absolute loss; each fit starts from the previous one.
const ROUNDS: usize = 5;
/// The smallest distance that is used for a weight.
const CLOSEST: f64 = 1e-3;
/// Marks a pattern whose examples have not been moved yet.
const NOT_MOVED: u32 = u32::MAX;
/// Spreads below this are treated as 0.
const NOTHING: f64 = 1e-9;

/// A number, and the rules found so far.
#[derive(Clone, Debug)]
pub struct NumberFit {
    loss: Loss,
    /// The target of each example, centered and scaled.
    numbers: Vec<f64>,
    /// The weights of examples; 0 for held-out examples.
    weights: Arc<[f64]>,
    pattern_of: Vec<u32>,
    /// The rules that apply, for each pattern.
    patterns: Vec<Vec<u32>>,
    /// The intercept.
    pub base: f64,
    /// The amounts of the rules, in the order in which they were found.
    pub votes: Vec<f64>,
    /// Whether each amount must be positive.
    favors: Vec<bool>,
    middle: f64,
    spread: f64,
    /// The median absolute deviation, which determines the number of digits.
    usual: f64,
}

impl NumberFit {
    /// Creates a fit without rules.
    #[must_use]
    pub fn new(numbers: &[f64], weights: Arc<[f64]>, loss: Loss) -> NumberFit {
        let TargetScale { middle, spread } = TargetScale::of(numbers, &weights, loss);
        let usual = usual(numbers, &weights).unwrap_or(spread);
        // A few outliers must not determine the scale.
        let spread = match loss {
            Loss::Squared => spread,
            Loss::Absolute => usual,
        };
        NumberFit {
            loss,
            numbers: numbers.iter().map(|number| (number - middle) / spread).collect(),
            pattern_of: vec![0; weights.len()],
            weights,
            patterns: vec![Vec::new()],
            base: 0.0,
            votes: Vec::new(),
            favors: Vec::new(),
            middle,
            spread,
            usual,
        }
    }

    /// Returns the loss.
    #[must_use]
    pub fn loss(&self) -> Loss {
        self.loss
    }

    /// Returns the weight of an example.
    #[inline]
    #[must_use]
    pub fn weight(&self, example: u32) -> f64 {
        self.weights[example as usize]
    }

    /// Returns what the rules so far leave unexplained of each example, in units of the scaled target.
    #[must_use]
    pub fn residuals(&self) -> Vec<f64> {
        let sums = self.sums();
        let patterns = self.numbers.iter().zip(&self.pattern_of);
        patterns.map(|(number, &pattern)| number - sums[pattern as usize]).collect()
    }

    /// Adds a rule that applies to these examples; its amount is fitted later.
    pub fn add_rule(&mut self, examples: &[u32], favors: bool) {
        let rule = u32::try_from(self.votes.len()).unwrap_or(u32::MAX);
        self.votes.push(0.0);
        self.favors.push(favors);
        let mut moved = vec![NOT_MOVED; self.patterns.len()];
        for &example in examples {
            let old = self.pattern_of[example as usize] as usize;
            if moved[old] == NOT_MOVED {
                moved[old] = u32::try_from(self.patterns.len()).unwrap_or(u32::MAX);
                let rules = self.patterns[old].iter().copied().chain([rule]).collect();
                self.patterns.push(rules);
            }
            self.pattern_of[example as usize] = moved[old];
        }
    }

    /// Returns the scaled prediction for each pattern.
    fn sums(&self) -> Vec<f64> {
        let sum = |rules: &Vec<u32>| {
            self.base + rules.iter().map(|&rule| self.votes[rule as usize]).sum::<f64>()
        };
        self.patterns.iter().map(sum).collect()
    }

    /// Returns the predictions for some examples, in the units of the target.
    pub fn scores<'a>(&'a self, examples: &'a [u32]) -> impl Iterator<Item = f64> + use<'a> {
        let sums: Vec<f64> =
            self.sums().into_iter().map(|sum| self.middle + self.spread * sum).collect();
        examples.iter().map(move |&example| sums[self.pattern_of[example as usize] as usize])
    }

    /// Returns the intercept and the amounts, in the units of the target and rounded to meaningful
    /// digits.
    #[must_use]
    pub fn rounded(&self) -> (f64, Vec<f64>) {
        let short = |number: f64| short(number, self.usual);
        let votes = self.votes.iter().map(|votes| short(votes * self.spread)).collect();
        (short(self.middle + self.spread * self.base), votes)
    }

    /// Fits all amounts.
    pub fn refit(&mut self) {
        let mut active: Vec<usize> = (0..self.votes.len()).collect();
        loop {
            match self.loss {
                Loss::Squared => {
                    let weights = Arc::clone(&self.weights);
                    self.fit(&active, &weights);
                }
                Loss::Absolute => {
                    for _ in 0..ROUNDS {
                        let weights = self.by_distance();
                        self.fit(&active, &weights);
                    }
                }
            }
            let wrong = |&rule: &usize| (self.votes[rule] > 0.0) != self.favors[rule];
            if !active.iter().any(wrong) {
                return;
            }
            active.retain(|rule| !wrong(rule));
            let is_active = |rule: usize| active.contains(&rule);
            let votes = self.votes.iter().enumerate();
            self.votes =
                votes.map(|(rule, &vote)| if is_active(rule) { vote } else { 0.0 }).collect();
        }
    }

    /// Returns the weights with which squared errors equal absolute errors.
    fn by_distance(&self) -> Vec<f64> {
        let sums = self.sums();
        let weight = |example: usize| {
            let off = self.numbers[example] - sums[self.pattern_of[example] as usize];
            self.weights[example] / off.abs().max(CLOSEST)
        };
        (0..self.numbers.len()).map(weight).collect()
    }

    /// Fits the intercept and some amounts by weighted least squares.
    fn fit(&mut self, active: &[usize], weights: &[f64]) {
        let mut of_patterns = vec![(0.0, 0.0); self.patterns.len()];
        for (example, &weight) in weights.iter().enumerate() {
            let (all, sum) = &mut of_patterns[self.pattern_of[example] as usize];
            *all += weight;
            *sum += weight * self.numbers[example];
        }
        let mut place = vec![None; self.votes.len()];
        active.iter().enumerate().for_each(|(at, &rule)| place[rule] = Some(at + 1));
        let size = active.len() + 1;
        let (mut right, mut matrix) = (vec![0.0; size], vec![0.0; size * size]);
        for (rules, (weight, sum)) in self.patterns.iter().zip(of_patterns) {
            let known = rules.iter().filter_map(|&rule| place[rule as usize]);
            let places: Vec<usize> = std::iter::once(0).chain(known).collect();
            for (index, &row) in places.iter().enumerate() {
                right[row] += sum;
                // Rules are in ascending order, so this fills the lower triangle.
                places[..=index].iter().for_each(|&column| matrix[row * size + column] += weight);
            }
        }
        matrix[0] += NOTHING;
        (1..size).for_each(|rule| matrix[rule * size + rule] += PENALTY);
        if let Some(found) = solve_positive(matrix, right) {
            self.base = found[0];
            active.iter().zip(&found[1..]).for_each(|(&rule, &amount)| self.votes[rule] = amount);
        }
    }
}

/// The middle and the spread of numbers, by which they are centered and scaled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TargetScale {
    /// The mean, or the median.
    pub middle: f64,
    /// The root mean squared distance from it; 1 if all numbers are the same.
    pub spread: f64,
}

impl TargetScale {
    /// Returns the scale of numbers with these weights.
    #[must_use]
    pub fn of(numbers: &[f64], weights: &[f64], loss: Loss) -> TargetScale {
        let middle = middle(numbers, weights, loss);
        let far = numbers.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
        let farthest = far.map(|(number, _)| (number - middle).abs()).fold(0.0, f64::max);
        // Scaling by the largest distance keeps squares from overflowing.
        let unit = if farthest > 0.0 && farthest.is_finite() { farthest } else { 1.0 };
        let (mut squares, mut weight) = (0.0, 0.0);
        for (number, own) in numbers.iter().zip(weights) {
            squares += own * ((number - middle) / unit).powi(2);
            weight += own;
        }
        let spread = unit * (squares / weight.max(f64::MIN_POSITIVE)).sqrt();
        TargetScale {
            middle,
            spread: if spread > 0.0 && spread.is_finite() { spread } else { 1.0 },
        }
    }
}

/// Returns the prediction without rules: the mean, or the median.
#[must_use]
pub fn middle(numbers: &[f64], weights: &[f64], loss: Loss) -> f64 {
    let all: f64 = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    match loss {
        Loss::Squared => {
            numbers.iter().zip(weights).map(|(number, weight)| number * (weight / all)).sum()
        }
        Loss::Absolute => {
            let known = numbers.iter().copied().zip(weights.iter().copied());
            let mut sorted: Vec<(f64, f64)> = known.filter(|(_, weight)| *weight > 0.0).collect();
            sorted.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
            let mut below = 0.0;
            let half = |&&(_, weight): &&(f64, f64)| {
                below += weight;
                below >= all / 2.0
            };
            sorted.iter().find(half).map_or(0.0, |(number, _)| *number)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn amounts(numbers: &[f64], rules: &[u64], loss: Loss) -> NumberFit {
        let weights: Arc<[f64]> = vec![1.0; numbers.len()].into();
        let mut amounts = NumberFit::new(numbers, weights, loss);
        for rule in rules {
            let own: Vec<u32> =
                (0u32..).take(numbers.len()).filter(|example| rule >> example & 1 == 1).collect();
            let mean = |all: &mut dyn Iterator<Item = f64>| {
                let all: Vec<f64> = all.collect();
                all.iter().sum::<f64>() / all.len().max(1) as f64
            };
            let inside = mean(&mut own.iter().map(|&example| numbers[example as usize]));
            amounts.add_rule(&own, inside > mean(&mut numbers.iter().copied()));
            amounts.refit();
        }
        amounts
    }

    /// Returns the loss that is minimized.
    fn loss(amounts: &NumberFit) -> f64 {
        let sums = amounts.sums();
        let off = |example: usize| {
            (amounts.numbers[example] - sums[amounts.pattern_of[example] as usize]).abs()
        };
        let of_example = |example: usize| match amounts.loss {
            Loss::Squared => off(example).powi(2) / 2.0,
            Loss::Absolute => off(example),
        };
        let penalty = PENALTY / 2.0 * amounts.votes.iter().map(|vote| vote * vote).sum::<f64>();
        (0..amounts.numbers.len()).map(of_example).sum::<f64>() + penalty
    }

    proptest! {
        /// No small change of one amount reduces the loss, unless the amount is forced to 0.
        #[test]
        fn amounts_minimize_the_loss(
            numbers in prop::collection::vec(-9.0f64..9.0, 4..40),
            rules in prop::collection::vec(any::<u64>(), 1..5),
        ) {
            let found = amounts(&numbers, &rules, Loss::Squared);
            let least = loss(&found);
            for rule in 0..=rules.len() {
                for step in [-1e-3, 1e-3] {
                    let mut moved = found.clone();
                    match rule {
                        0 => moved.base += step,
                        rule => moved.votes[rule - 1] += step,
                    }
                    let is_free = rule == 0 || found.votes[rule - 1] != 0.0;
                    prop_assert!(!is_free || loss(&moved) >= least - 1e-9);
                }
            }
            for (vote, favors) in found.votes.iter().zip(&found.favors) {
                prop_assert!(*vote == 0.0 || (*vote > 0.0) == *favors);
            }
        }

        #[test]
        fn the_absolute_loss_is_nearly_minimal(
            numbers in prop::collection::vec(-9.0f64..9.0, 6..40),
            rules in prop::collection::vec(any::<u64>(), 1..4),
        ) {
            let found = amounts(&numbers, &rules, Loss::Absolute);
            let squares = NumberFit { loss: Loss::Absolute, ..amounts(&numbers, &rules, Loss::Squared) };
            if found.spread == squares.spread && found.middle == squares.middle {
                prop_assert!(loss(&found) <= loss(&squares) * 1.02);
            }
        }

        /// The fit does not depend on the units of the target.
        #[test]
        fn units_do_not_matter(
            numbers in prop::collection::vec((-90i32..90).prop_map(f64::from), 4..40),
            rules in prop::collection::vec(any::<u64>(), 1..4),
        ) {
            let in_cents: Vec<f64> = numbers.iter().map(|number| 1024.0 * number + 512.0).collect();
            let (one, other) = (
                amounts(&numbers, &rules, Loss::Squared),
                amounts(&in_cents, &rules, Loss::Squared),
            );
            for (one, other) in one.votes.iter().zip(&other.votes) {
                prop_assert!((one - other).abs() < 1e-9, "{one} {other}");
            }
        }
    }

    #[test]
    fn extreme_targets_are_fitted() {
        let same = amounts(&[3.0; 6], &[0b111], Loss::Squared);
        assert_eq!(same.rounded(), (3.0, vec![0.0]));
        let huge = amounts(&[1e308, -1e308, 1e308, -1e308], &[0b0101], Loss::Squared);
        assert!(huge.rounded().1[0] > 0.0, "{huge:?}");
    }
}
