//! The search for concepts on a card: what it needs there, and slice after slice of it.

use super::OpenFrontier;
use super::frontier::{Frontier, Slice, Subtree};
use super::layout::{
    CHUNK, CONTROL_WORDS, FOUND, HEAD, Layout, PENDING, STATE_WORDS, STOP, Search, TAIL, TooLarge,
    USED,
};
use crate::Digest;
use pellucid_bits::as_u32;
use pellucid_device::DeviceError;
use pellucid_device::gpu::{Card, CardError, Launch, OpenGpu, Queue, Stage, Used, sent};
use std::collections::VecDeque;

/// Bytes of records that a slice may write at most, and the share of the card's free memory.
const RECORD_BYTES: usize = 32 << 20;
const RECORD_SHARE: usize = 256;

/// A search on a card.
#[derive(Debug)]
pub(super) struct GpuFrontier<C: Card> {
    id: String,
    card: C,
    layout: Layout,
    search: Search,
    control: C::Memory,
    ready: C::Memory,
    ring: C::Memory,
    /// Where records go: one place for the slice under way, one for that which is read.
    places: [Records<C>; 2],
    /// Which of them the slice under way writes, which is on its way, and which is there.
    writing: usize,
    fetched: usize,
    arrived: usize,
    /// What `control` holds between slices, and its way there and back.
    state: Vec<u32>,
    stage: Stage<C>,
    returning: Stage<C>,
    /// Tickets of the host, for subtrees that go to other devices.
    tickets: VecDeque<u32>,
    /// What the kernel reads or writes through addresses alone.
    kept: Vec<C::Memory>,
}

#[derive(Debug)]
struct Records<C: Card> {
    records: C::Memory,
    filled: C::Memory,
    staged: Stage<C>,
    counts: Stage<C>,
    /// Chunks that the last slice used.
    used: usize,
}

impl<C: Card> GpuFrontier<C> {
    /// Sends a context. Records of a slice take at most the memory that the GPU's limit allows. The inner error says
    /// that the context is too large for the card.
    pub(super) fn new(
        gpu: OpenGpu<C>,
        open: &OpenFrontier<'_>,
    ) -> Result<Result<GpuFrontier<C>, TooLarge>, CardError> {
        let available = gpu.available_bytes()?;
        let record_bytes = (gpu.allowed_bytes(0)? / RECORD_SHARE).min(RECORD_BYTES);
        let OpenGpu { id, card, .. } = gpu;
        let &OpenFrontier { ordered, min_support, looks, whole } = open;
        let layout = match Layout::of(ordered, card.limits(), available) {
            Ok(layout) => layout,
            Err(too_large) => return Ok(Err(too_large)),
        };
        let keys: Vec<u32> = ordered
            .attributes()
            .iter()
            .map(|&attribute| Digest::key(attribute))
            .flat_map(|key| [low(key), low(key >> 32)])
            .collect();
        // All memory first: once something is queued, nothing may fail that does not wait for it.
        let ready = card.allocate(layout.places)?;
        let states = card.allocate(layout.warps() * STATE_WORDS)?;
        let control = card.allocate(CONTROL_WORDS)?;
        let ring = card.allocate(layout.places * layout.node_words())?;
        let stacks = card.allocate(layout.warps() * layout.depth * layout.frame_words())?;
        let chunk_words = CHUNK * layout.record_words;
        let chunks =
            if looks { (record_bytes / 4 / chunk_words).max(2 * layout.warps()) } else { 0 };
        let place = || -> Result<Records<C>, CardError> {
            Ok(Records {
                records: card.allocate(chunks * chunk_words + 1)?,
                filled: card.allocate(chunks + 1)?,
                staged: Stage::default(),
                counts: Stage::default(),
                used: 0,
            })
        };
        let places = [place()?, place()?];
        let columns = sent(&card, &ordered.column_words(layout.extent_words()))?;
        let rows = sent(&card, &layout.rows(ordered))?;
        let keys = sent(&card, &keys)?;
        // SAFETY: both are kept here until the queue is waited for, two lines below, or has failed and holds nothing.
        let cleared = unsafe { card.clear(&ready, layout.places) };
        // SAFETY: as above.
        let cleared =
            cleared.and_then(|()| unsafe { card.clear(&states, layout.warps() * STATE_WORDS) });
        cleared.and(card.finish(Queue::Work))?;
        let search = Search {
            columns: C::address(&columns),
            rows: C::address(&rows),
            keys: C::address(&keys),
            control: C::address(&control),
            ready: C::address(&ready),
            ring: C::address(&ring),
            stacks: C::address(&stacks),
            states: C::address(&states),
            min_support: u32::try_from(min_support).unwrap_or(u32::MAX),
            slice: card.limits().slice,
            crowd: as_u32(card.limits().crowd),
            patience: card.limits().patience,
            chunks: as_u32(chunks),
            ..layout.search()
        };
        let mut frontier = GpuFrontier {
            id,
            card,
            layout,
            search,
            control,
            ready,
            ring,
            places,
            writing: 0,
            fetched: 0,
            arrived: 0,
            state: vec![0; CONTROL_WORDS],
            stage: Stage::default(),
            returning: Stage::default(),
            tickets: VecDeque::new(),
            kept: vec![columns, rows, keys, states, stacks],
        };
        // A slice takes far longer than to look at the clock.
        frontier.card.take_time(true);
        if whole {
            let root = frontier.layout.root();
            frontier.put(&root)?;
        }
        Ok(Ok(frontier))
    }

    fn failed(&self, error: CardError) -> DeviceError {
        error.of_device(&self.id)
    }

    /// Puts words into memory of the card, between slices.
    fn write(
        card: &C,
        stage: &mut Stage<C>,
        words: &[u32],
        to: &C::Memory,
        at: usize,
    ) -> Result<(), CardError> {
        let stage = stage.at_least(card, words.len())?;
        stage[..words.len()].copy_from_slice(words);
        // SAFETY: both outlive the queue, which is waited for at once.
        let queued = unsafe { card.copy_in(Queue::Work, stage, 0..words.len(), to, at) };
        queued.and(card.finish(Queue::Work))
    }

    /// Puts a node into the ring, between slices.
    fn put(&mut self, node: &[u32]) -> Result<(), CardError> {
        let ticket = self.state[TAIL];
        let place = ticket as usize % self.layout.places;
        let at = place * self.layout.node_words();
        let round = ticket - as_u32(place);
        Self::write(&self.card, &mut self.stage, node, &self.ring, at)?;
        Self::write(&self.card, &mut self.stage, &[round.wrapping_add(1)], &self.ready, place)?;
        self.state[TAIL] = ticket.wrapping_add(1);
        self.state[PENDING] += 1;
        Ok(())
    }

    fn launch(&mut self, wanted: usize) -> Result<(), CardError> {
        // What the host asks for is a ticket like any other: what is put at its place belongs to the host.
        let room = (self.layout.places / 8).saturating_sub(self.tickets.len());
        for _ in 0..wanted.saturating_sub(self.tickets.len()).min(room) {
            self.tickets.push_back(self.state[HEAD]);
            self.state[HEAD] = self.state[HEAD].wrapping_add(1);
        }
        for word in [STOP, USED, FOUND, FOUND + 1, FOUND + 2, FOUND + 3] {
            self.state[word] = 0;
        }
        Self::write(&self.card, &mut self.stage, &self.state, &self.control, 0)?;
        // For what is read when the slice has ended: nothing is allocated while it is under way.
        self.returning.at_least(&self.card, CONTROL_WORDS.max(self.layout.node_words()))?;
        let place = &self.places[self.writing];
        // What stands at the host's tickets stays there until the slice ends, so the ring must not come round before. No node
        // takes more than one ticket.
        let all = as_u32(self.layout.places / self.layout.warps() - 1);
        let slice =
            if self.tickets.is_empty() { self.search.slice } else { self.search.slice.min(all) };
        let search = Search {
            slice,
            records: C::address(&place.records),
            filled: C::address(&place.filled),
            ..self.search
        };
        let launch = Launch {
            kernel: self.layout.kernel.into(),
            blocks: self.layout.blocks,
            threads: self.layout.threads,
            shared_bytes: self.layout.shared_bytes,
        };
        // Every list was made as long as the layout says.
        let named = [&self.control, &self.ready, &self.ring, &place.records, &place.filled];
        let all = named.into_iter().chain(&self.kept);
        let uses: Vec<Used<'_, C::Memory>> =
            all.map(|memory| Used::new(memory, C::words(memory))).collect();
        // SAFETY: all that `search` names is among what it uses, kept in `self`, and not touched before `wait`.
        unsafe { self.card.launch(launch, &search, &uses) }
    }

    fn wait(&mut self, given: &mut Vec<Subtree>) -> Result<Slice, CardError> {
        let returned = self.returning.at_least(&self.card, CONTROL_WORDS)?;
        // SAFETY: both are kept in `self` and not touched before the queue is finished.
        let queued =
            unsafe { self.card.copy_out(Queue::Work, &self.control, 0, returned, CONTROL_WORDS) };
        queued.and(self.card.finish(Queue::Work))?;
        self.state.copy_from_slice(&returned[..CONTROL_WORDS]);
        self.collect(given)?;
        let used = (self.state[USED] as usize).min(self.search.chunks as usize);
        self.places[self.writing].used = used;
        self.writing = 1 - self.writing;
        let number = |at: usize| u64::from(self.state[at + 1]) << 32 | u64::from(self.state[at]);
        Ok(Slice {
            concepts: number(FOUND),
            digest: Digest::from_sum(number(FOUND + 2)),
            unfinished: self.state[PENDING] != 0,
            device_time: self.card.take_time(true),
        })
    }

    /// Takes the nodes that stand at the host's own tickets.
    fn collect(&mut self, given: &mut Vec<Subtree>) -> Result<(), CardError> {
        let words = self.layout.node_words();
        while let Some(&ticket) = self.tickets.front() {
            // Places are filled in the order of tickets.
            if self.state[TAIL].wrapping_sub(ticket).cast_signed() <= 0 {
                break;
            }
            self.tickets.pop_front();
            let place = ticket as usize % self.layout.places;
            let node = self.returning.at_least(&self.card, words)?;
            // SAFETY: both are kept in `self` and not touched before the queue is finished.
            let queued =
                unsafe { self.card.copy_out(Queue::Work, &self.ring, place * words, node, words) };
            queued.and(self.card.finish(Queue::Work))?;
            given.push(Subtree(node[..words].to_vec()));
            let free = (ticket - as_u32(place)).wrapping_add(as_u32(self.layout.places));
            Self::write(&self.card, &mut self.stage, &[free], &self.ready, place)?;
            self.state[PENDING] -= 1;
        }
        Ok(())
    }

    /// Begins to copy the records of the slice that was finished last.
    fn fetch_records(&mut self) -> Result<(), CardError> {
        self.fetched = 1 - self.writing;
        let place = &mut self.places[self.fetched];
        if place.used == 0 {
            return Ok(());
        }
        let words = place.used * CHUNK * self.layout.record_words;
        let counts = place.counts.at_least(&self.card, place.used)?;
        let staged = place.staged.at_least(&self.card, words)?;
        // SAFETY: all are kept in `self` and not touched before the queue is finished, in `arrive`.
        unsafe { self.card.copy_out(Queue::Copy, &place.filled, 0, counts, place.used) }?;
        // SAFETY: as above.
        unsafe { self.card.copy_out(Queue::Copy, &place.records, 0, staged, words) }
    }
}

impl<C: Card> Frontier for GpuFrontier<C> {
    fn start(&mut self, wanted: usize) -> Result<(), DeviceError> {
        self.launch(wanted).map_err(|error| self.failed(error))
    }

    fn finish(&mut self, given: &mut Vec<Subtree>) -> Result<Slice, DeviceError> {
        self.wait(given).map_err(|error| self.failed(error))
    }

    fn records(&self) -> Vec<&[u32]> {
        let place = &self.places[self.arrived];
        let (Some(staged), Some(counts)) = (place.staged.words(), place.counts.words()) else {
            return Vec::new();
        };
        let chunks = staged.chunks_exact(CHUNK * self.layout.record_words).zip(counts);
        let used = chunks.take(place.used);
        used.map(|(chunk, &count)| &chunk[..count as usize * self.layout.record_words]).collect()
    }

    fn record_words(&self) -> usize {
        self.layout.record_words
    }

    fn take(&mut self, subtree: Subtree) -> Result<(), DeviceError> {
        self.put(&subtree.0).map_err(|error| self.failed(error))
    }

    fn fetch(&mut self) -> Result<(), DeviceError> {
        self.fetch_records().map_err(|error| self.failed(error))
    }

    fn arrive(&mut self) -> Result<(), DeviceError> {
        self.arrived = self.fetched;
        self.card.finish(Queue::Copy).map_err(|error| self.failed(error))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half")]
fn low(number: u64) -> u32 {
    number as u32
}
