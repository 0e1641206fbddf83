//! The machinery that both kinds of learning share: match sets, covering, breeding in a niche, and making room.

use crate::conditions::Conditions;
use crate::params::Life;
use crate::population::{Classifier, Population};
use crate::profile::{Phase, PhaseClock};
use pellucid_learn::rng::Stream;
use pellucid_matching::{Matching, Test};
use serde::{Deserialize, Serialize};

/// What a later step depends on.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "C: Conditions")]
pub(crate) struct State<C> {
    pub(crate) population: Population<C>,
    pub(crate) stream: Stream,
    /// How many steps were learned from.
    pub(crate) time: u64,
    /// How many inputs were shown, those that nothing was learned from among them.
    pub(crate) shown: u64,
}

/// A population at work.
#[derive(Clone, Debug)]
pub(crate) struct System<C: Conditions> {
    pub(crate) life: Life,
    pub(crate) classes: u32,
    pub(crate) state: State<C>,
    pub(crate) matcher: Matching,
    /// The match set, ascending.
    pub(crate) matched: Vec<u32>,
    /// The part of it that learns: the action set, or the correct set.
    pub(crate) niche: Vec<u32>,
    /// The action set of the step before, in problems of several steps.
    pub(crate) previous: Vec<u32>,
    pub(crate) scratch: Vec<f32>,
    children: [C::Condition; 2],
    tests: Vec<Test>,
    /// How many rules were new, for profiles.
    pub(crate) made: u64,
    /// Whether nothing new is bred any more: children are copies, and so the fit crowd out the others.
    pub(crate) is_condensing: bool,
    /// Where time goes, if somebody wants to know.
    pub(crate) clock: Option<Box<PhaseClock>>,
}

/// What is held against the population.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MatchInput<'a> {
    /// An example, by its row.
    Row(usize, &'a [u32]),
    /// An input that is no example.
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
        life: Life,
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

    /// Another phase of the step begins. Says which it was, to go back to.
    #[inline]
    pub(crate) fn enter(&mut self, phase: Phase) -> Phase {
        match &mut self.clock {
            None => phase,
            Some(clock) => clock.enter(phase),
        }
    }

    /// How many capacity a matcher needs for a population: room for children before others make place.
    pub(crate) fn capacity(life: &Life, classes: u32) -> usize {
        life.population as usize + classes as usize + 8
    }

    /// Takes up a state, and hangs its rules on the matcher.
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

    /// Forms the match set of something that was not asked about yet.
    pub(crate) fn form_match_set(&mut self, input: MatchInput<'_>) {
        self.enter(Phase::Match);
        match input {
            MatchInput::Row(row, _) => self.matcher.matched(row, &mut self.matched),
            MatchInput::Input(codes) => self.matcher.matched_input(codes, &mut self.matched),
        }
    }

    /// Forms it again after rules came or went.
    pub(crate) fn form_match_set_again(&mut self, input: MatchInput<'_>) {
        self.enter(Phase::Match);
        match input {
            MatchInput::Row(row, _) => self.matcher.matched_again(row, &mut self.matched),
            MatchInput::Input(codes) => self.matcher.matched_input(codes, &mut self.matched),
        }
    }

    /// Makes a rule for an input and a class, then makes room. Returns the slot of the rule.
    pub(crate) fn cover(&mut self, codes: &[u32], class: u32) -> u32 {
        self.enter(Phase::Cover);
        let State { population, stream, time, .. } = &mut self.state;
        population.conditions.cover(codes, stream, &mut self.children[0]);
        let reward = self.life.reward;
        #[expect(clippy::cast_possible_truncation, reason = "estimates are kept short")]
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

    /// Adds a child as a rule of its own; its digest is known.
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

    /// Takes in a rule from elsewhere by its tests.
    pub(crate) fn insert_tests(&mut self, tests: &[Test], mut rule: Classifier) -> u32 {
        let conditions = &self.state.population.conditions;
        conditions.from_tests(tests, &mut self.children[0]);
        rule.digest = conditions.digest(&self.children[0]);
        self.insert(0, rule)
    }

    /// Makes the first child a changed copy of a rule's condition.
    pub(crate) fn copy_condition(
        &mut self,
        slot: u32,
        change: impl FnOnce(&C, &mut C::Condition, &mut Stream),
    ) {
        let State { population, stream, .. } = &mut self.state;
        population.conditions.load(slot as usize, &mut self.children[0]);
        change(&population.conditions, &mut self.children[0], stream);
    }

    /// Gives a child its place, as a copy of the very same rule or as a new one.
    pub(crate) fn add_child(&mut self, child: usize, mut born: Classifier) {
        born.digest = self.state.population.conditions.digest(&self.children[child]);
        if !self.merge_with_duplicate(child, &born) {
            let slot = self.insert(child, born);
            self.matched.push(slot);
        }
    }

    /// Takes copies away until there are no more than allowed.
    pub(crate) fn delete_excess(&mut self) {
        let before = self.enter(Phase::Delete);
        let State { population, stream, .. } = &mut self.state;
        while population.copies() > u64::from(self.life.population) {
            let Some(slot) = population.draw_for_deletion(|total| stream.below(total)) else {
                break;
            };
            if population.delete_copy(slot, &self.life) {
                self.matcher.clear(slot);
                // Whoever still holds the slot must not meet the next rule there.
                self.previous.retain(|&other| other as usize != slot);
            }
        }
        self.enter(before);
    }

    /// The most general rule of the niche that is known to be accurate takes in those that ask more.
    pub(crate) fn subsume_niche(&mut self, accurate: impl Fn(&Life, &Classifier) -> bool) {
        self.enter(Phase::Subsume);
        let population = &mut self.state.population;
        let mut widest: Option<(usize, u32)> = None;
        for &slot in &self.niche {
            if accurate(&self.life, &population.rules[slot as usize]) {
                let asks = population.conditions.specificity(slot as usize);
                if widest.is_none_or(|(least, _)| asks < least) {
                    widest = Some((asks, slot));
                }
            }
        }
        let Some((_, widest)) = widest else { return };
        let (mut gained, mut kept) = (0, 0);
        for place in 0..self.niche.len() {
            let slot = self.niche[place];
            let narrower = slot != widest
                && population.conditions.contains_slot(widest as usize, slot as usize);
            if narrower {
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
            population.copy(widest as usize, gained, &self.life);
        }
    }

    /// Breeds in the niche, if it was not bred in for long enough, and makes room.
    pub(crate) fn breed(
        &mut self,
        codes: &[u32],
        accurate: impl Fn(&Life, &Classifier) -> bool,
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
        let mut born = rules.map(|parent| Classifier {
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
            let [a, b] = &mut born;
            for (a, b) in [
                (&mut a.prediction, &mut b.prediction),
                (&mut a.error, &mut b.error),
                (&mut a.fitness, &mut b.fitness),
            ] {
                (*a, *b) = ((*a + *b) / 2.0, (*a + *b) / 2.0);
            }
        }
        for (child, born) in self.children.iter_mut().zip(&mut born) {
            born.error *= 0.25;
            born.fitness *= 0.1;
            if mutation > 0.0 {
                population.conditions.mutate(child, codes, mutation, stream);
            }
            if mutates_class && stream.chance(mutation) && self.classes > 1 {
                // Any of the others.
                let other = stream.below(u64::from(self.classes) - 1);
                let other = u32::try_from(other).unwrap_or(0);
                born.class = if other >= born.class { other + 1 } else { other };
            }
        }
        for (child, born) in born.into_iter().enumerate() {
            self.place_child(child, born, parents, &accurate);
        }
        self.delete_excess();
    }

    /// Gives a child its place: as a copy of a parent that says as much, as a copy of the very same rule, or as a new one.
    fn place_child(
        &mut self,
        child: usize,
        born: Classifier,
        parents: [u32; 2],
        accurate: &impl Fn(&Life, &Classifier) -> bool,
    ) {
        if self.life.subsume_children {
            let before = self.enter(Phase::Subsume);
            let (population, one) = (&self.state.population, &self.children[child]);
            let takes_in = |&slot: &u32| {
                let rule = &population.rules[slot as usize];
                rule.copies > 0
                    && rule.class == born.class
                    && accurate(&self.life, rule)
                    && population.conditions.contains(slot as usize, one)
            };
            let found = parents.iter().find(|slot| takes_in(slot)).copied();
            self.enter(before);
            if let Some(slot) = found {
                self.state.population.copy(slot as usize, 1, &self.life);
                return;
            }
        }
        self.add_child(child, born);
    }

    /// Whether the match set has the very same rule as a child, which then gets a copy more.
    fn merge_with_duplicate(&mut self, child: usize, born: &Classifier) -> bool {
        let population = &mut self.state.population;
        let one = &self.children[child];
        let same = |&&slot: &&u32| {
            let rule = &population.rules[slot as usize];
            rule.digest == born.digest
                && rule.copies > 0
                && rule.class == born.class
                && population.conditions.equals(slot as usize, one)
        };
        // Children match what their parents match, so the same rule would be in the match set.
        if let Some(&slot) = self.matched.iter().find(same) {
            population.copy(slot as usize, 1, &self.life);
            return true;
        }
        false
    }

    /// A parent from the niche: by tournament among a share of its copies, or by roulette.
    fn select_parent(&mut self) -> u32 {
        let State { population, stream, .. } = &mut self.state;
        let rules = &population.rules;
        if self.life.tournament > 0.0 {
            let stays_out = 1.0 - self.life.tournament;
            let mut best: Option<(f32, u32)> = None;
            for _ in 0..4 {
                for &slot in &self.niche {
                    let rule = &rules[slot as usize];
                    let each = rule.fitness / rule.copies as f32;
                    if best.is_none_or(|(fitness, _)| each > fitness)
                        && stream.unit() >= power(stays_out, rule.copies)
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
        // Rounding may leave a crumb past the last.
        self.niche.last().copied().unwrap_or(0)
    }
}

/// A whole power, by squaring: the same on every machine.
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

/// The part of a total; nothing of nothing. A full population may delete the rule that was just made for an example, and then
/// no rule is right about it. An accuracy may also be too small for its power.
pub(crate) fn share_of(share: f32, total: f32) -> f32 {
    if total > 0.0 { share / total } else { 0.0 }
}

/// Any power; whole ones without a logarithm.
#[inline]
pub(crate) fn any_power(base: f64, exponent: f64) -> f64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked right after"
    )]
    let whole = exponent as u32;
    if f64::from(whole) == exponent && whole <= 64 {
        power(base, whole)
    } else {
        libm::pow(base, exponent)
    }
}
