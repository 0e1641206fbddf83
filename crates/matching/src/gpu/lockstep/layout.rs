//! What lies where on the card, laid out as `kernels/learner.cuh` declares it.

use crate::lockstep::{Constants, Inputs, Rule, State, Villager};
use pellucid_bits::as_u32;
use pellucid_device::gpu::Limits;

/// Words of 32 bits that a rule and a learner take.
const RULE_WORDS: usize = 12;
pub(super) const LEARNER_WORDS: usize = 70;
/// Slots whose weights have a sum; a population has whole blocks of them.
const SUMMED: usize = 64;
/// Members of a set for which shared memory has room; larger sets lie in the card's memory.
const SMALL: usize = 512;
/// What does not lie in shared memory.
const NOWHERE: u32 = u32::MAX;
/// Bytes of shared memory that the system takes of every block.
const RESERVED: usize = 1024;
/// The most learners that share a multiprocessor: registers last for no more.
const MOST_BESIDE: usize = 4;

/// What the kernel is given.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    pub(super) learners: u64,
    pub(super) states: u64,
    pub(super) sets: u64,
    state_bytes: u64,
    set_bytes: u64,
    at: At,
    sets_at: SetsAt,
    within: Within,
    capacity: u32,
    small: u32,
    pub(super) explores: u32,
    unused: u32,
}

/// Bytes from the start of a learner's stretch of the card's memory.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
struct At {
    rules: u32,
    care: u32,
    value: u32,
    weights: u32,
    free: u32,
}

/// Bytes from the start of a learner's stretch for sets that are too large for shared memory.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
struct SetsAt {
    matched: u32,
    niche: u32,
    floats: u32,
    doubles: u32,
}

/// Bytes from the start of shared memory.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
struct Within {
    rules: u32,
    care: u32,
    value: u32,
    weights: u32,
    sums: u32,
    alive: u32,
    bits: u32,
    labels: u32,
    matched: u32,
    niche: u32,
    floats: u32,
    doubles: u32,
    asked: u32,
    own: u32,
    free: u32,
}

/// What lies where, the same for all learners of a launch.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) words: usize,
    pub(super) capacity: usize,
    at: At,
    sets_at: SetsAt,
    within: Within,
    pub(super) state_words: usize,
    pub(super) set_words: usize,
    pub(super) shared_bytes: usize,
}

/// Takes stretches one after the other.
struct Taking(usize);

impl Taking {
    fn take(&mut self, bytes: usize) -> u32 {
        let start = self.0;
        self.0 = (start + bytes).next_multiple_of(16);
        as_u32(start)
    }
}

impl Layout {
    /// For so many learners of populations of so many slots and conditions of so many words; nothing where not even
    /// what must lie in shared memory fits.
    pub(super) fn new(
        limits: &Limits,
        learners: usize,
        slots: usize,
        words: usize,
    ) -> Option<Layout> {
        let capacity = slots.next_multiple_of(SUMMED);
        let mut taking = Taking(0);
        let at = At {
            rules: taking.take(4 * RULE_WORDS * capacity),
            care: taking.take(8 * words * capacity),
            value: taking.take(8 * words * capacity),
            weights: taking.take(8 * capacity),
            free: taking.take(4 * capacity),
        };
        let state_words = taking.0 / 4;
        // Two children may join a set, and it is padded.
        let (mut taking, most) = (Taking(0), capacity + 16);
        let sets_at = SetsAt {
            matched: taking.take(4 * most),
            niche: taking.take(4 * most),
            floats: taking.take(4 * most),
            doubles: taking.take(8 * most),
        };
        let set_words = taking.0 / 4;
        // In as few turns as can be, with few learners side by side on a multiprocessor, so that much of each lies in shared
        // memory: conditions and weights, which every step goes through, then what is known of rules.
        let processors = limits.multiprocessors.max(1);
        let fits = |beside: usize, most: usize| {
            let room = ((limits.shared_bytes + RESERVED) / beside).saturating_sub(RESERVED);
            let (within, bytes) = Within::take(capacity, words, most);
            (bytes <= room).then_some((within, bytes))
        };
        let turns = |beside: &usize| learners.div_ceil(processors * beside);
        let beside =
            (1..=MOST_BESIDE).filter(|&beside| fits(beside, 1).is_some()).min_by_key(turns);
        let beside = beside.unwrap_or(1);
        let (within, shared_bytes) = (0..=3).rev().find_map(|most| fits(beside, most))?;
        Some(Layout { words, capacity, at, sets_at, within, state_words, set_words, shared_bytes })
    }

    /// What the kernel is given, without addresses.
    pub(super) fn work(&self) -> Work {
        Work {
            state_bytes: 4 * self.state_words as u64,
            set_bytes: 4 * self.set_words as u64,
            at: self.at,
            sets_at: self.sets_at,
            within: self.within,
            capacity: as_u32(self.capacity),
            small: as_u32(SMALL),
            ..Work::default()
        }
    }

    /// Writes how a system stands into its stretch.
    pub(super) fn write(&self, state: &State, own_words: usize, to: &mut [u32]) {
        for (rule, to) in state.rules.iter().zip(self.part(self.at.rules, to).chunks_mut(12)) {
            to.copy_from_slice(&rule_words(rule));
        }
        for (at, from) in [(self.at.care, &state.care), (self.at.value, &state.value)] {
            let to = self.part(at, to);
            for (place, &word) in from.iter().enumerate() {
                let (slot, part) = (place / own_words, place % own_words);
                put(&mut to[2 * (part * self.capacity + slot)..], word);
            }
        }
        let weights = self.part(self.at.weights, to);
        for (to, &weight) in weights.chunks_mut(2).zip(&state.weights) {
            put(to, weight);
        }
        self.part(self.at.free, to)[..state.free.len()].copy_from_slice(&state.free);
    }

    fn part<'a>(&self, at: u32, of: &'a mut [u32]) -> &'a mut [u32] {
        &mut of[at as usize / 4..]
    }

    /// Reads how a system stands, from its header and its stretch.
    pub(super) fn read(&self, header: &[u32], own_words: usize, from: &[u32]) -> State {
        let mut reading = Reading(header);
        let (life, world) = (reading.four(), reading.four());
        let (time, copies, made) = (reading.u64(), reading.u64(), reading.u64());
        let fitness = f64::from_bits(reading.u64());
        let (used, free) = (reading.u32() as usize, reading.u32() as usize);
        let part = |at: u32| &from[at as usize / 4..];
        let rules = part(self.at.rules).chunks(RULE_WORDS).take(used).map(rule_of).collect();
        let words = |at: u32| {
            let place = |place: usize| {
                let (slot, part) = (place / own_words, place % own_words);
                2 * (part * self.capacity + slot)
            };
            (0..used * own_words).map(|word| get(&part(at)[place(word)..])).collect()
        };
        let weights = part(self.at.weights).chunks(2).take(used).map(get).collect();
        State {
            life,
            world,
            time,
            copies,
            fitness,
            made,
            rules,
            care: words(self.at.care),
            value: words(self.at.value),
            weights,
            free: part(self.at.free)[..free].to_vec(),
        }
    }
}

impl Within {
    /// Takes places: what must be there, then as many of the larger arrays as are wanted. Says how many bytes that is.
    fn take(capacity: usize, words: usize, most: usize) -> (Within, usize) {
        let mut taking = Taking(0);
        let within = Within {
            doubles: taking.take(8 * SMALL),
            sums: taking.take(8 * (capacity / SUMMED)),
            asked: taking.take(8 * 8 + 8),
            own: taking.take(4 * LEARNER_WORDS),
            matched: taking.take(4 * SMALL),
            niche: taking.take(4 * SMALL),
            floats: taking.take(4 * SMALL),
            alive: taking.take(capacity / 8),
            bits: taking.take(capacity / 8),
            labels: taking.take(capacity),
            care: if most > 0 { taking.take(8 * words * capacity) } else { NOWHERE },
            value: if most > 0 { taking.take(8 * words * capacity) } else { NOWHERE },
            weights: if most > 1 { taking.take(8 * capacity) } else { NOWHERE },
            free: if most > 1 { taking.take(4 * capacity) } else { NOWHERE },
            rules: if most > 2 { taking.take(4 * RULE_WORDS * capacity) } else { NOWHERE },
        };
        (within, taking.0)
    }
}

/// Where a table and an order lie.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    pub(super) rows: u64,
    pub(super) labels: u64,
    pub(super) order: u64,
}

/// A learner as the kernel declares it.
pub(super) fn header(system: &Villager, seen: Seen) -> [u32; LEARNER_WORDS] {
    let Villager { constants, state, inputs } = system;
    let Constants { population, labels, least_labels, columns, .. } = *constants;
    let mut writing = Writing { words: [0; LEARNER_WORDS], at: 0 };
    state.life.iter().chain(&state.world).for_each(|&word| writing.u64(word));
    [state.time, state.copies, state.made].into_iter().for_each(|word| writing.u64(word));
    writing.u64(state.fitness.to_bits());
    [as_u32(state.rules.len()), as_u32(state.free.len()), 0, 0]
        .into_iter()
        .for_each(|word| writing.u32(word));
    let numbers = [
        constants.learning_rate,
        constants.accuracy_fall,
        constants.forgiven_error,
        constants.accurate_from,
        constants.crossover_rate,
        constants.mutation,
        constants.tournament,
        constants.deletion_share,
        constants.exploration,
        constants.reward,
        0.01 * constants.reward,
        constants.named,
    ];
    numbers.into_iter().for_each(|number| writing.u64(number.to_bits()));
    [seen.rows, seen.labels, seen.order, constants.breeding_pause]
        .into_iter()
        .for_each(|word| writing.u64(word));
    let address = match inputs {
        Inputs::Multiplexer(address) => *address,
        Inputs::Table(_) => 0,
    };
    let flags = [
        constants.supervised,
        constants.subsume_children,
        constants.subsume_niche,
        constants.error_first,
        constants.two_point,
    ];
    let flags = (0..).zip(flags).map(|(bit, set)| u32::from(set) << bit).sum();
    [
        population,
        constants.accuracy_power,
        constants.deletion_experience,
        constants.subsumption_experience,
        labels,
        least_labels,
        columns,
        address,
        flags,
        0,
    ]
    .into_iter()
    .for_each(|word| writing.u32(word));
    writing.words
}

/// Where a header says what was asked and what was right, where its order lies, and how many steps to take.
pub(super) const SAID: usize = 26;
pub(super) const ORDER: usize = 56;
pub(super) const STEPS: usize = 69;

struct Writing {
    words: [u32; LEARNER_WORDS],
    at: usize,
}

impl Writing {
    fn u32(&mut self, word: u32) {
        self.words[self.at] = word;
        self.at += 1;
    }

    fn u64(&mut self, word: u64) {
        put(&mut self.words[self.at..], word);
        self.at += 2;
    }
}

struct Reading<'a>(&'a [u32]);

impl Reading<'_> {
    fn u32(&mut self) -> u32 {
        let word = self.0[0];
        self.0 = &self.0[1..];
        word
    }

    fn u64(&mut self) -> u64 {
        let word = get(self.0);
        self.0 = &self.0[2..];
        word
    }

    fn four(&mut self) -> [u64; 4] {
        [self.u64(), self.u64(), self.u64(), self.u64()]
    }
}

/// A word of 64 bits as two, the lower first.
#[expect(clippy::cast_possible_truncation, reason = "halves")]
pub(super) fn put(to: &mut [u32], word: u64) {
    (to[0], to[1]) = (word as u32, (word >> 32) as u32);
}

fn get(from: &[u32]) -> u64 {
    u64::from(from[0]) | u64::from(from[1]) << 32
}

fn rule_words(rule: &Rule) -> [u32; RULE_WORDS] {
    let mut words = [0; RULE_WORDS];
    put(&mut words, rule.digest);
    put(&mut words[2..], rule.stamp);
    words[4..8].copy_from_slice(&[rule.label, rule.copies, rule.experience, rule.correct]);
    let estimates = [rule.prediction, rule.error, rule.fitness, rule.niche];
    words[8..].copy_from_slice(&estimates.map(f32::to_bits));
    words
}

fn rule_of(words: &[u32]) -> Rule {
    Rule {
        digest: get(words),
        stamp: get(&words[2..]),
        label: words[4],
        copies: words[5],
        experience: words[6],
        correct: words[7],
        prediction: f32::from_bits(words[8]),
        error: f32::from_bits(words[9]),
        fitness: f32::from_bits(words[10]),
        niche: f32::from_bits(words[11]),
    }
}
