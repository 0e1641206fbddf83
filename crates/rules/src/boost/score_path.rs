//! A path of rules whose points add up, which grows by one rule at a time.

use super::FeatureTable;
use super::class_fit::ClassFit;
use super::joint_fit::JointFit;
use super::members::{KnownRule, Members};
use super::remote::RemotePath;
use super::search::{Cuts, FoundRule, RuleSearch, clear, enough};
use super::test::Test;
use crate::model::Rule;
use crate::params::Params;
use crate::path::SizedModel;
use pellucid_device::Threads;
use pellucid_learn::rng::Streams;
use pellucid_learn::score_matrix::ScoreMatrix;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Returns the random streams for cut points. They do not depend on the seed: the seed assigns
/// examples to folds and so influences the size of the model, but not which rules are found.
pub(super) fn draws() -> Streams {
    Streams::new(0).at("boost")
}

/// The score of a class without training examples.
const UNSEEN_SCORE: f64 = -10.0;

/// A path that grows.
#[derive(Debug)]
pub(crate) struct ScorePath {
    cuts: Cuts,
    /// The training examples; empty if they are remote.
    examples: Vec<u32>,
    sides: Vec<OneVsRest>,
    rules: Vec<PathRule>,
    /// Whether no further rule has a gain.
    is_done: bool,
    streams: Streams,
}

/// A rule of a path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PathRule {
    /// The index of its class among the classes against the rest; for a list, the class.
    pub(super) side: usize,
    pub(super) tests: Vec<Test>,
    #[serde(rename = "speaks_for")]
    pub(super) favors: bool,
}

/// The state of a path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct SavedPath {
    pub(super) rules: Vec<PathRule>,
    /// The intercept and the points of each class; empty for a list.
    pub(super) fitted: Vec<(f64, Vec<f64>)>,
    pub(super) is_done: bool,
}

/// One class against the rest.
#[derive(Debug)]
struct OneVsRest {
    class: u32,
    fit: JointFit,
    /// The state for the workers, if examples are remote.
    path: RemotePath,
    /// The rules so far.
    known: Vec<KnownRule>,
    next: Option<FoundRule>,
    is_fresh: bool,
}

impl ScorePath {
    /// Creates an empty path for some classes against the rest and some training examples.
    pub(crate) fn new(
        table: &FeatureTable,
        against_rest: &[u32],
        cuts: Cuts,
        examples: Vec<u32>,
        params: &Params,
    ) -> ScorePath {
        let weights: Arc<[f64]> = effective(&table.weights, &examples).into();
        let side = |&class: &u32| {
            let fit = JointFit::new(table, class, Arc::clone(&weights), params);
            OneVsRest::new(class, fit, RemotePath::new(cuts, None, class))
        };
        let sides = against_rest.iter().map(side).collect();
        ScorePath::of_sides(cuts, examples, sides)
    }

    /// Creates an empty path for remote examples, given the number of each class and the held-out
    /// fold.
    pub(crate) fn remote(
        against_rest: &[u32],
        cuts: Cuts,
        fold: Option<usize>,
        examples: &[u64],
    ) -> ScorePath {
        let all: u64 = examples.iter().sum();
        let side = |&class: &u32| {
            let own = examples.get(class as usize).copied().unwrap_or(0);
            let fit = JointFit::Class(ClassFit::remote((all - own) as f64, own as f64));
            OneVsRest::new(class, fit, RemotePath::new(cuts, fold, class))
        };
        ScorePath::of_sides(cuts, Vec::new(), against_rest.iter().map(side).collect())
    }

    fn of_sides(cuts: Cuts, examples: Vec<u32>, sides: Vec<OneVsRest>) -> ScorePath {
        let streams = draws();
        ScorePath { cuts, examples, sides, rules: Vec::new(), is_done: false, streams }
    }

    /// Returns the number of rules.
    pub(crate) fn size(&self) -> usize {
        self.rules.len()
    }

    /// Returns whether no further rule can be found.
    pub(crate) fn is_done(&self) -> bool {
        self.is_done
    }

    /// Adds the rule with the largest gain, for any class, and fits all points again.
    pub(crate) fn grow(&mut self, table: &FeatureTable, params: &Params, threads: &Threads) {
        if self.is_done {
            return;
        }
        let most = self.cuts.conditions(params.voting.most_comparisons);
        let (features, constraints) = (&table.stepped, &table.constraints);
        let (cuts, alone) = (self.cuts, false);
        let (enough, clear) = (enough(table.codes.len()), clear(table));
        let control = &table.control;
        let search = RuleSearch {
            features,
            constraints,
            most,
            cuts,
            alone,
            enough,
            clear,
            digests: &table.digests,
            threads,
            control,
        };
        let (examples, streams) = (&self.examples, self.streams);
        table.each(&mut self.sides, threads, |side| {
            side.find_next(&search, table, examples, streams);
        });
        if table.is_stopped() {
            return;
        }
        let leader = (0..self.sides.len()).filter(|&side| self.sides[side].score() > 0.0).reduce(
            |best, side| {
                if self.sides[side].score() > self.sides[best].score() { side } else { best }
            },
        );
        let Some((side, rule)) =
            leader.and_then(|side| Some((side, self.sides[side].next.take()?)))
        else {
            self.is_done = true;
            return;
        };
        let FoundRule { tests, members, favors, .. } = rule;
        let rule = PathRule { side, tests, favors };
        self.sides[side].add(&rule, table, members, threads);
        self.sides[side].fit.refit();
        self.rules.push(rule);
    }

    /// Returns the newest rule.
    pub(crate) fn newest(&self, table: &FeatureTable) -> Option<Rule> {
        let rule = self.rules.last()?;
        let (when, class) = (table.condition(&rule.tests), self.sides[rule.side].class);
        Some(Rule { when, class, votes: 0.0, covered: Vec::new() })
    }

    /// Returns the model so far.
    pub(crate) fn sized_model(&self, classes: usize) -> SizedModel {
        let mut base = self.starting_scores(classes);
        let rounded: Vec<(f64, Vec<f64>)> =
            self.sides.iter().map(|side| side.fit.rounded()).collect();
        let sides = self.sides.iter().zip(&rounded);
        sides.for_each(|(side, rounded)| base[side.class as usize] = rounded.0);
        let mut next = vec![0; self.sides.len()];
        let votes = self.rules.iter().map(|rule| {
            next[rule.side] += 1;
            rounded[rule.side].1[next[rule.side] - 1]
        });
        SizedModel { base, votes: votes.collect(), ..SizedModel::default() }
    }

    /// Returns the scores of classes without a fit. With two classes the first has none of its own;
    /// with more, a class without examples must not win because the others are unlikely.
    fn starting_scores(&self, classes: usize) -> Vec<f64> {
        vec![if classes > 2 { UNSEEN_SCORE } else { 0.0 }; classes]
    }

    /// Returns the scores of each class for some examples. Remote examples are the scored ones of
    /// the held-out fold.
    pub(crate) fn scores(
        &self,
        table: &FeatureTable,
        examples: &[u32],
        classes: usize,
    ) -> ScoreMatrix {
        let mut scores = self.starting_scores(classes).repeat(examples.len());
        for side in &self.sides {
            let of_class = scores.iter_mut().skip(side.class as usize).step_by(classes);
            let votes = side.scores(table, examples);
            of_class.zip(votes).for_each(|(scores, votes)| *scores = votes);
        }
        ScoreMatrix::new(classes, scores)
    }

    /// Returns the state, from which the path can be restored.
    pub(crate) fn save(&self) -> SavedPath {
        let fitted = |side: &OneVsRest| {
            let (base, votes) = side.fit.fitted();
            (base, votes.to_vec())
        };
        SavedPath {
            rules: self.rules.clone(),
            fitted: self.sides.iter().map(fitted).collect(),
            is_done: self.is_done,
        }
    }

    /// Restores a saved path; returns whether it fits the data.
    pub(crate) fn restore(
        &mut self,
        saved: SavedPath,
        table: &FeatureTable,
        threads: &Threads,
    ) -> bool {
        let is_known = |test: &Test| test.feature < table.stepped.len();
        let is_sound = saved.fitted.len() == self.sides.len()
            && saved
                .rules
                .iter()
                .all(|rule| rule.side < self.sides.len() && rule.tests.iter().all(is_known))
            && saved.fitted.iter().enumerate().all(|(side, (base, votes))| {
                let own = saved.rules.iter().filter(|rule| rule.side == side).count();
                base.is_finite() && votes.len() == own && votes.iter().all(|vote| vote.is_finite())
            });
        if !is_sound {
            return false;
        }
        for rule in &saved.rules {
            let members = self.sides[rule.side].members(table, &self.examples, &rule.tests);
            self.sides[rule.side].add(rule, table, members, threads);
        }
        for (side, fitted) in self.sides.iter_mut().zip(saved.fitted) {
            side.fit.restore(fitted);
        }
        (self.rules, self.is_done) = (saved.rules, saved.is_done);
        true
    }
}

impl OneVsRest {
    fn new(class: u32, fit: JointFit, path: RemotePath) -> OneVsRest {
        OneVsRest { class, fit, path, known: Vec::new(), next: None, is_fresh: false }
    }

    /// Finds the next rule, unless it is known already.
    fn find_next(
        &mut self,
        search: &RuleSearch<'_>,
        table: &FeatureTable,
        examples: &[u32],
        streams: Streams,
    ) {
        if self.is_fresh {
            return;
        }
        let streams = streams.at(self.class).at(self.known.len());
        self.next = match (&table.remote, &self.fit) {
            (Some(remote), JointFit::Class(fit)) => {
                remote.best(search, fit, &self.path, &self.known, streams)
            }
            _ => search.best(&self.fit, examples, &self.known, streams),
        };
        self.is_fresh = true;
    }

    fn score(&self) -> f64 {
        self.next.as_ref().map_or(0.0, |rule| rule.score)
    }

    /// Returns the digest of the examples that satisfy some conditions.
    fn members(&self, table: &FeatureTable, examples: &[u32], tests: &[Test]) -> Members {
        if let (Some(remote), JointFit::Class(fit)) = (&table.remote, &self.fit) {
            return remote.members(&self.path, fit, tests);
        }
        let steps = |test: &Test| &table.stepped[test.feature].steps;
        let holds = |example: u32| {
            tests.iter().all(|test| test.set.contains(steps(test)[example as usize]))
        };
        let members = examples.iter().filter(|example| holds(**example));
        members.map(|&example| Members::one(u64::from(example))).sum()
    }

    /// Adds a rule; its points are fitted later.
    fn add(&mut self, rule: &PathRule, table: &FeatureTable, members: Members, threads: &Threads) {
        match (&table.remote, &mut self.fit) {
            (Some(remote), JointFit::Class(fit)) => {
                let moved = remote.take(&mut self.path, &rule.tests, fit.patterns.len());
                fit.add_moved(&moved, rule.favors);
            }
            (_, fit) => fit.add_rule(&table.cover(&rule.tests, threads), rule.favors),
        }
        self.known.push(KnownRule { tests: rule.tests.clone(), members });
        self.is_fresh = false;
    }

    /// Returns the scores of some examples; remote examples are the scored ones of the held-out
    /// fold.
    fn scores(&self, table: &FeatureTable, examples: &[u32]) -> Vec<f64> {
        match (&table.remote, &self.fit) {
            (Some(remote), JointFit::Class(fit)) => {
                let votes = fit.by_pattern();
                let patterns = remote.held_out(&self.path, examples.len(), votes.len());
                patterns.into_iter().map(|pattern| votes[pattern as usize]).collect()
            }
            _ => self.fit.scores(examples),
        }
    }
}

/// Returns the weights of some examples, 0 for the others, scaled so that they add up to the
/// effective sample size: a few heavy examples among many light ones are a small sample.
pub(super) fn effective(weights: &[f64], examples: &[u32]) -> Vec<f64> {
    let own = || examples.iter().map(|&example| weights[example as usize]);
    let (sum, squares) =
        own().fold((0.0, 0.0), |(sum, squares), weight| (sum + weight, squares + weight * weight));
    let scale = if squares > 0.0 { sum / squares } else { 1.0 };
    let mut effective = vec![0.0; weights.len()];
    for &example in examples {
        effective[example as usize] = weights[example as usize] * scale;
    }
    effective
}
