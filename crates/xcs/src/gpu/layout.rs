//! What lies where on the card.

use super::argument::{
    LearnerRecord, LockstepWork, RuleRecord, SetPlaces, SharedPlaces, StatePlaces,
};
use super::{Constants, Inputs, Rule, State, SystemSetup};
use pellucid_bits::as_u32;
use pellucid_device::gpu::{Limits, Stored, read_record, record_words, write_record};

/// Words of 32 bits that a rule and a learner take.
const RULE_WORDS: usize = record_words::<RuleRecord>();
pub(super) const LEARNER_WORDS: usize = record_words::<LearnerRecord>();
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

/// What lies where, the same for all learners of a launch.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) words: usize,
    pub(super) capacity: usize,
    at: StatePlaces,
    sets_at: SetPlaces,
    within: SharedPlaces,
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
        let at = StatePlaces {
            rules: taking.take(4 * RULE_WORDS * capacity),
            care: taking.take(8 * words * capacity),
            value: taking.take(8 * words * capacity),
            weights: taking.take(8 * capacity),
            free: taking.take(4 * capacity),
        };
        let state_words = taking.0 / 4;
        // Two children may join a set, and it is padded.
        let (mut taking, most) = (Taking(0), capacity + 16);
        let sets_at = SetPlaces {
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
            let (within, bytes) = SharedPlaces::take(capacity, words, most);
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
    pub(super) fn work(&self) -> LockstepWork<'static> {
        LockstepWork {
            state_bytes: 4 * self.state_words as u64,
            set_bytes: 4 * self.set_words as u64,
            at: self.at,
            sets_at: self.sets_at,
            within: self.within,
            capacity: as_u32(self.capacity),
            small: as_u32(SMALL),
            ..LockstepWork::default()
        }
    }

    /// Writes how a system stands into its stretch.
    pub(super) fn write(&self, state: &State, own_words: usize, to: &mut [u32]) {
        for (rule, to) in
            state.rules.iter().zip(self.part(self.at.rules, to).chunks_mut(RULE_WORDS))
        {
            write_record(&rule_record(rule), to);
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
    pub(super) fn read(&self, header: &LearnerRecord, own_words: usize, from: &[u32]) -> State {
        let (used, free) = (header.used as usize, header.free_count as usize);
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
            life: header.life,
            world: header.world,
            time: header.time,
            copies: header.copies,
            fitness: header.fitness,
            made: header.made,
            rules,
            care: words(self.at.care),
            value: words(self.at.value),
            weights,
            free: part(self.at.free)[..free].to_vec(),
        }
    }
}

impl SharedPlaces {
    /// Takes places: what must be there, then as many of the larger arrays as are wanted. Says how many bytes that is.
    fn take(capacity: usize, words: usize, most: usize) -> (SharedPlaces, usize) {
        let mut taking = Taking(0);
        let within = SharedPlaces {
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

/// A learner as the kernel takes it, with the rows and labels of its table.
pub(super) fn header(
    system: &SystemSetup,
    (rows, row_labels): (Stored<u64>, Stored<u32>),
) -> LearnerRecord {
    let SystemSetup { constants, state, inputs } = system;
    let flags = [
        constants.supervised,
        constants.subsume_children,
        constants.subsume_niche,
        constants.error_first,
        constants.two_point,
    ];
    let &Constants { population, labels, least_labels, columns, breeding_pause, .. } = constants;
    LearnerRecord {
        life: state.life,
        world: state.world,
        time: state.time,
        copies: state.copies,
        made: state.made,
        fitness: state.fitness,
        used: as_u32(state.rules.len()),
        free_count: as_u32(state.free.len()),
        asked: 0,
        right: 0,
        learning_rate: constants.learning_rate,
        accuracy_fall: constants.accuracy_fall,
        forgiven_error: constants.forgiven_error,
        accurate_from: constants.accurate_from,
        crossover_rate: constants.crossover_rate,
        mutation: constants.mutation,
        tournament: constants.tournament,
        deletion_share: constants.deletion_share,
        exploration: constants.exploration,
        reward: constants.reward,
        first_prediction: 0.01 * constants.reward,
        named: constants.named,
        rows,
        row_labels,
        order: Stored::default(),
        breeding_pause,
        population,
        accuracy_power: constants.accuracy_power,
        deletion_experience: constants.deletion_experience,
        subsumption_experience: constants.subsumption_experience,
        labels,
        least_labels,
        columns,
        address: match inputs {
            Inputs::Multiplexer(address) => *address,
            Inputs::Table(_) => 0,
        },
        flags: (0..).zip(flags).map(|(bit, set)| u32::from(set) << bit).sum(),
        steps: 0,
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

fn rule_record(rule: &Rule) -> RuleRecord {
    let &Rule { digest, stamp, label, copies, experience, correct, .. } = rule;
    let &Rule { prediction, error, fitness, niche, .. } = rule;
    RuleRecord {
        digest,
        stamp,
        label,
        copies,
        experience,
        correct,
        prediction,
        error,
        fitness,
        niche,
    }
}

fn rule_of(words: &[u32]) -> Rule {
    let RuleRecord { digest, stamp, label, copies, experience, correct, .. } = read_record(words);
    let RuleRecord { prediction, error, fitness, niche, .. } = read_record(words);
    Rule { digest, stamp, label, copies, experience, correct, prediction, error, fitness, niche }
}
