//! The population of classifiers.

use crate::conditions::Conditions;
use crate::params::SystemParams;
use crate::roulette::Roulette;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// A macro-classifier: a rule with its estimates and its numerosity. It fits in one cache line,
/// because a step reads all fields of a few rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Classifier {
    /// A hash of the condition.
    pub(crate) digest: u64,
    /// The time of the last run of the genetic algorithm in its niche.
    pub(crate) stamp: u64,
    /// The class or action.
    pub(crate) class: u32,
    /// The numerosity; 0 in an empty slot.
    pub(crate) copies: u32,
    /// The experience: how often it was updated.
    pub(crate) experience: u32,
    /// The number of correct predictions, in supervised mode.
    pub(crate) correct: u32,
    /// The predicted reward.
    pub(crate) prediction: f32,
    /// The mean prediction error.
    pub(crate) error: f32,
    /// The fitness of all copies together.
    pub(crate) fitness: f32,
    /// The estimated size of its niches.
    pub(crate) niche: f32,
}

impl Classifier {
    /// Returns the share of correct predictions.
    pub(crate) fn accuracy(&self) -> f64 {
        f64::from(self.correct) / f64::from(self.experience.max(1))
    }
}

/// Rules in fixed slots. A free slot is the next to be filled; rules never move.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Population<C> {
    pub(crate) conditions: C,
    pub(crate) rules: Vec<Classifier>,
    pub(crate) free: Vec<u32>,
    /// The total numerosity.
    pub(crate) copies: u64,
    pub(crate) fitness: f64,
    pub(crate) wheel: Roulette,
}

impl<C: Conditions> Population<C> {
    pub(crate) fn new(conditions: C) -> Population<C> {
        let (rules, free, wheel) = (Vec::new(), Vec::new(), Roulette::default());
        Population { conditions, rules, free, copies: 0, fitness: 0.0, wheel }
    }

    /// Returns the total numerosity.
    pub(crate) fn copies(&self) -> u64 {
        self.copies
    }

    /// Returns the number of distinct rules.
    pub(crate) fn distinct(&self) -> usize {
        self.rules.len() - self.free.len()
    }

    /// Returns the slots of all rules, ascending.
    pub(crate) fn slots(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.rules.len()).filter(|&slot| self.rules[slot].copies > 0)
    }

    /// Adds a rule and returns its slot.
    pub(crate) fn add(
        &mut self,
        one: &C::Condition,
        rule: Classifier,
        life: &SystemParams,
    ) -> usize {
        let slot = match self.free.pop() {
            Some(slot) => slot as usize,
            None => {
                self.rules.push(Classifier::default());
                self.rules.len() - 1
            }
        };
        self.conditions.store(slot, one);
        self.rules[slot] = rule;
        self.copies += u64::from(rule.copies);
        self.fitness += f64::from(rule.fitness);
        self.update_deletion_weight(slot, life);
        slot
    }

    /// Increases the numerosity of a rule.
    pub(crate) fn copy(&mut self, slot: usize, copies: u32, life: &SystemParams) {
        self.rules[slot].copies += copies;
        self.copies += u64::from(copies);
        self.update_deletion_weight(slot, life);
    }

    /// Removes a rule with all its copies.
    pub(crate) fn remove(&mut self, slot: usize) {
        let rule = &mut self.rules[slot];
        self.copies -= u64::from(rule.copies);
        self.fitness -= f64::from(rule.fitness);
        rule.copies = 0;
        self.free.push(pellucid_bits::as_u32(slot));
        self.wheel.set(slot, 0.0);
    }

    /// Sets the fitness of a rule.
    #[inline]
    pub(crate) fn set_fitness(&mut self, slot: usize, fitness: f32) {
        let rule = &mut self.rules[slot];
        self.fitness += f64::from(fitness) - f64::from(rule.fitness);
        rule.fitness = fitness;
    }

    /// Updates the deletion vote of a rule. Rules in large niches get a higher vote, and
    /// experienced rules with low fitness a still higher one. The mean fitness changes slowly, so
    /// rules that are not touched keep their vote.
    #[inline]
    pub(crate) fn update_deletion_weight(&mut self, slot: usize, life: &SystemParams) {
        let rule = &self.rules[slot];
        let copies = f64::from(rule.copies);
        let mut weight = f64::from(rule.niche) * copies;
        if rule.experience > life.deletion_experience {
            let (own, mean) = (f64::from(rule.fitness) / copies, self.fitness / self.copies as f64);
            if own < life.deletion_share * mean {
                weight *= (mean / own.max(1e-9)).min(1e5);
            }
        }
        self.wheel.set(slot, weight.max(0.02));
    }

    /// Draws a rule for deletion by its deletion vote; `below` draws a number below another.
    pub(crate) fn draw_for_deletion(&self, below: impl FnOnce(u64) -> u64) -> Option<usize> {
        self.wheel.at(below(self.wheel.total()))
    }

    /// Deletes one copy, and the rule with its last copy. Returns whether the rule is gone.
    pub(crate) fn delete_copy(&mut self, slot: usize, life: &SystemParams) -> bool {
        let rule = &mut self.rules[slot];
        if rule.copies <= 1 {
            self.remove(slot);
            return true;
        }
        rule.copies -= 1;
        self.copies -= 1;
        self.update_deletion_weight(slot, life);
        false
    }

    /// Checks a population from a checkpoint. Returns a description of the first problem. Tests
    /// also use it to check that no rule is lost or counted twice.
    pub(crate) fn find_problem(&self, columns: usize, classes: usize) -> Option<&'static str> {
        if let Some(problem) = self.conditions.find_problem(columns) {
            return Some(problem);
        }
        let slots = self.rules.len();
        if self.conditions.slots() != slots || self.wheel.len() != slots {
            return Some("the numbers of rules and conditions differ");
        }
        let mut free = vec![false; slots];
        for &slot in &self.free {
            match free.get_mut(slot as usize) {
                Some(known) if !*known => *known = true,
                _ => return Some("a slot is listed as free twice"),
            }
        }
        if (0..slots).any(|slot| free[slot] != (self.rules[slot].copies == 0)) {
            return Some("a slot is both free and in use");
        }
        if self.rules.iter().map(|rule| u64::from(rule.copies)).sum::<u64>() != self.copies {
            return Some("the total numerosity is wrong");
        }
        let is_invalid = |rule: &Classifier| {
            rule.class as usize >= classes
                || [rule.prediction, rule.error, rule.fitness, rule.niche]
                    .iter()
                    .any(|x| !x.is_finite())
        };
        if self.rules.iter().any(is_invalid) || !self.fitness.is_finite() {
            return Some("a rule has an invalid value");
        }
        let mut seen = HashSet::new();
        let is_first = |slot: usize| seen.insert((self.rules[slot].class, self.rules[slot].digest));
        (!self.slots().all(is_first)).then_some("a rule occurs twice")
    }
}
