//! A world on a GPU; see `relate.cu`.

use super::CounterBits;
use super::argument::{
    COUNT_PIECES, COUNT_PIECES_FEW, LAY_ROWS, RELATE_BY_BITS, RELATE_FEW, Relate,
};
use super::edges::{GpuEdges, HUB_EDGES, piece_count};
use super::room::BufferWords;
use super::sets::Sets;
use crate::cpu::{LANES, LaneQuestions, Subjects, group_by_bits};
use crate::inquiry::{Classes, Inquiry, Residency, RoleEdges};
use crate::set::{Set, SetRef};
use crate::{Edges, World};
use pellucid_bits::{BLOCK_BITS, Block, as_u32, blocks_for};
use pellucid_device::DeviceError;
use pellucid_device::gpu::{Buffer, Card, CardError, Grid, OpenGpu, Pass, Stage, sent};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// The number of 32-bit words in a block, and in a row.
pub(super) const BLOCK_WORDS: usize = BLOCK_BITS / 32;
/// The number of objects that a thread block transposes at a time, and of subjects that it answers.
const TILE: usize = 256;
const SUBJECTS_PER_BLOCK: usize = 128;
/// The number of classes counted in one launch.
const CLASSES: usize = 4;
/// The number of threads per block, by kernel.
const TRANSPOSE_THREADS: usize = 512;
const RELATE_THREADS: usize = 512;
/// Up to this number of sets, bits are tested one by one; more are transposed into rows. With skewed
/// degrees, testing takes as long as rows from about five sets on.
const FEW: usize = 4;
const FEW_THREADS: usize = 256;
const FEW_PIECES_THREADS: usize = 1024;
/// The maximum number of words of answers per transfer.
const MOST_WORDS: usize = 16 << 20;

/// The number of words of the addresses of sets, which come first in the upload.
const ADDRESS_WORDS: usize = 2 * LANES;

/// The sizes of the memory of an inquiry, in words unless stated otherwise.
#[derive(Debug)]
struct Sizes {
    lanes: usize,
    /// The classes to count; `None` if the bits are requested.
    classes: Option<Range<usize>>,
    bits: CounterBits,
    object_blocks: usize,
    /// The number of words of an answer in bits.
    words: usize,
    /// The number of blocks that encode the questions.
    asked: usize,
    sent: usize,
    /// The number of counts, which follow what is sent and are sent as zeros.
    counts: usize,
    rows: usize,
    partials: usize,
    /// The number of words of the answers in bits.
    results: usize,
}

impl Sizes {
    fn new(
        inquiry: &Inquiry<'_>,
        lanes: usize,
        asked: &LaneQuestions,
        classes: Option<Range<usize>>,
        edges: &Edges,
        pieces: usize,
    ) -> Sizes {
        let words = inquiry.stride() * BLOCK_WORDS;
        let counts = lanes * classes.as_ref().map_or(0, ExactSizeIterator::len);
        let asked = asked.rows().len();
        let bits = CounterBits::of(asked - 1);
        let object_blocks = blocks_for(edges.object_count());
        Sizes {
            lanes,
            bits,
            object_blocks,
            words,
            asked,
            sent: ADDRESS_WORDS + asked * BLOCK_WORDS + listed_subjects(inquiry).len(),
            rows: if is_few(lanes) { 0 } else { object_blocks * BLOCK_BITS * BLOCK_WORDS },
            // With few sets a piece has one word for each: less than a row.
            partials: pieces * (bits.number() + 1) * BLOCK_WORDS,
            counts,
            results: if classes.is_some() { 0 } else { lanes * words },
            classes,
        }
    }

    fn buffer_words(&self) -> BufferWords {
        [self.rows, self.sent_with_counts(), self.partials, self.results]
    }

    /// Returns the number of words that are sent.
    fn sent_with_counts(&self) -> usize {
        self.sent + self.counts
    }

    /// Returns the number of words of the download.
    fn returned(&self) -> usize {
        self.results + self.counts
    }
}

/// A world on a GPU. Roles and sets are uploaded on first use.
#[derive(Debug)]
pub(super) struct GpuWorld<C: Card> {
    pub(super) gpu: OpenGpu<C>,
    pub(super) world: Arc<World>,
    pub(super) edges_by_role: FxHashMap<(u32, bool), GpuEdges<C>>,
    pub(super) sets: Sets<C>,
    /// The number of blocks of objects and the sets that are currently transposed.
    transposed: (usize, Vec<Set>),
    rows: Buffer<C>,
    pub(super) masks: Option<(u64, C::Memory)>,
    /// The upload of a launch: addresses of sets, questions, subjects.
    outgoing: Stage<C>,
    arrived: Buffer<C>,
    partials: Buffer<C>,
    results: Buffer<C>,
    returning: Stage<C>,
    /// The number of words of the growing buffers: rows, incoming data, partial counts, results.
    pub(super) allocated: BufferWords,
}

impl<C: Card> GpuWorld<C> {
    pub(super) fn new(gpu: OpenGpu<C>, world: &Arc<World>) -> GpuWorld<C> {
        GpuWorld {
            gpu,
            world: Arc::clone(world),
            edges_by_role: FxHashMap::default(),
            sets: Sets::default(),
            transposed: (0, Vec::new()),
            rows: Buffer::default(),
            masks: None,
            outgoing: Stage::default(),
            arrived: Buffer::default(),
            partials: Buffer::default(),
            results: Buffer::default(),
            returning: Stage::default(),
            allocated: [0; 4],
        }
    }

    /// Answers up to 512 questions whose minimums have the same number of bits. `counted` contains
    /// the classes to count; `None` requests the bits. Returns the number of words of answers.
    fn answer(
        &mut self,
        inquiry: &Inquiry<'_>,
        sets: &[&SetRef<'_>],
        asked: &LaneQuestions,
        counted: Option<(Classes<'_>, Range<usize>)>,
    ) -> Result<usize, CardError> {
        let world = Arc::clone(&self.world);
        let role_edges = RoleEdges::of(&world, inquiry.role, inquiry.inverse);
        let key = (inquiry.role, inquiry.inverse);
        let pieces = self.edges_by_role.get(&key).map(|gpu_edges| gpu_edges.pieces.len);
        let pieces = pieces.unwrap_or_else(|| piece_count(role_edges.edges));
        let classes = counted.as_ref().map(|(_, range)| range.clone());
        let sizes = Sizes::new(inquiry, sets.len(), asked, classes, role_edges.edges, pieces);
        self.make_room(key, role_edges.edges, sizes.object_blocks, sizes.buffer_words())?;
        if !self.edges_by_role.contains_key(&key) {
            let gpu_edges = GpuEdges::send(&self.gpu.card, role_edges.edges)?;
            self.edges_by_role.insert(key, gpu_edges);
        }
        let are_transposed = !is_few(sets.len()) && self.are_transposed(sets, sizes.object_blocks);
        let addresses = match are_transposed {
            true => Vec::new(),
            false => self.sets.places(&self.gpu.card, sets, sizes.object_blocks)?,
        };
        if let Some((classes, _)) = counted {
            self.send_masks(classes, sizes.words)?;
        }
        self.write(&sizes, &addresses, asked, inquiry)?;
        if is_few(sets.len()) || are_transposed {
            self.queue(key, inquiry, &sizes, are_transposed)?;
        } else {
            self.transposed.1.clear();
            self.queue(key, inquiry, &sizes, false)?;
            self.transposed = (sizes.object_blocks, sets.iter().map(|set| set.kept()).collect());
        }
        Ok(sizes.returned())
    }

    /// Returns whether these sets are already transposed.
    fn are_transposed(&self, sets: &[&SetRef<'_>], object_blocks: usize) -> bool {
        let (transposed_blocks, transposed) = &self.transposed;
        *transposed_blocks == object_blocks
            && transposed.len() == sets.len()
            && transposed.iter().zip(sets).all(|(old, set)| old.by_ref().key() == set.key())
    }

    /// Writes the upload: addresses of sets, questions, subjects, and zeros for the counts. To clear
    /// the counts on the GPU would be one more operation to queue.
    fn write(
        &mut self,
        sizes: &Sizes,
        addresses: &[[u32; 2]],
        asked: &LaneQuestions,
        inquiry: &Inquiry<'_>,
    ) -> Result<(), CardError> {
        let stage = self.outgoing.at_least(&self.gpu.card, sizes.sent_with_counts())?;
        stage[sizes.sent..sizes.sent_with_counts()].fill(0);
        for (address, to) in addresses.iter().zip(stage.as_chunks_mut::<2>().0) {
            *to = *address;
        }
        let (blocks, rest) =
            stage[ADDRESS_WORDS..sizes.sent].split_at_mut(sizes.asked * BLOCK_WORDS);
        for (block, to) in asked.rows().iter().zip(blocks.chunks_exact_mut(BLOCK_WORDS)) {
            words_of(block, to);
        }
        rest.copy_from_slice(listed_subjects(inquiry));
        Ok(())
    }

    /// Launches the kernels for the upload and downloads the answers.
    fn queue(
        &mut self,
        key: (u32, bool),
        inquiry: &Inquiry<'_>,
        sizes: &Sizes,
        are_transposed: bool,
    ) -> Result<(), CardError> {
        // Allocate all memory before anything is queued, because a buffer that grows moves.
        let card = &self.gpu.card;
        let gpu_edges = &self.edges_by_role[&key];
        let sent = sizes.sent_with_counts();
        let stage = &*self.outgoing.at_least(card, sent)?;
        let arrived = self.arrived.at_least(card, sent)?;
        let results = self.results.at_least(card, sizes.results)?;
        let partials = self.partials.at_least(card, sizes.partials)?;
        let rows = self.rows.at_least(card, sizes.rows)?;
        let returning = self.returning.at_least(card, sizes.returned())?;
        self.allocated = [rows, arrived, partials, results].map(C::words);
        let (masks, buffers) = (self.masks.as_ref(), &self.sets);
        let subjects = inquiry.subjects.len();
        Pass::record(card, |pass| {
            pass.upload(stage, 0..sent, arrived, 0)?;
            buffers.memory().for_each(|memory| pass.keep(memory));
            let asked_end = ADDRESS_WORDS + sizes.asked * BLOCK_WORDS;
            let mut work = Relate {
                offsets: pass.all(&gpu_edges.offsets),
                objects: pass.all(&gpu_edges.objects),
                rows: pass.all(rows),
                sets: pass.part(arrived, 0..ADDRESS_WORDS)?,
                asked: pass.part(arrived, ADDRESS_WORDS..asked_end)?,
                pieces: pass.all(&gpu_edges.pieces.memory),
                hubs: pass.all(&gpu_edges.hubs.memory),
                partials: pass.all(partials),
                subjects: as_u32(subjects),
                lanes: as_u32(sizes.lanes),
                planes: as_u32(sizes.asked - 1),
                words: as_u32(sizes.words),
                object_tiles: as_u32(sizes.object_blocks * BLOCK_BITS / TILE),
                classes: as_u32(sizes.classes.as_ref().map_or(0, ExactSizeIterator::len)),
                hub_count: as_u32(gpu_edges.hubs.len),
                piece_count: as_u32(gpu_edges.pieces.len),
                hub_edges: HUB_EDGES,
                ..Relate::default()
            };
            if asked_end < sizes.sent {
                work.list = pass.part(arrived, asked_end..sizes.sent)?;
            }
            match (&sizes.classes, masks) {
                (Some(classes), Some((_, masks))) => {
                    let words = classes.start * sizes.words..classes.end * sizes.words;
                    work.masks = pass.part(masks, words)?;
                    work.counts = pass.part(arrived, sizes.sent..sent)?;
                }
                _ => work.bits = pass.all(results),
            }
            launch(pass, &work, sizes.bits, are_transposed, card.limits().multiprocessors)?;
            match sizes.classes {
                Some(_) => pass.download(arrived, sizes.sent, returning, sizes.counts),
                None => pass.download(results, 0, returning, sizes.results),
            }
        })
    }

    /// Returns the first words of the download.
    fn returned(&self, words: usize) -> &[u32] {
        &self.returning.words().unwrap_or_default()[..words]
    }

    /// Uploads the masks, class by class.
    fn send_masks(&mut self, classes: Classes<'_>, words: usize) -> Result<(), CardError> {
        if self.masks.as_ref().is_some_and(|(id, _)| *id == classes.id) {
            return Ok(());
        }
        self.masks = None;
        let mut all = vec![0; classes.number * words];
        for (place, block) in classes.masks.iter().enumerate() {
            let (at, class) = (place / classes.number, place % classes.number);
            words_of(block, &mut all[class * words + at * BLOCK_WORDS..][..BLOCK_WORDS]);
        }
        self.masks = Some((classes.id, sent(&self.gpu.card, &all)?));
        Ok(())
    }

    fn failed(&self, error: CardError) -> DeviceError {
        self.gpu.failed(error)
    }

    /// Returns whether there is nothing to compute.
    fn is_idle(&self, inquiry: &Inquiry<'_>) -> bool {
        let role_edges = RoleEdges::of(&self.world, inquiry.role, inquiry.inverse);
        role_edges.edges.is_empty() || inquiry.subjects.len() == 0
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
        for (places, chunk) in
            group_by_bits(inquiry.questions, (0..inquiry.questions.len()).collect())
        {
            for (places, chunk) in places.chunks(most).zip(chunk.chunks(most)) {
                let sets: Vec<&SetRef<'_>> = chunk.iter().map(|question| &question.set).collect();
                let asked = LaneQuestions::of(chunk);
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
        for (places, chunk) in
            group_by_bits(inquiry.questions, (0..inquiry.questions.len()).collect())
        {
            let sets: Vec<&SetRef<'_>> = chunk.iter().map(|question| &question.set).collect();
            let asked = LaneQuestions::of(&chunk);
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

/// Queues the kernels of an inquiry.
fn launch<'a, C: Card>(
    pass: &mut Pass<'a, C>,
    work: &Relate<'a>,
    bits: CounterBits,
    are_transposed: bool,
    multiprocessors: usize,
) -> Result<(), CardError> {
    let grid = |units: usize, threads, beside| Grid {
        blocks: units.min(multiprocessors * beside).max(1),
        threads,
        shared_bytes: 0,
    };
    let (pieces, subjects) = (work.piece_count as usize, work.subjects as usize);
    if is_few(work.lanes as usize) {
        if pieces > 0 {
            pass.launch(COUNT_PIECES_FEW, grid(pieces, FEW_PIECES_THREADS, 2), work)?;
        }
        return pass.launch(RELATE_FEW, grid(subjects.div_ceil(FEW_THREADS), FEW_THREADS, 8), work);
    }
    if !are_transposed {
        pass.launch(LAY_ROWS, grid(work.object_tiles as usize, TRANSPOSE_THREADS, 4), work)?;
    }
    if pieces > 0 {
        let threads = if bits == CounterBits::ThirtyTwo { 256 } else { 1024 };
        pass.launch(COUNT_PIECES[bits as usize], grid(pieces, threads, 2), work)?;
    }
    let units = subjects.div_ceil(SUBJECTS_PER_BLOCK);
    pass.launch(RELATE_BY_BITS[bits as usize], grid(units, RELATE_THREADS, 4), work)
}

/// Returns whether there are too few sets for rows.
fn is_few(sets: usize) -> bool {
    sets <= FEW
}

/// Returns the list of subjects, or nothing if all are requested.
fn listed_subjects<'a>(inquiry: &Inquiry<'a>) -> &'a [u32] {
    match inquiry.subjects {
        Subjects::Range(..) => &[],
        Subjects::List(list) => list,
    }
}

/// Writes a block as 32-bit words.
#[expect(clippy::cast_possible_truncation, reason = "halves")]
pub(super) fn words_of(block: &Block, to: &mut [u32]) {
    for (&word, to) in block.0.iter().zip(to.as_chunks_mut::<2>().0) {
        *to = [word as u32, (word >> 32) as u32];
    }
}

/// Reads a block from 32-bit words.
fn block_of(words: &[u32]) -> Block {
    let pair = |word: usize| u64::from(words[2 * word]) | u64::from(words[2 * word + 1]) << 32;
    Block(std::array::from_fn(pair))
}
