//! What the rules so far leave unexplained.
//!
//! Examples for which the same rules hold get the same votes, so they are kept together: a *pattern* is a set of rules and
//! the weight of the examples, in and outside of the class, for which just these hold. There are far fewer patterns than
//! examples, and votes are found ([`refit`](super::refit)) on the patterns alone.
//!
//! Examples that are held out have patterns too, but no weight: nothing is learned from them, and their votes are at hand.

use super::local::{Block, Objective, in_blocks};
use super::sums::{Contribution, SCALE};
use pellucid_device::Threads;
use std::sync::Arc;

/// No example is so certain that it has no curvature left.
const LEAST_CURVATURE: f64 = 1e-3;
/// Says that examples of a pattern have not been moved yet.
const NOT_MOVED: u32 = u32::MAX;

/// One class against the rest, and the rules found so far.
#[derive(Clone, Debug)]
pub(super) struct ClassFit {
    is_positive: Vec<bool>,
    /// Weights of examples, 1 on average where all count the same; 0 for those that are held out.
    weights: Arc<[f64]>,
    pattern_of: Vec<u32>,
    pub(super) patterns: Vec<Pattern>,
    /// What the class has to begin with.
    pub(super) base: f64,
    /// The votes of the rules, in the order in which they were found.
    pub(super) votes: Vec<f64>,
    /// Whether the examples that a rule holds for are of the class more often than others.
    pub(super) favors: Vec<bool>,
    heaviest: f64,
}

/// Examples for which the same rules hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Pattern {
    pub(super) rules: Vec<u32>,
    pub(super) outside: f64,
    pub(super) inside: f64,
}

/// Examples of a pattern that meet a further rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct PatternMove {
    pub(super) old: u32,
    pub(super) outside: f64,
    pub(super) inside: f64,
}

impl ClassFit {
    pub(super) fn new(is_positive: Vec<bool>, weights: Arc<[f64]>) -> ClassFit {
        let mut all = Pattern::default();
        for (&weight, &positive) in weights.iter().zip(&is_positive) {
            *(if positive { &mut all.inside } else { &mut all.outside }) += weight;
        }
        ClassFit {
            pattern_of: vec![0; weights.len()],
            base: libm::log((all.inside + 0.5) / (all.outside + 0.5)),
            patterns: vec![all],
            votes: Vec::new(),
            favors: Vec::new(),
            heaviest: weights.iter().copied().fold(f64::MIN_POSITIVE, f64::max),
            is_positive,
            weights,
        }
    }

    /// One of examples that lie elsewhere: so many outside and inside of the class, all of the same weight.
    pub(super) fn elsewhere(outside: f64, inside: f64) -> ClassFit {
        let mut all = ClassFit::new(Vec::new(), Vec::new().into());
        all.base = libm::log((inside + 0.5) / (outside + 0.5));
        all.patterns = vec![Pattern { rules: Vec::new(), outside, inside }];
        all
    }

    /// Takes in a rule that holds for some examples elsewhere; its vote is still to be found.
    pub(super) fn add_moved(&mut self, moved: &[PatternMove], favors: bool) {
        let rule = u32::try_from(self.votes.len()).unwrap_or(u32::MAX);
        self.votes.push(0.0);
        self.favors.push(favors);
        for &PatternMove { old, outside, inside } in moved {
            let old = &mut self.patterns[old as usize];
            old.outside -= outside;
            old.inside -= inside;
            let rules = old.rules.iter().copied().chain([rule]).collect();
            self.patterns.push(Pattern { rules, outside, inside });
        }
    }

    /// How many examples it is learned from, where all weigh the same.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole numbers")]
    pub(super) fn examples(&self) -> usize {
        let of = |pattern: &Pattern| pattern.inside + pattern.outside;
        self.patterns.iter().map(of).sum::<f64>() as usize
    }

    /// By pattern the share of the class that the votes give.
    pub(super) fn shares(&self) -> Vec<f64> {
        self.patterns.iter().map(|pattern| share(self.margin(pattern))).collect()
    }

    /// By pattern the sum of the votes.
    pub(super) fn by_pattern(&self) -> Vec<f64> {
        self.patterns.iter().map(|pattern| self.margin(pattern)).collect()
    }

    /// Takes in a rule that holds for some examples; its vote is still to be found.
    pub(super) fn add_rule(&mut self, examples: &[u32], favors: bool) {
        let rule = u32::try_from(self.votes.len()).unwrap_or(u32::MAX);
        self.votes.push(0.0);
        self.favors.push(favors);
        let mut moved = vec![NOT_MOVED; self.patterns.len()];
        for &example in examples {
            let example = example as usize;
            let old = self.pattern_of[example] as usize;
            if moved[old] == NOT_MOVED {
                let mut rules = self.patterns[old].rules.clone();
                rules.push(rule);
                moved[old] = u32::try_from(self.patterns.len()).unwrap_or(u32::MAX);
                self.patterns.push(Pattern { rules, ..Pattern::default() });
            }
            self.pattern_of[example] = moved[old];
            let weight = self.weights[example];
            let side = |pattern: &mut Pattern, weight: f64| match self.is_positive[example] {
                true => pattern.inside += weight,
                false => pattern.outside += weight,
            };
            side(&mut self.patterns[old], -weight);
            side(&mut self.patterns[moved[old] as usize], weight);
        }
    }

    /// The sum of the votes for a pattern.
    fn margin(&self, pattern: &Pattern) -> f64 {
        self.base + pattern.rules.iter().map(|&rule| self.votes[rule as usize]).sum::<f64>()
    }

    /// The sums of the votes for some examples.
    pub(super) fn margins<'a>(
        &'a self,
        examples: &'a [u32],
    ) -> impl Iterator<Item = f64> + use<'a> {
        let margins = self.by_pattern();
        examples.iter().map(move |&example| margins[self.pattern_of[example as usize] as usize])
    }
}

impl Objective for ClassFit {
    fn blocks(&self, examples: &[u32], threads: &Threads) -> (Vec<Block>, f64) {
        let shares = self.shares();
        let one = |example: u32| {
            let example = example as usize;
            let share = shares[self.pattern_of[example] as usize];
            part(self.weights[example], share, self.is_positive[example], self.heaviest)
        };
        (in_blocks(examples, threads, one), self.heaviest / SCALE)
    }
}

/// What an example adds to a sum, given the share of the class that it gets, and the heaviest weight of all.
#[inline]
pub(super) fn part(weight: f64, share: f64, is_positive: bool, heaviest: f64) -> Contribution {
    let scale = SCALE / heaviest;
    #[expect(clippy::cast_possible_truncation, reason = "at most 2^30")]
    let whole = |number: f64| (number * scale).round() as i32;
    let actual = f64::from(u8::from(is_positive));
    let curvature = (share * (1.0 - share)).max(LEAST_CURVATURE);
    Contribution(
        [weight * (actual - share), weight * curvature, weight, weight * actual].map(whole),
    )
}

/// The share of the class where it has so many votes. The library's own exponential is the same on every machine; and what
/// is missing to one is exactly the share of the opposite, so that it does not matter which class is called positive.
pub(super) fn share(votes: f64) -> f64 {
    let of_more = 1.0 / (1.0 + libm::exp(-votes.abs()));
    if votes < 0.0 { 1.0 - of_more } else { of_more }
}
