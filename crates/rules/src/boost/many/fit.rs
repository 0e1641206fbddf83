//! The fit of all classes at once.
//!
//! As for [one class](super::super::class_fit), examples to which the same rules apply are kept together as a
//! pattern, with the weight of each class. Held-out examples have patterns too, but no weight.

use super::super::remote::PatternMove;
use super::contribution::{Contributions, Layout};
use super::refit::ROUNDS;
use pellucid_bits::Level;
use std::sync::Arc;

/// The score of a class without training examples.
const UNSEEN_SCORE: f64 = -10.0;
/// Marks a pattern whose examples have not been moved yet.
const NOT_MOVED: u32 = u32::MAX;
/// Points smaller than this share of the largest points of a rule are left out of a model.
const SMALL: f64 = 0.15;

/// All classes, and the rules found so far.
#[derive(Clone, Debug)]
pub(in crate::boost) struct ManyFit {
    pub(in crate::boost) classes: usize,
    codes: Arc<[u32]>,
    /// The weights of examples, 1 on average; 0 for held-out examples.
    weights: Arc<[f64]>,
    pattern_of: Vec<u32>,
    pub(super) patterns: Vec<Pattern>,
    /// The intercept of each class.
    pub(super) base: Vec<f64>,
    /// Whether each class has training examples.
    pub(super) is_seen: Vec<bool>,
    /// The points of the rules, in the order in which they were found.
    pub(super) rules: Vec<Vec<Points>>,
    heaviest: f64,
}

/// Examples to which the same rules apply.
#[derive(Clone, Debug, Default)]
pub(super) struct Pattern {
    pub(super) rules: Vec<u32>,
    /// The weight of the examples of each class.
    pub(super) weights: Vec<f64>,
}

/// The points of a rule for one class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Points {
    pub(super) class: u32,
    /// Whether the rule makes the class more likely.
    pub(super) favors: bool,
    pub(super) points: f64,
}

impl ManyFit {
    /// Creates a fit without rules for examples of some classes.
    pub(super) fn new(classes: usize, codes: Arc<[u32]>, weights: Arc<[f64]>) -> ManyFit {
        let mut all = vec![0.0; classes];
        codes.iter().zip(&*weights).for_each(|(&code, weight)| all[code as usize] += weight);
        let mut fit = ManyFit::remote(all);
        fit.pattern_of = vec![0; weights.len()];
        fit.heaviest = weights.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        (fit.codes, fit.weights) = (codes, weights);
        fit
    }

    /// Creates a fit without rules for remote examples, given the number of each class.
    pub(super) fn remote(all: Vec<f64>) -> ManyFit {
        let is_seen: Vec<bool> = all.iter().map(|&weight| weight > 0.0).collect();
        let total: f64 = all.iter().sum();
        let start = |&weight: &f64| match weight > 0.0 {
            true => libm::log((weight + 0.5) / (total + 1.0)),
            false => UNSEEN_SCORE,
        };
        ManyFit {
            classes: all.len(),
            base: all.iter().map(start).collect(),
            is_seen,
            patterns: vec![Pattern { rules: Vec::new(), weights: all }],
            codes: Vec::new().into(),
            weights: Vec::new().into(),
            pattern_of: Vec::new(),
            rules: Vec::new(),
            heaviest: 1.0,
        }
    }

    /// Writes the scores of a pattern by class.
    pub(super) fn write_scores(&self, pattern: usize, into: &mut [f64]) {
        into.copy_from_slice(&self.base);
        let rules = &self.patterns[pattern].rules;
        for entry in rules.iter().flat_map(|&rule| &self.rules[rule as usize]) {
            into[entry.class as usize] += entry.points;
        }
    }

    /// Returns the predicted probability of each class for all patterns with training examples; 0
    /// for the others, of which there are many.
    pub(in crate::boost) fn shares(&self) -> Vec<f64> {
        let mut shares = vec![0.0; self.patterns.len() * self.classes];
        for (pattern, into) in shares.chunks_exact_mut(self.classes).enumerate() {
            if self.patterns[pattern].weights.iter().any(|&weight| weight != 0.0) {
                self.write_scores(pattern, into);
                softmax(into);
            }
        }
        shares
    }

    /// Returns the number of training examples, if all have the same weight.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole numbers")]
    pub(in crate::boost) fn examples(&self) -> usize {
        self.patterns.iter().flat_map(|pattern| &pattern.weights).sum::<f64>() as usize
    }

    /// Returns the pattern of each example.
    pub(super) fn pattern_of(&self) -> &[u32] {
        &self.pattern_of
    }

    /// Returns the contributions of some examples to sums.
    pub(super) fn contributions(&self, examples: &[u32], level: Level) -> Contributions {
        let (layout, shares) = (Layout { classes: self.classes }, self.shares());
        let stride = layout.stride();
        let mut values = vec![0; self.codes.len() * stride];
        for &example in examples {
            let example = example as usize;
            let shares =
                &shares[self.pattern_of[example] as usize * self.classes..][..self.classes];
            let own = (self.weights[example], self.codes[example]);
            layout.write(&mut values[example * stride..][..stride], own, shares, self.heaviest);
        }
        Contributions::new(layout, values, self.heaviest, level)
    }

    /// Adds a rule that applies to these examples; its points are fitted later.
    pub(super) fn add_rule(&mut self, examples: &[u32]) {
        let mut new_of = vec![NOT_MOVED; self.patterns.len()];
        let mut moved: Vec<PatternMove> = Vec::new();
        for &example in examples {
            let example = example as usize;
            let old = self.pattern_of[example];
            let new = &mut new_of[old as usize];
            if *new == NOT_MOVED {
                *new = u32::try_from(moved.len()).unwrap_or(u32::MAX);
                moved.push(PatternMove { old, weights: vec![0.0; self.classes] });
            }
            moved[*new as usize].weights[self.codes[example] as usize] += self.weights[example];
            self.pattern_of[example] =
                u32::try_from(self.patterns.len()).unwrap_or(u32::MAX).saturating_add(*new);
        }
        self.add_moved(&moved);
    }

    /// Adds a rule, given the training examples that it moves to new patterns.
    pub(super) fn add_moved(&mut self, moved: &[PatternMove]) {
        let points = self.points_of(moved);
        let rule = u32::try_from(self.rules.len()).unwrap_or(u32::MAX);
        self.rules.push(points);
        for PatternMove { old, weights } in moved {
            let old = &mut self.patterns[*old as usize];
            old.weights.iter_mut().zip(weights).for_each(|(old, moved)| *old -= moved);
            let rules = old.rules.iter().copied().chain([rule]).collect();
            self.patterns.push(Pattern { rules, weights: weights.clone() });
        }
    }

    /// Returns the points of a rule, all 0, and which classes it makes more likely. The class that
    /// it explains best comes first.
    fn points_of(&self, moved: &[PatternMove]) -> Vec<Points> {
        let shares = self.shares();
        let mut sums = vec![[0.0; 3]; self.classes];
        for PatternMove { old, weights } in moved {
            let shares = &shares[*old as usize * self.classes..][..self.classes];
            let total: f64 = weights.iter().sum();
            for ((sums, &share), &own) in sums.iter_mut().zip(shares).zip(weights) {
                sums[0] += own - total * share;
                sums[1] += total * share * (1.0 - share);
                sums[2] += own;
            }
        }
        let mut all = vec![0.0; self.classes];
        for pattern in &self.patterns {
            all.iter_mut().zip(&pattern.weights).for_each(|(all, own)| *all += own);
        }
        let (covered, total): (f64, f64) =
            (sums.iter().map(|sums| sums[2]).sum(), all.iter().sum());
        let gain = |[gradient, curvature, _]: &[f64; 3]| gradient * gradient / (curvature + 1.0);
        let mut found: Vec<(f64, Points)> = (0u32..)
            .zip(&sums)
            .filter(|(class, _)| self.is_seen[*class as usize])
            .map(|(class, sums)| {
                let favors = sums[2] * total > all[class as usize] * covered;
                (gain(sums), Points { class, favors, points: 0.0 })
            })
            .collect();
        found.sort_by(|one, other| other.0.total_cmp(&one.0));
        found.into_iter().map(|(_, points)| points).collect()
    }

    /// Returns the fit without points that are small beside the other points of their rule.
    pub(super) fn pruned(&self) -> ManyFit {
        let mut fit = self.clone();
        for points in &mut fit.rules {
            let most = points.iter().map(|one| one.points.abs()).fold(0.0, f64::max);
            points.retain(|one| one.points.abs() >= SMALL * most);
        }
        fit.refit(ROUNDS);
        fit
    }
}

/// Turns scores into probabilities.
fn softmax(scores: &mut [f64]) {
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    scores.iter_mut().for_each(|score| *score = libm::exp(*score - most));
    let total: f64 = scores.iter().sum();
    scores.iter_mut().for_each(|score| *score /= total);
}
