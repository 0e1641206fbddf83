//! The memory layout on the GPU.

use super::argument::{
    LearnerRecord, LockstepWork, RuleRecord, SetPlaces, SharedPlaces, StatePlaces,
};
use super::{Constants, Inputs, Rule, State, SystemSetup};
use pellucid_bits::as_u32;
use pellucid_device::gpu::{GpuLimits, Stored, read_record, record_words, write_record};

/// The sizes of a rule and a learner in 32-bit words.
const RULE_WORDS: usize = record_words::<RuleRecord>();
pub(super) const LEARNER_WORDS: usize = record_words::<LearnerRecord>();
/// The number of slots per sum of weights; the capacity of a population is a multiple of it.
const SUMMED: usize = 64;
/// The maximum number of members of a set in shared memory; larger sets are in global memory.
const SMALL: usize = 512;
/// The offset of arrays that are not in shared memory.
const NOWHERE: u32 = u32::MAX;
/// The number of bytes of shared memory that the driver reserves in every block.
const RESERVED: usize = 1024;
/// The maximum number of learners per multiprocessor, limited by its registers.
const MAX_RESIDENT: usize = 4;

/// The offsets of all arrays, which are the same for all learners of a launch.
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

/// Allocates consecutive byte ranges, aligned to 16 bytes.
struct ByteAllocator(usize);

impl ByteAllocator {
    fn take(&mut self, bytes: usize) -> u32 {
        let start = self.0;
        self.0 = (start + bytes).next_multiple_of(16);
        as_u32(start)
    }
}

impl Layout {
    /// Returns the layout for a number of learners, slots per population and words per condition, or `None`
    /// if the required arrays do not fit in shared memory.
    pub(super) fn new(
        limits: &GpuLimits,
        learners: usize,
        slots: usize,
        words: usize,
    ) -> Option<Layout> {
        let capacity = slots.next_multiple_of(SUMMED);
        let mut allocator = ByteAllocator(0);
        let at = StatePlaces {
            rules: allocator.take(4 * RULE_WORDS * capacity),
            care: allocator.take(8 * words * capacity),
            value: allocator.take(8 * words * capacity),
            weights: allocator.take(8 * capacity),
            free: allocator.take(4 * capacity),
        };
        let state_words = allocator.0 / 4;
        // Two children can be added to a set, and its size is padded.
        let (mut allocator, most) = (ByteAllocator(0), capacity + 16);
        let sets_at = SetPlaces {
            matched: allocator.take(4 * most),
            niche: allocator.take(4 * most),
            floats: allocator.take(4 * most),
            doubles: allocator.take(8 * most),
        };
        let set_words = allocator.0 / 4;
        // Learners run in the minimum number of waves, with few of them per multiprocessor, so that much of
        // each is in shared memory: conditions and weights, which every step reads, then the records of
        // rules.
        let processors = limits.multiprocessors.max(1);
        let fits = |beside: usize, most: usize| {
            let room = ((limits.shared_bytes + RESERVED) / beside).saturating_sub(RESERVED);
            let (within, bytes) = SharedPlaces::take(capacity, words, most);
            (bytes <= room).then_some((within, bytes))
        };
        let turns = |beside: &usize| learners.div_ceil(processors * beside);
        let beside =
            (1..=MAX_RESIDENT).filter(|&beside| fits(beside, 1).is_some()).min_by_key(turns);
        let beside = beside.unwrap_or(1);
        let (within, shared_bytes) = (0..=3).rev().find_map(|most| fits(beside, most))?;
        Some(Layout { words, capacity, at, sets_at, within, state_words, set_words, shared_bytes })
    }

    /// Returns the argument of the kernel, without addresses.
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

    /// Writes the state of a system into its range.
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

    /// Reads the state of a system from its header and its range.
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
    /// Allocates the required arrays, then up to `most` groups of the larger arrays. Returns the offsets and
    /// the total size in bytes.
    fn take(capacity: usize, words: usize, most: usize) -> (SharedPlaces, usize) {
        let mut allocator = ByteAllocator(0);
        let within = SharedPlaces {
            doubles: allocator.take(8 * SMALL),
            sums: allocator.take(8 * (capacity / SUMMED)),
            asked: allocator.take(8 * 8 + 8),
            own: allocator.take(4 * LEARNER_WORDS),
            matched: allocator.take(4 * SMALL),
            niche: allocator.take(4 * SMALL),
            floats: allocator.take(4 * SMALL),
            alive: allocator.take(capacity / 8),
            bits: allocator.take(capacity / 8),
            labels: allocator.take(capacity),
            care: if most > 0 { allocator.take(8 * words * capacity) } else { NOWHERE },
            value: if most > 0 { allocator.take(8 * words * capacity) } else { NOWHERE },
            weights: if most > 1 { allocator.take(8 * capacity) } else { NOWHERE },
            free: if most > 1 { allocator.take(4 * capacity) } else { NOWHERE },
            rules: if most > 2 { allocator.take(4 * RULE_WORDS * capacity) } else { NOWHERE },
        };
        (within, allocator.0)
    }
}

/// Returns the record of a learner for the kernel, with the rows and labels of its table.
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

/// Writes a 64-bit word as two 32-bit words, lower half first.
#[expect(clippy::cast_possible_truncation, reason = "splits the word into halves")]
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
