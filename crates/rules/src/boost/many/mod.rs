//! Rules for more than two classes: a path whose rules have points for several classes at once.
//!
//! A rule is searched for by the sum of its gains over all classes, so that one rule may separate
//! one group of classes from another. It then has points for the few classes that it explains, and
//! the points of all rules are fitted again.

mod contribution;
mod examples;
mod fit;
mod gain;
mod refit;
mod scan;

use super::FeatureTable;
use super::members::{KnownRule, Members};
use super::pairs::Pair;
use super::remote::RemotePath;
use super::score_path::{PathRule, SavedPath, draws, effective};
use super::search::{Cuts, FoundRule, RuleSearch};
use super::test::Test;
use crate::model::{ClassPoints, Rule};
use crate::params::Params;
use crate::path::{SizedModel, rounded};
pub(super) use contribution::{Contributions, Layout, SCALE};
pub(super) use fit::ManyFit;
pub(super) use gain::ManyGain;
use pellucid_device::Threads;
use pellucid_learn::rng::Streams;
use pellucid_learn::score_matrix::ScoreMatrix;
use refit::FEW_ROUNDS;
pub(super) use scan::scan_sums;
use std::sync::OnceLock;

/// A path that grows.
#[derive(Debug)]
pub(crate) struct ManyPath {
    cuts: Cuts,
    /// The training examples; empty if they are remote.
    examples: Vec<u32>,
    /// The state for the workers, if examples are remote.
    remote: RemotePath,
    fit: ManyFit,
    rules: Vec<KnownRule>,
    /// Conditions that are useful only together, looked for on first use.
    pairs: OnceLock<Vec<Pair>>,
    /// Whether no further rule has a gain.
    is_done: bool,
    streams: Streams,
}

impl ManyPath {
    /// Creates an empty path for some classes and training examples.
    pub(super) fn new(
        table: &FeatureTable,
        classes: usize,
        cuts: Cuts,
        examples: Vec<u32>,
    ) -> ManyPath {
        let weights = effective(&table.weights, &examples);
        let fit = ManyFit::new(classes, table.codes.clone().into(), weights.into());
        ManyPath::of(fit, RemotePath::new(cuts, None, classes), cuts, examples)
    }

    /// Creates an empty path for remote examples, given the number of each class and the held-out fold.
    pub(super) fn remote(cuts: Cuts, fold: Option<usize>, examples: &[u64]) -> ManyPath {
        let fit = ManyFit::remote(examples.iter().map(|&count| count as f64).collect());
        ManyPath::of(fit, RemotePath::new(cuts, fold, examples.len()), cuts, Vec::new())
    }

    fn of(fit: ManyFit, remote: RemotePath, cuts: Cuts, examples: Vec<u32>) -> ManyPath {
        let (rules, pairs, is_done, streams) = (Vec::new(), OnceLock::new(), false, draws());
        ManyPath { cuts, examples, remote, fit, rules, pairs, is_done, streams }
    }

    /// Returns the number of rules.
    pub(super) fn size(&self) -> usize {
        self.rules.len()
    }

    /// Returns whether no further rule can be found.
    pub(super) fn is_done(&self) -> bool {
        self.is_done
    }

    /// Adds the rule with the largest gain over all classes, and fits all points again.
    pub(super) fn grow(&mut self, table: &FeatureTable, params: &Params, threads: &Threads) {
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
        let streams = self.streams.at(self.rules.len());
        let found = match &table.remote {
            Some(remote) => {
                remote.best_of_many(&search, &self.fit, &self.remote, &self.rules, streams)
            }
            None => {
                let contributions = self.fit.contributions(&self.examples, threads.level());
                search.best_of_many(&contributions, &self.examples, &self.rules, streams)
            }
        };
        if table.is_stopped() {
            return;
        }
        let Some(FoundRule { tests, members, .. }) = found else {
            self.is_done = true;
            return;
        };
        self.add(table, tests, members, threads);
        self.fit.refit(FEW_ROUNDS);
    }

    /// Adds a rule; its points are fitted later.
    fn add(&mut self, table: &FeatureTable, tests: Vec<Test>, members: Members, threads: &Threads) {
        match &table.remote {
            Some(remote) => {
                let moved = remote.take(&mut self.remote, &tests, self.fit.patterns.len());
                self.fit.add_moved(&moved);
            }
            None => self.fit.add_rule(&table.cover(&tests, threads)),
        }
        self.rules.push(KnownRule { tests, members });
    }

    /// Returns the newest rule.
    pub(super) fn newest(&self, table: &FeatureTable) -> Option<Rule> {
        let (rule, points) = (self.rules.last()?, self.fit.rules.last()?);
        let entry = |class: u32| ClassPoints { class, votes: 0.0 };
        let others = points[1..].iter().map(|points| entry(points.class)).collect();
        Some(Rule { others, ..Rule::new(table.condition(&rule.tests), points[0].class, 0.0) })
    }

    /// Returns the model so far.
    pub(super) fn sized_model(&self) -> SizedModel {
        let pruned = self.fit.pruned();
        // Points that are left out are 0.
        let of_rule = |(points, kept): (&Vec<fit::Points>, &Vec<fit::Points>)| -> Vec<f64> {
            let own = |class: u32| kept.iter().find(|one| one.class == class);
            points.iter().map(|one| rounded(own(one.class).map_or(0.0, |own| own.points))).collect()
        };
        let points: Vec<Vec<f64>> = self.fit.rules.iter().zip(&pruned.rules).map(of_rule).collect();
        SizedModel {
            base: pruned.base.iter().map(|&base| rounded(base)).collect(),
            votes: points.iter().map(|points| points[0]).collect(),
            others: points.iter().map(|points| points[1..].to_vec()).collect(),
            ..SizedModel::default()
        }
    }

    /// Returns the scores of each class for some examples. Remote examples are the scored ones of
    /// the held-out fold.
    pub(super) fn scores(&self, table: &FeatureTable, examples: &[u32]) -> ScoreMatrix {
        let (pruned, classes) = (self.fit.pruned(), self.fit.classes);
        let patterns: Vec<u32> = match &table.remote {
            Some(remote) => remote.held_out(&self.remote, examples.len(), self.fit.patterns.len()),
            None => {
                let pattern_of = self.fit.pattern_of();
                examples.iter().map(|&example| pattern_of[example as usize]).collect()
            }
        };
        let mut scores = vec![0.0; patterns.len() * classes];
        for (pattern, into) in patterns.into_iter().zip(scores.chunks_exact_mut(classes)) {
            pruned.write_scores(pattern as usize, into);
        }
        ScoreMatrix::new(classes, scores)
    }

    /// Returns the state, from which the path can be restored.
    pub(super) fn save(&self) -> SavedPath {
        let rule = |(rule, points): (&KnownRule, &Vec<fit::Points>)| PathRule {
            side: points[0].class as usize,
            tests: rule.tests.clone(),
            // The points tell which classes it favors.
            favors: true,
        };
        let of_class = |(class, &base): (u32, &f64)| {
            let own = self.fit.rules.iter().flatten().filter(|points| points.class == class);
            (base, own.map(|points| points.points).collect())
        };
        SavedPath {
            rules: self.rules.iter().zip(&self.fit.rules).map(rule).collect(),
            fitted: (0u32..).zip(&self.fit.base).map(of_class).collect(),
            is_done: self.is_done,
        }
    }

    /// Restores a saved path; returns whether it fits the data.
    pub(super) fn restore(
        &mut self,
        saved: SavedPath,
        table: &FeatureTable,
        threads: &Threads,
    ) -> bool {
        let is_known = |test: &Test| test.feature < table.stepped.len();
        if saved.fitted.len() != self.fit.classes
            || !saved.rules.iter().flat_map(|rule| &rule.tests).all(is_known)
        {
            return false;
        }
        for rule in saved.rules {
            // The points decide which classes a rule has points for, so they are fitted on the way.
            let members = match &table.remote {
                Some(remote) => remote.members_of_many(&self.remote, &self.fit, &rule.tests),
                None => table.members(&rule.tests, &self.examples),
            };
            self.add(table, rule.tests, members, threads);
            self.fit.refit(FEW_ROUNDS);
        }
        self.is_done = saved.is_done;
        self.save().fitted == saved.fitted
    }
}
