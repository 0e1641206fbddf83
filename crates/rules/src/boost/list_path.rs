//! An ordered list that grows by one rule at a time: IF … THEN, ELSE IF … THEN, ELSE.
//!
//! Each rule is searched for among the examples that no earlier rule covers. It should cover many
//! of them and predict them well; the remaining examples are left to later rules. So, unlike with
//! scores, the gain of the remaining examples does not count.

use super::FeatureTable;
use super::joint_fit::JointFit;
use super::score_path::{PathRule, SavedPath, draws, effective};
use super::search::{Cuts, FoundRule, RuleSearch, clear};
use super::test::Test;
use crate::model::{Rule, winner};
use crate::params::Params;
use crate::path::SizedModel;
use pellucid_device::Threads;
use pellucid_learn::rng::Streams;
use pellucid_learn::score_matrix::ScoreMatrix;
use pellucid_ruleset::number::{middle, short_of};
use std::sync::Arc;

/// Marks an example that no rule covers.
const NO_RULE: u32 = u32::MAX;
/// The least score of a rule.
const LEAST_VOTES: f64 = 0.001;

/// A list that grows.
#[derive(Debug)]
pub(crate) struct ListPath {
    cuts: Cuts,
    /// The classes to separate from the rest.
    classes: Vec<u32>,
    outputs: usize,
    /// The weights of examples; 0 for held-out examples.
    weights: Vec<f64>,
    /// The training examples that no rule covers yet.
    rest: Vec<u32>,
    rules: Vec<ListRule>,
    /// The scores if no rule applies.
    otherwise: Vec<f64>,
    /// The rule that covers each example, including held-out examples.
    taken_by: Vec<u32>,
    is_done: bool,
    streams: Streams,
}

#[derive(Debug)]
struct ListRule {
    tests: Vec<Test>,
    class: u32,
    votes: f64,
}

impl ListPath {
    /// Creates an empty list for some classes and training examples.
    pub(super) fn new(
        table: &FeatureTable,
        classes: &[u32],
        cuts: Cuts,
        examples: Vec<u32>,
        params: &Params,
    ) -> ListPath {
        let highest = table.codes.iter().copied().chain(classes.iter().copied()).max();
        let outputs = highest.map_or(1, |class| class as usize + 1);
        let mut list = ListPath {
            cuts,
            classes: classes.to_vec(),
            outputs,
            weights: effective(&table.weights, &examples),
            taken_by: vec![NO_RULE; table.codes.len()],
            rest: examples,
            rules: Vec::new(),
            otherwise: Vec::new(),
            is_done: false,
            streams: draws(),
        };
        list.otherwise = list.prediction(&list.rest, table, params).1;
        list
    }

    /// Returns the number of rules.
    pub(super) fn size(&self) -> usize {
        self.rules.len()
    }

    /// Returns whether no further rule can be found.
    pub(super) fn is_done(&self) -> bool {
        self.is_done
    }

    /// Returns whether the last rule predicts something else than the model would without it.
    pub(super) fn ends_well(&self) -> bool {
        self.outputs == 1
            || self.rules.last().is_some_and(|rule| rule.class != winner(&self.otherwise))
    }

    /// Adds the rule with the largest gain, for any class.
    pub(super) fn grow(&mut self, table: &FeatureTable, params: &Params, threads: &Threads) {
        if self.is_done {
            return;
        }
        let mut weights = vec![0.0; self.weights.len()];
        self.rest
            .iter()
            .for_each(|&example| weights[example as usize] = self.weights[example as usize]);
        let weights: Arc<[f64]> = weights.into();
        let search = RuleSearch {
            features: &table.stepped,
            constraints: &table.constraints,
            most: params.voting.most_comparisons,
            cuts: self.cuts,
            alone: true,
            // In a list, later rules cannot correct a rule that is nearly right.
            enough: 1.0,
            clear: clear(table),
            digests: &table.digests,
            pairs: &[],
            columns: None,
            threads,
            control: &table.control,
        };
        let streams = self.streams;
        let of_class = |place: usize| {
            if table.is_stopped() {
                return None;
            }
            let class = self.classes[place];
            let fit = JointFit::new(table, class, Arc::clone(&weights), params);
            search.best(&fit, &self.rest, &[], streams.at(class).at(self.rules.len()))
        };
        let found = threads.map(self.classes.len(), of_class).into_iter().flatten();
        let best = |best: FoundRule, next: FoundRule| {
            if next.score > best.score { next } else { best }
        };
        let found = found.reduce(best);
        if table.is_stopped() {
            return;
        }
        match found {
            Some(rule) => self.take(rule.tests, table, params, threads),
            None => self.is_done = true,
        }
    }

    /// Adds a rule with these conditions.
    fn take(&mut self, tests: Vec<Test>, table: &FeatureTable, params: &Params, threads: &Threads) {
        let place = u32::try_from(self.rules.len()).unwrap_or(NO_RULE);
        for example in table.cover(&tests, threads) {
            let rule = &mut self.taken_by[example as usize];
            *rule = (*rule).min(place);
        }
        let is_own = |example: &u32| self.taken_by[*example as usize] == place;
        let (own, rest): (Vec<u32>, Vec<u32>) = self.rest.iter().copied().partition(is_own);
        let (class, votes) = self.prediction(&own, table, params);
        self.otherwise = self.prediction(&rest, table, params).1;
        self.rules.push(ListRule { tests, class, votes: votes[class as usize] });
        self.rest = rest;
        self.is_done |= self.rest.is_empty();
    }

    /// Returns the most frequent class of some examples with its log odds, or their mean or median;
    /// and the scores of all classes.
    fn prediction(
        &self,
        examples: &[u32],
        table: &FeatureTable,
        params: &Params,
    ) -> (u32, Vec<f64>) {
        if let Some(numbers) = &table.numbers {
            let own: Vec<f64> = examples.iter().map(|&example| numbers[example as usize]).collect();
            let weights: Vec<f64> =
                examples.iter().map(|&example| self.weights[example as usize]).collect();
            let number = middle(&own, &weights, params.voting.loss);
            return (0, vec![short_of(number, numbers, &self.weights)]);
        }
        let mut weights = vec![0.0; self.outputs];
        for &example in examples {
            weights[table.codes[example as usize] as usize] += self.weights[example as usize];
        }
        let class = winner(&weights);
        let own = weights[class as usize];
        let all: f64 = weights.iter().sum();
        let others = (self.outputs - 1).max(1) as f64;
        // Half an example is added to each side, so that the odds are finite.
        let odds = libm::log((own + 0.5) / ((all - own) / others + 0.5));
        let mut votes = vec![0.0; self.outputs];
        votes[class as usize] = ((odds * 1000.0).round() / 1000.0).max(LEAST_VOTES);
        (class, votes)
    }

    /// Returns the newest rule.
    pub(super) fn newest(&self, table: &FeatureTable) -> Option<Rule> {
        let ListRule { tests, class, votes } = self.rules.last()?;
        let (when, class, votes) = (table.condition(tests), *class, *votes);
        Some(Rule::new(when, class, votes))
    }

    /// Returns the model so far.
    pub(super) fn sized_model(&self, outputs: usize) -> SizedModel {
        let mut base = self.otherwise.clone();
        base.resize(outputs, 0.0);
        let votes = self.rules.iter().map(|rule| rule.votes).collect();
        SizedModel { base, votes, ..SizedModel::default() }
    }

    /// Returns the scores of each class, or the number, for some examples.
    pub(super) fn scores(&self, examples: &[u32], outputs: usize) -> ScoreMatrix {
        let mut scores = vec![0.0; outputs * examples.len()];
        for (votes, &example) in scores.chunks_exact_mut(outputs).zip(examples) {
            let taken_by = self.taken_by[example as usize] as usize;
            match self.rules.get(taken_by) {
                Some(rule) => votes[rule.class as usize] = rule.votes,
                None => {
                    votes.iter_mut().zip(&self.otherwise).for_each(|(own, scores)| *own = *scores)
                }
            }
        }
        ScoreMatrix::new(outputs, scores)
    }

    /// Returns the rules, from which the state can be restored.
    pub(super) fn save(&self) -> SavedPath {
        let rule = |rule: &ListRule| PathRule {
            side: rule.class as usize,
            tests: rule.tests.clone(),
            favors: true,
        };
        SavedPath {
            rules: self.rules.iter().map(rule).collect(),
            fitted: Vec::new(),
            is_done: self.is_done,
        }
    }

    /// Restores a saved path; returns whether it fits the data.
    pub(super) fn restore(
        &mut self,
        saved: SavedPath,
        table: &FeatureTable,
        params: &Params,
        threads: &Threads,
    ) -> bool {
        let is_known = |test: &Test| test.feature < table.stepped.len();
        let is_sound = |rule: &PathRule| rule.tests.iter().all(is_known);
        if !saved.fitted.is_empty() || !saved.rules.iter().all(is_sound) {
            return false;
        }
        for rule in saved.rules {
            self.take(rule.tests, table, params, threads);
            let class = self.rules.last().map(|last| last.class as usize);
            if class != Some(rule.side) {
                return false;
            }
        }
        self.is_done = saved.is_done;
        true
    }
}
