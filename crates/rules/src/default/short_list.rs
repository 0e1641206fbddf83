//! The short list: one or a few rules, selected if it is as good as the rules with scores.

use super::DefaultRun;
use super::fold_scores::{ModelIndex, Scores};
use crate::apply::AppliedRules;
use crate::decide::ThresholdGoal;
use crate::model::{LEARNER, Rule, RuleModel, RuleSet, winner};
use crate::params::{Mode, Params};
use crate::short::short_list;
use crate::train::RulesError;
use pellucid_learn::learner::unit_count;
use pellucid_learn::score_matrix::ScoreMatrix;
use pellucid_learn::split::Split;
use serde::{Deserialize, Serialize};

/// A rule without errors cannot be chance with this many examples per comparison: a comparison
/// takes about 14 bits, the class of an example one, and a rule that needs a quarter of the bits is
/// beyond doubt.
const CERTAIN: usize = 64;

/// A short list and its state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ShortList {
    base: Vec<f64>,
    rules: Vec<Rule>,
    /// Whether it is one rule without errors on the training data, and whether that cannot be
    /// chance.
    is_perfect: bool,
    pub(super) is_certain: bool,
    /// The number of folds in which a list was fitted and scored.
    folds: usize,
    /// Whether it is so far behind that the remaining folds would hardly change the result.
    pub(super) has_lost: bool,
}

impl ShortList {
    /// Returns the list as a model.
    pub(super) fn model(&self) -> RuleSet {
        RuleSet { base: self.base.clone(), rules: self.rules.clone(), ..RuleSet::default() }
    }
}

impl DefaultRun<'_> {
    /// Returns whether a short list is searched for. The search counts examples, so it does not
    /// support weights.
    pub(super) fn may_have_list(&self) -> bool {
        self.training.classes.len() == 2
            && self.params.mode == Mode::Default
            && self.params.voting.prefer_one_rule
            && self.params.voting.most_columns.is_none()
            && !self.inner.is_empty()
            && self.data.weights.is_none()
            // The search for a list does not support constraints.
            && self.params.demands.is_none()
            && self.params.voting.decide == ThresholdGoal::Accuracy
    }

    /// Finds the short list on all data, and whether it is beyond doubt. Returns the number of its
    /// rules, or `None` if the run should stop.
    pub(super) fn find_list(&mut self) -> Result<Option<u64>, RulesError> {
        let list = self.list(&vec![true; self.training.codes.len()])?;
        if self.is_stopped() {
            return Ok(None);
        }
        let examples = self.training.codes.len();
        let is_perfect = list.rules.len() == 1 && {
            let applied = self.applied(list.clone())?;
            let is_right =
                |example| winner(&applied.votes(example)) == self.training.codes[example];
            (0..examples).all(is_right)
        };
        let is_certain = is_perfect && examples >= CERTAIN * list.comparisons();
        let found = list.rules.len() as u64;
        let (base, rules) = (list.base, list.rules);
        self.state.list =
            Some(ShortList { base, rules, is_perfect, is_certain, folds: 0, has_lost: false });
        Ok(Some(found))
    }

    /// Returns the folds in which a list is scored next: one, because it may lose there, or all if
    /// it cannot lose.
    pub(super) fn next_list_folds(&self) -> &[Split] {
        match &self.state.list {
            Some(list) if !list.has_lost => {
                let left = &self.inner[list.folds..self.folds_of_repeat()];
                if list.is_certain { left } else { &left[..left.len().min(1)] }
            }
            _ => &[],
        }
    }

    /// Fits a list on each of the next training folds and scores it on the test fold. Returns
    /// `None` if the run should stop.
    pub(super) fn score_list(&mut self) -> Result<Option<u64>, RulesError> {
        self.prepare_scores();
        let folds = self.next_list_folds();
        let results = self.machine.threads.map(folds.len(), |fold| {
            let split = &folds[fold];
            let mut counts = vec![false; self.training.codes.len()];
            split.train.iter().for_each(|&example| counts[example as usize] = true);
            let applied = self.applied(self.list(&counts)?)?;
            let examples = self.state.fold_scores.among(&split.test);
            let votes =
                examples.iter().flat_map(|&example| applied.votes(example as usize)).collect();
            Ok::<_, RulesError>((examples, ScoreMatrix::new(self.outputs(), votes)))
        });
        if self.is_stopped() {
            return Ok(None);
        }
        for result in results {
            let (examples, votes) = result?;
            self.state.fold_scores.keep_list(&examples, &votes);
            let advantage =
                self.advantage_of_list(self.selection(), self.state.fold_scores.weights());
            let has_lost =
                advantage.is_some_and(|(advantage, error)| advantage < -3.0 * error - 1.0);
            if let Some(list) = &mut self.state.list {
                list.folds += 1;
                list.has_lost |= has_lost;
            }
        }
        Ok(Some(0))
    }

    /// Returns the list if it is as good as the rules with scores on held-out examples. Because of
    /// the noise, it must be better by a standard error. But a single rule without errors on the
    /// training data may be worse by three: it is most likely the truth, found from fewer examples
    /// in the folds, and it is compared with the best of many models.
    pub(super) fn list_if_as_good(&self) -> Option<&ShortList> {
        let list = self.state.list.as_ref()?;
        if list.is_certain {
            return Some(list);
        }
        let is_as_good =
            || self.is_list_as_good(self.selection(), self.state.fold_scores.weights());
        is_as_good().then_some(list)
    }

    /// Returns whether the list is as good as a model with scores, given the weights of examples.
    pub(super) fn is_list_as_good(&self, index: ModelIndex, weights: &[f64]) -> bool {
        let Some(list) = &self.state.list else { return false };
        let least = if list.is_perfect { -3.0 } else { 1.0 };
        let is_judged = list.folds == self.folds_of_repeat() && !list.has_lost;
        let advantage = if is_judged { self.advantage_of_list(index, weights) } else { None };
        advantage.is_some_and(|(advantage, error)| advantage >= least * error)
            && (list.is_perfect || self.ranks_as_well(index, weights))
    }

    /// Returns whether the list ranks examples as well as a model with scores, except for noise. A list that
    /// predicts as many classes correctly may still separate likely from unlikely examples far less.
    fn ranks_as_well(&self, index: ModelIndex, weights: &[f64]) -> bool {
        let fold_scores = &self.state.fold_scores;
        let folds = self.folds();
        let auc = |scores: &Scores| fold_scores.auc(scores, &folds[0], weights);
        let Some((list, model)) = auc(fold_scores.list()).zip(fold_scores.at(index).and_then(auc))
        else {
            return true;
        };
        let of_class = |wanted: u32| -> f64 {
            let own = fold_scores.codes().iter().zip(weights).filter(|(code, _)| **code == wanted);
            own.map(|(_, weight)| weight).sum()
        };
        let rarer = of_class(0).min(of_class(1)).max(1.0);
        list >= model - (model * (1.0 - model) / rarer).max(0.0).sqrt()
    }

    /// Returns how many more examples the lists predict correctly than the model, and the standard
    /// error, which is not 0 even without errors.
    fn advantage_of_list(&self, index: ModelIndex, weights: &[f64]) -> Option<(f64, f64)> {
        let (fold_scores, list) = (&self.state.fold_scores, self.state.fold_scores.list());
        let model: &Scores = fold_scores.at(index)?;
        let (weight, right) =
            (fold_scores.weight(list, weights), fold_scores.right(model, list, weights));
        let share = (right + 1.0) / (weight + 2.0);
        // Examples of one unit are correct or wrong together.
        let together = self.training.codes.len() as f64 / unit_count(self.data).max(1) as f64;
        let error = (together * weight * share * (1.0 - share)).max(0.0).sqrt();
        Some((fold_scores.right(list, list, weights) - right, error))
    }

    /// Finds the short list for the examples that count. The search runs on the CPU, unless another
    /// device is named: a GPU would copy the table for each question, which made a million rows
    /// take half as long again.
    fn list(&self, counts: &[bool]) -> Result<RuleSet, RulesError> {
        let stop = || self.is_stopped();
        let machine = self.machine.clone().undisturbed();
        short_list((&self.training, counts), &self.params, &self.weights, &machine, &stop)
    }

    /// Applies rules to all examples.
    fn applied(&self, rules: RuleSet) -> Result<AppliedRules, RulesError> {
        let (params, schema) = (Params::clone(&self.params), self.training.schema.clone());
        let model = RuleModel::new(LEARNER, params, schema, rules);
        Ok(AppliedRules::new(&model, self.data, &self.machine.clone().undisturbed())?)
    }
}

impl ShortList {
    /// Checks that the list fits the numbers of classes and folds.
    pub(super) fn is_sound(&self, classes: usize, folds: usize) -> bool {
        self.model().check(classes).is_ok() && self.folds <= folds
    }
}
