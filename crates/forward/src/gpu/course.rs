//! The kernels of a trip, one after the other.

use super::Kernel;
use super::rows::CardRows;
use super::trip::{Bracket, Leg, Slots, Spread, Way};
use super::work::{ITEM_WORDS, Layer, RESULT_WORDS, SLOT_WORDS, THREAD_ROWS, Work};
use pellucid_bits::as_u32;
use pellucid_device::gpu::{Card, CardError, Launch, Limits};

/// Threads of a block that brackets, and of one that looks for thresholds.
const BRACKET_THREADS: usize = 256;
const SEARCH_THREADS: usize = 1024;
/// Positives that are sorted together at most.
const MOST_SORTED: usize = 4096;
/// Stretches that negatives are cut into at most.
const MOST_STRETCHES: usize = 16;

/// Courses that are remembered at most.
const MOST_KNOWN: usize = 64;

/// Everything that is queued for a trip. Two trips of the same course differ only in what is copied to the card.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Course {
    pub(super) stops: Vec<Stop>,
    /// Words that are copied to the card, and back.
    pub(super) words: usize,
    pub(super) result_words: usize,
    /// Words that kernels leave for one another.
    pub(super) between: usize,
    pub(super) hidden: usize,
}

/// One kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stop {
    kernel: Kernel,
    blocks: usize,
    threads: usize,
    shared_bytes: usize,
    pub(super) work: Work,
}

impl Stop {
    pub(super) fn launch(&self) -> Launch {
        let Stop { kernel, blocks, threads, shared_bytes, .. } = *self;
        Launch { kernel: kernel.into(), blocks, threads, shared_bytes }
    }
}

/// Courses that were taken lately, the last one first. One that comes again is recorded, and is from then on queued in one call: a
/// generation is like the one before but for its genes.
#[derive(Debug)]
pub(super) struct Known<C: Card>(Vec<(Course, Option<C::Recording>)>);

impl<C: Card> Default for Known<C> {
    fn default() -> Known<C> {
        Known(Vec::new())
    }
}

impl<C: Card> Known<C> {
    /// Forgets all of them, because memory that they use is gone.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Queues a course, by what was recorded of it or else by `queue`.
    pub(super) fn take(
        &mut self,
        card: &C,
        course: Course,
        queue: impl FnOnce(&Course) -> Result<(), CardError>,
    ) -> Result<(), CardError> {
        let Some(place) = self.0.iter().position(|(known, _)| *known == course) else {
            self.0.truncate(MOST_KNOWN - 1);
            self.0.insert(0, (course, None));
            return queue(&self.0[0].0);
        };
        self.0[..=place].rotate_right(1);
        let (course, recording) = &mut self.0[0];
        let recording = match recording {
            Some(recording) => recording,
            None => recording.insert(card.record(|| queue(course))?),
        };
        // SAFETY: whoever takes a course keeps its memory, and forgets all courses when it takes other memory.
        unsafe { card.replay(recording) }
    }
}

/// Some networks of a leg whose scores or bands are in memory together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wave {
    pub(super) first: usize,
    pub(super) count: usize,
}

/// Addresses on the card of what was sent, and of what kernels leave for one another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Addresses {
    pub(super) arrived: u64,
    pub(super) between: u64,
    pub(super) hidden: u64,
}

/// The kernels of a wave.
pub(super) fn stops<C: Card>(
    leg: &Leg<'_>,
    wave: Wave,
    spread: Spread,
    rows: &CardRows<C>,
    at: Addresses,
    limits: &Limits,
) -> Result<Vec<Stop>, CardError> {
    let inputs = &rows.inputs;
    if inputs.rows() == 0 {
        return Ok(Vec::new());
    }
    let asks = leg.batch.asks.len();
    let of = |word: usize| at.arrived + 4 * word as u64;
    let mut layers = [Layer::default(); 2];
    layers.iter_mut().zip(&leg.plan.layers).for_each(|(layer, plan)| *layer = plan.into());
    let mut work = Work {
        tiles: C::address(&rows.tiles),
        networks: of(leg.networks + wave.first * leg.plan.words),
        hidden: at.hidden,
        members: C::address(&rows.members),
        rows: as_u32(inputs.rows()),
        positives: as_u32(inputs.positives()),
        features: as_u32(inputs.features()),
        padded: as_u32(rows.padded()),
        network_count: as_u32(wave.count),
        words: as_u32(leg.plan.words),
        outputs: as_u32(leg.plan.outputs),
        layer_count: as_u32(leg.plan.layers.len()),
        layers,
        group: as_u32(spread.group),
        groups: as_u32(spread.groups),
        chunk_rows: as_u32(spread.threads * THREAD_ROWS),
        ..Work::default()
    };
    let near_bytes =
        |networks: usize| if leg.is_near() { networks * leg.plan.words * 4 } else { 0 };
    let stop = |kernel: Kernel, blocks: usize, threads: usize, shared_bytes: usize, work: Work| {
        Stop { kernel, blocks, threads: threads.min(limits.threads), shared_bytes, work }
    };
    let forward = |work: Work| {
        let shared = near_bytes(spread.group);
        stop(Kernel::Forward(leg.near), spread.blocks(), spread.threads, shared, work)
    };
    match leg.way {
        Way::Bracket(Bracket { wanted, sample_rows, upper_rank, lower_rank }) => {
            let Some(sample) = &rows.sample else {
                return Err(CardError("there is no sample of so few rows".into()));
            };
            let slots = Slots::new(limits, inputs.rows());
            let all = wave.count * slots.count;
            work.sample = C::address(sample);
            work.band = at.between;
            work.tallies = at.between + 4 * (all * SLOT_WORDS) as u64;
            // Pairs of words begin at even places.
            let brackets = (all * (SLOT_WORDS + 1)).next_multiple_of(2);
            work.brackets = at.between + 4 * brackets as u64;
            work.results = of(leg.results + wave.first * RESULT_WORDS);
            work.slot_count = as_u32(slots.count);
            (work.sample_rows, work.wanted) = (as_u32(sample_rows), as_u32(wanted));
            (work.upper_rank, work.lower_rank) = (as_u32(upper_rank), as_u32(lower_rank));
            let bracket = Kernel::Bracket(leg.near);
            Ok(vec![
                stop(bracket, wave.count, BRACKET_THREADS, near_bytes(1), work),
                forward(work),
                stop(Kernel::Settle, wave.count, SEARCH_THREADS, 0, work),
            ])
        }
        Way::Stored => {
            work.scores = at.between;
            let first = wave.first * asks;
            work.items = of(leg.items + first * ITEM_WORDS);
            work.results = of(leg.results + first * RESULT_WORDS);
            let items = wave.count * asks;
            work.first_network = as_u32(wave.first);
            let mut stops = vec![forward(work)];
            if leg.batch.asks.iter().any(|ask| ask.top.is_some()) {
                stops.push(stop(Kernel::Rank, items, SEARCH_THREADS, 0, work));
            }
            if leg.batch.asks.iter().any(|ask| ask.pairs) && inputs.positives() > 0 {
                // Twice as many keys find room.
                let chunk = (limits.shared_bytes / 16).next_power_of_two().min(MOST_SORTED);
                let chunks = inputs.positives().div_ceil(chunk);
                let blocks = items * chunks;
                let stretches = (2 * limits.multiprocessors / blocks).clamp(1, MOST_STRETCHES);
                (work.chunk, work.chunks) = (as_u32(chunk), as_u32(chunks));
                work.stretches = as_u32(stretches);
                stops.push(stop(
                    Kernel::Pairs,
                    blocks * stretches,
                    SEARCH_THREADS,
                    8 * chunk,
                    work,
                ));
            }
            Ok(stops)
        }
    }
}
