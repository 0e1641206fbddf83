//! The short list beside the path: a plain rule or two, told where inner validation finds it as good.

use super::DefaultRun;
use super::fold_scores::{ModelIndex, Scores};
use crate::apply::AppliedRules;
use crate::decide::Decide;
use crate::model::{LEARNER, Rule, RuleModel, RuleSet, winner};
use crate::params::{Mode, Params};
use crate::short::short_list;
use crate::train::RulesError;
use pellucid_learn::learner::{Votes, unit_count};
use pellucid_learn::split::Split;
use serde::{Deserialize, Serialize};

/// Examples for each comparison from which on a rule without an error is no chance: a comparison takes about 14 bits to
/// say, an example's class one, and a rule that says it in a fourth of the bits is beyond doubt.
const CERTAIN: usize = 64;

/// A short list and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ShortList {
    base: Vec<f64>,
    rules: Vec<Rule>,
    /// Whether it is one rule, right about all of the training data, and whether that cannot be chance.
    is_perfect: bool,
    pub(super) is_certain: bool,
    /// In how many folds a list was learned and judged.
    folds: usize,
    /// Set once it is so far behind that the folds to come would hardly change it.
    pub(super) has_lost: bool,
}

impl ShortList {
    /// The list as a model.
    pub(super) fn model(&self) -> RuleSet {
        RuleSet { base: self.base.clone(), rules: self.rules.clone(), ..RuleSet::default() }
    }
}

impl DefaultRun<'_> {
    /// Whether a short list is looked for. One is found by counting, so examples with weights of their own have none.
    pub(super) fn may_have_list(&self) -> bool {
        self.training.classes.len() == 2
            && self.params.mode == Mode::Default
            && self.params.voting.prefer_one_rule
            && !self.inner.is_empty()
            && self.data.weights.is_none()
            // A list is all or nothing, and found in another way: it meets no demands.
            && self.params.demands.is_none()
            && self.params.voting.decide == Decide::Accuracy
    }

    /// The short list of all of the data, and whether it can be doubted. Returns how many rules it has, or nothing where the
    /// run is to stop.
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

    /// The folds in which a list is to be judged next: one, as it may lose there, or all where it cannot.
    pub(super) fn next_list_folds(&self) -> &[Split] {
        match &self.state.list {
            Some(list) if !list.has_lost => {
                let left = &self.inner[list.folds..self.folds_of_repeat()];
                if list.is_certain { left } else { &left[..left.len().min(1)] }
            }
            _ => &[],
        }
    }

    /// Learns a list on the training part of each of the next folds and judges it on the rest. Nothing where the run is to
    /// stop.
    pub(super) fn score_list(&mut self) -> Result<Option<u64>, RulesError> {
        self.prepare_scores();
        let folds = self.next_list_folds();
        let judged = self.machine.threads.map(folds.len(), |fold| {
            let split = &folds[fold];
            let mut counts = vec![false; self.training.codes.len()];
            split.train.iter().for_each(|&example| counts[example as usize] = true);
            let applied = self.applied(self.list(&counts)?)?;
            let asked = self.state.fold_scores.among(&split.test);
            let votes = asked.iter().flat_map(|&example| applied.votes(example as usize)).collect();
            Ok::<_, RulesError>((asked, Votes::new(self.outputs(), votes)))
        });
        if self.is_stopped() {
            return Ok(None);
        }
        for judged in judged {
            let (asked, votes) = judged?;
            self.state.fold_scores.keep_list(&asked, &votes);
            let lead = self.lead_of_list(self.selection(), self.state.fold_scores.weights());
            let has_lost = lead.is_some_and(|(lead, error)| lead < -3.0 * error - 1.0);
            if let Some(list) = &mut self.state.list {
                list.folds += 1;
                list.has_lost |= has_lost;
            }
        }
        Ok(Some(0))
    }

    /// The list, where it is as good as the votes on examples that neither had seen. What was measured is uncertain, so it
    /// must be better by a standard error. But a single rule that is right about all of the training data may be worse by
    /// three: it is most likely the truth, learned from fewer examples in the folds than there are, and the figure it is held
    /// against is the best of many.
    pub(super) fn list_if_as_good(&self) -> Option<&ShortList> {
        let list = self.state.list.as_ref()?;
        if list.is_certain {
            return Some(list);
        }
        let is_as_good =
            || self.is_list_as_good(self.selection(), self.state.fold_scores.weights());
        is_as_good().then_some(list)
    }

    /// Whether the list is as good as the rules of a stop that vote, where examples have these weights.
    pub(super) fn is_list_as_good(&self, stop: ModelIndex, weights: &[f64]) -> bool {
        let Some(list) = &self.state.list else { return false };
        let least = if list.is_perfect { -3.0 } else { 1.0 };
        let is_judged = list.folds == self.folds_of_repeat() && !list.has_lost;
        let lead = if is_judged { self.lead_of_list(stop, weights) } else { None };
        lead.is_some_and(|(lead, error)| lead >= least * error)
    }

    /// How much more the lists were right about than the votes, and the standard error of what the votes were right about: even
    /// who was never wrong may be.
    fn lead_of_list(&self, stop: ModelIndex, weights: &[f64]) -> Option<(f64, f64)> {
        let (judged, list) = (&self.state.fold_scores, self.state.fold_scores.list());
        let voting: &Scores = judged.at(stop)?;
        let (weight, right) = (judged.weight(list, weights), judged.right(voting, list, weights));
        let share = (right + 1.0) / (weight + 2.0);
        // Examples of one unit are right or wrong together.
        let together = self.training.codes.len() as f64 / unit_count(self.data).max(1) as f64;
        let error = (together * weight * share * (1.0 - share)).max(0.0).sqrt();
        Some((judged.right(list, list, weights) - right, error))
    }

    /// The short list for those examples that count. It is looked for on the processor, unless another device was named: a GPU takes the table anew for each
    /// question, and with one a million rows were measured to take half as long again as without.
    fn list(&self, counts: &[bool]) -> Result<RuleSet, RulesError> {
        let stop = || self.is_stopped();
        let machine = self.machine.clone().undisturbed();
        short_list((&self.training, counts), &self.params, &self.weights, &machine, &stop)
    }

    /// Rules applied to all examples.
    fn applied(&self, rules: RuleSet) -> Result<AppliedRules, RulesError> {
        let (params, schema) = (Params::clone(&self.params), self.training.schema.clone());
        let model = RuleModel::new(LEARNER, params, schema, rules);
        Ok(AppliedRules::new(&model, self.data, &self.machine.clone().undisturbed())?)
    }
}

impl ShortList {
    /// Whether it can be one of these classes, judged in at most so many folds.
    pub(super) fn is_sound(&self, classes: usize, folds: usize) -> bool {
        self.model().check(classes).is_ok() && self.folds <= folds
    }
}
