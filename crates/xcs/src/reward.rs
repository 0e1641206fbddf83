//! Learning from rewards (XCS): rules that foretell the reward of an action, and live by how well they do.
//!
//! The order of things in a step follows Butz and Wilson: form the match set and cover, predict, act, update (error and
//! prediction in either order, see [`Life::error_first`]), share fitness by relative accuracy, subsume, breed in the action set, make room.

use crate::conditions::Conditions;
use crate::params::Life;
use crate::population::Classifier;
use crate::profile::Phase;
use crate::system::{MatchInput, System, any_power, share_of};

/// Whether a rule is known to be is_accurate.
fn is_accurate(life: &Life, rule: &Classifier) -> bool {
    rule.experience > life.subsumption_experience
        && f64::from(rule.error) < life.forgiven_error * life.reward
}

impl<C: Conditions> System<C> {
    /// Forms the match set and covers until it has as many actions as it must.
    pub(crate) fn match_all_actions(&mut self, input: MatchInput<'_>) {
        let least = self.life.least_actions.unwrap_or(self.classes).min(self.classes);
        self.form_match_set(input);
        if self.count_actions() >= least {
            return;
        }
        // How many matching rules each action has. Matching the whole population again after every new rule
        // would take most of a step where there are hundreds of actions.
        let mut rules_of = vec![0_u32; self.classes as usize];
        self.matched.iter().for_each(|&slot| rules_of[self.rule(slot).class as usize] += 1);
        // A population smaller than the number of actions would cover for ever.
        for _ in 0..4 * self.classes {
            let missing = rules_of.iter().filter(|&&rules| rules == 0).count();
            if self.classes as usize - missing >= least as usize {
                return;
            }
            let chosen = self.state.stream.index(missing);
            let mut without = (0..self.classes).filter(|&class| rules_of[class as usize] == 0);
            let Some(class) = without.nth(chosen) else { return };
            let covering = self.cover(input.codes(), class);
            // The new rule matches; rules that made room for it, and perhaps itself, are gone.
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

    /// How many actions the match set has.
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

    /// What the match set foretells for each action, weighed by fitness; NaN where no rule speaks for one.
    pub(crate) fn predictions(&mut self) -> Vec<f64> {
        self.enter(Phase::Predict);
        let mut sums = vec![(0.0, 0.0); self.classes as usize];
        for &slot in &self.matched {
            let rule = self.rule(slot);
            let (foretold, fitness) = &mut sums[rule.class as usize];
            *foretold += f64::from(rule.prediction) * f64::from(rule.fitness);
            *fitness += f64::from(rule.fitness);
        }
        sums.into_iter().map(|(sum, fitness)| sum / fitness).collect()
    }

    /// The action with the best prediction; of equal ones any.
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

    /// An action of the match set at random.
    pub(crate) fn random_action(&mut self) -> u32 {
        if self.count_actions() == self.classes {
            return u32::try_from(self.state.stream.below(u64::from(self.classes))).unwrap_or(0);
        }
        let present: Vec<u32> = (0..self.classes)
            .filter(|&class| self.matched.iter().any(|&slot| self.rule(slot).class == class))
            .collect();
        present.get(self.state.stream.index(present.len())).copied().unwrap_or(0)
    }

    /// The rules of the match set that speak for an action.
    pub(crate) fn take_action(&mut self, action: u32) {
        self.enter(Phase::Update);
        let rules = &self.state.population.rules;
        self.niche.clear();
        self.niche
            .extend(self.matched.iter().filter(|&&slot| rules[slot as usize].class == action));
    }

    /// Moves the estimates of the niche towards what came of its action, then breeds there.
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

    /// The update equations, for every rule of the niche.
    #[expect(clippy::cast_possible_truncation, reason = "estimates are kept short")]
    pub(crate) fn update(&mut self, target: f64) {
        self.enter(Phase::Update);
        let life = &self.life;
        let population = &mut self.state.population;
        let (target, rate) = (target as f32, life.learning_rate as f32);
        let forgiven = (life.forgiven_error * life.reward) as f32;
        let size: u32 = self.niche.iter().map(|&slot| population.rules[slot as usize].copies).sum();
        let mut total = 0.0;
        self.scratch.clear();
        for &slot in &self.niche {
            let rule = &mut population.rules[slot as usize];
            rule.experience = rule.experience.saturating_add(1);
            // The first few estimates are plain means.
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
            let accuracy = if rule.error < forgiven {
                1.0
            } else {
                let ratio = f64::from(forgiven / rule.error);
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
