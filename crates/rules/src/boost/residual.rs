//! What the rules so far leave unexplained.
//!
//! Examples for which the same rules hold get the same votes, so they are kept together: a *pattern* is a set of rules and
//! the weight of the examples, in and outside of the class, for which just these hold. There are far fewer patterns than
//! examples, and votes are found ([`refit`](super::refit)) on the patterns alone.
//!
//! A search wants sums over examples. They are made of integers, so that they are the same in whatever order they are added.

use std::collections::HashMap;

/// Integers for one unit of weight: sums over 2^32 examples still fit.
const SCALE: f64 = (1u64 << 30) as f64;
/// No example is so certain that it has no curvature left.
const LEAST_CURVATURE: f64 = 1e-3;

/// One class against the rest, and the rules found so far.
#[derive(Clone, Debug)]
pub(super) struct Residual<'a> {
    pub(super) is_positive: &'a [bool],
    /// Weights of examples, 1 on average where all count the same.
    weights: &'a [f64],
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

/// A sum over examples of what is missing to the class, of how certain that is, of weights, and of weights in the class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums(pub(super) [i64; 4]);

impl Sums {
    #[inline]
    pub(super) fn add(&mut self, other: &Sums) {
        for (mine, other) in self.0.iter_mut().zip(other.0) {
            *mine += other;
        }
    }

    pub(super) fn without(mut self, other: &Sums) -> Sums {
        for (mine, other) in self.0.iter_mut().zip(other.0) {
            *mine -= other;
        }
        self
    }
}

impl<'a> Residual<'a> {
    pub(super) fn new(is_positive: &'a [bool], weights: &'a [f64]) -> Residual<'a> {
        let mut all = Pattern::default();
        for (&weight, &positive) in weights.iter().zip(is_positive) {
            *(if positive { &mut all.inside } else { &mut all.outside }) += weight;
        }
        Residual {
            is_positive,
            weights,
            pattern_of: vec![0; weights.len()],
            base: libm::log((all.inside + 0.5) / (all.outside + 0.5)),
            patterns: vec![all],
            votes: Vec::new(),
            speaks_for: Vec::new(),
            heaviest: weights.iter().copied().fold(f64::MIN_POSITIVE, f64::max),
        }
    }

    /// Takes in a rule that holds for some examples; its vote is still to be found.
    pub(super) fn add_rule(&mut self, examples: &[u32], speaks_for: bool) {
        let rule = u32::try_from(self.votes.len()).unwrap_or(u32::MAX);
        self.votes.push(0.0);
        self.speaks_for.push(speaks_for);
        let mut moved: HashMap<u32, u32> = HashMap::new();
        for &example in examples {
            let example = example as usize;
            let old = self.pattern_of[example];
            let new = *moved.entry(old).or_insert_with(|| {
                let mut rules = self.patterns[old as usize].rules.clone();
                rules.push(rule);
                self.patterns.push(Pattern { rules, ..Pattern::default() });
                u32::try_from(self.patterns.len() - 1).unwrap_or(u32::MAX)
            });
            self.pattern_of[example] = new;
            let weight = self.weights[example];
            let side = |pattern: &mut Pattern, weight: f64| match self.is_positive[example] {
                true => pattern.inside += weight,
                false => pattern.outside += weight,
            };
            side(&mut self.patterns[old as usize], -weight);
            side(&mut self.patterns[new as usize], weight);
        }
    }

    /// The sum of the votes for a pattern.
    pub(super) fn margin(&self, pattern: &Pattern) -> f64 {
        self.base + pattern.rules.iter().map(|&rule| self.votes[rule as usize]).sum::<f64>()
    }

    /// By example, what it adds to a sum.
    pub(super) fn of_examples(&self) -> Vec<Sums> {
        let shares: Vec<f64> =
            self.patterns.iter().map(|pattern| share(self.margin(pattern))).collect();
        let scale = SCALE / self.heaviest;
        #[expect(clippy::cast_possible_truncation, reason = "at most 2^30")]
        let whole = |number: f64| (number * scale).round() as i64;
        let sums = |example: usize| {
            let (weight, share) =
                (self.weights[example], shares[self.pattern_of[example] as usize]);
            let actual = f64::from(u8::from(self.is_positive[example]));
            let curvature = (share * (1.0 - share)).max(LEAST_CURVATURE);
            let [gradient, curvature, inside] =
                [weight * (actual - share), weight * curvature, weight * actual].map(whole);
            Sums([gradient, curvature, whole(weight), inside])
        };
        (0..self.weights.len()).map(sums).collect()
    }

    /// What one unit in a sum weighs.
    pub(super) fn unit(&self) -> f64 {
        self.heaviest / SCALE
    }
}

/// The share of the class where it has so many votes. The library's own exponential is the same on every machine; and what
/// is missing to one is exactly the share of the opposite, so that it does not matter which class is called positive.
pub(super) fn share(votes: f64) -> f64 {
    let of_more = 1.0 / (1.0 + libm::exp(-votes.abs()));
    if votes < 0.0 { 1.0 - of_more } else { of_more }
}
