//! A path of rules that grows by one rule at a time, learned from some of the examples and ready to say what it thinks of
//! the others.

use super::FeatureTable;
use super::class_fit::ClassFit;
use super::joint_fit::JointFit;
use super::members::{KnownRule, Members};
use super::remote::Path;
use super::search::{Cuts, FoundRule, RuleSearch, clear, enough};
use super::test::Test;
use crate::model::Rule;
use crate::params::Params;
use crate::path::SizedModel;
use pellucid_device::Threads;
use pellucid_learn::learner::Votes;
use pellucid_learn::rng::Streams;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Where the cuts come from that are drawn by chance. They are the same whatever the seed: it deals examples into folds, and so says
/// how many rules are rounded, but which rules there are is for the data to say.
pub(super) fn draws() -> Streams {
    Streams::new(0).at("boost")
}

/// The votes of a class that has no example to learn from.
const UNSEEN_SCORE: f64 = -10.0;

/// A path on its way.
#[derive(Debug)]
pub(crate) struct ScorePath {
    cuts: Cuts,
    /// The examples it learns from; none where they lie elsewhere.
    examples: Vec<u32>,
    sides: Vec<OneVsRest>,
    rules: Vec<PathRule>,
    /// Set once no rule explains anything more.
    is_done: bool,
    streams: Streams,
}

/// A rule of a path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PathRule {
    /// The side whose class it is about; of a list the class.
    pub(super) side: usize,
    pub(super) tests: Vec<Test>,
    #[serde(rename = "speaks_for")]
    pub(super) favors: bool,
}

/// All that is needed to go on with a path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct SavedPath {
    pub(super) rules: Vec<PathRule>,
    /// By side what it begins with, and the votes of its rules; a list needs none.
    pub(super) fitted: Vec<(f64, Vec<f64>)>,
    pub(super) is_done: bool,
}

/// One class against the rest.
#[derive(Debug)]
struct OneVsRest {
    class: u32,
    fit: JointFit,
    /// How far it is, for those who have the examples where they lie elsewhere.
    path: Path,
    /// The rules so far.
    known: Vec<KnownRule>,
    next: Option<FoundRule>,
    is_fresh: bool,
}

impl ScorePath {
    /// Nothing yet, for some classes against the rest and learned from some examples.
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
            OneVsRest::new(class, fit, Path::new(cuts, None, class))
        };
        let sides = against_rest.iter().map(side).collect();
        ScorePath::of_sides(cuts, examples, sides)
    }

    /// Nothing yet, learned from examples that lie elsewhere: of each class so many, and those of a fold fit out.
    pub(crate) fn elsewhere(
        against_rest: &[u32],
        cuts: Cuts,
        fold: Option<usize>,
        examples: &[u64],
    ) -> ScorePath {
        let all: u64 = examples.iter().sum();
        let side = |&class: &u32| {
            let own = examples.get(class as usize).copied().unwrap_or(0);
            let fit = JointFit::Class(ClassFit::elsewhere((all - own) as f64, own as f64));
            OneVsRest::new(class, fit, Path::new(cuts, fold, class))
        };
        ScorePath::of_sides(cuts, Vec::new(), against_rest.iter().map(side).collect())
    }

    fn of_sides(cuts: Cuts, examples: Vec<u32>, sides: Vec<OneVsRest>) -> ScorePath {
        let streams = draws();
        ScorePath { cuts, examples, sides, rules: Vec::new(), is_done: false, streams }
    }

    /// How many rules there are.
    pub(crate) fn size(&self) -> usize {
        self.rules.len()
    }

    /// Whether there is nothing more to find.
    pub(crate) fn is_done(&self) -> bool {
        self.is_done
    }

    /// Takes in the rule that explains most of what is fit, of whatever class, and finds all votes again.
    pub(crate) fn grow(&mut self, table: &FeatureTable, params: &Params, threads: &Threads) {
        if self.is_done {
            return;
        }
        let most = self.cuts.conditions(params.voting.most_comparisons);
        let (features, allowed) = (&table.stepped, &table.allowed);
        let (cuts, alone) = (self.cuts, false);
        let (enough, clear) = (enough(table.codes.len()), clear(table));
        let control = &table.control;
        let search =
            RuleSearch { features, allowed, most, cuts, alone, enough, clear, threads, control };
        let (examples, streams) = (&self.examples, self.streams);
        table.each(&mut self.sides, threads, |side| {
            side.look(&search, table, examples, streams);
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

    /// The newest rule as a person reads it.
    pub(crate) fn newest(&self, table: &FeatureTable) -> Option<Rule> {
        let rule = self.rules.last()?;
        let (when, class) = (table.condition(&rule.tests), self.sides[rule.side].class);
        Some(Rule { when, class, votes: 0.0, covered: Vec::new() })
    }

    /// The votes so far.
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

    /// The votes of each class as long as no rule has scores anything. Of two classes one is all that the other is not; of more, one
    /// without any example must not win because the others are unlikely.
    fn starting_scores(&self, classes: usize) -> Vec<f64> {
        vec![if classes > 2 { UNSEEN_SCORE } else { 0.0 }; classes]
    }

    /// By example the votes of each class. RemoteExamples the examples are those of the fold that are judged.
    pub(crate) fn scores(&self, table: &FeatureTable, examples: &[u32], classes: usize) -> Votes {
        let mut scores = self.starting_scores(classes).repeat(examples.len());
        for side in &self.sides {
            let of_class = scores.iter_mut().skip(side.class as usize).step_by(classes);
            let votes = side.scores(table, examples);
            of_class.zip(votes).for_each(|(scores, votes)| *scores = votes);
        }
        Votes::new(classes, scores)
    }

    /// What is needed to go on later.
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

    /// Takes up what was saved; says whether it is about these data.
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
    fn new(class: u32, fit: JointFit, path: Path) -> OneVsRest {
        OneVsRest { class, fit, path, known: Vec::new(), next: None, is_fresh: false }
    }

    /// Finds the next rule, if it is not known already.
    fn look(
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
        self.next = match (&table.elsewhere, &self.fit) {
            (Some(elsewhere), JointFit::Class(fit)) => {
                elsewhere.best(search, fit, &self.path, &self.known, streams)
            }
            _ => search.best(&self.fit, examples, &self.known, streams),
        };
        self.is_fresh = true;
    }

    fn score(&self) -> f64 {
        self.next.as_ref().map_or(0.0, |rule| rule.score)
    }

    /// Those of some examples that meet some conditions.
    fn members(&self, table: &FeatureTable, examples: &[u32], tests: &[Test]) -> Members {
        if let (Some(elsewhere), JointFit::Class(fit)) = (&table.elsewhere, &self.fit) {
            return elsewhere.members(&self.path, fit, tests);
        }
        let steps = |test: &Test| &table.stepped[test.feature].steps;
        let holds = |example: u32| {
            tests.iter().all(|test| test.set.contains(steps(test)[example as usize]))
        };
        let members = examples.iter().filter(|example| holds(**example));
        members.map(|&example| Members::one(u64::from(example))).sum()
    }

    /// Takes in a rule; its vote is still to be found.
    fn add(&mut self, rule: &PathRule, table: &FeatureTable, members: Members, threads: &Threads) {
        match (&table.elsewhere, &mut self.fit) {
            (Some(elsewhere), JointFit::Class(fit)) => {
                let moved = elsewhere.take(&mut self.path, &rule.tests, fit.patterns.len());
                fit.add_moved(&moved, rule.favors);
            }
            (_, fit) => fit.add_rule(&table.cover(&rule.tests, threads), rule.favors),
        }
        self.known.push(KnownRule { tests: rule.tests.clone(), members });
        self.is_fresh = false;
    }

    /// The sums of the votes for some examples; elsewhere they are those of the fold that are judged.
    fn scores(&self, table: &FeatureTable, examples: &[u32]) -> Vec<f64> {
        match (&table.elsewhere, &self.fit) {
            (Some(elsewhere), JointFit::Class(fit)) => {
                let votes = fit.by_pattern();
                let patterns = elsewhere.held_out(&self.path, examples.len(), votes.len());
                patterns.into_iter().map(|pattern| votes[pattern as usize]).collect()
            }
            _ => self.fit.scores(examples),
        }
    }
}

/// The weights of some examples, 0 for the others, so that they count as many examples as they are worth: a few heavy ones
/// among many light ones are a small sample.
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
