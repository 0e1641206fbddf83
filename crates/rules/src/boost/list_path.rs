//! An ordered list that grows by one rule at a time: IF this THEN that, ELSE IF … ELSE.
//!
//! Each rule is scans for among the examples that no rule before it took, and takes those it holds for. It should be about many
//! of them and clear about what they are; what becomes of the others is for the rules to come. So, unlike where rules vote, what the
//! others would win by it does not count.

use super::FeatureTable;
use super::joint_fit::JointFit;
use super::number_fit::{middle, short_of};
use super::score_path::{PathRule, SavedPath, draws, effective};
use super::search::{Cuts, FoundRule, RuleSearch, clear};
use super::test::Test;
use crate::model::{Rule, winner};
use crate::params::Params;
use crate::path::SizedModel;
use pellucid_device::Threads;
use pellucid_learn::learner::Votes;
use pellucid_learn::rng::Streams;
use std::sync::Arc;

/// No rule took it.
const NO_RULE: u32 = u32::MAX;
/// Votes that say something at least.
const LEAST_VOTES: f64 = 0.001;

/// A list on its way.
#[derive(Debug)]
pub(crate) struct ListPath {
    cuts: Cuts,
    /// The classes to be rounded from the rest.
    classes: Vec<u32>,
    outputs: usize,
    /// Weights of examples, 0 for those that are held out.
    weights: Vec<f64>,
    /// The examples it learns from that no rule took yet.
    rest: Vec<u32>,
    rules: Vec<ListRule>,
    /// What is scores where no rule holds.
    otherwise: Vec<f64>,
    /// By example, those that are held out among them, the rule that took it.
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
    /// Nothing yet, for some classes and learned from some examples.
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
        list.otherwise = list.says(&list.rest, table, params).1;
        list
    }

    /// How many rules there are.
    pub(super) fn size(&self) -> usize {
        self.rules.len()
    }

    /// Whether there is nothing more to find.
    pub(super) fn is_done(&self) -> bool {
        self.is_done
    }

    /// Whether the last rule says something else than what would be scores without it.
    pub(super) fn ends_well(&self) -> bool {
        self.outputs == 1
            || self.rules.last().is_some_and(|rule| rule.class != winner(&self.otherwise))
    }

    /// Takes in the rule that explains most of what is fit, of whatever class.
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
            allowed: &table.allowed,
            most: params.voting.most_comparisons,
            cuts: self.cuts,
            alone: true,
            // In a list nothing makes up for a rule that is nearly right.
            enough: 1.0,
            clear: clear(table),
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

    /// Takes in a rule with these conditions.
    fn take(&mut self, tests: Vec<Test>, table: &FeatureTable, params: &Params, threads: &Threads) {
        let place = u32::try_from(self.rules.len()).unwrap_or(NO_RULE);
        for example in table.cover(&tests, threads) {
            let rule = &mut self.taken_by[example as usize];
            *rule = (*rule).min(place);
        }
        let is_own = |example: &u32| self.taken_by[*example as usize] == place;
        let (own, rest): (Vec<u32>, Vec<u32>) = self.rest.iter().copied().partition(is_own);
        let (class, votes) = self.says(&own, table, params);
        self.otherwise = self.says(&rest, table, params).1;
        self.rules.push(ListRule { tests, class, votes: votes[class as usize] });
        self.rest = rest;
        self.is_done |= self.rest.is_empty();
    }

    /// What is scores of some examples: the class that most of them have, with the logarithm of how many times likelier it is
    /// than the others, or their mean or median; and the votes of each class.
    fn says(&self, examples: &[u32], table: &FeatureTable, params: &Params) -> (u32, Vec<f64>) {
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
        // Half an example more of each, so that nothing is certain.
        let odds = libm::log((own + 0.5) / ((all - own) / others + 0.5));
        let mut votes = vec![0.0; self.outputs];
        votes[class as usize] = ((odds * 1000.0).round() / 1000.0).max(LEAST_VOTES);
        (class, votes)
    }

    /// The newest rule as a person reads it.
    pub(super) fn newest(&self, table: &FeatureTable) -> Option<Rule> {
        let ListRule { tests, class, votes } = self.rules.last()?;
        let (when, class, votes) = (table.condition(tests), *class, *votes);
        Some(Rule { when, class, votes, covered: Vec::new() })
    }

    /// The list so far.
    pub(super) fn sized_model(&self, outputs: usize) -> SizedModel {
        let mut base = self.otherwise.clone();
        base.resize(outputs, 0.0);
        let votes = self.rules.iter().map(|rule| rule.votes).collect();
        SizedModel { base, votes, ..SizedModel::default() }
    }

    /// By example the votes of each class, or the number.
    pub(super) fn scores(&self, examples: &[u32], outputs: usize) -> Votes {
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
        Votes::new(outputs, scores)
    }

    /// What is needed to go on later: the rules, from which all else follows.
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

    /// Takes up what was saved; says whether it is about these data.
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
