//! A path of rules that grows by one rule at a time, learned from some of the examples and ready to say what it thinks of
//! the others.

use super::Ground;
use super::ask::Test;
use super::elsewhere::Path;
use super::left::Left;
use super::members::{KnownRule, Members};
use super::residual::Residual;
use super::search::{Cuts, FoundRule, Search, clear, enough};
use crate::model::Rule;
use crate::params::Params;
use crate::path::Stop;
use pellucid_device::Threads;
use pellucid_learn::learner::Votes;
use pellucid_learn::rng::Streams;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Where the cuts come from that are drawn by chance. They are the same whatever the seed: it deals examples into folds, and so says
/// how many rules are told, but which rules there are is for the data to say.
pub(super) fn draws() -> Streams {
    Streams::new(0).at("boost")
}

/// The votes of a class that has no example to learn from.
const NEVER_MET: f64 = -10.0;

/// A path on its way.
#[derive(Debug)]
pub(crate) struct VoteGrowth {
    cuts: Cuts,
    /// The examples it learns from; none where they lie elsewhere.
    examples: Vec<u32>,
    sides: Vec<Side>,
    rules: Vec<Taken>,
    /// Set once no rule explains anything more.
    is_done: bool,
    streams: Streams,
}

/// A rule of a path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Taken {
    /// The side whose class it is about; of a list the class.
    pub(super) side: usize,
    pub(super) tests: Vec<Test>,
    pub(super) speaks_for: bool,
}

/// All that is needed to go on with a path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Kept {
    pub(super) rules: Vec<Taken>,
    /// By side what it begins with, and the votes of its rules; a list needs none.
    pub(super) fitted: Vec<(f64, Vec<f64>)>,
    pub(super) is_done: bool,
}

/// One class against the rest.
#[derive(Debug)]
struct Side {
    class: u32,
    left: Left,
    /// How far it is, for those who have the examples where they lie elsewhere.
    path: Path,
    /// The rules so far.
    known: Vec<KnownRule>,
    next: Option<FoundRule>,
    is_fresh: bool,
}

impl VoteGrowth {
    /// Nothing yet, for some classes against the rest and learned from some examples.
    pub(crate) fn new(
        ground: &Ground,
        against_rest: &[u32],
        cuts: Cuts,
        examples: Vec<u32>,
        params: &Params,
    ) -> VoteGrowth {
        let weights: Arc<[f64]> = effective(&ground.weights, &examples).into();
        let side = |&class: &u32| {
            let left = Left::new(ground, class, Arc::clone(&weights), params);
            Side::new(class, left, Path::new(cuts, None, class))
        };
        let sides = against_rest.iter().map(side).collect();
        VoteGrowth::of_sides(cuts, examples, sides)
    }

    /// Nothing yet, learned from examples that lie elsewhere: of each class so many, and those of a fold left out.
    pub(crate) fn elsewhere(
        against_rest: &[u32],
        cuts: Cuts,
        fold: Option<usize>,
        examples: &[u64],
    ) -> VoteGrowth {
        let all: u64 = examples.iter().sum();
        let side = |&class: &u32| {
            let own = examples.get(class as usize).copied().unwrap_or(0);
            let left = Left::Class(Residual::elsewhere((all - own) as f64, own as f64));
            Side::new(class, left, Path::new(cuts, fold, class))
        };
        VoteGrowth::of_sides(cuts, Vec::new(), against_rest.iter().map(side).collect())
    }

    fn of_sides(cuts: Cuts, examples: Vec<u32>, sides: Vec<Side>) -> VoteGrowth {
        let streams = draws();
        VoteGrowth { cuts, examples, sides, rules: Vec::new(), is_done: false, streams }
    }

    /// How many rules there are.
    pub(crate) fn size(&self) -> usize {
        self.rules.len()
    }

    /// Whether there is nothing more to find.
    pub(crate) fn is_done(&self) -> bool {
        self.is_done
    }

    /// Takes in the rule that explains most of what is left, of whatever class, and finds all votes again.
    pub(crate) fn grow(&mut self, ground: &Ground, params: &Params, threads: &Threads) {
        if self.is_done {
            return;
        }
        let most = self.cuts.conditions(params.voting.most_comparisons);
        let (features, allowed) = (&ground.stepped, &ground.allowed);
        let (cuts, alone) = (self.cuts, false);
        let (enough, clear) = (enough(ground.codes.len()), clear(ground));
        let control = &ground.control;
        let search =
            Search { features, allowed, most, cuts, alone, enough, clear, threads, control };
        let (examples, streams) = (&self.examples, self.streams);
        ground.each(&mut self.sides, threads, |side| {
            side.look(&search, ground, examples, streams);
        });
        if ground.is_stopped() {
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
        let taken = Taken { side, tests: rule.tests, speaks_for: rule.speaks_for };
        self.sides[side].add(&taken, ground, rule.members, threads);
        self.sides[side].left.refit();
        self.rules.push(taken);
    }

    /// The newest rule as a person reads it.
    pub(crate) fn newest(&self, ground: &Ground) -> Option<Rule> {
        let taken = self.rules.last()?;
        let (when, class) = (ground.told(&taken.tests), self.sides[taken.side].class);
        Some(Rule { when, class, votes: 0.0, covered: Vec::new() })
    }

    /// The votes so far.
    pub(crate) fn stop(&self, classes: usize) -> Stop {
        let mut base = self.unsaid(classes);
        let told: Vec<(f64, Vec<f64>)> = self.sides.iter().map(|side| side.left.told()).collect();
        let sides = self.sides.iter().zip(&told);
        sides.for_each(|(side, told)| base[side.class as usize] = told.0);
        let mut next = vec![0; self.sides.len()];
        let votes = self.rules.iter().map(|taken| {
            next[taken.side] += 1;
            told[taken.side].1[next[taken.side] - 1]
        });
        Stop { base, votes: votes.collect(), ..Stop::default() }
    }

    /// The votes of each class as long as no rule has said anything. Of two classes one is all that the other is not; of more, one
    /// without any example must not win because the others are unlikely.
    fn unsaid(&self, classes: usize) -> Vec<f64> {
        vec![if classes > 2 { NEVER_MET } else { 0.0 }; classes]
    }

    /// By example the votes of each class. Elsewhere the examples are those of the fold that are judged.
    pub(crate) fn said(&self, ground: &Ground, examples: &[u32], classes: usize) -> Votes {
        let mut said = self.unsaid(classes).repeat(examples.len());
        for side in &self.sides {
            let of_class = said.iter_mut().skip(side.class as usize).step_by(classes);
            let votes = side.said(ground, examples);
            of_class.zip(votes).for_each(|(said, votes)| *said = votes);
        }
        Votes::new(classes, said)
    }

    /// What is needed to go on later.
    pub(crate) fn keep(&self) -> Kept {
        let fitted = |side: &Side| {
            let (base, votes) = side.left.fitted();
            (base, votes.to_vec())
        };
        Kept {
            rules: self.rules.clone(),
            fitted: self.sides.iter().map(fitted).collect(),
            is_done: self.is_done,
        }
    }

    /// Takes up what was kept; says whether it is about these data.
    pub(crate) fn restore(&mut self, kept: Kept, ground: &Ground, threads: &Threads) -> bool {
        let is_known = |test: &Test| test.feature < ground.stepped.len();
        let is_sound = kept.fitted.len() == self.sides.len()
            && kept
                .rules
                .iter()
                .all(|taken| taken.side < self.sides.len() && taken.tests.iter().all(is_known))
            && kept.fitted.iter().enumerate().all(|(side, (base, votes))| {
                let own = kept.rules.iter().filter(|taken| taken.side == side).count();
                base.is_finite() && votes.len() == own && votes.iter().all(|vote| vote.is_finite())
            });
        if !is_sound {
            return false;
        }
        for taken in &kept.rules {
            let members = self.sides[taken.side].members(ground, &self.examples, &taken.tests);
            self.sides[taken.side].add(taken, ground, members, threads);
        }
        for (side, fitted) in self.sides.iter_mut().zip(kept.fitted) {
            side.left.restore(fitted);
        }
        (self.rules, self.is_done) = (kept.rules, kept.is_done);
        true
    }
}

impl Side {
    fn new(class: u32, left: Left, path: Path) -> Side {
        Side { class, left, path, known: Vec::new(), next: None, is_fresh: false }
    }

    /// Finds the next rule, if it is not known already.
    fn look(&mut self, search: &Search<'_>, ground: &Ground, examples: &[u32], streams: Streams) {
        if self.is_fresh {
            return;
        }
        let streams = streams.at(self.class).at(self.known.len());
        self.next = match (&ground.elsewhere, &self.left) {
            (Some(elsewhere), Left::Class(left)) => {
                elsewhere.best(search, left, &self.path, &self.known, streams)
            }
            _ => search.best(&self.left, examples, &self.known, streams),
        };
        self.is_fresh = true;
    }

    fn score(&self) -> f64 {
        self.next.as_ref().map_or(0.0, |rule| rule.score)
    }

    /// Those of some examples that meet some conditions.
    fn members(&self, ground: &Ground, examples: &[u32], tests: &[Test]) -> Members {
        if let (Some(elsewhere), Left::Class(left)) = (&ground.elsewhere, &self.left) {
            return elsewhere.members(&self.path, left, tests);
        }
        let steps = |test: &Test| &ground.stepped[test.feature].steps;
        let holds =
            |example: u32| tests.iter().all(|test| test.ask.holds(steps(test)[example as usize]));
        let members = examples.iter().filter(|example| holds(**example));
        members.map(|&example| Members::one(u64::from(example))).sum()
    }

    /// Takes in a rule; its vote is still to be found.
    fn add(&mut self, taken: &Taken, ground: &Ground, members: Members, threads: &Threads) {
        match (&ground.elsewhere, &mut self.left) {
            (Some(elsewhere), Left::Class(left)) => {
                let moved = elsewhere.take(&mut self.path, &taken.tests, left.patterns.len());
                left.add_moved(&moved, taken.speaks_for);
            }
            (_, left) => left.add_rule(&ground.cover(&taken.tests, threads), taken.speaks_for),
        }
        self.known.push(KnownRule { tests: taken.tests.clone(), members });
        self.is_fresh = false;
    }

    /// The sums of the votes for some examples; elsewhere they are those of the fold that are judged.
    fn said(&self, ground: &Ground, examples: &[u32]) -> Vec<f64> {
        match (&ground.elsewhere, &self.left) {
            (Some(elsewhere), Left::Class(left)) => {
                let votes = left.by_pattern();
                let patterns = elsewhere.held_out(&self.path, examples.len(), votes.len());
                patterns.into_iter().map(|pattern| votes[pattern as usize]).collect()
            }
            _ => self.left.said(examples),
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
