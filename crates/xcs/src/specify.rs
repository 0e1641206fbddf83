//! The specify operator (Lanzi 1997): adds a more specific copy of a rule where rules are too
//! general.
//!
//! Mutation changes rules at random. An action set with a much higher error than the population,
//! whose rules are experienced, is most likely too general. The current input then tells how to
//! specialize: a copy of one rule gets some of its open columns restricted to the input.

use crate::conditions::Conditions;
use crate::population::Classifier;
use crate::profile::Phase;
use crate::system::System;

/// The minimum ratio of the error of a niche to that of the population.
const ERROR_RATIO: f64 = 2.0;
/// The probability that an open column is restricted.
const RESTRICTED: f64 = 0.5;

impl<C: Conditions> System<C> {
    /// Adds a more specific copy if the niche needs one.
    pub(crate) fn specify(&mut self, codes: &[u32]) {
        let population = &self.state.population;
        let (mut copies, mut errors, mut experience) = (0.0, 0.0, 0.0);
        for &slot in &self.niche {
            let rule = &population.rules[slot as usize];
            copies += f64::from(rule.copies);
            errors += f64::from(rule.copies) * f64::from(rule.error);
            experience += f64::from(rule.copies) * f64::from(rule.experience);
        }
        if copies == 0.0
            || errors == 0.0
            || experience < copies * f64::from(self.life.subsumption_experience)
        {
            return;
        }
        let total_error: f64 = population
            .rules
            .iter()
            .map(|rule| f64::from(rule.copies) * f64::from(rule.error))
            .sum();
        if errors / copies < ERROR_RATIO * total_error / population.copies() as f64 {
            return;
        }
        let before = self.enter(Phase::Breed);
        let slot = self.select_by_error(errors);
        let parent = *self.rule(slot);
        let time = self.state.time;
        self.copy_condition(slot, |conditions, one, stream| {
            conditions.specify(one, codes, RESTRICTED, stream);
        });
        let child = Classifier {
            class: parent.class,
            copies: 1,
            stamp: time,
            prediction: parent.prediction,
            error: 0.25 * parent.error,
            fitness: 0.1 * parent.fitness / parent.copies as f32,
            niche: parent.niche,
            ..Classifier::default()
        };
        self.add_child(0, child);
        self.delete_excess();
        // A deleted rule must not become a parent: it has no copies that share its fitness.
        let rules = &self.state.population.rules;
        self.niche.retain(|&slot| rules[slot as usize].copies > 0);
        self.enter(before);
    }

    /// Draws a rule of the niche in proportion to its error.
    fn select_by_error(&mut self, errors: f64) -> u32 {
        let mut aim = self.state.stream.unit() * errors;
        for &slot in &self.niche {
            let rule = &self.state.population.rules[slot as usize];
            aim -= f64::from(rule.copies) * f64::from(rule.error);
            if aim < 0.0 {
                return slot;
            }
        }
        self.niche.last().copied().unwrap_or(0)
    }
}
