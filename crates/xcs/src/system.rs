//! The operations that UCS and XCS share: match sets, covering, the genetic algorithm in a niche,
//! subsumption, and deletion.

use crate::conditions::Conditions;
use crate::params::SystemParams;
use crate::population::{Classifier, Population};
use crate::profile::{Phase, PhaseClock};
use pellucid_learn::rng::Stream;
use pellucid_matching::{Matching, Test};
use serde::{Deserialize, Serialize};

/// The state that a checkpoint contains.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "C: Conditions")]
pub(crate) struct State<C> {
    pub(crate) population: Population<C>,
    pub(crate) stream: Stream,
    /// The number of steps that were learned from.
    pub(crate) time: u64,
    /// The number of inputs shown, including those that were not learned from.
    pub(crate) shown: u64,
}

/// A classifier system.
#[derive(Clone, Debug)]
pub(crate) struct System<C: Conditions> {
    pub(crate) life: SystemParams,
    pub(crate) classes: u32,
    pub(crate) state: State<C>,
    pub(crate) matcher: Matching,
    /// The match set, as ascending slots.
    pub(crate) matched: Vec<u32>,
    /// The niche: the action set or the correct set.
    pub(crate) niche: Vec<u32>,
    /// The action set of the previous step, in multi-step problems.
    pub(crate) previous: Vec<u32>,
    pub(crate) scratch: Vec<f32>,
    children: [C::Condition; 2],
    tests: Vec<Test>,
    /// The number of rules created so far, for profiles.
    pub(crate) made: u64,
    /// Whether crossover and mutation are off: children are copies, so that the population
    /// condenses.
    pub(crate) is_condensing: bool,
    /// The times of the phases, if they are measured.
    pub(crate) clock: Option<Box<PhaseClock>>,
}

/// An input to be matched.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MatchInput<'a> {
    /// A training example, by its row.
    Row(usize, &'a [u32]),
    /// Any other input.
    Input(&'a [u32]),
}

impl<'a> MatchInput<'a> {
    pub(crate) fn codes(self) -> &'a [u32] {
        match self {
            MatchInput::Row(_, codes) | MatchInput::Input(codes) => codes,
        }
    }
}

impl<C: Conditions> System<C> {
    pub(crate) fn new(
        conditions: C,
        life: SystemParams,
        classes: u32,
        stream: Stream,
        matcher: Matching,
    ) -> System<C> {
        let population = Population::new(conditions);
        System {
            life,
            classes,
            state: State { population, stream, time: 0, shown: 0 },
            matcher,
            matched: Vec::new(),
            niche: Vec::new(),
            previous: Vec::new(),
            scratch: Vec::new(),
            children: Default::default(),
            tests: Vec::new(),
            made: 0,
            is_condensing: false,
            clock: None,
        }
    }

    /// Starts a phase of the step and returns the previous one.
    #[inline]
    pub(crate) fn enter(&mut self, phase: Phase) -> Phase {
        match &mut self.clock {
            None => phase,
            Some(clock) => clock.enter(phase),
        }
    }

    /// Returns the number of slots that the matcher needs, including those for children before
    /// deletion.
    pub(crate) fn capacity(life: &SystemParams, classes: u32) -> usize {
        life.population as usize + classes as usize + 8
    }

    /// Restores a state, and adds its rules to the matcher.
    pub(crate) fn restore(&mut self, state: State<C>) {
        for slot in self.state.population.slots().collect::<Vec<_>>() {
            self.matcher.clear(slot);
        }
        self.state = state;
        for slot in self.state.population.slots() {
            self.state.population.conditions.load(slot, &mut self.children[0]);
            let conditions = &self.state.population.conditions;
            self.matcher.put(slot, conditions.tests(&self.children[0], &mut self.tests));
        }
        self.previous.clear();
    }

    pub(crate) fn rule(&self, slot: u32) -> &Classifier {
        &self.state.population.rules[slot as usize]
    }

    /// Forms the match set of a new input.
    pub(crate) fn form_match_set(&mut self, input: MatchInput<'_>) {
        self.enter(Phase::Match);
        match input {
            MatchInput::Row(row, _) => self.matcher.matched(row, &mut self.matched),
            MatchInput::Input(codes) => self.matcher.matched_input(codes, &mut self.matched),
        }
    }

    /// Forms the match set again after rules were added or removed.
    pub(crate) fn form_match_set_again(&mut self, input: MatchInput<'_>) {
        self.enter(Phase::Match);
        match input {
            MatchInput::Row(row, _) => self.matcher.matched_again(row, &mut self.matched),
            MatchInput::Input(codes) => self.matcher.matched_input(codes, &mut self.matched),
        }
    }

    /// Covers an input: adds a rule with a class that matches it, then deletes excess rules.
    /// Returns the slot of the new rule.
    pub(crate) fn cover(&mut self, codes: &[u32], class: u32) -> u32 {
        self.enter(Phase::Cover);
        let State { population, stream, time, .. } = &mut self.state;
        population.conditions.cover(codes, stream, &mut self.children[0]);
        let reward = self.life.reward;
        #[expect(clippy::cast_possible_truncation, reason = "estimates have single precision")]
        let rule = Classifier {
            class,
            copies: 1,
            stamp: *time,
            prediction: (0.01 * reward) as f32,
            fitness: 0.01,
            niche: 1.0,
            digest: population.conditions.digest(&self.children[0]),
            ..Classifier::default()
        };
        let slot = self.insert(0, rule);
        self.delete_excess();
        slot
    }

    /// Adds a child as a new rule. Its hash is already known.
    pub(crate) fn insert(&mut self, child: usize, rule: Classifier) -> u32 {
        let population = &mut self.state.population;
        let one = &self.children[child];
        let slot = population.add(one, rule, &self.life);
        let before = self.enter(Phase::Match);
        let conditions = &self.state.population.conditions;
        let tests = conditions.tests(&self.children[child], &mut self.tests);
        match conditions.list(slot) {
            None => self.matcher.put(slot, tests),
            Some(list) => self.matcher.put_list(slot, tests, list),
        }
        self.enter(before);
        self.made += 1;
        pellucid_bits::as_u32(slot)
    }

    /// Adds a rule given by its tests.
    pub(crate) fn insert_tests(&mut self, tests: &[Test], mut rule: Classifier) -> u32 {
        let conditions = &self.state.population.conditions;
        conditions.load_tests(tests, &mut self.children[0]);
        rule.digest = conditions.digest(&self.children[0]);
        self.insert(0, rule)
    }

    /// Makes the first child a modified copy of the condition of a rule.
    pub(crate) fn copy_condition(
        &mut self,
        slot: u32,
        change: impl FnOnce(&C, &mut C::Condition, &mut Stream),
    ) {
        let State { population, stream, .. } = &mut self.state;
        population.conditions.load(slot as usize, &mut self.children[0]);
        change(&population.conditions, &mut self.children[0], stream);
    }

    /// Adds a child: as a copy of a duplicate if there is one, or as a new rule.
    pub(crate) fn add_child(&mut self, child: usize, mut offspring: Classifier) {
        offspring.digest = self.state.population.conditions.digest(&self.children[child]);
        if !self.merge_with_duplicate(child, &offspring) {
            let slot = self.insert(child, offspring);
            self.matched.push(slot);
        }
    }

    /// Deletes copies until the population has its maximum size.
    pub(crate) fn delete_excess(&mut self) {
        let before = self.enter(Phase::Delete);
        let State { population, stream, .. } = &mut self.state;
        while population.copies() > u64::from(self.life.population) {
            let Some(slot) = population.draw_for_deletion(|total| stream.below(total)) else {
                break;
            };
            if population.delete_copy(slot, &self.life) {
                self.matcher.clear(slot);
                // The slot may be reused, so it must leave the previous action set.
                self.previous.retain(|&other| other as usize != slot);
            }
        }
        self.enter(before);
    }

    /// Niche subsumption: the most general accurate rule of the niche subsumes the more specific
    /// ones.
    pub(crate) fn subsume_niche(&mut self, accurate: impl Fn(&SystemParams, &Classifier) -> bool) {
        self.enter(Phase::Subsume);
        let population = &mut self.state.population;
        let mut most_general: Option<(usize, u32)> = None;
        for &slot in &self.niche {
            if accurate(&self.life, &population.rules[slot as usize]) {
                let tests = population.conditions.specificity(slot as usize);
                if most_general.is_none_or(|(least, _)| tests < least) {
                    most_general = Some((tests, slot));
                }
            }
        }
        let Some((_, most_general)) = most_general else { return };
        let (mut gained, mut kept) = (0, 0);
        for place in 0..self.niche.len() {
            let slot = self.niche[place];
            let is_subsumed = slot != most_general
                && population.conditions.contains_slot(most_general as usize, slot as usize);
            if is_subsumed {
                gained += population.rules[slot as usize].copies;
                population.remove(slot as usize);
                self.matcher.clear(slot as usize);
                self.previous.retain(|&other| other != slot);
            } else {
                self.niche[kept] = slot;
                kept += 1;
            }
        }
        if gained > 0 {
            self.niche.truncate(kept);
            population.copy(most_general as usize, gained, &self.life);
        }
    }

    /// Runs the genetic algorithm in the niche if enough time has passed since the last run there,
    /// then deletes excess rules.
    pub(crate) fn breed(
        &mut self,
        codes: &[u32],
        accurate: impl Fn(&SystemParams, &Classifier) -> bool,
        mutates_class: bool,
    ) {
        self.enter(Phase::Breed);
        let time = self.state.time;
        let (mut copies, mut stamps) = (0, 0);
        for &slot in &self.niche {
            let rule = self.rule(slot);
            copies += u64::from(rule.copies);
            stamps += u64::from(rule.copies) * (time - rule.stamp);
        }
        if copies == 0 || stamps <= self.life.breeding_pause * copies {
            return;
        }
        for &slot in &self.niche {
            self.state.population.rules[slot as usize].stamp = time;
        }
        let parents = [self.select_parent(), self.select_parent()];
        let rules = parents.map(|slot| *self.rule(slot));
        let (crossover_rate, mutation) = match self.is_condensing {
            true => (0.0, 0.0),
            false => (self.life.crossover_rate, self.life.mutation),
        };
        let State { population, stream, .. } = &mut self.state;
        let [one, other] = &mut self.children;
        population.conditions.load(parents[0] as usize, one);
        population.conditions.load(parents[1] as usize, other);
        let mut offspring = rules.map(|parent| Classifier {
            class: parent.class,
            copies: 1,
            stamp: time,
            prediction: parent.prediction,
            error: parent.error,
            fitness: parent.fitness / parent.copies as f32,
            niche: parent.niche,
            ..Classifier::default()
        });
        if stream.chance(crossover_rate) {
            population.conditions.cross(self.life.crossover, one, other, stream);
            let [a, b] = &mut offspring;
            for (a, b) in [
                (&mut a.prediction, &mut b.prediction),
                (&mut a.error, &mut b.error),
                (&mut a.fitness, &mut b.fitness),
            ] {
                (*a, *b) = ((*a + *b) / 2.0, (*a + *b) / 2.0);
            }
        }
        for (child, offspring) in self.children.iter_mut().zip(&mut offspring) {
            offspring.error *= 0.25;
            offspring.fitness *= 0.1;
            if mutation > 0.0 {
                population.conditions.mutate(child, codes, mutation, stream);
            }
            if mutates_class && stream.chance(mutation) && self.classes > 1 {
                // Any other class.
                let other = stream.below(u64::from(self.classes) - 1);
                let other = u32::try_from(other).unwrap_or(0);
                offspring.class = if other >= offspring.class { other + 1 } else { other };
            }
        }
        for (child, offspring) in offspring.into_iter().enumerate() {
            self.place_child(child, offspring, parents, &accurate);
        }
        self.delete_excess();
    }

    /// Adds a child to the population: subsumed by a parent, as a copy of a duplicate, or as a new
    /// rule.
    fn place_child(
        &mut self,
        child: usize,
        offspring: Classifier,
        parents: [u32; 2],
        accurate: &impl Fn(&SystemParams, &Classifier) -> bool,
    ) {
        if self.life.subsume_children {
            let before = self.enter(Phase::Subsume);
            let (population, one) = (&self.state.population, &self.children[child]);
            let subsumes = |&slot: &u32| {
                let rule = &population.rules[slot as usize];
                rule.copies > 0
                    && rule.class == offspring.class
                    && accurate(&self.life, rule)
                    && population.conditions.contains(slot as usize, one)
            };
            let found = parents.iter().find(|slot| subsumes(slot)).copied();
            self.enter(before);
            if let Some(slot) = found {
                self.state.population.copy(slot as usize, 1, &self.life);
                return;
            }
        }
        self.add_child(child, offspring);
    }

    /// Increases the numerosity of a duplicate of a child, if the match set has one. Returns
    /// whether it does.
    fn merge_with_duplicate(&mut self, child: usize, offspring: &Classifier) -> bool {
        let population = &mut self.state.population;
        let one = &self.children[child];
        let same = |&&slot: &&u32| {
            let rule = &population.rules[slot as usize];
            rule.digest == offspring.digest
                && rule.copies > 0
                && rule.class == offspring.class
                && population.conditions.equals(slot as usize, one)
        };
        // A child matches the current input, so a duplicate would be in the match set.
        if let Some(&slot) = self.matched.iter().find(same) {
            population.copy(slot as usize, 1, &self.life);
            return true;
        }
        false
    }

    /// Selects a parent from the niche: by tournament among a share of its copies, or by roulette.
    fn select_parent(&mut self) -> u32 {
        let State { population, stream, .. } = &mut self.state;
        let rules = &population.rules;
        if self.life.tournament > 0.0 {
            let skip_chance = 1.0 - self.life.tournament;
            let mut best: Option<(f32, u32)> = None;
            for _ in 0..4 {
                for &slot in &self.niche {
                    let rule = &rules[slot as usize];
                    let each = rule.fitness / rule.copies as f32;
                    if best.is_none_or(|(fitness, _)| each > fitness)
                        && stream.unit() >= power(skip_chance, rule.copies)
                    {
                        best = Some((each, slot));
                    }
                }
                if let Some((_, slot)) = best {
                    return slot;
                }
            }
        }
        let total: f64 =
            self.niche.iter().map(|&slot| f64::from(rules[slot as usize].fitness)).sum();
        let mut aim = stream.unit() * total;
        for &slot in &self.niche {
            aim -= f64::from(rules[slot as usize].fitness);
            if aim < 0.0 {
                return slot;
            }
        }
        // Rounding may leave a small remainder after the last rule.
        self.niche.last().copied().unwrap_or(0)
    }
}

/// Returns an integer power by repeated squaring; the result is the same on every machine.
pub(crate) fn power(mut base: f64, mut exponent: u32) -> f64 {
    let mut result = 1.0;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result *= base;
        }
        base *= base;
        exponent >>= 1;
    }
    result
}

/// Returns the share of a total, or 0 if the total is 0. The total is 0 if the rule that was just
/// made for an example was deleted again, or if an accuracy underflows.
pub(crate) fn share_of(share: f32, total: f32) -> f32 {
    if total > 0.0 { share / total } else { 0.0 }
}

/// Returns any power; integer powers are computed without a logarithm.
#[inline]
pub(crate) fn any_power(base: f64, exponent: f64) -> f64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked right after"
    )]
    let integer = exponent as u32;
    if f64::from(integer) == exponent && integer <= 64 {
        power(base, integer)
    } else {
        libm::pow(base, exponent)
    }
}
