//! What models of several sizes scores of examples that they had not seen, and what follows for the size that is told.

use super::choice::{Candidate, Candidates};
use super::scored_examples::{ExampleInfo, ScoredExamples};
use crate::decide::Decide;
use crate::model::winner;
use crate::number::NumberSize;
use crate::params::{Loss, Size};
use crate::path::RulePath;
use pellucid_device::Threads;
use pellucid_learn::calibrate::Calibration;
use pellucid_learn::few::Few;
use pellucid_learn::learner::Votes;
use pellucid_learn::metrics::{auc_within, number_scores};
use pellucid_learn::out_of_fold::OutOfFold;
use serde::{Deserialize, Serialize};

/// Examples by which it is found how loudly a model should speak, at most.
const MOST_FOR_SCALE: usize = 2048;
/// Votes count at most 2 to so much times as much, and at least the same part.
const LARGEST_POWER: f64 = 3.0;

/// A stop of one of several paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ModelIndex {
    pub(super) path: usize,
    #[serde(rename = "stop")]
    pub(super) model: usize,
}

/// By model and example, the votes of a fold that had not seen it. Where there are very many examples only some are judged; here
/// these alone are counted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct FoldScores {
    classes: usize,
    /// The first example is judged, and from there on each that is so much further on.
    step: usize,
    /// How often examples were dealt into folds; models have scores something of each as often.
    repeats: usize,
    codes: Vec<u32>,
    weights: Vec<f64>,
    /// By example its number, where one is predicted, and what is least.
    numbers: Option<Vec<f64>>,
    loss: Loss,
    models: Vec<(ModelIndex, Scores)>,
    /// What the short lists scores.
    list: Scores,
}

/// By repetition and example the votes of a model: with two classes by how much the second leads, else those of each class. Empty, or not a
/// number, where nothing was scores yet. Seven digits are enough to judge by.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Scores(Vec<f32>);

impl Scores {
    /// Takes in what was scores at a place.
    #[expect(clippy::cast_possible_truncation, reason = "seven digits are enough to judge by")]
    fn set(&mut self, place: usize, votes: &[f64]) {
        match *votes {
            [one, other] => self.0[place] = (other - one) as f32,
            _ => {
                let own = &mut self.0[place * votes.len()..][..votes.len()];
                own.iter_mut().zip(votes).for_each(|(own, votes)| *own = *votes as f32);
            }
        }
    }

    /// What is made of the votes at a place; two need no memory of their own. Those of the first repetition have the numbers of their examples.
    fn with_scores<R>(
        &self,
        place: usize,
        classes: usize,
        made: impl FnOnce(&[f64]) -> R,
    ) -> Option<R> {
        let width = width(classes);
        let votes = self.0.get(place * width..)?.get(..width)?;
        if !votes.iter().all(|votes| votes.is_finite()) {
            return None;
        }
        Some(match votes {
            [lead] if classes == 2 => made(&[0.0, f64::from(*lead)]),
            votes => made(&votes.iter().map(|&votes| f64::from(votes)).collect::<Vec<f64>>()),
        })
    }

    /// What a model scores of two classes.
    #[cfg(test)]
    pub(super) fn from_margins(leads: Vec<f32>) -> Scores {
        Scores(leads)
    }

    /// By how much the second of two classes leads.
    pub(super) fn margins(&self) -> &[f32] {
        &self.0
    }

    /// The leads of the second of two classes, each with the class of its example, where few differ.
    fn few(&self, codes: &[u32]) -> Option<Few> {
        let with_class =
            |(lead, code): (&f32, &u32)| u64::from(lead.to_bits()) << 32 | u64::from(*code);
        Few::of(self.0.iter().zip(codes.iter().cycle()).map(with_class))
    }
}

/// The first of some, and from there on each that is so much further on.
fn every<T: Copy>(step: usize, of_examples: &[T]) -> Vec<T> {
    of_examples.iter().copied().step_by(step).collect()
}

fn width(classes: usize) -> usize {
    if classes == 2 { 1 } else { classes }
}

impl FoldScores {
    /// Nothing scores yet about some examples, of which each is judged that is so much further on than the last, as often as they are
    /// dealt into folds.
    pub(super) fn new(
        (step, repeats): (usize, usize),
        codes: &[u32],
        weights: &[f64],
        classes: usize,
        (numbers, loss): (Option<&[f64]>, Loss),
    ) -> FoldScores {
        let (codes, weights) = (every(step, codes), every(step, weights));
        let numbers = numbers.map(|numbers| every(step, numbers));
        let (models, list) = (Vec::new(), Scores::default());
        FoldScores { classes, step, repeats, codes, weights, numbers, loss, models, list }
    }

    /// Those of some examples that are judged.
    pub(super) fn among(&self, examples: &[u32]) -> Vec<u32> {
        let is_judged = |example: &u32| (*example as usize).is_multiple_of(self.step);
        examples.iter().copied().filter(is_judged).collect()
    }

    /// Nothing, of the examples that are judged.
    pub(super) fn unscored(&self) -> Scores {
        Scores(vec![f32::NAN; self.places() * width(self.classes)])
    }

    /// How much is scores of all examples in all repetitions.
    fn places(&self) -> usize {
        self.repeats * self.codes.len()
    }

    /// The example that something is scores of.
    fn example(&self, place: usize) -> usize {
        place % self.codes.len()
    }

    /// Takes in what was scores of some examples in a repetition.
    pub(super) fn record(
        &self,
        scores: &mut Scores,
        repeat: usize,
        examples: &[u32],
        votes: &Votes,
    ) {
        for (&example, votes) in examples.iter().zip(votes) {
            if (example as usize).is_multiple_of(self.step) {
                scores.set(repeat * self.codes.len() + example as usize / self.step, votes);
            }
        }
    }

    /// Whether it is about no examples yet.
    pub(super) fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// Whether it is about so many examples of so many classes, and about stops that these paths have.
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
            && self.models.iter().all(|(place, scores)| is_there(place) && is_whole(scores))
            && (self.list == Scores::default() || is_whole(&self.list))
            && self.codes.len() == examples
            && self.numbers.as_ref().is_none_or(|numbers| numbers.len() == examples)
            && self.codes.iter().all(|&code| (code as usize) < classes)
            && self.weights.len() == examples
            && self.weights.iter().all(|weight| weight.is_finite())
    }

    /// The classes of the examples that are judged.
    pub(super) fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// Keeps what the folds scores at a stop.
    pub(super) fn keep(&mut self, place: ModelIndex, scores: Scores) {
        self.models.push((place, scores));
    }

    /// Keeps what a short list scores of some examples; one repetition is enough.
    pub(super) fn keep_list(&mut self, examples: &[u32], votes: &Votes) {
        let mut list = std::mem::take(&mut self.list);
        if list == Scores::default() {
            list = self.unscored();
        }
        self.record(&mut list, 0, examples, votes);
        self.list = list;
    }

    /// What the short lists scores.
    pub(super) fn list(&self) -> &Scores {
        &self.list
    }

    /// What was scores at a stop.
    pub(super) fn at(&self, place: ModelIndex) -> Option<&Scores> {
        self.models.iter().find(|(other, _)| *other == place).map(|(_, scores)| scores)
    }

    /// By place what was scores; nothing while some are missing.
    fn all_votes(&self, scores: &Scores) -> Option<Votes> {
        self.first_votes(scores, self.places())
    }

    /// What was scores at so many places.
    fn first_votes(&self, scores: &Scores, places: usize) -> Option<Votes> {
        let mut votes = Vec::with_capacity(places * self.classes);
        for place in 0..places {
            scores.with_scores(place, self.classes, |own| votes.extend_from_slice(own))?;
        }
        Some(Votes::new(self.classes, votes))
    }

    /// The weight of the examples that a model predicts correctly in the first repetition, among those that another model has
    /// scored too.
    pub(super) fn right(&self, scores: &Scores, both: &Scores, weights: &[f64]) -> f64 {
        let is_right = |&example: &usize| {
            let is_own = |votes: &[f64]| winner(votes) == self.codes[example];
            both.with_scores(example, self.classes, |_| ()).is_some()
                && scores.with_scores(example, self.classes, is_own) == Some(true)
        };
        (0..self.codes.len()).filter(is_right).map(|example| weights[example]).sum()
    }

    /// The weight of the examples that a model has scored.
    pub(super) fn weight(&self, scores: &Scores, weights: &[f64]) -> f64 {
        let is_judged =
            |&example: &usize| scores.with_scores(example, self.classes, |_| ()).is_some();
        (0..self.codes.len()).filter(is_judged).map(|example| weights[example]).sum()
    }

    /// The weights of the examples that are judged.
    pub(super) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The places of the examples that are judged among all examples.
    pub(super) fn examples(&self) -> impl Iterator<Item = usize> {
        (0..self.codes.len()).map(|judged| judged * self.step)
    }

    /// What is made of the scores of a judged example in a repetition.
    pub(super) fn scores<R>(
        &self,
        scores: &Scores,
        (repeat, judged): (usize, usize),
        made: impl FnOnce(&[f64]) -> R,
    ) -> Option<R> {
        scores.with_scores(repeat * self.codes.len() + judged, self.classes, made)
    }

    /// By example how much models were at a loss, on average over the repetitions: minus the logarithm of the share it gave to what was so, and 1 more where it was
    /// wrong outright. Few rules say what they say timidly, which is put right when votes become probabilities; so here all
    /// models speak as loudly as is best for them.
    fn losses(&self, scores: &Scores) -> Vec<f64> {
        let scale = if self.numbers.is_some() { 1.0 } else { self.scale(scores) };
        let of_votes = |example: usize, votes: &[f64]| {
            if let Some(numbers) = &self.numbers {
                let off = votes[0] - numbers[example];
                return match self.loss {
                    Loss::Squared => off * off,
                    Loss::Absolute => off.abs(),
                };
            }
            let actual = self.codes[example] as usize;
            let is_wrong = winner(votes) as usize != actual;
            log_loss(votes, actual, scale) + f64::from(u8::from(is_wrong))
        };
        let of_place = |place: usize| {
            let example = self.example(place);
            scores.with_scores(place, self.classes, |votes| of_votes(example, votes)).unwrap_or(0.0)
        };
        // Of two classes it follows from the lead and from what is so, and few leads differ.
        let few = if self.classes == 2 { scores.few(&self.codes) } else { None };
        let known: Option<(Vec<f64>, Vec<u32>)> = few.map(|few| {
            let mut known = vec![None; few.distinct.len()];
            for (place, &of) in few.places.iter().enumerate() {
                known[of as usize].get_or_insert_with(|| of_place(place));
            }
            (known.into_iter().map(Option::unwrap_or_default).collect(), few.places)
        });
        let loss = |place: usize| match &known {
            Some((known, places)) => known[places[place] as usize],
            None => of_place(place),
        };
        let examples = self.codes.len();
        let mean = |example: usize| {
            (0..self.repeats).map(|repeat| loss(repeat * examples + example)).sum::<f64>()
                / self.repeats as f64
        };
        (0..examples).map(mean).collect()
    }

    /// The factor by which votes log_loss least, found on a few thousand examples.
    fn scale(&self, scores: &Scores) -> f64 {
        let step = self.places().div_ceil(MOST_FOR_SCALE).max(1);
        let sampled: Vec<(Vec<f64>, usize, f64)> = (0..self.places())
            .step_by(step)
            .filter_map(|place| {
                let votes = scores.with_scores(place, self.classes, <[f64]>::to_vec)?;
                let example = self.example(place);
                Some((votes, self.codes[example] as usize, self.weights[example]))
            })
            .collect();
        let total_loss = |power: f64| {
            let factor = libm::exp2(power);
            sampled
                .iter()
                .map(|(votes, actual, weight)| weight * log_loss(votes, *actual, factor))
                .sum()
        };
        libm::exp2(lowest(total_loss, -LARGEST_POWER, LARGEST_POWER))
    }

    /// The stops that are wanted, each with its losses on held-out examples.
    pub(super) fn candidates(
        &self,
        rules_of: impl Fn(ModelIndex) -> usize + Sync,
        wanted: impl Fn(ModelIndex) -> bool,
        threads: &Threads,
    ) -> Vec<Candidate> {
        let models: Vec<&(ModelIndex, Scores)> =
            self.models.iter().filter(|(place, _)| wanted(*place)).collect();
        threads.map(models.len(), |model| {
            let (place, scores) = models[model];
            Candidate { index: *place, rules: rules_of(*place), losses: self.losses(scores) }
        })
    }

    /// Of some stops the smallest that is [as good](super::choice) as the best, where examples have these weights and units. `None`
    /// where there are none.
    pub(super) fn smallest_as_good(
        &self,
        candidates: &[Candidate],
        size: Size,
        weights: &[f64],
        units: Option<&[u32]>,
    ) -> Option<ModelIndex> {
        let all = Candidates::new(candidates, (weights, units), self.numbers.is_some());
        Some(candidates[all.select(size)?].index)
    }

    /// Notes with each stop of a path how models of its size did on examples that they had not seen; `folds` says by repetition and by
    /// example, all of them counted, which of them it was.
    pub(super) fn write_scores(
        &self,
        (number, path): (usize, &mut RulePath),
        folds: &[Vec<u32>],
        (decide, classes): (&Decide, &[String]),
        threads: &Threads,
    ) {
        let folds = folds.iter().flat_map(|folds| every(self.step, folds)).collect();
        let (codes, weights) = (self.codes.repeat(self.repeats), self.weights.repeat(self.repeats));
        let all: f64 = weights.iter().sum();
        let examples = ExampleInfo { codes, folds, weights };
        // Where the votes to begin with are moved, that is found example by example.
        let may_join = self.classes == 2 && *decide == Decide::Accuracy;
        let told = threads.map(path.models.len(), |model| {
            let scores = self.at(ModelIndex { path: number, model })?;
            let joined = if may_join { ScoredExamples::grouped(scores, &examples) } else { None };
            let each = || Some(ScoredExamples::one_by_one(self.all_votes(scores)?, &examples));
            let ScoredExamples { mut votes, codes, folds, weights, counts } =
                joined.or_else(each)?;
            let shift = decide.shift(&votes, &codes, classes).unwrap_or_default();
            // Probabilities do not depend on where the threshold is.
            let calibration = Calibration::fit_repeated(
                &votes.by_example(),
                &codes,
                counts.as_deref(),
                self.repeats,
                self.classes,
            );
            let calibration = calibration.map(|curve| curve.shifted(&shift));
            votes.shift(&shift);
            let of_votes = votes.iter().zip(&*codes).zip(&*weights);
            let right = of_votes.filter(|((votes, code), _)| winner(votes) == **code);
            let accuracy = short(right.map(|(_, weight)| weight).sum::<f64>() / all);
            let auc = (self.classes == 2).then(|| {
                let margins: Vec<f64> = votes.iter().map(|votes| votes[1] - votes[0]).collect();
                let is_second: Vec<bool> = codes.iter().map(|&code| code == 1).collect();
                auc_within(&folds, &margins, &is_second, Some(&weights)).map(short)
            });
            Some((accuracy, auc.flatten(), calibration, shift))
        });
        for (stop, told) in path.models.iter_mut().zip(told) {
            if let Some((accuracy, auc, calibration, shift)) = told {
                stop.base.iter_mut().zip(&shift).for_each(|(base, shift)| *base += shift);
                (stop.accuracy, stop.auc, stop.calibration) = (Some(accuracy), auc, calibration);
            }
        }
    }
}

impl FoldScores {
    /// How models of the size of each stop of a path did on numbers that they had not seen; empty where that is not known.
    pub(super) fn number_sizes(
        &self,
        number: usize,
        path: &RulePath,
        threads: &Threads,
    ) -> Vec<NumberSize> {
        let numbers = self.numbers.as_ref().map(|numbers| numbers.repeat(self.repeats));
        let told = threads.map(path.models.len(), |model| {
            let votes = self.all_votes(self.at(ModelIndex { path: number, model })?)?;
            let scores: Vec<f64> = votes.iter().map(|votes| votes[0]).collect();
            let figures = number_scores(numbers.as_ref()?, &scores);
            Some(NumberSize {
                r2: short(figures.get("r2")?),
                mae: format!("{:.4e}", figures.get("mae")?).parse().ok()?,
            })
        });
        told.into_iter().collect::<Option<_>>().unwrap_or_default()
    }
}

/// Minus the logarithm of the share that votes give to what is so when they are so much louder; at most 5.
fn log_loss(votes: &[f64], actual: usize, scale: f64) -> f64 {
    let top = votes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = votes.iter().map(|votes| libm::exp(scale * (votes - top))).sum();
    (libm::log(total) + scale * (top - votes[actual])).min(5.0)
}

/// Where a function with one valley is lowest, to a hundredth or so, by golden sections.
fn lowest(function: impl Fn(f64) -> f64, mut from: f64, mut to: f64) -> f64 {
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let (mut left, mut right) = (to - golden * (to - from), from + golden * (to - from));
    let (mut at_left, mut at_right) = (function(left), function(right));
    while to - from > 0.02 {
        if at_left <= at_right {
            (to, right, at_right) = (right, left, at_left);
            left = to - golden * (to - from);
            at_left = function(left);
        } else {
            (from, left, at_left) = (left, right, at_right);
            right = from + golden * (to - from);
            at_right = function(right);
        }
    }
    f64::midpoint(from, to)
}

/// Four digits: more would be noise.
fn short(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}
