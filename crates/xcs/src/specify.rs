//! Specify (Lanzi 1997): where rules say too little to be right, one of them is copied and asks more.
//!
//! Children differ from their parents by chance. An action set that errs far more than the population does, with rules that had
//! time to learn, is most likely too general, and then what it sees right now tells in which direction to go: a copy of one
//! rule gets some of its open columns closed around the input.

use crate::conditions::Conditions;
use crate::population::Classifier;
use crate::profile::Phase;
use crate::system::System;

/// How much more than the population a niche must err.
const TIMES: f64 = 2.0;
/// How often an open column is closed.
const CLOSED: f64 = 0.5;

impl<C: Conditions> System<C> {
    /// Adds such a copy where the niche needs one.
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
        let everywhere: f64 = population
            .rules
            .iter()
            .map(|rule| f64::from(rule.copies) * f64::from(rule.error))
            .sum();
        if errors / copies < TIMES * everywhere / population.copies() as f64 {
            return;
        }
        let before = self.enter(Phase::Breed);
        let slot = self.select_by_error(errors);
        let parent = *self.rule(slot);
        let time = self.state.time;
        self.copy_condition(slot, |conditions, one, stream| {
            conditions.specify(one, codes, CLOSED, stream);
        });
        let born = Classifier {
            class: parent.class,
            copies: 1,
            stamp: time,
            prediction: parent.prediction,
            error: 0.25 * parent.error,
            fitness: 0.1 * parent.fitness / parent.copies as f32,
            niche: parent.niche,
            ..Classifier::default()
        };
        self.add_child(0, born);
        self.delete_excess();
        self.enter(before);
    }

    /// A rule of the niche, by roulette on how much it errs.
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
