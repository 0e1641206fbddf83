//! The fit of one class against the rest.
//!
//! Examples to which the same rules apply have the same score, so they are kept together: a
//! *pattern* is a set of rules and the weight of the examples, inside and outside the class, to
//! which exactly these rules apply. There are far fewer patterns than examples, and
//! [`refit`](super::refit) needs only the patterns.
//!
//! Held-out examples have patterns too, but no weight: they do not influence the fit, and their
//! scores are available.

use super::local::{Block, Objective, in_blocks};
use super::remote::PatternMove;
use super::sums::{Contribution, SCALE};
use pellucid_device::Threads;
use pellucid_histogram::{Group, NO_GROUP};
use std::sync::Arc;

/// The least curvature of an example, however certain its prediction.
pub(super) const LEAST_CURVATURE: f64 = 1e-3;
/// A whole intercept is looked for this far from the rounded one.
const NEARBY: i32 = 3;
/// Marks a pattern whose examples have not been moved yet.
const NOT_MOVED: u32 = u32::MAX;

/// One class against the rest, and the rules found so far.
#[derive(Clone, Debug)]
pub(super) struct ClassFit {
    is_positive: Vec<bool>,
    /// The weights of examples, 1 on average; 0 for held-out examples.
    weights: Arc<[f64]>,
    pattern_of: Vec<u32>,
    pub(super) patterns: Vec<Pattern>,
    /// The intercept.
    pub(super) base: f64,
    /// The points of the rules, in the order in which they were found.
    pub(super) votes: Vec<f64>,
    /// Whether each rule makes the class more likely.
    pub(super) favors: Vec<bool>,
    heaviest: f64,
    /// The weight of the first training example outside and inside the class; most often all have it.
    usual: [f64; 2],
}

/// Examples by group: those of one pattern and one side of the class have the same gradient and curvature.
#[derive(Clone, Debug)]
pub(super) struct ExampleGroups {
    /// The group of each example, or [`NO_GROUP`].
    pub(super) group_of: Vec<u32>,
    /// The gradient and the curvature of each group; those inside the class have odd numbers.
    pub(super) groups: Vec<Group>,
    /// The weight of an example outside and inside the class, in units.
    pub(super) weights: [i64; 2],
    /// The weight of one unit.
    pub(super) unit: f64,
}

/// Examples to which the same rules apply.
#[derive(Clone, Debug, Default)]
pub(super) struct Pattern {
    pub(super) rules: Vec<u32>,
    pub(super) outside: f64,
    pub(super) inside: f64,
}

impl ClassFit {
    pub(super) fn new(is_positive: Vec<bool>, weights: Arc<[f64]>) -> ClassFit {
        let mut all = Pattern::default();
        for (&weight, &positive) in weights.iter().zip(&is_positive) {
            *(if positive { &mut all.inside } else { &mut all.outside }) += weight;
        }
        let usual = |side: bool| {
            let own = weights.iter().zip(&is_positive).filter(|(_, positive)| **positive == side);
            own.map(|(&weight, _)| weight).find(|&weight| weight > 0.0).unwrap_or(0.0)
        };
        ClassFit {
            usual: [false, true].map(usual),
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

    /// Returns a fit for remote examples, given their numbers outside and inside the class, all
    /// with the same weight.
    pub(super) fn remote(outside: f64, inside: f64) -> ClassFit {
        let mut all = ClassFit::new(Vec::new(), Vec::new().into());
        all.base = libm::log((inside + 0.5) / (outside + 0.5));
        all.patterns = vec![Pattern { rules: Vec::new(), outside, inside }];
        all
    }

    /// Adds a rule that applies to remote examples; its points are fitted later.
    pub(super) fn add_moved(&mut self, moved: &[PatternMove], favors: bool) {
        let rule = u32::try_from(self.votes.len()).unwrap_or(u32::MAX);
        self.votes.push(0.0);
        self.favors.push(favors);
        for PatternMove { old, weights } in moved {
            let (outside, inside) = (weights[0], weights[1]);
            let old = &mut self.patterns[*old as usize];
            old.outside -= outside;
            old.inside -= inside;
            let rules = old.rules.iter().copied().chain([rule]).collect();
            self.patterns.push(Pattern { rules, outside, inside });
        }
    }

    /// Returns the number of training examples, if all have the same weight.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole numbers")]
    pub(super) fn examples(&self) -> usize {
        let of = |pattern: &Pattern| pattern.inside + pattern.outside;
        self.patterns.iter().map(of).sum::<f64>() as usize
    }

    /// Returns the predicted probability of the class for each pattern with training examples; 0
    /// for the others, of which there are many.
    pub(super) fn shares(&self) -> Vec<f64> {
        let of_pattern = |pattern: &Pattern| match pattern.inside != 0.0 || pattern.outside != 0.0 {
            true => share(self.margin(pattern)),
            false => 0.0,
        };
        self.patterns.iter().map(of_pattern).collect()
    }

    /// Returns the score of each pattern.
    pub(super) fn by_pattern(&self) -> Vec<f64> {
        self.patterns.iter().map(|pattern| self.margin(pattern)).collect()
    }

    /// Returns the contributions of the examples of each pattern, outside and inside the class, if they have
    /// the usual weight.
    fn usual_parts(&self, shares: &[f64]) -> Vec<[Contribution; 2]> {
        let of_share = |&share: &f64| {
            [false, true]
                .map(|side| part(self.usual[usize::from(side)], share, side, self.heaviest))
        };
        shares.iter().map(of_share).collect()
    }

    /// Returns the group of each of some examples; `None` if examples of a class differ in weight.
    pub(super) fn groups(&self, examples: &[u32]) -> Option<ExampleGroups> {
        let mut group_of = vec![NO_GROUP; self.weights.len()];
        for &example in examples {
            let example = example as usize;
            let side = usize::from(self.is_positive[example]);
            if self.weights[example] != self.usual[side] {
                return None;
            }
            group_of[example] = 2 * self.pattern_of[example] + u32::from(self.is_positive[example]);
        }
        let group = |part: Contribution| Group { gradient: part.0[0], curvature: part.0[1] };
        let parts = self.usual_parts(&self.shares());
        let weight = |side: usize| i64::from(parts[0][side].0[2]);
        Some(ExampleGroups {
            group_of,
            weights: [weight(0), weight(1)],
            groups: parts.into_iter().flatten().map(group).collect(),
            unit: self.heaviest / SCALE,
        })
    }

    /// Adds a rule that applies to these examples; its points are fitted later.
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

    /// Returns the largest points, without the sign.
    pub(super) fn most_points(&self) -> f64 {
        self.votes.iter().map(|votes| votes.abs()).fold(0.0, f64::max)
    }

    /// Returns the fit with whole points: the points times a factor, rounded, and the whole intercept
    /// with the smallest loss.
    pub(super) fn in_whole_points(&self, factor: f64) -> ClassFit {
        let votes: Vec<f64> = self.votes.iter().map(|votes| (votes * factor).round()).collect();
        let fit = |base: f64| ClassFit { base, votes: votes.clone(), ..self.clone() };
        let rounded = (self.base * factor).round();
        let nearby = (-NEARBY..=NEARBY).map(|step| fit(rounded + f64::from(step)));
        let loss = |fit: &ClassFit| fit.loss(factor);
        let by_loss = |one: &(f64, ClassFit), other: &(f64, ClassFit)| one.0.total_cmp(&other.0);
        let best = nearby.map(|fit| (loss(&fit), fit)).min_by(by_loss);
        best.map_or_else(|| fit(rounded), |(_, fit)| fit)
    }

    /// Returns the log loss of scores divided by a factor.
    fn loss(&self, factor: f64) -> f64 {
        let of_pattern = |pattern: &Pattern| {
            let margin = self.margin(pattern) / factor;
            let loss = |margin: f64| libm::log1p(libm::exp(-margin.abs())) + (-margin).max(0.0);
            pattern.inside * loss(margin) + pattern.outside * loss(-margin)
        };
        self.patterns.iter().map(of_pattern).sum()
    }

    /// Returns the score of a pattern.
    fn margin(&self, pattern: &Pattern) -> f64 {
        self.base + pattern.rules.iter().map(|&rule| self.votes[rule as usize]).sum::<f64>()
    }

    /// Returns the scores of some examples.
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
        let by_pattern = self.usual_parts(&shares);
        let one = |example: u32| {
            let example = example as usize;
            let (pattern, side) = (self.pattern_of[example] as usize, self.is_positive[example]);
            let weight = self.weights[example];
            match weight == self.usual[usize::from(side)] {
                true => by_pattern[pattern][usize::from(side)],
                false => part(weight, shares[pattern], side, self.heaviest),
            }
        };
        (in_blocks(examples, threads, one), self.heaviest / SCALE)
    }
}

/// Returns the contribution of an example to a sum, given its predicted probability and the largest
/// weight.
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

/// Returns the logistic function of a score. The portable exponential gives the same result on
/// every machine. The results for a score and its negative add up to exactly 1, so it does not
/// matter which class is called positive.
pub(super) fn share(votes: f64) -> f64 {
    let of_more = 1.0 / (1.0 + libm::exp(-votes.abs()));
    if votes < 0.0 { 1.0 - of_more } else { of_more }
}
