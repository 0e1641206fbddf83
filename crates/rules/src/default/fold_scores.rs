//! Out-of-fold scores of models of several sizes, and the selection of a size.

use super::Candidate;
use super::goal::Goal;
use super::scored_examples::{ExampleInfo, ScoredExamples};
use crate::model::winner;
use crate::number::NumberSize;
use crate::params::Loss;
use crate::path::RulePath;
use pellucid_device::Threads;
use pellucid_learn::calibrate::Calibration;
use pellucid_learn::digits::rounded;
use pellucid_learn::distinct::DistinctValues;
use pellucid_learn::metrics::{auc_within, number_scores};
use pellucid_learn::out_of_fold::OutOfFold;
use pellucid_learn::score_matrix::ScoreMatrix;
use pellucid_learn::sizes::{best_scale, log_loss};
use serde::{Deserialize, Serialize};

/// The scale of scores is between 2 to the power of minus this and 2 to the power of this.
const LARGEST_POWER: f64 = 3.0;
/// The scale of whole points may be smaller.
const LARGEST_POWER_OF_POINTS: f64 = 8.0;

/// The index of a model: its path, and its index on the path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ModelIndex {
    pub(super) path: usize,
    #[serde(rename = "stop")]
    pub(super) model: usize,
}

/// The out-of-fold scores of each model. With very many examples only some are scored; indices
/// count only those.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct FoldScores {
    classes: usize,
    /// Every `step`-th example is scored, starting with the first.
    step: usize,
    /// The number of times that examples were split into folds; each example has a score per
    /// repetition.
    repeats: usize,
    codes: Vec<u32>,
    weights: Vec<f64>,
    /// The target of each example, if it is a number, and its loss.
    numbers: Option<Vec<f64>>,
    loss: Loss,
    /// Whether scores are whole points, not log odds.
    are_points: bool,
    models: Vec<(ModelIndex, Scores)>,
    /// The scores of the short lists.
    list: Scores,
}

/// The scores of a model by repetition and example: with two classes the margin of the second,
/// otherwise the score of each class. Empty or NaN if not scored yet. Seven digits are enough for
/// the selection.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Scores(Vec<f32>);

impl Scores {
    /// Sets the scores at an index.
    #[expect(clippy::cast_possible_truncation, reason = "seven digits are enough to judge by")]
    fn set(&mut self, index: usize, votes: &[f64]) {
        match *votes {
            [one, other] => self.0[index] = (other - one) as f32,
            _ => {
                let own = &mut self.0[index * votes.len()..][..votes.len()];
                own.iter_mut().zip(votes).for_each(|(own, votes)| *own = *votes as f32);
            }
        }
    }

    /// Passes the scores at an index to a function, without allocating for two classes. The indices
    /// of the first repetition are those of the examples.
    fn with_scores<R>(
        &self,
        index: usize,
        classes: usize,
        made: impl FnOnce(&[f64]) -> R,
    ) -> Option<R> {
        let width = width(classes);
        let votes = self.0.get(index * width..)?.get(..width)?;
        if !votes.iter().all(|votes| votes.is_finite()) {
            return None;
        }
        Some(match votes {
            [lead] if classes == 2 => made(&[0.0, f64::from(*lead)]),
            votes => made(&votes.iter().map(|&votes| f64::from(votes)).collect::<Vec<f64>>()),
        })
    }

    /// Creates scores from the margins of two classes.
    #[cfg(test)]
    pub(super) fn from_margins(leads: Vec<f32>) -> Scores {
        Scores(leads)
    }

    /// Returns the margins of the second of two classes.
    pub(super) fn margins(&self) -> &[f32] {
        &self.0
    }

    /// Returns the distinct pairs of margin and class, if there are few.
    fn few(&self, codes: &[u32]) -> Option<DistinctValues> {
        let with_class =
            |(lead, code): (&f32, &u32)| u64::from(lead.to_bits()) << 32 | u64::from(*code);
        DistinctValues::of(self.0.iter().zip(codes.iter().cycle()).map(with_class))
    }
}

/// Returns every `step`-th element, starting with the first.
fn every<T: Copy>(step: usize, of_examples: &[T]) -> Vec<T> {
    of_examples.iter().copied().step_by(step).collect()
}

fn width(classes: usize) -> usize {
    if classes == 2 { 1 } else { classes }
}

impl FoldScores {
    /// Creates an empty table for some examples, of which every `step`-th is scored in each
    /// repetition.
    pub(super) fn new(
        (step, repeats): (usize, usize),
        codes: &[u32],
        weights: &[f64],
        classes: usize,
        (numbers, loss): (Option<&[f64]>, Loss),
    ) -> FoldScores {
        let (codes, weights) = (every(step, codes), every(step, weights));
        let numbers = numbers.map(|numbers| every(step, numbers));
        let (models, list, are_points) = (Vec::new(), Scores::default(), false);
        FoldScores {
            classes,
            step,
            repeats,
            codes,
            weights,
            numbers,
            loss,
            are_points,
            models,
            list,
        }
    }

    /// Expects scores that are whole points, not log odds.
    pub(super) fn expect_whole_points(&mut self) {
        self.are_points = true;
    }

    /// Returns the out-of-fold score of each example in the first repetition and whether it is of the
    /// second class; empty while scores are missing.
    pub(super) fn first_margins(&self, index: ModelIndex) -> Vec<(f64, bool)> {
        let margins = self.at(index).map(Scores::margins).unwrap_or_default();
        let margins = margins.iter().zip(&self.codes);
        let margins: Vec<(f64, bool)> =
            margins.map(|(&margin, &code)| (f64::from(margin), code == 1)).collect();
        match margins.iter().all(|(margin, _)| margin.is_finite()) {
            true => margins,
            false => Vec::new(),
        }
    }

    /// Returns those of some examples that are scored.
    pub(super) fn among(&self, examples: &[u32]) -> Vec<u32> {
        let is_judged = |example: &u32| (*example as usize).is_multiple_of(self.step);
        examples.iter().copied().filter(is_judged).collect()
    }

    /// Returns empty scores for the examples that are scored.
    pub(super) fn unscored(&self) -> Scores {
        Scores(vec![f32::NAN; self.score_count() * width(self.classes)])
    }

    /// Returns the number of scores of a model over all repetitions.
    fn score_count(&self) -> usize {
        self.repeats * self.codes.len()
    }

    /// Returns the example of a score.
    fn example(&self, index: usize) -> usize {
        index % self.codes.len()
    }

    /// Records the scores of some examples in a repetition.
    pub(super) fn record(
        &self,
        scores: &mut Scores,
        repeat: usize,
        examples: &[u32],
        votes: &ScoreMatrix,
    ) {
        for (&example, votes) in examples.iter().zip(votes) {
            if (example as usize).is_multiple_of(self.step) {
                scores.set(repeat * self.codes.len() + example as usize / self.step, votes);
            }
        }
    }

    /// Returns whether there are no examples yet.
    pub(super) fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// Checks that the table fits the numbers of examples and classes, and that its models are on
    /// the paths.
    pub(super) fn fits(
        &self,
        examples: usize,
        repeats: usize,
        classes: usize,
        paths: &[RulePath],
    ) -> bool {
        let step = OutOfFold::step(examples);
        let examples = examples.div_ceil(step);
        let is_whole = |scores: &Scores| scores.0.len() == repeats * examples * width(classes);
        let is_there = |index: &ModelIndex| {
            paths.get(index.path).is_some_and(|path| index.model < path.models.len())
        };
        self.classes == classes
            && self.step == step
            && self.repeats == repeats
            && self.models.iter().all(|(index, scores)| is_there(index) && is_whole(scores))
            && (self.list == Scores::default() || is_whole(&self.list))
            && self.codes.len() == examples
            && self.numbers.as_ref().is_none_or(|numbers| numbers.len() == examples)
            && self.codes.iter().all(|&code| (code as usize) < classes)
            && self.weights.len() == examples
            && self.weights.iter().all(|weight| weight.is_finite())
    }

    /// Returns the classes of the scored examples.
    pub(super) fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// Adds the scores of a model.
    pub(super) fn keep(&mut self, index: ModelIndex, scores: Scores) {
        self.models.push((index, scores));
    }

    /// Adds the scores of a short list on some examples; one repetition is enough.
    pub(super) fn keep_list(&mut self, examples: &[u32], votes: &ScoreMatrix) {
        let mut list = std::mem::take(&mut self.list);
        if list == Scores::default() {
            list = self.unscored();
        }
        self.record(&mut list, 0, examples, votes);
        self.list = list;
    }

    /// Returns the scores of the short lists.
    pub(super) fn list(&self) -> &Scores {
        &self.list
    }

    /// Returns the scores of a model.
    pub(super) fn at(&self, index: ModelIndex) -> Option<&Scores> {
        self.models.iter().find(|(other, _)| *other == index).map(|(_, scores)| scores)
    }

    /// Returns all scores of a model; `None` while some are missing.
    fn all_votes(&self, scores: &Scores) -> Option<ScoreMatrix> {
        self.first_votes(scores, self.score_count())
    }

    /// Returns the first scores of a model; `None` while some are missing.
    fn first_votes(&self, scores: &Scores, places: usize) -> Option<ScoreMatrix> {
        let mut votes = Vec::with_capacity(places * self.classes);
        for index in 0..places {
            scores.with_scores(index, self.classes, |own| votes.extend_from_slice(own))?;
        }
        Some(ScoreMatrix::new(self.classes, votes))
    }

    /// Returns the weight of the examples that a model predicts correctly in the first repetition,
    /// among those that another model has scored too.
    pub(super) fn right(&self, scores: &Scores, both: &Scores, weights: &[f64]) -> f64 {
        let is_right = |&example: &usize| {
            let is_own = |votes: &[f64]| winner(votes) == self.codes[example];
            both.with_scores(example, self.classes, |_| ()).is_some()
                && scores.with_scores(example, self.classes, is_own) == Some(true)
        };
        (0..self.codes.len()).filter(is_right).map(|example| weights[example]).sum()
    }

    /// Returns the weight of the examples that a model has scored.
    pub(super) fn weight(&self, scores: &Scores, weights: &[f64]) -> f64 {
        let is_judged =
            |&example: &usize| scores.with_scores(example, self.classes, |_| ()).is_some();
        (0..self.codes.len()).filter(is_judged).map(|example| weights[example]).sum()
    }

    /// Returns the AUC of two classes within the folds of the first repetition, given the fold of
    /// each example and the weights of the scored examples; `None` while scores are missing.
    pub(super) fn auc(&self, scores: &Scores, folds: &[u32], weights: &[f64]) -> Option<f64> {
        let margins: Vec<f64> = scores
            .margins()
            .get(..self.codes.len())?
            .iter()
            .map(|&margin| f64::from(margin))
            .collect();
        if margins.iter().any(|margin| margin.is_nan()) {
            return None;
        }
        let folds: Vec<u32> = self.examples().map(|example| folds[example]).collect();
        let is_second: Vec<bool> = self.codes.iter().map(|&code| code == 1).collect();
        auc_within(&folds, &margins, &is_second, Some(weights))
    }

    /// Returns the weights of the scored examples.
    pub(super) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Returns the indices of the scored examples among all examples.
    pub(super) fn examples(&self) -> impl Iterator<Item = usize> {
        (0..self.codes.len()).map(|index| index * self.step)
    }

    /// Passes the scores of an example in a repetition to a function.
    pub(super) fn scores<R>(
        &self,
        scores: &Scores,
        (repeat, index): (usize, usize),
        made: impl FnOnce(&[f64]) -> R,
    ) -> Option<R> {
        scores.with_scores(repeat * self.codes.len() + index, self.classes, made)
    }

    /// Returns the mean loss of each example over the repetitions: the log loss, plus the cost of a wrong
    /// class at the threshold of the model. Models with few rules have scores that are too small, which
    /// calibration corrects; so each model's scores are scaled optimally first.
    fn losses(&self, scores: &Scores, goal: &Goal) -> Vec<f64> {
        let votes = if goal.moves_threshold() { self.all_votes(scores) } else { None };
        let codes = || self.codes.repeat(self.repeats);
        let shift = votes.map_or_else(Vec::new, |votes| goal.shift(&votes, &codes()));
        let scale = if self.numbers.is_some() { 1.0 } else { self.scale(scores) };
        let of_votes = |example: usize, votes: &[f64]| {
            if let Some(numbers) = &self.numbers {
                let off = votes[0] - numbers[example];
                return match self.loss {
                    Loss::Squared => off * off,
                    Loss::Absolute => off.abs(),
                };
            }
            let actual = self.codes[example];
            log_loss(votes, actual as usize, scale) + goal.cost(votes, &shift, actual)
        };
        let of_place = |index: usize| {
            let example = self.example(index);
            scores.with_scores(index, self.classes, |votes| of_votes(example, votes)).unwrap_or(0.0)
        };
        // With two classes the loss depends only on the margin and the class, and there are few
        // distinct pairs.
        let few = if self.classes == 2 { scores.few(&self.codes) } else { None };
        let known: Option<(Vec<f64>, Vec<u32>)> = few.map(|few| {
            let mut known = vec![None; few.distinct.len()];
            for (index, &of) in few.places.iter().enumerate() {
                known[of as usize].get_or_insert_with(|| of_place(index));
            }
            (known.into_iter().map(Option::unwrap_or_default).collect(), few.places)
        });
        let loss = |index: usize| match &known {
            Some((known, places)) => known[places[index] as usize],
            None => of_place(index),
        };
        let examples = self.codes.len();
        let mean = |example: usize| {
            (0..self.repeats).map(|repeat| loss(repeat * examples + example)).sum::<f64>()
                / self.repeats as f64
        };
        (0..examples).map(mean).collect()
    }

    /// Returns the factor for scores that minimizes the log loss, on a few thousand examples.
    fn scale(&self, scores: &Scores) -> f64 {
        let scored = |index: usize| {
            let votes = scores.with_scores(index, self.classes, <[f64]>::to_vec)?;
            let example = self.example(index);
            Some((votes, self.codes[example], self.weights[example]))
        };
        let smallest = if self.are_points { LARGEST_POWER_OF_POINTS } else { LARGEST_POWER };
        best_scale(self.score_count(), (-smallest, LARGEST_POWER), scored)
    }

    /// Returns the models from some index on, each with its out-of-fold losses.
    pub(super) fn candidates(
        &self,
        first: usize,
        rules_of: impl Fn(ModelIndex) -> usize + Sync,
        goal: &Goal,
        threads: &Threads,
    ) -> Vec<Candidate> {
        let models = &self.models[first..];
        threads.map(models.len(), |model| {
            let (index, scores) = &models[model];
            Candidate { index: *index, rules: rules_of(*index), losses: self.losses(scores, goal) }
        })
    }

    /// Writes the cross-validation scores of each size to a path; `folds` has the held-out fold of
    /// all examples by repetition.
    pub(super) fn write_scores(
        &self,
        (number, path): (usize, &mut RulePath),
        folds: &[Vec<u32>],
        goal: &Goal,
        threads: &Threads,
    ) {
        let folds = folds.iter().flat_map(|folds| every(self.step, folds)).collect();
        let (codes, weights) = (self.codes.repeat(self.repeats), self.weights.repeat(self.repeats));
        let all: f64 = weights.iter().sum();
        let examples = ExampleInfo { codes, folds, weights };
        // A threshold is fitted example by example.
        let may_join = self.classes == 2 && !goal.moves_threshold();
        let results = threads.map(path.models.len(), |model| {
            let scores = self.at(ModelIndex { path: number, model })?;
            let joined = if may_join { ScoredExamples::grouped(scores, &examples) } else { None };
            let each = || Some(ScoredExamples::one_by_one(self.all_votes(scores)?, &examples));
            let ScoredExamples { mut votes, codes, folds, weights, counts } =
                joined.or_else(each)?;
            let shift = goal.shift(&votes, &codes);
            // Probabilities do not depend on the threshold.
            let calibration = Calibration::fit_repeated(
                &votes.by_example(),
                &codes,
                counts.as_deref(),
                self.repeats,
                self.classes,
            );
            let calibration = calibration.map(|curve| curve.shifted(&shift));
            votes.shift(&shift);
            let of_votes = || votes.iter().zip(&*codes).zip(&*weights);
            let of_all = |costs: &[f64]| {
                let cost = |votes: &[f64], code: u32| match winner(votes) == code {
                    true => 0.0,
                    false => costs[code as usize],
                };
                of_votes().map(|((votes, &code), weight)| weight * cost(votes, code)).sum::<f64>()
            };
            let cost = goal.miss_costs().map(|costs| short(of_all(&costs) / all));
            let right = of_votes().filter(|((votes, code), _)| winner(votes) == **code);
            let accuracy = short(right.map(|(_, weight)| weight).sum::<f64>() / all);
            let auc = (self.classes == 2).then(|| {
                let margins: Vec<f64> = votes.iter().map(|votes| votes[1] - votes[0]).collect();
                let is_second: Vec<bool> = codes.iter().map(|&code| code == 1).collect();
                auc_within(&folds, &margins, &is_second, Some(&weights)).map(short)
            });
            Some((accuracy, auc.flatten(), cost, calibration, shift))
        });
        for (sized, result) in path.models.iter_mut().zip(results) {
            if let Some((accuracy, auc, cost, calibration, shift)) = result {
                sized.base.iter_mut().zip(&shift).for_each(|(base, shift)| *base += shift);
                (sized.accuracy, sized.auc, sized.cost) = (Some(accuracy), auc, cost);
                sized.calibration = calibration;
            }
        }
    }
}

impl FoldScores {
    /// Returns the cross-validation scores of each size for a number; empty if unknown.
    pub(super) fn number_sizes(
        &self,
        number: usize,
        path: &RulePath,
        threads: &Threads,
    ) -> Vec<NumberSize> {
        let numbers = self.numbers.as_ref().map(|numbers| numbers.repeat(self.repeats));
        let results = threads.map(path.models.len(), |model| {
            let votes = self.all_votes(self.at(ModelIndex { path: number, model })?)?;
            let scores: Vec<f64> = votes.iter().map(|votes| votes[0]).collect();
            let figures = number_scores(numbers.as_ref()?, &scores);
            let (r2, mae) = (short(figures.get("r2")?), rounded(figures.get("mae")?, 5));
            Some(NumberSize { r2, mae, standard_error: None })
        });
        results.into_iter().collect::<Option<_>>().unwrap_or_default()
    }
}

/// Rounds to four decimals; more would be noise.
fn short(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}
