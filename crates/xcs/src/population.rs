//! The rules that are alive.

use crate::conditions::Conditions;
use crate::params::Life;
use crate::roulette::Roulette;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// What is known of one rule, and of its copies: a macro-classifier. All of it lies in one cache line, because a step touches
/// all of it, of a few rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Classifier {
    /// A number that is the same for the same condition.
    pub(crate) digest: u64,
    /// When its niche was last bred in.
    pub(crate) stamp: u64,
    /// The class or action it speaks for.
    pub(crate) class: u32,
    /// How many copies there are; none in an empty slot.
    pub(crate) copies: u32,
    /// How often it was in the set that learns.
    pub(crate) experience: u32,
    /// How often it was right, in supervised learning.
    pub(crate) correct: u32,
    /// The reward it foretells.
    pub(crate) prediction: f32,
    /// How far off it usually is.
    pub(crate) error: f32,
    /// How accurate it is within its niches, all copies together.
    pub(crate) fitness: f32,
    /// How many rules its niches have.
    pub(crate) niche: f32,
}

impl Classifier {
    /// How often it was right.
    pub(crate) fn accuracy(&self) -> f64 {
        f64::from(self.correct) / f64::from(self.experience.max(1))
    }
}

/// Rules in fixed slots. A slot that becomes free is the next to be filled; nothing ever moves.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Population<C> {
    pub(crate) conditions: C,
    pub(crate) rules: Vec<Classifier>,
    pub(crate) free: Vec<u32>,
    /// All copies of all rules.
    pub(crate) copies: u64,
    pub(crate) fitness: f64,
    pub(crate) wheel: Roulette,
}

impl<C: Conditions> Population<C> {
    pub(crate) fn new(conditions: C) -> Population<C> {
        let (rules, free, wheel) = (Vec::new(), Vec::new(), Roulette::default());
        Population { conditions, rules, free, copies: 0, fitness: 0.0, wheel }
    }

    /// How many rules there are, copies counted.
    pub(crate) fn copies(&self) -> u64 {
        self.copies
    }

    /// How many different rules there are.
    pub(crate) fn distinct(&self) -> usize {
        self.rules.len() - self.free.len()
    }

    /// The slots of all rules, ascending.
    pub(crate) fn slots(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.rules.len()).filter(|&slot| self.rules[slot].copies > 0)
    }

    /// Puts a new rule into a slot and says which.
    pub(crate) fn add(&mut self, one: &C::Condition, rule: Classifier, life: &Life) -> usize {
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

    /// Adds copies to a rule.
    pub(crate) fn copy(&mut self, slot: usize, copies: u32, life: &Life) {
        self.rules[slot].copies += copies;
        self.copies += u64::from(copies);
        self.update_deletion_weight(slot, life);
    }

    /// Takes a rule out, with all its copies.
    pub(crate) fn remove(&mut self, slot: usize) {
        let rule = &mut self.rules[slot];
        self.copies -= u64::from(rule.copies);
        self.fitness -= f64::from(rule.fitness);
        rule.copies = 0;
        self.free.push(pellucid_bits::as_u32(slot));
        self.wheel.set(slot, 0.0);
    }

    /// Gives a rule another fitness.
    #[inline]
    pub(crate) fn set_fitness(&mut self, slot: usize, fitness: f32) {
        let rule = &mut self.rules[slot];
        self.fitness += f64::from(fitness) - f64::from(rule.fitness);
        rule.fitness = fitness;
    }

    /// Weighs how soon a rule should go: rules of crowded niches sooner, and experienced rules of little fitness sooner still.
    /// The mean fitness is that of now; it moves slowly, so rules that are not touched keep the weight they had.
    #[inline]
    pub(crate) fn update_deletion_weight(&mut self, slot: usize, life: &Life) {
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

    /// The rule on whose sector of the wheel a draw falls, given how to draw a number below another.
    pub(crate) fn draw_for_deletion(&self, below: impl FnOnce(u64) -> u64) -> Option<usize> {
        self.wheel.at(below(self.wheel.total()))
    }

    /// Takes one copy away, and the rule with the last. Says whether it is gone.
    pub(crate) fn delete_copy(&mut self, slot: usize, life: &Life) -> bool {
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

    /// What would be wrong with a population from a file. Also what tests look at after every step: no rule is lost and none
    /// counted twice.
    pub(crate) fn find_problem(&self, columns: usize, classes: usize) -> Option<&'static str> {
        if let Some(find_problem) = self.conditions.find_problem(columns) {
            return Some(find_problem);
        }
        let slots = self.rules.len();
        if self.conditions.slots() != slots || self.wheel.len() != slots {
            return Some("rules and conditions differ in number");
        }
        let mut free = vec![false; slots];
        for &slot in &self.free {
            match free.get_mut(slot as usize) {
                Some(known) if !*known => *known = true,
                _ => return Some("a slot is free twice"),
            }
        }
        if (0..slots).any(|slot| free[slot] != (self.rules[slot].copies == 0)) {
            return Some("a slot is free and in use");
        }
        if self.rules.iter().map(|rule| u64::from(rule.copies)).sum::<u64>() != self.copies {
            return Some("copies were lost or counted twice");
        }
        let odd = |rule: &Classifier| {
            rule.class as usize >= classes
                || [rule.prediction, rule.error, rule.fitness, rule.niche]
                    .iter()
                    .any(|x| !x.is_finite())
        };
        if self.rules.iter().any(odd) || !self.fitness.is_finite() {
            return Some("a rule is damaged");
        }
        let mut seen = HashSet::new();
        let is_first = |slot: usize| seen.insert((self.rules[slot].class, self.rules[slot].digest));
        (!self.slots().all(is_first)).then_some("the same rule is there twice")
    }
}
