//! Learning from rewards (XCS): rules predict the reward of an action, and their fitness is the
//! accuracy of the prediction.
//!
//! The order of a step follows Butz and Wilson: form the match set with covering, predict, act,
//! update (error and prediction in either order, see [`SystemParams::error_first`]), share fitness by
//! relative accuracy, subsume, run the genetic algorithm in the action set, delete.

use crate::conditions::Conditions;
use crate::params::SystemParams;
use crate::population::Classifier;
use crate::profile::Phase;
use crate::system::{MatchInput, System, any_power, share_of};

/// Whether a rule is experienced and accurate.
pub(crate) fn is_accurate(life: &SystemParams, rule: &Classifier) -> bool {
    rule.experience > life.subsumption_experience
        && f64::from(rule.error) < life.forgiven_error() * life.reward
}

impl<C: Conditions> System<C> {
    /// Forms the match set and covers until it has the minimum number of actions.
    pub(crate) fn match_all_actions(&mut self, input: MatchInput<'_>) {
        let least = self.life.least_actions.unwrap_or(self.classes).min(self.classes);
        self.form_match_set(input);
        if self.count_actions() >= least {
            return;
        }
        // The number of matching rules of each action. Matching the whole population again after
        // every new rule would dominate the time of a step with hundreds of actions.
        let mut rules_of = vec![0_u32; self.classes as usize];
        self.matched.iter().for_each(|&slot| rules_of[self.rule(slot).class as usize] += 1);
        // A limit, because a population smaller than the number of actions would be covered
        // forever.
        for _ in 0..4 * self.classes {
            let missing = rules_of.iter().filter(|&&rules| rules == 0).count();
            if self.classes as usize - missing >= least as usize {
                return;
            }
            let chosen = self.state.stream.index(missing);
            let mut without = (0..self.classes).filter(|&class| rules_of[class as usize] == 0);
            let Some(class) = without.nth(chosen) else { return };
            let covering = self.cover(input.codes(), class);
            // The new rule matches. Deleted rules, possibly including the new one, leave the match
            // set.
            let rules = &self.state.population.rules;
            self.matched.retain(|&slot| {
                let rule = &rules[slot as usize];
                if rule.copies == 0 {
                    rules_of[rule.class as usize] -= 1;
                }
                rule.copies > 0
            });
            if rules[covering as usize].copies > 0 {
                let place = self.matched.partition_point(|&slot| slot < covering);
                self.matched.insert(place, covering);
                rules_of[class as usize] += 1;
            }
        }
    }

    /// Returns the number of actions in the match set.
    fn count_actions(&self) -> u32 {
        if self.classes <= 64 {
            let seen =
                self.matched.iter().fold(0_u64, |seen, &slot| seen | 1 << self.rule(slot).class);
            return seen.count_ones();
        }
        let mut seen = vec![false; self.classes as usize];
        self.matched.iter().for_each(|&slot| seen[self.rule(slot).class as usize] = true);
        pellucid_bits::as_u32(seen.into_iter().filter(|&seen| seen).count())
    }

    /// Returns the prediction array: the fitness-weighted mean prediction of each action, NaN for
    /// an action without rules.
    pub(crate) fn predictions(&mut self) -> Vec<f64> {
        self.enter(Phase::Predict);
        let mut sums = vec![(0.0, 0.0); self.classes as usize];
        for &slot in &self.matched {
            let rule = self.rule(slot);
            let (prediction, fitness) = &mut sums[rule.class as usize];
            *prediction += f64::from(rule.prediction) * f64::from(rule.fitness);
            *fitness += f64::from(rule.fitness);
        }
        sums.into_iter().map(|(sum, fitness)| sum / fitness).collect()
    }

    /// Returns the action with the best prediction; ties are broken at random.
    pub(crate) fn best_action(&mut self, predictions: &[f64]) -> u32 {
        let best = predictions.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let equal: Vec<u32> = (0..)
            .zip(predictions)
            .filter(|&(_, prediction)| *prediction == best)
            .map(|(action, _)| action)
            .collect();
        match equal[..] {
            [] => pellucid_bits::as_u32(self.state.stream.index(predictions.len())),
            [only] => only,
            _ => equal[self.state.stream.index(equal.len())],
        }
    }

    /// Returns a random action of the match set.
    pub(crate) fn random_action(&mut self) -> u32 {
        if self.count_actions() == self.classes {
            return u32::try_from(self.state.stream.below(u64::from(self.classes))).unwrap_or(0);
        }
        let present: Vec<u32> = (0..self.classes)
            .filter(|&class| self.matched.iter().any(|&slot| self.rule(slot).class == class))
            .collect();
        present.get(self.state.stream.index(present.len())).copied().unwrap_or(0)
    }

    /// Forms the action set: the rules of the match set with an action.
    pub(crate) fn take_action(&mut self, action: u32) {
        self.enter(Phase::Update);
        let rules = &self.state.population.rules;
        self.niche.clear();
        self.niche
            .extend(self.matched.iter().filter(|&&slot| rules[slot as usize].class == action));
    }

    /// Updates the niche with the target of its action, then runs the genetic algorithm there.
    pub(crate) fn reinforce(&mut self, target: f64, codes: &[u32], breeds: bool) {
        self.update(target);
        if self.life.subsume_niche {
            self.subsume_niche(is_accurate);
        }
        if breeds && self.life.specify && !self.is_condensing {
            self.specify(codes);
        }
        if breeds {
            self.breed(codes, is_accurate, true);
        }
    }

    /// Applies the update equations to every rule of the niche.
    #[expect(clippy::cast_possible_truncation, reason = "estimates have single precision")]
    pub(crate) fn update(&mut self, target: f64) {
        self.enter(Phase::Update);
        let life = &self.life;
        let population = &mut self.state.population;
        let (target, rate) = (target as f32, life.learning_rate as f32);
        let accepted = (life.forgiven_error() * life.reward) as f32;
        let size: u32 = self.niche.iter().map(|&slot| population.rules[slot as usize].copies).sum();
        let mut total = 0.0;
        self.scratch.clear();
        for &slot in &self.niche {
            let rule = &mut population.rules[slot as usize];
            rule.experience = rule.experience.saturating_add(1);
            // The first estimates are plain means.
            let mean = 1.0 / rule.experience as f32;
            let step = if mean > rate { mean } else { rate };
            if life.error_first {
                rule.error += step * ((target - rule.prediction).abs() - rule.error);
                rule.prediction += step * (target - rule.prediction);
            } else {
                rule.prediction += step * (target - rule.prediction);
                rule.error += step * ((target - rule.prediction).abs() - rule.error);
            }
            rule.niche += step * (size as f32 - rule.niche);
            let accuracy = if rule.error < accepted {
                1.0
            } else {
                let ratio = f64::from(accepted / rule.error);
                (life.accuracy_fall * any_power(ratio, life.accuracy_power)) as f32
            };
            let share = accuracy * rule.copies as f32;
            self.scratch.push(share);
            total += share;
        }
        for (&slot, share) in self.niche.iter().zip(&self.scratch) {
            let fitness = population.rules[slot as usize].fitness;
            let part = share_of(*share, total);
            population.set_fitness(slot as usize, fitness + rate * (part - fitness));
            population.update_deletion_weight(slot as usize, life);
        }
    }
}
