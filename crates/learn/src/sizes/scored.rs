//! Held-out scores of models of several sizes on the same examples.

use super::{Candidate, Candidates, Size, best_scale, draw_units, log_loss};
use crate::calibrate::Calibration;
use crate::learner::Examples;
use crate::metrics::auc_within;
use crate::out_of_fold::{OutOfFold, likeliest};
use crate::rng::Streams;
use pellucid_device::Threads;

/// The most scores that are kept. Of more examples, only every n-th is scored.
const MOST_SCORES: usize = 20_000_000;
/// The estimates of all sizes together have at most about this many scores, so that a report takes about a
/// second longer; and each has at least this many examples.
const MOST_SCORES_BY_SIZE: usize = 1_000_000;
const LEAST_SCORED_BY_SIZE: usize = 1000;
/// The number of draws is chosen so that about this many examples are scored in total, within these limits.
const SCORED: usize = 50_000;
const DRAWS: (usize, usize) = (3, 24);
/// The scale of scores is between 2 to the power of minus this and 2 to the power of this.
const LARGEST_POWER: f64 = 3.0;

/// Which size to select.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SizeChoice {
    /// How good the model has to be.
    pub size: Size,
    /// The most rules; overrides the size.
    pub rules: Option<usize>,
}

/// How a model of some size does on held-out examples.
#[derive(Clone, Debug, PartialEq)]
pub enum SizeScores {
    /// It predicts classes.
    Classes {
        /// The accuracy.
        accuracy: f64,
        /// The standard error of the accuracy.
        error: f64,
        /// The AUC, with two classes.
        auc: Option<f64>,
        /// The curve that turns scores into probabilities.
        calibration: Option<Calibration>,
    },
    /// It predicts a number.
    Number {
        /// R², the share of the variance explained.
        r2: f64,
        /// The mean absolute error.
        mae: f64,
        /// The standard error of the mean absolute error.
        error: f64,
    },
}

/// Held-out scores of models of several sizes.
#[derive(Clone, Debug)]
pub struct ScoredSizes {
    /// The number of rules of each model.
    rules: Vec<usize>,
    /// Every `step`-th example is scored; indices below count only those.
    step: usize,
    codes: Vec<u32>,
    /// The number of each example, if a number is predicted.
    numbers: Option<Vec<f64>>,
    folds: Vec<u32>,
    weights: Vec<f64>,
    /// The unit of each example, if units have several examples.
    units: Option<Vec<u32>>,
    /// The number of scores of an example: one for each class, or one number.
    outputs: usize,
    /// The score of each class by example, or the predicted numbers, for each size.
    scores: Vec<Vec<f64>>,
}

impl ScoredSizes {
    /// Creates an empty table for models with these numbers of rules, given the weight of each example.
    pub fn new<D: Examples>(data: &D, rules: Vec<usize>, weights: Option<Vec<f64>>) -> ScoredSizes {
        let (codes, numbers) = (data.codes(), data.numbers());
        let outputs = if numbers.is_some() { 1 } else { data.classes().len() };
        let all = codes.len() * outputs * rules.len();
        let step = OutOfFold::step(codes.len()).max(all.div_ceil(MOST_SCORES));
        let weights = weights.unwrap_or_else(|| vec![1.0; codes.len()]);
        let codes: Vec<u32> = codes.into_iter().step_by(step).collect();
        ScoredSizes {
            step,
            folds: vec![0; codes.len()],
            weights: weights.into_iter().step_by(step).collect(),
            units: data.groups().map(|units| units.into_iter().step_by(step).collect()),
            numbers: numbers.map(|numbers| numbers.into_iter().step_by(step).collect()),
            outputs,
            scores: vec![vec![0.0; codes.len() * outputs]; rules.len()],
            rules,
            codes,
        }
    }

    /// Returns whether an example is scored.
    #[must_use]
    pub fn has(&self, example: u32) -> bool {
        (example as usize).is_multiple_of(self.step)
    }

    /// Records the scores of some examples of a fold for each size: those that are scored, one after
    /// another.
    pub fn record(&mut self, fold: u32, examples: &[u32], scores: &[Vec<f64>]) {
        let (step, outputs) = (self.step, self.outputs);
        let scored: Vec<usize> = examples
            .iter()
            .map(|&example| example as usize)
            .filter(|example| example.is_multiple_of(step))
            .map(|example| example / step)
            .collect();
        scored.iter().for_each(|&place| self.folds[place] = fold);
        for (all, own) in self.scores.iter_mut().zip(scores) {
            for (&place, own) in scored.iter().zip(own.chunks_exact(outputs)) {
                all[place * outputs..][..outputs].copy_from_slice(own);
            }
        }
    }

    fn scores(&self, size: usize, place: usize) -> &[f64] {
        &self.scores[size][place * self.outputs..][..self.outputs]
    }

    fn example(&self, place: usize) -> u32 {
        u32::try_from(place * self.step).unwrap_or(u32::MAX)
    }

    /// Returns the squared error of each example by the model of a size, or the log loss, with its scores
    /// scaled optimally: models with few rules have scores that are too small, which the calibration
    /// corrects.
    fn losses(&self, size: usize) -> Vec<f64> {
        if let Some(numbers) = &self.numbers {
            let predicted = numbers.iter().zip(&self.scores[size]);
            return predicted.map(|(actual, predicted)| (actual - predicted).powi(2)).collect();
        }
        let scored = |place: usize| {
            Some((self.scores(size, place).to_vec(), self.codes[place], self.weights[place]))
        };
        let scale = best_scale(self.codes.len(), (-LARGEST_POWER, LARGEST_POWER), scored);
        let loss = |(place, &code): (usize, &u32)| {
            log_loss(self.scores(size, place), code as usize, scale)
        };
        self.codes.iter().enumerate().map(loss).collect()
    }

    /// Returns the models as candidates.
    #[must_use]
    pub fn candidates(&self, threads: &Threads) -> Vec<Candidate<usize>> {
        threads.map(self.rules.len(), |size| Candidate {
            index: size,
            rules: self.rules[size],
            losses: self.losses(size),
        })
    }

    /// Returns the index of the selected size, given the weights of the scored examples.
    fn select(
        &self,
        candidates: &[Candidate<usize>],
        weights: &[f64],
        choice: SizeChoice,
        threads: &Threads,
    ) -> usize {
        if let Some(rules) = choice.rules {
            return self.rules.partition_point(|&own| own <= rules).saturating_sub(1);
        }
        let known = (weights, self.units.as_deref());
        let all = Candidates::new(candidates, known, self.outputs, false, threads);
        all.select(choice.size).unwrap_or(0)
    }

    /// Returns the index of the selected size.
    #[must_use]
    pub fn selected(
        &self,
        candidates: &[Candidate<usize>],
        choice: SizeChoice,
        threads: &Threads,
    ) -> usize {
        self.select(candidates, &self.weights, choice, threads)
    }

    /// Returns out-of-fold scores of the whole procedure, including the selection of the size.
    ///
    /// The scores of the selected size are optimistic, because the best of many is partly luck. So units
    /// are drawn with replacement, the size is selected on the drawn ones, and the others are scored at
    /// that size (Tsamardinos, Greasidou and Borboudakis 2018).
    pub fn out_of_fold<D: Examples>(
        &self,
        (data, folds): (&D, usize),
        candidates: &[Candidate<usize>],
        choice: SizeChoice,
        streams: Streams,
        threads: &Threads,
    ) -> OutOfFold {
        let mut scores = OutOfFold::new(data, folds);
        let examples = self.codes.len();
        if choice.rules.is_some() {
            let size = self.selected(candidates, choice, threads);
            (0..examples).for_each(|place| self.push(&mut scores, size, place, 0));
            return scores;
        }
        let draws = (SCORED / examples.max(1)).clamp(DRAWS.0, DRAWS.1);
        // An example is left out of about 37 of 100 draws. Nearly all are scored this often, so that each
        // counts the same.
        let wanted = (draws / 6).max(1);
        let mut scored = vec![0; examples];
        for draw in 0..draws {
            let mut stream = streams.stream(&[draw.into()]);
            let times = draw_units(examples, self.units.as_deref(), &mut stream);
            let own = self.weights.iter().zip(&times);
            let weights: Vec<f64> = own.map(|(own, &times)| own * f64::from(times)).collect();
            let size = self.select(candidates, &weights, choice, threads);
            let first = u32::try_from(draw * folds).unwrap_or(u32::MAX);
            for place in (0..examples).filter(|&place| times[place] == 0) {
                if scored[place] < wanted {
                    self.push(&mut scores, size, place, first);
                }
                scored[place] += 1;
            }
            if scored.iter().all(|&scored| scored >= wanted) {
                break;
            }
        }
        scores
    }

    /// Adds the scores of an example at some size; the number of its model is counted from the first one.
    fn push(&self, into: &mut OutOfFold, size: usize, place: usize, first_model: u32) {
        let (fold, own) = (self.folds[place], self.scores(size, place));
        let class = if self.numbers.is_some() { 0 } else { likeliest(own) };
        into.push_of_model((fold, first_model + fold), self.example(place), class, Some(own));
    }

    /// Returns the out-of-fold scores of each size, which is given and not selected. Of very many
    /// examples only some are scored. Empty if too few could be scored.
    pub fn by_size<D: Examples>(&self, data: &D, folds: usize) -> Vec<OutOfFold> {
        let examples = self.codes.len();
        let step =
            (examples * self.outputs * self.rules.len()).div_ceil(MOST_SCORES_BY_SIZE).max(1);
        if step > 1 && examples / step < LEAST_SCORED_BY_SIZE {
            return Vec::new();
        }
        let of_size = |size| {
            let mut out = OutOfFold::new(data, folds);
            (0..examples).step_by(step).for_each(|place| self.push(&mut out, size, place, 0));
            out
        };
        (0..self.rules.len()).map(of_size).collect()
    }

    /// Returns how the models of all sizes do, given their out-of-fold scores or none.
    #[must_use]
    pub fn summaries(&self, by_size: &[OutOfFold], threads: &Threads) -> Vec<SizeScores> {
        threads.map(self.rules.len(), |size| {
            if let Some(numbers) = &self.numbers {
                return self.number_scores(size, numbers);
            }
            let is_right = |place: usize| likeliest(self.scores(size, place)) == self.codes[place];
            let (accuracy, error) = self.mean(|place| f64::from(u8::from(is_right(place))));
            let auc = if self.outputs == 2 { self.auc(size) } else { None };
            let calibration = by_size.get(size).and_then(OutOfFold::calibration);
            SizeScores::Classes { accuracy, error, auc, calibration }
        })
    }

    fn auc(&self, size: usize) -> Option<f64> {
        let margins: Vec<f64> =
            self.scores[size].chunks_exact(2).map(|own| own[1] - own[0]).collect();
        let is_second: Vec<bool> = self.codes.iter().map(|&code| code == 1).collect();
        auc_within(&self.folds, &margins, &is_second, Some(&self.weights))
    }

    /// Returns the scores of predicted numbers.
    fn number_scores(&self, size: usize, numbers: &[f64]) -> SizeScores {
        let off = |place: usize| numbers[place] - self.scores[size][place];
        let (mae, error) = self.mean(|place| off(place).abs());
        let (middle, _) = self.mean(|place| numbers[place]);
        let (unexplained, _) = self.mean(|place| off(place).powi(2));
        let (variance, _) = self.mean(|place| (numbers[place] - middle).powi(2));
        SizeScores::Number { r2: 1.0 - unexplained / variance.max(f64::MIN_POSITIVE), mae, error }
    }

    /// Returns the weighted mean of a value over all examples and its standard error. Examples of one unit
    /// are not independent, so their deviations are added first.
    fn mean(&self, value: impl Fn(usize) -> f64) -> (f64, f64) {
        let all = self.weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let values: Vec<f64> = (0..self.codes.len()).map(value).collect();
        let own = values.iter().zip(&self.weights);
        let mean = own.map(|(value, weight)| value * weight).sum::<f64>() / all;
        let unit = |place: usize| self.units.as_ref().map_or(place, |units| units[place] as usize);
        let count = (0..self.codes.len()).map(|place| unit(place) + 1).max().unwrap_or(0);
        let mut sums = vec![0.0; count];
        for (place, value) in values.iter().enumerate() {
            sums[unit(place)] += self.weights[place] * (value - mean);
        }
        (mean, sums.iter().map(|sum| sum * sum).sum::<f64>().sqrt() / all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_data::{ClassTarget, Dataset, NumberTarget};

    /// Returns the accuracy and its standard error.
    fn accuracy(scores: &SizeScores) -> (f64, f64) {
        match scores {
            SizeScores::Classes { accuracy, error, .. } => (*accuracy, *error),
            SizeScores::Number { .. } => (f64::NAN, f64::NAN),
        }
    }

    fn labeled(codes: Vec<u32>) -> Dataset {
        let classes = vec!["no".into(), "yes".into()];
        let target = ClassTarget { name: "class".into(), classes, codes };
        Dataset { rows: target.codes.len(), target: Some(target), ..Dataset::default() }
    }

    /// Three sizes: no rule, one that is right about three of four examples, and one that is always right.
    fn sizes(data: &Dataset) -> ScoredSizes {
        let mut sized = ScoredSizes::new(data, vec![0, 1, 5], None);
        let codes = Examples::codes(data);
        for fold in 0..5_u32 {
            let own = || (fold..).step_by(5).take(codes.len() / 5);
            let margin = |example: u32, is_right: bool| {
                let sign = if (codes[example as usize] == 1) == is_right { 1.0 } else { -1.0 };
                [0.0, sign]
            };
            let none = own().flat_map(|_| [0.1, 0.0]).collect();
            let one = own().flat_map(|example| margin(example, example % 4 != 0)).collect();
            let all = own().flat_map(|example| margin(example, true)).collect();
            sized.record(fold, &own().collect::<Vec<_>>(), &[none, one, all]);
        }
        sized
    }

    #[test]
    fn the_clearly_better_size_is_selected_and_scored() {
        let data = labeled((0..200).map(|row| row % 2).collect());
        let (sized, threads) = (sizes(&data), Threads::callers());
        let found = sized.summaries(&[], &threads);
        assert_eq!(found.iter().map(|own| accuracy(own).0).collect::<Vec<_>>(), [0.5, 0.75, 1.0]);
        let expected = (0.75_f64 * 0.25 / 200.0).sqrt();
        assert!((accuracy(&found[1]).1 - expected).abs() < 1e-12 && accuracy(&found[2]).1 == 0.0);
        let candidates = sized.candidates(&threads);
        for size in [Size::Small, Size::Medium, Size::Large] {
            let choice = SizeChoice { size, rules: None };
            assert_eq!(sized.selected(&candidates, choice, &threads), 2);
            let scores =
                sized.out_of_fold((&data, 5), &candidates, choice, Streams::new(1), &threads);
            let accuracy = scores.summary().accuracy.map(|figure| figure.estimate.value);
            assert_eq!(accuracy, Some(1.0));
        }
        for (rules, index) in [(0, 0), (1, 1), (4, 1), (5, 2), (99, 2)] {
            let choice = SizeChoice { rules: Some(rules), ..SizeChoice::default() };
            assert_eq!(sized.selected(&candidates, choice, &threads), index);
        }
        assert_eq!(sized.by_size(&data, 5).len(), 3);
    }

    #[test]
    fn examples_of_a_unit_are_not_independent() {
        let mut data = labeled((0..200).map(|row| row / 10 % 2).collect());
        let alone = sizes(&data).summaries(&[], &Threads::callers());
        data.groups = Some((0..200).map(|row| row / 10).collect());
        let grouped = sizes(&data).summaries(&[], &Threads::callers());
        assert!(accuracy(&grouped[0]).1 > 3.0 * accuracy(&alone[0]).1, "{grouped:?}");
        assert_eq!(accuracy(&grouped[0]).0, accuracy(&alone[0]).0);
    }

    #[test]
    fn the_size_of_a_model_that_predicts_a_number_is_selected_by_its_squared_error() {
        let values: Vec<f64> = (0..200).map(|row| f64::from(row % 7)).collect();
        let number = NumberTarget { name: "price".into(), values: values.clone() };
        let data = Dataset { rows: 200, number: Some(number), ..Dataset::default() };
        let weights: Vec<f64> = (0..200).map(|row| f64::from(1 + row % 2)).collect();
        let mut sized = ScoredSizes::new(&data, vec![0, 2, 4], Some(weights));
        for fold in 0..5_u32 {
            let own: Vec<u32> = (fold..200).step_by(5).collect();
            let numbers = |off: f64| own.iter().map(|&row| values[row as usize] + off).collect();
            sized.record(fold, &own, &[vec![3.0; own.len()], numbers(0.5), numbers(0.0)]);
        }
        let threads = Threads::callers();
        let candidates = sized.candidates(&threads);
        assert_eq!(candidates[1].losses, vec![0.25; 200]);
        assert_eq!(sized.selected(&candidates, SizeChoice::default(), &threads), 2);
        let found = sized.summaries(&[], &threads);
        assert!(matches!(found[2], SizeScores::Number { r2: 1.0, mae: 0.0, error: 0.0 }));
        assert!(matches!(found[1], SizeScores::Number { mae: 0.5, error: 0.0, .. }), "{found:?}");
        let scores = (&data, 5);
        let streams = Streams::new(1);
        let all = sized.out_of_fold(scores, &candidates, SizeChoice::default(), streams, &threads);
        let r2 = all.number_summary().and_then(|summary| summary.r2);
        assert_eq!(r2.map(|figure| figure.estimate.value), Some(1.0));
        assert_eq!(sized.by_size(&data, 5).len(), 3);
    }
}
