//! What the rules so far leave unexplained.
//!
//! Examples for which the same rules hold get the same votes, so they are kept together: a *pattern* is a set of rules and
//! the weight of the examples, in and outside of the class, for which just these hold. There are far fewer patterns than
//! examples, and votes are found ([`refit`](super::refit)) on the patterns alone.
//!
//! Examples that are held out have patterns too, but no weight: nothing is learned from them, and their votes are at hand.

use super::search::Explained;
use super::sums::{Part, SCALE};
use std::sync::Arc;

/// No example is so certain that it has no curvature left.
const LEAST_CURVATURE: f64 = 1e-3;
/// Says that examples of a pattern have not been moved yet.
const NOT_MOVED: u32 = u32::MAX;

/// One class against the rest, and the rules found so far.
#[derive(Clone, Debug)]
pub(super) struct Residual {
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
    pub(super) speaks_for: Vec<bool>,
    heaviest: f64,
}

/// Examples for which the same rules hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Pattern {
    pub(super) rules: Vec<u32>,
    pub(super) outside: f64,
    pub(super) inside: f64,
}

impl Residual {
    pub(super) fn new(is_positive: Vec<bool>, weights: Arc<[f64]>) -> Residual {
        let mut all = Pattern::default();
        for (&weight, &positive) in weights.iter().zip(&is_positive) {
            *(if positive { &mut all.inside } else { &mut all.outside }) += weight;
        }
        Residual {
            pattern_of: vec![0; weights.len()],
            base: libm::log((all.inside + 0.5) / (all.outside + 0.5)),
            patterns: vec![all],
            votes: Vec::new(),
            speaks_for: Vec::new(),
            heaviest: weights.iter().copied().fold(f64::MIN_POSITIVE, f64::max),
            is_positive,
            weights,
        }
    }

    /// Takes in a rule that holds for some examples; its vote is still to be found.
    pub(super) fn add_rule(&mut self, examples: &[u32], speaks_for: bool) {
        let rule = u32::try_from(self.votes.len()).unwrap_or(u32::MAX);
        self.votes.push(0.0);
        self.speaks_for.push(speaks_for);
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
        let margins: Vec<f64> = self.patterns.iter().map(|pattern| self.margin(pattern)).collect();
        examples.iter().map(move |&example| margins[self.pattern_of[example as usize] as usize])
    }
}

impl Explained for Residual {
    fn parts(&self, examples: &[u32]) -> (Vec<Part>, f64) {
        let shares: Vec<f64> =
            self.patterns.iter().map(|pattern| share(self.margin(pattern))).collect();
        let scale = SCALE / self.heaviest;
        #[expect(clippy::cast_possible_truncation, reason = "at most 2^30")]
        let whole = |number: f64| (number * scale).round() as i32;
        let part = |&example: &u32| {
            let example = example as usize;
            let (weight, share) =
                (self.weights[example], shares[self.pattern_of[example] as usize]);
            let actual = f64::from(u8::from(self.is_positive[example]));
            let curvature = (share * (1.0 - share)).max(LEAST_CURVATURE);
            Part(
                [weight * (actual - share), weight * curvature, weight, weight * actual].map(whole),
            )
        };
        (examples.iter().map(part).collect(), self.heaviest / SCALE)
    }
}

/// The share of the class where it has so many votes. The library's own exponential is the same on every machine; and what
/// is missing to one is exactly the share of the opposite, so that it does not matter which class is called positive.
pub(super) fn share(votes: f64) -> f64 {
    let of_more = 1.0 / (1.0 + libm::exp(-votes.abs()));
    if votes < 0.0 { 1.0 - of_more } else { of_more }
}
