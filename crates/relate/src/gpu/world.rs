//! Roles followed on a GPU, see `relate.cu`.

use super::room::Growing;
use super::sets::Sets;
use super::way::{HUB_EDGES, WayOnCard, piece_count};
use super::{CounterBits, Kernel};
use crate::World;
use crate::cpu::{Asked, LANES, Subjects, alike};
use crate::inquiry::{Classes, Inquiry, Residency, Way};
use crate::set::Set;
use pellucid_bits::{BLOCK_BITS, Block, as_u32, blocks_for};
use pellucid_device::DeviceError;
use pellucid_device::gpu::{Buffer, Card, CardError, Launch, OpenGpu, Queue, Stage, Used, sent};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::time::Duration;

/// Words of 32 bits in a block, and in a row.
pub(super) const BLOCK_WORDS: usize = BLOCK_BITS / 32;
/// Objects that a block of threads lays out at a time, and subjects that it asks.
const TILE: usize = 256;
const ASKED: usize = 128;
/// Classes that are counted in one launch.
const CLASSES: usize = 4;
/// Threads of a block, by kernel.
const LAYING: usize = 512;
const RELATING: usize = 512;
/// Words of answers that are fetched at a time.
const MOST_WORDS: usize = 16 << 20;

/// What the kernels are given, laid out as `relate.cu` declares it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
struct Relate {
    offsets: u64,
    objects: u64,
    rows: u64,
    sets: u64,
    asked: u64,
    list: u64,
    masks: u64,
    counts: u64,
    bits: u64,
    pieces: u64,
    hubs: u64,
    partials: u64,
    subjects: u32,
    lanes: u32,
    planes: u32,
    words: u32,
    object_tiles: u32,
    classes: u32,
    hub_count: u32,
    piece_count: u32,
    hub_edges: u32,
    unused: u32,
}

/// A world on a card. Roles and sets are sent when they are first asked for.
#[derive(Debug)]
pub(super) struct GpuWorld<C: Card> {
    pub(super) gpu: OpenGpu<C>,
    pub(super) world: Arc<World>,
    pub(super) ways: FxHashMap<(u32, bool), WayOnCard<C>>,
    pub(super) sets: Sets<C>,
    /// The sets that lie side by side, of so many blocks of objects, and where.
    laid: (usize, Vec<Set>),
    rows: Buffer<C>,
    pub(super) masks: Option<(u64, C::Memory)>,
    /// What a launch is told: addresses of sets, what is asked, subjects.
    outgoing: Stage<C>,
    arrived: Buffer<C>,
    partials: Buffer<C>,
    results: Buffer<C>,
    returning: Stage<C>,
    /// Words that the growing memory has: rows, what arrives, partial counts, results.
    pub(super) taken: Growing,
}

impl<C: Card> GpuWorld<C> {
    pub(super) fn new(gpu: OpenGpu<C>, world: &Arc<World>) -> GpuWorld<C> {
        GpuWorld {
            gpu,
            world: Arc::clone(world),
            ways: FxHashMap::default(),
            sets: Sets::default(),
            laid: (0, Vec::new()),
            rows: Buffer::default(),
            masks: None,
            outgoing: Stage::default(),
            arrived: Buffer::default(),
            partials: Buffer::default(),
            results: Buffer::default(),
            returning: Stage::default(),
            taken: [0; 4],
        }
    }

    /// Answers up to 512 questions with numbers of about one size. `counted` are the classes of which subjects are counted,
    /// or none: the bits are wanted. So many words of answers have then returned.
    fn answer(
        &mut self,
        inquiry: &Inquiry<'_>,
        sets: &[Set],
        asked: &Asked,
        counted: Option<(Classes<'_>, std::ops::Range<usize>)>,
    ) -> Result<usize, CardError> {
        let lanes = sets.len();
        let words = inquiry.stride() * BLOCK_WORDS;
        let world = Arc::clone(&self.world);
        let way = Way::of(&world, inquiry.role, inquiry.inverse);
        let object_blocks = blocks_for(way.edges.object_count());
        let key = (inquiry.role, inquiry.inverse);
        let list: &[u32] = match inquiry.subjects {
            Subjects::From(..) => &[],
            Subjects::Listed(list) => list,
        };
        let planes = asked.rows();
        let bits = CounterBits::of(planes.len() - 1);
        let classes = counted.as_ref().map_or(0, |(_, range)| range.len());
        let (address_words, asked_words) = (2 * LANES, planes.len() * BLOCK_WORDS);
        let all = address_words + asked_words + list.len();
        let row_words = object_blocks * BLOCK_BITS * BLOCK_WORDS;
        let pieces =
            self.ways.get(&key).map_or_else(|| piece_count(way.edges), |there| there.pieces.len);
        let partial_words = pieces * (bits.number() + 1) * BLOCK_WORDS;
        let result_words = if counted.is_some() { lanes * classes } else { lanes * words };
        let growing = [row_words, all, partial_words, result_words];
        self.make_room(key, way.edges, object_blocks, growing)?;
        if !self.ways.contains_key(&key) {
            let there = WayOnCard::send(&self.gpu.card, way.edges)?;
            self.ways.insert(key, there);
        }
        let (laid_blocks, laid) = &self.laid;
        let lie = *laid_blocks == object_blocks
            && laid.len() == lanes
            && laid.iter().zip(sets).all(|(laid, set)| laid.key() == set.key());
        let addresses =
            if lie { Vec::new() } else { self.sets.places(&self.gpu.card, sets, object_blocks)? };
        let masks = match &counted {
            Some((classes, _)) => self.send_masks(*classes, words)?,
            None => 0,
        };

        // One copy: addresses of sets, what is asked, subjects.
        let stage = self.outgoing.at_least(&self.gpu.card, all)?;
        for (address, to) in addresses.iter().zip(stage.as_chunks_mut::<2>().0) {
            *to = halves(*address);
        }
        let (blocks, rest) = stage[address_words..all].split_at_mut(asked_words);
        for (block, to) in planes.iter().zip(blocks.chunks_exact_mut(BLOCK_WORDS)) {
            words_of(block, to);
        }
        rest.copy_from_slice(list);
        let arrived = self.arrived.at_least(&self.gpu.card, all)?;
        let at = |word: usize| C::address(arrived) + 4 * word as u64;

        let there = &self.ways[&key];
        let results = self.results.at_least(&self.gpu.card, result_words)?;
        let partials = self.partials.at_least(&self.gpu.card, partial_words)?;
        let rows = self.rows.at_least(&self.gpu.card, row_words)?;
        self.taken = [rows, arrived, partials, results].map(C::words);
        let first_class = counted.as_ref().map_or(0, |(_, range)| range.start);
        let work = Relate {
            offsets: C::address(&there.offsets),
            objects: C::address(&there.objects),
            rows: C::address(rows),
            sets: at(0),
            asked: at(address_words),
            list: if list.is_empty() { 0 } else { at(address_words + asked_words) },
            masks: masks + 4 * (first_class * words) as u64,
            counts: if counted.is_some() { C::address(results) } else { 0 },
            bits: if counted.is_some() { 0 } else { C::address(results) },
            pieces: C::address(&there.pieces.memory),
            hubs: C::address(&there.hubs.memory),
            partials: C::address(partials),
            subjects: as_u32(inquiry.subjects.len()),
            lanes: as_u32(lanes),
            planes: as_u32(planes.len() - 1),
            words: as_u32(words),
            object_tiles: as_u32(object_blocks * BLOCK_BITS / TILE),
            classes: as_u32(classes),
            hub_count: as_u32(there.hubs.len),
            piece_count: as_u32(there.pieces.len),
            hub_edges: HUB_EDGES,
            unused: 0,
        };
        let returning = self.returning.at_least(&self.gpu.card, result_words)?;
        let card = &self.gpu.card;
        let most = card.limits().multiprocessors;
        let mut uses = vec![
            Used::new(arrived, all),
            Used::new(results, result_words),
            Used::new(rows, row_words),
            Used::new(partials, partial_words),
        ];
        let lists = [&there.offsets, &there.objects, &there.pieces.memory, &there.hubs.memory];
        let lists = lists.into_iter().chain(self.masks.as_ref().map(|(_, masks)| masks));
        let lists = lists.chain(self.sets.memory());
        uses.extend(lists.map(|memory| Used::new(memory, C::words(memory))));
        let launch = |kernel, units: usize, threads, beside| {
            let blocks = units.min(most * beside).max(1);
            // SAFETY: everything that `work` names is among what it uses and kept in `self`; the work is finished below
            // whatever happens.
            unsafe {
                let kernel = Kernel::into(kernel);
                card.launch(Launch { kernel, blocks, threads, shared_bytes: 0 }, &work, &uses)
            }
        };
        // All memory was taken above: what grows now would be another than what was queued.
        let queued = (|| {
            // SAFETY: both are kept in `self` and not touched before the work is finished.
            unsafe { card.copy_in(Queue::Work, stage, 0..all, arrived, 0) }?;
            if !lie {
                launch(Kernel::LayRows, work.object_tiles as usize, LAYING, 4)?;
            }
            if there.pieces.len > 0 {
                let counting = if bits == CounterBits::ThirtyTwo { 256 } else { 1024 };
                launch(Kernel::CountPieces(bits), there.pieces.len, counting, 2)?;
            }
            if counted.is_some() {
                // SAFETY: the memory is kept in `self`.
                unsafe { card.clear(results, result_words) }?;
            }
            launch(Kernel::Relate(bits), inquiry.subjects.len().div_ceil(ASKED), RELATING, 4)?;
            // SAFETY: both are kept in `self` and not touched before the work is finished.
            unsafe { card.copy_out(Queue::Work, results, 0, returning, result_words) }
        })();
        self.laid.1.clear();
        queued.and(card.finish(Queue::Work))?;
        self.laid = (object_blocks, sets.to_vec());
        Ok(result_words)
    }

    /// The first words that returned.
    fn returned(&self, words: usize) -> &[u32] {
        &self.returning.words().unwrap_or_default()[..words]
    }

    /// The classes' masks, class after class.
    fn send_masks(&mut self, classes: Classes<'_>, words: usize) -> Result<u64, CardError> {
        if let Some((id, memory)) = &self.masks
            && *id == classes.id
        {
            return Ok(C::address(memory));
        }
        self.masks = None;
        let mut all = vec![0; classes.number * words];
        for (place, block) in classes.masks.iter().enumerate() {
            let (at, class) = (place / classes.number, place % classes.number);
            words_of(block, &mut all[class * words + at * BLOCK_WORDS..][..BLOCK_WORDS]);
        }
        let memory = sent(&self.gpu.card, &all)?;
        let address = C::address(&memory);
        self.masks = Some((classes.id, memory));
        Ok(address)
    }

    fn failed(&self, error: CardError) -> DeviceError {
        self.gpu.failed(error)
    }

    /// Whether there is anything to follow.
    fn is_idle(&self, inquiry: &Inquiry<'_>) -> bool {
        let way = Way::of(&self.world, inquiry.role, inquiry.inverse);
        way.edges.is_empty() || inquiry.subjects.len() == 0
    }
}

impl<C: Card> Residency for GpuWorld<C> {
    fn bits(&mut self, inquiry: &Inquiry<'_>, out: &mut [Block]) -> Result<(), DeviceError> {
        out.fill(Block::ZERO);
        if self.is_idle(inquiry) {
            return Ok(());
        }
        let stride = inquiry.stride();
        let most = (MOST_WORDS / (stride * BLOCK_WORDS)).max(1);
        for (places, chunk) in alike(inquiry.questions, (0..inquiry.questions.len()).collect()) {
            for (places, chunk) in places.chunks(most).zip(chunk.chunks(most)) {
                let sets: Vec<Set> = chunk.iter().map(|question| question.set.clone()).collect();
                let asked = Asked::of(chunk);
                let words = self.answer(inquiry, &sets, &asked, None);
                let words = self.returned(words.map_err(|error| self.failed(error))?);
                for (words, &place) in words.chunks_exact(stride * BLOCK_WORDS).zip(places) {
                    let blocks = &mut out[place * stride..(place + 1) * stride];
                    for (block, words) in blocks.iter_mut().zip(words.chunks_exact(BLOCK_WORDS)) {
                        *block = block_of(words);
                    }
                }
            }
        }
        Ok(())
    }

    fn counts(
        &mut self,
        inquiry: &Inquiry<'_>,
        classes: Classes<'_>,
        counts: &mut [u64],
    ) -> Result<(), DeviceError> {
        counts.fill(0);
        if self.is_idle(inquiry) {
            return Ok(());
        }
        for (places, chunk) in alike(inquiry.questions, (0..inquiry.questions.len()).collect()) {
            let sets: Vec<Set> = chunk.iter().map(|question| question.set.clone()).collect();
            let asked = Asked::of(&chunk);
            for first in (0..classes.number).step_by(CLASSES) {
                let range = first..(first + CLASSES).min(classes.number);
                let counted = Some((classes, range.clone()));
                let words = self.answer(inquiry, &sets, &asked, counted);
                let found = self.returned(words.map_err(|error| self.failed(error))?);
                for (found, &place) in found.chunks_exact(range.len()).zip(&places) {
                    let counts = &mut counts[place * classes.number..][range.clone()];
                    counts.iter_mut().zip(found).for_each(|(to, &from)| *to = u64::from(from));
                }
            }
        }
        Ok(())
    }

    fn take_time(&mut self, go_on: bool) -> Option<Duration> {
        self.gpu.card.take_time(go_on)
    }
}

/// An address as two words, the lower first.
#[expect(clippy::cast_possible_truncation, reason = "halves")]
fn halves(address: u64) -> [u32; 2] {
    [address as u32, (address >> 32) as u32]
}

/// A block as words of 32 bits.
pub(super) fn words_of(block: &Block, to: &mut [u32]) {
    for (word, to) in block.0.iter().zip(to.as_chunks_mut::<2>().0) {
        *to = halves(*word);
    }
}

/// A block from words of 32 bits.
fn block_of(words: &[u32]) -> Block {
    let pair = |word: usize| u64::from(words[2 * word]) | u64::from(words[2 * word + 1]) << 32;
    Block(std::array::from_fn(pair))
}
