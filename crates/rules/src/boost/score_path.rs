//! A path of rules whose points add up, which grows by one rule at a time.

use super::FeatureTable;
use super::class_fit::ClassFit;
use super::joint_fit::JointFit;
use super::members::{KnownRule, Members};
use super::on_gpu::GpuExamples;
use super::pairs::Pair;
use super::remote::RemotePath;
use super::search::{Cuts, FoundRule, RuleSearch};
use super::test::{Test, is_same_idea};
use crate::model::{FoundIn, Rule};
use crate::params::Params;
use crate::path::SizedModel;
use pellucid_device::Threads;
use pellucid_learn::rng::Streams;
use pellucid_learn::score_matrix::ScoreMatrix;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

/// The largest points of a rule of a scorecard.
const MOST_POINTS: f64 = 10.0;

/// Returns the random streams for cut points. They do not depend on the seed: the seed assigns
/// examples to folds and so influences the size of the model, but not which rules are found.
pub(super) fn draws() -> Streams {
    Streams::new(0).at("boost")
}

/// A path that grows: for the second of two classes, or for a number.
#[derive(Debug)]
pub(crate) struct ScorePath {
    cuts: Cuts,
    /// The output that gets the points: the second class, or the number.
    class: u32,
    /// The training examples; empty if they are remote.
    examples: Vec<u32>,
    fit: JointFit,
    /// The state for the workers, if examples are remote.
    remote: RemotePath,
    /// The rules so far.
    rules: Vec<PathRule>,
    known: Vec<KnownRule>,
    /// The number of this path on the GPU, if one takes part.
    on_gpu: Option<usize>,
    /// Conditions that are useful only together, looked for on first use.
    pairs: OnceLock<Vec<Pair>>,
    /// Whether no further rule has a gain.
    is_done: bool,
    streams: Streams,
}

/// A rule of a path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PathRule {
    /// Its class in a list or with many classes, or 0.
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

impl SavedPath {
    /// Returns the first of the first rules that expresses the same idea as a rule of another path.
    fn with_idea(&self, rule: &PathRule, first: usize) -> Option<&PathRule> {
        let is_same = |other: &&PathRule| {
            rule.favors == other.favors && is_same_idea(&rule.tests, &other.tests)
        };
        self.rules.iter().take(first).find(is_same)
    }

    /// Returns the conditions of the rule of another path that expresses the same idea as a rule of this one,
    /// among its first rules.
    pub(crate) fn same_idea<'a>(
        &self,
        rule: usize,
        other: &'a SavedPath,
        first: usize,
    ) -> Option<&'a [Test]> {
        Some(&other.with_idea(self.rules.get(rule)?, first)?.tests)
    }

    /// Returns in how many other paths each of the first rules was found, among as many rules.
    pub(crate) fn found_in(&self, others: &[SavedPath], first: usize) -> Vec<FoundIn> {
        let of = u32::try_from(others.len()).unwrap_or(u32::MAX);
        let folds = |rule: &PathRule| {
            let found =
                others.iter().filter(|other| other.with_idea(rule, first).is_some()).count();
            FoundIn { folds: u32::try_from(found).unwrap_or(u32::MAX), of }
        };
        self.rules.iter().take(first).map(folds).collect()
    }
}

impl ScorePath {
    /// Creates an empty path for some training examples.
    pub(crate) fn new(
        table: &FeatureTable,
        outputs: usize,
        cuts: Cuts,
        examples: Vec<u32>,
        params: &Params,
    ) -> ScorePath {
        let class = u32::from(outputs > 1);
        let weights: Arc<[f64]> = effective(&table.weights, &examples).into();
        let fit = JointFit::new(table, class, weights, params);
        let path = ScorePath::of(fit, RemotePath::new(cuts, None, 2), (class, cuts), examples);
        ScorePath { on_gpu: table.gpu.as_ref().map(GpuExamples::new_search), ..path }
    }

    /// Creates an empty path for remote examples, given the number of each class and the held-out
    /// fold.
    pub(crate) fn remote(cuts: Cuts, fold: Option<usize>, examples: &[u64]) -> ScorePath {
        let class = u32::from(examples.len() > 1);
        let own = examples.get(class as usize).copied().unwrap_or(0);
        let all: u64 = examples.iter().sum();
        let fit = JointFit::Class(ClassFit::remote((all - own) as f64, own as f64));
        ScorePath::of(fit, RemotePath::new(cuts, fold, 2), (class, cuts), Vec::new())
    }

    fn of(
        fit: JointFit,
        remote: RemotePath,
        (class, cuts): (u32, Cuts),
        examples: Vec<u32>,
    ) -> ScorePath {
        ScorePath {
            cuts,
            class,
            examples,
            fit,
            remote,
            rules: Vec::new(),
            known: Vec::new(),
            on_gpu: None,
            pairs: OnceLock::new(),
            is_done: false,
            streams: draws(),
        }
    }

    /// Returns the number of rules.
    pub(crate) fn size(&self) -> usize {
        self.rules.len()
    }

    /// Returns whether no further rule can be found.
    pub(crate) fn is_done(&self) -> bool {
        self.is_done
    }

    /// Adds the rule with the largest gain, and fits all points again.
    pub(crate) fn grow(&mut self, table: &FeatureTable, params: &Params, threads: &Threads) {
        if self.is_done {
            return;
        }
        let pairs = self.pairs.get_or_init(|| {
            let conditions = self.cuts.joined(params.voting.most_comparisons);
            table.pairs_of_path((&self.examples, &self.remote), conditions, threads.level())
        });
        let rules = self.rules.iter().map(|rule| &rule.tests[..]);
        let most = params.voting.most_columns;
        let columns = most.map(|most| table.constraints.columns_left(rules, most));
        let search = RuleSearch {
            columns: columns.as_ref(),
            ..RuleSearch::new(table, self.cuts, pairs, params, threads)
        };
        let streams = self.streams.at(self.class).at(self.known.len());
        let found = match (&table.remote, &self.fit) {
            (Some(remote), JointFit::Class(fit)) => {
                remote.best(&search, fit, &self.remote, &self.known, streams)
            }
            _ => self
                .best_on_gpu(&search, table, streams)
                .unwrap_or_else(|| search.best(&self.fit, &self.examples, &self.known, streams)),
        };
        if table.is_stopped() {
            return;
        }
        let Some(FoundRule { tests, members, favors, .. }) = found.filter(|rule| rule.score > 0.0)
        else {
            self.is_done = true;
            return;
        };
        self.add(PathRule { side: 0, tests, favors }, table, members, threads);
        self.fit.refit();
    }

    /// Returns the rule with the largest gain, found on a GPU; the outer `None` if the CPU must search.
    fn best_on_gpu(
        &self,
        search: &RuleSearch<'_>,
        table: &FeatureTable,
        streams: Streams,
    ) -> Option<Option<FoundRule>> {
        let JointFit::Class(fit) = &self.fit else { return None };
        let (gpu, number) = table.gpu.as_ref().zip(self.on_gpu)?;
        gpu.best(search, number, (fit, &self.examples), &self.known, streams)
    }

    /// Returns the newest rule.
    pub(crate) fn newest(&self, table: &FeatureTable) -> Option<Rule> {
        let rule = self.rules.last()?;
        Some(Rule::new(table.condition(&rule.tests), self.class, 0.0))
    }

    /// Returns the factor that makes the largest points [`MOST_POINTS`].
    pub(crate) fn whole_factor(&self) -> f64 {
        match &self.fit {
            JointFit::Class(fit) if fit.most_points() > 0.0 => MOST_POINTS / fit.most_points(),
            _ => 1.0,
        }
    }

    /// Returns the model so far, given a factor for whole points.
    pub(crate) fn sized_model(&self, outputs: usize, factor: Option<f64>) -> SizedModel {
        let (intercept, votes) = self.fit.in_points(factor).rounded();
        let mut base = vec![0.0; outputs];
        base[self.class as usize] = intercept;
        SizedModel { base, votes, ..SizedModel::default() }
    }

    /// Returns the scores of each class, or the number, for some examples, given a factor for whole points.
    /// Remote examples are the scored ones of the held-out fold.
    pub(crate) fn scores(
        &self,
        table: &FeatureTable,
        examples: &[u32],
        (outputs, factor): (usize, Option<f64>),
    ) -> ScoreMatrix {
        let fit = self.fit.in_points(factor);
        let own = match (&table.remote, &*fit) {
            (Some(remote), JointFit::Class(fit)) => {
                let votes = fit.by_pattern();
                let patterns = remote.held_out(&self.remote, examples.len(), votes.len());
                patterns.into_iter().map(|pattern| votes[pattern as usize]).collect()
            }
            _ => fit.scores(examples),
        };
        let mut scores = vec![0.0; outputs * examples.len()];
        let of_class = scores.iter_mut().skip(self.class as usize).step_by(outputs);
        of_class.zip(own).for_each(|(scores, own)| *scores = own);
        ScoreMatrix::new(outputs, scores)
    }

    /// Returns the state, from which the path can be restored.
    pub(crate) fn save(&self) -> SavedPath {
        let (base, votes) = self.fit.fitted();
        SavedPath {
            rules: self.rules.clone(),
            fitted: vec![(base, votes.to_vec())],
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
        let [(base, votes)] = &saved.fitted[..] else { return false };
        let is_sound =
            saved.rules.iter().all(|rule| rule.side == 0 && rule.tests.iter().all(is_known))
                && votes.len() == saved.rules.len()
                && base.is_finite()
                && votes.iter().all(|vote| vote.is_finite());
        if !is_sound {
            return false;
        }
        for rule in saved.rules {
            let members = match (&table.remote, &self.fit) {
                (Some(remote), JointFit::Class(fit)) => {
                    remote.members(&self.remote, fit, &rule.tests)
                }
                _ => table.members(&rule.tests, &self.examples),
            };
            self.add(rule, table, members, threads);
        }
        saved.fitted.into_iter().for_each(|fitted| self.fit.restore(fitted));
        self.is_done = saved.is_done;
        true
    }

    /// Adds a rule; its points are fitted later.
    fn add(&mut self, rule: PathRule, table: &FeatureTable, members: Members, threads: &Threads) {
        match (&table.remote, &mut self.fit) {
            (Some(remote), JointFit::Class(fit)) => {
                let moved = remote.take(&mut self.remote, &rule.tests, fit.patterns.len());
                fit.add_moved(&moved, rule.favors);
            }
            (_, fit) => fit.add_rule(&table.cover(&rule.tests, threads), rule.favors),
        }
        self.known.push(KnownRule { tests: rule.tests.clone(), members });
        self.rules.push(rule);
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
