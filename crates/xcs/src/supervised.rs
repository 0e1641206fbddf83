//! Learning from known classes (UCS): the fitness of a rule depends on its accuracy.
//!
//! No exploration is needed, so the whole match set is updated with every example, and the genetic
//! algorithm runs in the *correct set*, the rules with the right class. This takes far fewer
//! examples than learning from rewards.

use crate::conditions::Conditions;
use crate::params::SystemParams;
use crate::population::Classifier;
use crate::profile::Phase;
use crate::system::{MatchInput, System, any_power, share_of};

/// Whether a rule is experienced and accurate.
fn is_accurate(life: &SystemParams, rule: &Classifier) -> bool {
    rule.experience > life.subsumption_experience && rule.accuracy() >= life.accurate_from
}

impl<C: Conditions> System<C> {
    /// Learns from an example and its class. Returns the class that the rules predicted before.
    pub(crate) fn learn_example(&mut self, input: MatchInput<'_>, class: u32) -> Option<u32> {
        self.form_match_set(input);
        let predicted = self.vote();
        self.state.time += 1;
        let rules = &self.state.population.rules;
        if !self.matched.iter().any(|&slot| rules[slot as usize].class == class) {
            self.cover(input.codes(), class);
            self.form_match_set_again(input);
        }
        self.take_action(class);
        self.update_supervised(class);
        if self.life.subsume_niche {
            self.subsume_niche(is_accurate);
        }
        self.breed(input.codes(), is_accurate, false);
        predicted
    }

    /// Returns the class with the most fitness in the match set; `None` if the match set is empty.
    pub(crate) fn vote(&mut self) -> Option<u32> {
        self.enter(Phase::Predict);
        let votes = &mut self.scratch;
        votes.clear();
        votes.resize(self.classes as usize, 0.0);
        for &slot in &self.matched {
            let rule = &self.state.population.rules[slot as usize];
            votes[rule.class as usize] += rule.fitness;
        }
        let mut best = None;
        for (class, &votes) in (0..).zip(votes.iter()) {
            if votes > 0.0 && best.is_none_or(|(most, _)| votes > most) {
                best = Some((votes, class));
            }
        }
        best.map(|(_, class)| class)
    }

    /// Applies the update equations: experience and accuracy of the match set, and shared fitness
    /// of the correct set.
    #[expect(clippy::cast_possible_truncation, reason = "estimates have single precision")]
    fn update_supervised(&mut self, class: u32) {
        let life = &self.life;
        let population = &mut self.state.population;
        let rate = life.learning_rate as f32;
        let size: u32 = self.niche.iter().map(|&slot| population.rules[slot as usize].copies).sum();
        let mut total = 0.0;
        self.scratch.clear();
        for &slot in &self.matched {
            let rule = &mut population.rules[slot as usize];
            rule.experience = rule.experience.saturating_add(1);
            let mut share = 0.0;
            if rule.class == class {
                rule.correct = rule.correct.saturating_add(1);
                let mean = 1.0 / rule.correct as f32;
                let step = if mean > rate { mean } else { rate };
                rule.niche += step * (size as f32 - rule.niche);
                let accuracy = rule.accuracy();
                let accuracy = if accuracy >= life.accurate_from {
                    1.0
                } else {
                    any_power(accuracy / life.accurate_from, life.accuracy_power)
                };
                share = accuracy as f32 * rule.copies as f32;
            }
            self.scratch.push(share);
            total += share;
        }
        for (&slot, share) in self.matched.iter().zip(&self.scratch) {
            let fitness = population.rules[slot as usize].fitness;
            let part = share_of(*share, total);
            population.set_fitness(slot as usize, fitness + rate * (part - fitness));
            population.update_deletion_weight(slot as usize, life);
        }
    }
}
