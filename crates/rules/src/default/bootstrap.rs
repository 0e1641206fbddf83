//! Out-of-fold scores of the whole procedure, including the selection of the size.
//!
//! The size is selected by the scores of the folds, so the scores of the selected size are
//! optimistic: the best of many is partly luck. The remedy is the bootstrap of Tsamardinos,
//! Greasidou and Borboudakis (2018): units are drawn with replacement, the size is selected on the
//! drawn units, and the others are scored at that size. No additional model is fitted. The choice
//! between list and scores, and the decision threshold, are made on the drawn units in the same
//! way.

use super::fold_scores::{ModelIndex, Scores};
use super::{Candidate, DefaultRun};
use crate::model::winner;
use pellucid_learn::calibrate::Calibration;
use pellucid_learn::out_of_fold::OutOfFold;
use pellucid_learn::rng::Streams;
use pellucid_learn::score_matrix::ScoreMatrix;
use pellucid_learn::sizes::draw_units;

/// The number of draws is chosen so that about this many examples are scored in total,
const SCORED: usize = 50_000;
/// within these limits: a few draws suffice with many examples, and more hardly change the result.
const DRAWS: (usize, usize) = (3, 24);

/// At most about this many scores of all sizes are returned, so that a report takes about a second longer.
const MOST_SCORES_BY_SIZE: usize = 1_000_000;
/// With fewer scored examples of a size, its figures would say little.
const LEAST_SCORED_BY_SIZE: usize = 1000;

/// The choices on one draw: the scores of a model, and the threshold.
struct Choice<'a> {
    scores: &'a Scores,
    /// The number of repetitions in which the model was fitted.
    repeats: usize,
    /// The constants added to the scores before the class is predicted.
    shift: Vec<f64>,
}

impl DefaultRun<'_> {
    /// Returns the scores of all examples by models that were fitted, and whose size was selected,
    /// without them. `None` without folds, or before all folds are scored.
    #[must_use]
    pub fn out_of_fold(&self) -> Option<OutOfFold> {
        let fold_scores = &self.state.fold_scores;
        if self.inner.is_empty() || fold_scores.is_empty() || self.is_too_late_to_select() {
            return None;
        }
        let folds = self.folds();
        let mut scores = OutOfFold::new(self.data, self.folds_of_repeat());
        scores.miss_costs = self.goal.miss_costs();
        let is_certain = self.state.list.as_ref().is_some_and(|list| list.is_certain);
        if is_certain {
            let choice = Choice { scores: fold_scores.list(), repeats: 1, shift: Vec::new() };
            let drawn = vec![0; fold_scores.weights().len()];
            self.score(&mut scores, &choice, &drawn, &folds, 0)?;
            return Some(scores);
        }
        let candidates = self.candidates();
        let streams = Streams::new(self.params.seed).at("resampled");
        let examples = fold_scores.weights().len();
        let draws = (SCORED / examples.max(1)).clamp(DRAWS.0, DRAWS.1);
        // An example is left out of about 37 of 100 draws. Nearly all are scored this often, so
        // that each counts the same.
        let wanted = u32::try_from(draws / 6).unwrap_or(u32::MAX).max(1);
        let mut scored = vec![0; examples];
        for draw in 0..draws {
            let mut drawn = self.drawn(streams, draw);
            let choice = self.choose(&candidates, &drawn)?;
            for (drawn, scored) in
                drawn.iter_mut().zip(&mut scored).filter(|(drawn, _)| **drawn == 0)
            {
                *drawn = u32::from(*scored >= wanted);
                *scored += 1;
            }
            self.score(&mut scores, &choice, &drawn, &folds, draw)?;
            if scored.iter().all(|scored| *scored >= wanted) {
                break;
            }
        }
        Some(scores)
    }

    /// Returns the scores of all examples at each size of the selected path, by models that were fitted
    /// without them. The size is given, not selected, so the scores of the best size are slightly too
    /// good. Of very many examples only some are scored. Empty if a list is selected, or if too few could
    /// be scored.
    #[must_use]
    pub fn out_of_fold_by_size(&self) -> Vec<OutOfFold> {
        let fold_scores = &self.state.fold_scores;
        let examples = fold_scores.weights().len();
        let path = self.selection().path;
        let count = self.state.paths.get(path).map_or(0, |path| path.models.len());
        let scores = examples * self.repeats() * self.outputs() * count;
        let step = scores.div_ceil(MOST_SCORES_BY_SIZE).max(1);
        let is_rough = step > 1 && examples / step < LEAST_SCORED_BY_SIZE;
        if self.inner.is_empty() || self.list_if_as_good().is_some() || is_rough {
            return Vec::new();
        }
        let (folds, once) = (self.folds(), vec![1; examples]);
        let left_out: Vec<u32> = (0..examples).map(|place| u32::from(place % step > 0)).collect();
        let of_size = |model| {
            let scores = fold_scores.at(ModelIndex { path, model })?;
            let shift = self.shift(scores, &once).unwrap_or_default();
            let choice = Choice { scores, repeats: self.repeats(), shift };
            let mut out = OutOfFold::new(self.data, self.folds_of_repeat());
            out.miss_costs = self.goal.miss_costs();
            for repeat in 0..self.repeats() {
                self.score(&mut out, &choice, &left_out, &folds, repeat)?;
            }
            Some(out)
        };
        (0..count).map(of_size).collect::<Option<_>>().unwrap_or_default()
    }

    /// Returns the calibration of the selected model: fitted on these scores, and shifted with the
    /// threshold chosen on all examples.
    #[must_use]
    pub fn calibration(&self, scores: &OutOfFold) -> Option<Calibration> {
        let curve = scores.calibration()?;
        if self.list_if_as_good().is_some() {
            return Some(curve);
        }
        let fold_scores = &self.state.fold_scores;
        let all = vec![1; fold_scores.weights().len()];
        let shift = fold_scores.at(self.selection()).and_then(|scores| self.shift(scores, &all));
        Some(curve.shifted(&shift.unwrap_or_default()))
    }

    /// Returns how often the unit of each scored example is drawn.
    fn drawn(&self, streams: Streams, draw: usize) -> Vec<u32> {
        let (units, examples) = (self.scored_units(), self.state.fold_scores.weights().len());
        draw_units(examples, units.as_deref(), &mut streams.stream(&[draw.into()]))
    }

    /// Makes all choices on the drawn examples.
    fn choose(&self, candidates: &[Candidate], drawn: &[u32]) -> Option<Choice<'_>> {
        let fold_scores = &self.state.fold_scores;
        let own = fold_scores.weights().iter().zip(drawn);
        let weights: Vec<f64> = own.map(|(own, &times)| own * f64::from(times)).collect();
        let index: ModelIndex = self.select(candidates, &weights)?;
        if self.is_list_as_good(index, &weights) {
            return Some(Choice { scores: fold_scores.list(), repeats: 1, shift: Vec::new() });
        }
        let scores = fold_scores.at(index)?;
        let shift = self.shift(scores, drawn).unwrap_or_default();
        Some(Choice { scores, repeats: self.repeats(), shift })
    }

    /// Returns the constants for the decision threshold, fitted on the drawn examples.
    fn shift(&self, scores: &Scores, drawn: &[u32]) -> Option<Vec<f64>> {
        let fold_scores = &self.state.fold_scores;
        if self.training.numbers.is_some() || !self.goal.moves_threshold() {
            return None;
        }
        let (mut votes, mut codes) = (Vec::new(), Vec::new());
        for repeat in 0..self.repeats() {
            for (example, &times) in drawn.iter().enumerate() {
                for _ in 0..times {
                    fold_scores
                        .scores(scores, (repeat, example), |own| votes.extend_from_slice(own))?;
                    codes.push(fold_scores.codes()[example]);
                }
            }
        }
        let votes = ScoreMatrix::new(self.outputs(), votes);
        Some(self.goal.shift(&votes, &codes))
    }

    /// Adds the scores of the examples that were not drawn.
    fn score(
        &self,
        scores: &mut OutOfFold,
        choice: &Choice<'_>,
        drawn: &[u32],
        folds: &[Vec<u32>],
        draw: usize,
    ) -> Option<()> {
        let fold_scores = &self.state.fold_scores;
        let repeat = draw % choice.repeats;
        let models = self.inner.len();
        for (place, example) in
            fold_scores.examples().enumerate().filter(|(place, _)| drawn[*place] == 0)
        {
            let fold = folds[repeat][example];
            let model = u32::try_from(draw * models).ok()? + fold;
            fold_scores.scores(choice.scores, (repeat, place), |votes| {
                let moved: Vec<f64> = votes
                    .iter()
                    .enumerate()
                    .map(|(class, own)| own + choice.shift.get(class).unwrap_or(&0.0))
                    .collect();
                let predicted = if self.training.numbers.is_some() { 0 } else { winner(&moved) };
                scores.push_of_model(
                    (fold, model),
                    u32::try_from(example).ok()?,
                    predicted,
                    Some(votes),
                );
                Some(())
            })??;
        }
        Some(())
    }
}
