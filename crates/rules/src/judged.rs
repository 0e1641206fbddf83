//! What models of several sizes said of examples that they had not seen, and what follows for the size that is told.

use crate::model::winner;
use crate::params::Size;
use crate::path::RulePath;
use pellucid_learn::calibrate::Calibration;
use pellucid_learn::metrics::Ranking;
use pellucid_learn::split::Split;
use serde::{Deserialize, Serialize};

/// By size of the model and by example, the votes of a fold that had not seen it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Judged {
    classes: usize,
    /// By model, by example and class; not a number where nothing was said yet.
    votes: Vec<Vec<f32>>,
    codes: Vec<u32>,
    /// By example its weight, 0 where it was not judged yet.
    weights: Vec<f64>,
}

impl Judged {
    /// Nothing said yet by so many models about so many examples.
    pub(crate) fn new(models: usize, examples: usize, classes: usize) -> Judged {
        let votes = vec![vec![f32::NAN; examples * classes]; models];
        Judged { classes, votes, codes: vec![0; examples], weights: vec![0.0; examples] }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.votes.is_empty()
    }

    /// Whether it is about so many models, examples and classes.
    pub(crate) fn fits(&self, models: usize, examples: usize, classes: usize) -> bool {
        self.classes == classes
            && self.votes.len() == models
            && self.votes.iter().all(|votes| votes.len() == examples * classes)
            && self.codes.len() == examples
            && self.codes.iter().all(|&code| (code as usize) < classes)
            && self.weights.len() == examples
            && self.weights.iter().all(|weight| weight.is_finite())
    }

    /// The place of the short list, after the models of the path.
    pub(crate) fn list(&self) -> usize {
        self.votes.len().saturating_sub(1)
    }

    /// The test examples of a fold, with their classes and weights.
    pub(crate) fn weigh(&mut self, split: &Split, codes: &[u32], weights: &[f64]) {
        for ((&example, &code), &weight) in split.test.iter().zip(codes).zip(weights) {
            self.codes[example as usize] = code;
            self.weights[example as usize] = weight;
        }
    }

    /// Keeps what a model said of the test examples of a fold.
    pub(crate) fn keep(&mut self, model: usize, split: &Split, said: impl Fn(usize) -> Vec<f64>) {
        for (place, &example) in split.test.iter().enumerate() {
            let own = &mut self.votes[model][example as usize * self.classes..][..self.classes];
            #[expect(
                clippy::cast_possible_truncation,
                reason = "seven digits are enough to judge by"
            )]
            own.iter_mut().zip(said(place)).for_each(|(own, votes)| *own = votes as f32);
        }
    }

    /// The weight of all examples that were judged.
    pub(crate) fn weight(&self) -> f64 {
        self.weights.iter().sum()
    }

    fn of(&self, model: usize, example: usize) -> Option<Vec<f64>> {
        let votes = self.votes.get(model)?.get(example * self.classes..)?.get(..self.classes)?;
        let votes: Vec<f64> = votes.iter().map(|&votes| f64::from(votes)).collect();
        votes.iter().all(|votes| votes.is_finite()).then_some(votes)
    }

    /// By example what a model said; nothing while some are missing.
    pub(crate) fn votes(&self, model: usize) -> Option<Vec<Vec<f64>>> {
        (0..self.codes.len()).map(|example| self.of(model, example)).collect()
    }

    /// The weight of the examples that a model was right about.
    pub(crate) fn right(&self, model: usize) -> f64 {
        let is_right = |&example: &usize| {
            self.of(model, example).is_some_and(|votes| winner(&votes) == self.codes[example])
        };
        (0..self.codes.len()).filter(is_right).map(|example| self.weights[example]).sum()
    }

    /// By example how much a model was at a loss: minus the logarithm of the share it gave to what was so, and 1 more where it was
    /// wrong outright.
    fn losses(&self, model: usize) -> Vec<f64> {
        let loss = |example: usize| {
            let Some(votes) = self.of(model, example) else { return 0.0 };
            let actual = self.codes[example] as usize;
            let top = votes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let total: f64 = votes.iter().map(|votes| libm::exp(votes - top)).sum();
            let surprise = (libm::log(total) + top - votes[actual]).min(5.0);
            surprise + f64::from(u8::from(winner(&votes) as usize != actual))
        };
        (0..self.codes.len()).map(loss).collect()
    }

    /// Of models of some sizes the smallest that is not worse than the best by more than the noise between the two, or by more
    /// than a small share of what the best explains; of equal sizes the better one. Nothing where nothing was judged.
    pub(crate) fn smallest_as_good(&self, size: Size, models: &[(usize, usize)]) -> Option<usize> {
        if self.is_empty() {
            return None;
        }
        let weight = self.weight().max(f64::MIN_POSITIVE);
        let mean = |loss: &[f64]| {
            loss.iter().zip(&self.weights).map(|(loss, weight)| loss * weight).sum::<f64>() / weight
        };
        let judged: Vec<(usize, usize, Vec<f64>, f64)> = models
            .iter()
            .map(|&(model, rules)| {
                let losses = self.losses(model);
                let mean = mean(&losses);
                (model, rules, losses, mean)
            })
            .collect();
        let best = judged.iter().min_by(|left, right| left.3.total_cmp(&right.3))?;
        let nothing =
            judged.iter().find(|(_, rules, ..)| *rules == 0).map_or(best.3, |none| none.3);
        let small = size.share() * (nothing - best.3);
        let is_as_good = |losses: &[f64]| {
            let differences: Vec<f64> =
                losses.iter().zip(&best.2).map(|(one, other)| one - other).collect();
            let behind = mean(&differences);
            let squares: f64 = differences
                .iter()
                .zip(&self.weights)
                .map(|(difference, weight)| (weight * (difference - behind)).powi(2))
                .sum();
            behind <= small.max(size.noise() * squares.sqrt() / weight)
        };
        let good = judged.iter().filter(|(.., losses, _)| is_as_good(losses));
        good.min_by(|left, right| left.1.cmp(&right.1).then(left.3.total_cmp(&right.3)))
            .map(|judged| judged.0)
    }

    /// Notes with each stop of a path, the first of which has this number, how models of its size did on examples that they
    /// had not seen.
    pub(crate) fn tell(&self, first: usize, path: &mut RulePath) {
        if self.is_empty() || self.weights.contains(&0.0) {
            return;
        }
        for (model, told) in (first..).zip(&mut path.stops) {
            let Some(votes) = self.votes(model) else { continue };
            told.accuracy = Some(short(self.right(model) / self.weight()));
            if self.classes == 2 {
                let margins: Vec<f64> = votes.iter().map(|votes| votes[1] - votes[0]).collect();
                let is_second: Vec<bool> = self.codes.iter().map(|&code| code == 1).collect();
                let ranking = Ranking::weighted(&margins, &is_second, &self.weights);
                told.auc = ranking.ok().map(|ranking| short(ranking.auc()));
            }
            told.calibration = Calibration::fit(&votes, &self.codes, self.classes);
        }
    }
}

/// Four digits: more would be noise.
fn short(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}
