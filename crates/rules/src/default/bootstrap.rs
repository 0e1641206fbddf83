//! Out-of-fold scores of the whole procedure, the choice of the size included.
//!
//! The scores of the folds choose the size of the model, so the figures of the chosen size are better than what the model will do:
//! the best of many is partly luck. The remedy is the bootstrap of Tsamardinos, Greasidou and Borboudakis (2018): units are drawn
//! with replacement, the size is chosen by those that were drawn, and the others are scored at that size. No model is fitted for it.
//! The list or the rules that vote, and the decision threshold, are chosen by the drawn units in the same way.

use super::DefaultRun;
use super::choice::Candidate;
use super::fold_scores::{ModelIndex, Scores};
use crate::decide::Decide;
use crate::model::winner;
use pellucid_learn::calibrate::Calibration;
use pellucid_learn::learner::Votes;
use pellucid_learn::out_of_fold::OutOfFold;
use pellucid_learn::rng::Streams;

/// The number of draws is such that about this many examples are scored in all,
const SCORED: usize = 50_000;
/// but no fewer and no more than these: a few are enough where examples are many, and more hardly change anything.
const DRAWS: (usize, usize) = (3, 24);

/// What one draw chooses: a model for every fold, and the threshold.
struct Choice<'a> {
    scores: &'a Scores,
    /// The number of repetitions that the model was fitted in.
    repeats: usize,
    /// What is added to the scores before the largest is taken.
    shift: Vec<f64>,
}

impl DefaultRun<'_> {
    /// The scores of all examples by models that were fitted, and whose size was chosen, without them. `None` without folds, or
    /// before all folds have said something.
    #[must_use]
    pub fn out_of_fold(&self) -> Option<OutOfFold> {
        let judged = &self.state.fold_scores;
        if self.inner.is_empty() || judged.is_empty() || self.is_too_late_to_select() {
            return None;
        }
        let folds = self.folds();
        let mut scores = OutOfFold::new(self.data, self.folds_of_repeat());
        let is_certain = self.state.list.as_ref().is_some_and(|list| list.is_certain);
        if is_certain {
            let choice = Choice { scores: judged.list(), repeats: 1, shift: Vec::new() };
            let drawn = vec![0; judged.weights().len()];
            self.score(&mut scores, &choice, &drawn, &folds, 0)?;
            return Some(scores);
        }
        let candidates = self.candidates();
        let streams = Streams::new(self.params.seed).at("resampled");
        let examples = judged.weights().len();
        let draws = (SCORED / examples.max(1)).clamp(DRAWS.0, DRAWS.1);
        // An example is left out of about 37 of 100 draws. Nearly all are scored this often, so each counts the same.
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

    /// The calibration of the selected model: fitted on these scores, and moved with the threshold that is chosen by all
    /// examples.
    #[must_use]
    pub fn calibration(&self, scores: &OutOfFold) -> Option<Calibration> {
        let curve = scores.calibration()?;
        if self.list_if_as_good().is_some() {
            return Some(curve);
        }
        let judged = &self.state.fold_scores;
        let all = vec![1; judged.weights().len()];
        let shift = judged.at(self.selection()).and_then(|scores| self.shift(scores, &all));
        Some(curve.shifted(&shift.unwrap_or_default()))
    }

    /// By judged example how often its unit is drawn.
    fn drawn(&self, streams: Streams, draw: usize) -> Vec<u32> {
        let units = self.scored_units();
        let examples = self.state.fold_scores.weights().len();
        let unit_of =
            |example: usize| units.as_ref().map_or(example, |units| units[example] as usize);
        let count = (0..examples).map(|example| unit_of(example) + 1).max().unwrap_or(0);
        let mut is_there = vec![false; count];
        (0..examples).for_each(|example| is_there[unit_of(example)] = true);
        let all: Vec<usize> = (0..count).filter(|&unit| is_there[unit]).collect();
        let mut stream = streams.stream(&[draw.into()]);
        let mut times = vec![0; count];
        all.iter().for_each(|_| times[all[stream.index(all.len())]] += 1);
        (0..examples).map(|example| times[unit_of(example)]).collect()
    }

    /// What is chosen by the examples that were drawn.
    fn choose(&self, candidates: &[Candidate], drawn: &[u32]) -> Option<Choice<'_>> {
        let judged = &self.state.fold_scores;
        let own = judged.weights().iter().zip(drawn);
        let weights: Vec<f64> = own.map(|(own, &times)| own * f64::from(times)).collect();
        let stop: ModelIndex = self.select(candidates, &weights)?;
        if self.is_list_as_good(stop, &weights) {
            return Some(Choice { scores: judged.list(), repeats: 1, shift: Vec::new() });
        }
        let scores = judged.at(stop)?;
        let shift = self.shift(scores, drawn).unwrap_or_default();
        Some(Choice { scores, repeats: self.repeats(), shift })
    }

    /// The shift that makes the decisions what is asked of them, by the examples that were drawn.
    fn shift(&self, scores: &Scores, drawn: &[u32]) -> Option<Vec<f64>> {
        let judged = &self.state.fold_scores;
        if self.training.numbers.is_some() || self.params.voting.decide == Decide::Accuracy {
            return None;
        }
        let (mut votes, mut codes) = (Vec::new(), Vec::new());
        for repeat in 0..self.repeats() {
            for (example, &times) in drawn.iter().enumerate() {
                for _ in 0..times {
                    judged.scores(scores, (repeat, example), |own| votes.extend_from_slice(own))?;
                    codes.push(judged.codes()[example]);
                }
            }
        }
        let votes = Votes::new(self.outputs(), votes);
        self.params.voting.decide.shift(&votes, &codes, &self.training.classes)
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
        let judged = &self.state.fold_scores;
        let repeat = draw % choice.repeats;
        let models = self.inner.len();
        for (place, example) in
            judged.examples().enumerate().filter(|(place, _)| drawn[*place] == 0)
        {
            let fold = folds[repeat][example];
            let model = u32::try_from(draw * models).ok()? + fold;
            judged.scores(choice.scores, (repeat, place), |votes| {
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
