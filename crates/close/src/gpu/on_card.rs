//! The search for concepts on one GPU: its memory, and the launch of its slices.

use super::OpenFrontier;
use super::argument::{CHUNK, CONTROL_WORDS, Control, STATE_WORDS, SearchWork};
use super::frontier::{Frontier, Slice, Subtree};
use super::layout::{Layout, TooLarge};
use crate::Digest;
use crate::ordered::OrderedRelation;
use pellucid_bits::as_u32;
use pellucid_device::DeviceError;
use pellucid_device::gpu::{
    Background, Card, CardError, Grid, OpenGpu, Pass, Stage, read_record, sent, write_record,
};
use std::collections::VecDeque;
use std::sync::Arc;

/// The maximum number of bytes of records per slice, and the divisor of the free memory that limits
/// it as well.
const RECORD_BYTES: usize = 32 << 20;
const RECORD_SHARE: usize = 256;

/// A search on a GPU.
#[derive(Debug)]
pub(super) struct GpuFrontier<C: Card> {
    id: String,
    card: Arc<C>,
    layout: Layout,
    /// The kernel argument without pointers.
    search: SearchWork<'static>,
    memory: Arc<SearchMemory<C>>,
    /// The record buffers: one for the running slice, one for the slice that is read.
    buffers: [RecordBuffer<C>; 2],
    /// The indices of the buffer that the running slice writes, of the one in transfer, and of the
    /// one that has arrived.
    writing: usize,
    fetched: usize,
    arrived: usize,
    /// The content of `control` between slices, and the memory to transfer it.
    state: Control,
    stages: Stages<C>,
    slice: Option<Background<C, SliceMemory<C>>>,
    fetching: Option<Background<C, Fetch<C>>>,
    /// The tickets of the host, for subtrees that go to other devices.
    tickets: VecDeque<u32>,
}

/// The memory that the kernels use in all slices.
#[derive(Debug)]
struct SearchMemory<C: Card> {
    columns: C::Memory,
    rows: C::Memory,
    keys: C::Memory,
    control: C::Memory,
    ready: C::Memory,
    ring: C::Memory,
    stacks: C::Memory,
    states: C::Memory,
}

/// The memory for the records of a slice.
#[derive(Debug)]
struct RecordMemory<C: Card> {
    records: C::Memory,
    filled: C::Memory,
}

/// The staging memory for both directions.
#[derive(Debug)]
struct Stages<C: Card> {
    outgoing: Stage<C>,
    returning: Stage<C>,
}

impl<C: Card> Default for Stages<C> {
    fn default() -> Self {
        Stages { outgoing: Stage::default(), returning: Stage::default() }
    }
}

/// The memory that a running slice uses.
#[derive(Debug)]
struct SliceMemory<C: Card> {
    search: Arc<SearchMemory<C>>,
    records: Arc<RecordMemory<C>>,
    stages: Stages<C>,
}

/// Records in transfer to the host.
#[derive(Debug)]
struct Fetch<C: Card> {
    memory: Arc<RecordMemory<C>>,
    staged: StagedRecords<C>,
}

/// Records that have arrived: chunks, and the number of records in each.
#[derive(Debug)]
struct StagedRecords<C: Card> {
    records: Stage<C>,
    counts: Stage<C>,
}

impl<C: Card> Default for StagedRecords<C> {
    fn default() -> Self {
        StagedRecords { records: Stage::default(), counts: Stage::default() }
    }
}

#[derive(Debug)]
struct RecordBuffer<C: Card> {
    memory: Arc<RecordMemory<C>>,
    staged: StagedRecords<C>,
    /// The number of chunks that the last slice used.
    used: usize,
}

impl<C: Card> RecordBuffer<C> {
    fn new(card: &C, chunks: usize, chunk_words: usize) -> Result<RecordBuffer<C>, CardError> {
        let records = card.allocate(chunks * chunk_words + 1)?;
        let filled = card.allocate(chunks + 1)?;
        let memory = Arc::new(RecordMemory { records, filled });
        Ok(RecordBuffer { memory, staged: StagedRecords::default(), used: 0 })
    }
}

impl<C: Card> SearchMemory<C> {
    fn new(
        card: &C,
        layout: &Layout,
        ordered: &OrderedRelation,
    ) -> Result<SearchMemory<C>, CardError> {
        let keys = ordered.attributes().iter().map(|&attribute| Digest::key(attribute));
        let keys: Vec<u32> = keys.flat_map(|key| [low(key), low(key >> 32)]).collect();
        let ready = card.allocate(layout.places)?;
        let states = card.allocate(layout.warps() * STATE_WORDS)?;
        Pass::record(card, |pass| {
            pass.clear(&ready, layout.places)?;
            pass.clear(&states, layout.warps() * STATE_WORDS)
        })?;
        Ok(SearchMemory {
            columns: sent(card, &ordered.column_words(layout.extent_words()))?,
            rows: sent(card, &layout.rows(ordered))?,
            keys: sent(card, &keys)?,
            control: card.allocate(CONTROL_WORDS)?,
            ready,
            ring: card.allocate(layout.places * layout.node_words())?,
            stacks: card.allocate(layout.warps() * layout.depth * layout.frame_words())?,
            states,
        })
    }
}

impl<C: Card> GpuFrontier<C> {
    /// Copies a context to the GPU. The records of a slice take a small share of the available
    /// memory. The inner error means that the context is too large for the GPU.
    pub(super) fn new(
        gpu: OpenGpu<C>,
        open: &OpenFrontier<'_>,
    ) -> Result<Result<GpuFrontier<C>, TooLarge>, CardError> {
        let available = gpu.available_bytes()?;
        let record_bytes = (gpu.allowed_bytes(0)? / RECORD_SHARE).min(RECORD_BYTES);
        let OpenGpu { id, card, .. } = gpu;
        let &OpenFrontier { ordered, min_support, reads_concepts, whole } = open;
        let layout = match Layout::of(ordered, card.limits(), available) {
            Ok(layout) => layout,
            Err(too_large) => return Ok(Err(too_large)),
        };
        let chunk_words = CHUNK * layout.record_words;
        let chunks = record_bytes / 4 / chunk_words;
        let chunks = if reads_concepts { chunks.max(2 * layout.warps()) } else { 0 };
        let buffers = [
            RecordBuffer::new(&card, chunks, chunk_words)?,
            RecordBuffer::new(&card, chunks, chunk_words)?,
        ];
        let memory = Arc::new(SearchMemory::new(&card, &layout, ordered)?);
        let search = SearchWork {
            min_support: u32::try_from(min_support).unwrap_or(u32::MAX),
            chunks: as_u32(chunks),
            ..layout.search()
        };
        let mut frontier = GpuFrontier {
            id,
            card: Arc::new(card),
            layout,
            search,
            memory,
            buffers,
            writing: 0,
            fetched: 0,
            arrived: 0,
            state: Control::default(),
            stages: Stages::default(),
            slice: None,
            fetching: None,
            tickets: VecDeque::new(),
        };
        // A slice takes much longer than reading the clock.
        frontier.card.take_time(true);
        if whole {
            let root = frontier.layout.root();
            frontier.put(&root)?;
        }
        Ok(Ok(frontier))
    }

    fn device_error(&self, error: &CardError) -> DeviceError {
        error.of_device(&self.id)
    }

    /// Writes words to GPU memory, between slices.
    fn write(
        &mut self,
        words: &[u32],
        to: fn(&SearchMemory<C>) -> &C::Memory,
        at: usize,
    ) -> Result<(), CardError> {
        let stage = self.stages.outgoing.at_least(&*self.card, words.len())?;
        stage[..words.len()].copy_from_slice(words);
        let (stage, to) = (&*stage, to(&self.memory));
        Pass::record(&*self.card, |pass| pass.upload(stage, 0..words.len(), to, at))
    }

    /// Writes a node to the ring, between slices.
    fn put(&mut self, node: &[u32]) -> Result<(), CardError> {
        let ticket = self.state.tail;
        let place = ticket as usize % self.layout.places;
        let at = place * self.layout.node_words();
        let round = ticket - as_u32(place);
        self.write(node, |memory| &memory.ring, at)?;
        self.write(&[round.wrapping_add(1)], |memory| &memory.ready, place)?;
        self.state.tail = ticket.wrapping_add(1);
        self.state.pending += 1;
        Ok(())
    }

    fn launch(&mut self, wanted: usize) -> Result<(), CardError> {
        // A request of the host is a ticket like any other. The node written at its place belongs
        // to the host.
        let room = (self.layout.places / 8).saturating_sub(self.tickets.len());
        for _ in 0..wanted.saturating_sub(self.tickets.len()).min(room) {
            self.tickets.push_back(self.state.head);
            self.state.head = self.state.head.wrapping_add(1);
        }
        (self.state.stop, self.state.used) = (0, 0);
        (self.state.concepts, self.state.digest) = (0, 0);
        // Allocate all memory now, because nothing may be allocated while a slice runs.
        let mut stages = std::mem::take(&mut self.stages);
        write_record(&self.state, stages.outgoing.at_least(&*self.card, CONTROL_WORDS)?);
        let most = CONTROL_WORDS.max(self.layout.node_words());
        stages.returning.at_least(&*self.card, most)?;
        // Nodes at the tickets of the host stay there until the slice ends, so the ring must not
        // wrap around before. No node takes more than one ticket.
        let all = as_u32(self.layout.places / self.layout.warps() - 1);
        let slice =
            if self.tickets.is_empty() { self.search.slice } else { self.search.slice.min(all) };
        let numbers = SearchWork { slice, ..self.search };
        let grid = Grid {
            blocks: self.layout.blocks,
            threads: self.layout.threads,
            shared_bytes: self.layout.shared_bytes,
        };
        let kernel = self.layout.kernel.kernel();
        let memory = SliceMemory {
            search: Arc::clone(&self.memory),
            records: Arc::clone(&self.buffers[self.writing].memory),
            stages,
        };
        self.slice = Some(Background::start(&self.card, memory, |memory, pass| {
            let SliceMemory { search, records, stages } = memory;
            let (search, records) = (&**search, &**records);
            pass.upload(stages.outgoing.staging()?, 0..CONTROL_WORDS, &search.control, 0)?;
            let work = SearchWork {
                columns: pass.all(&search.columns),
                rows: pass.all(&search.rows),
                keys: pass.all(&search.keys),
                control: pass.all(&search.control),
                ready: pass.all(&search.ready),
                ring: pass.all(&search.ring),
                stacks: pass.all(&search.stacks),
                states: pass.all(&search.states),
                records: pass.all(&records.records),
                filled: pass.all(&records.filled),
                ..numbers
            };
            pass.launch(kernel, grid, &work)?;
            pass.download(&search.control, 0, stages.returning.staging()?, CONTROL_WORDS)
        })?);
        Ok(())
    }

    fn wait(&mut self, given: &mut Vec<Subtree>) -> Result<Slice, CardError> {
        let Some(slice) = self.slice.take() else {
            return Err(CardError::Refused("no slice is running".into()));
        };
        self.stages = slice.finish()?.stages;
        self.state = read_record(self.stages.returning.words().unwrap_or_default());
        self.collect(given)?;
        let used = (self.state.used as usize).min(self.search.chunks as usize);
        self.buffers[self.writing].used = used;
        self.writing = 1 - self.writing;
        Ok(Slice {
            concepts: self.state.concepts,
            digest: Digest::from_sum(self.state.digest),
            unfinished: self.state.pending != 0,
            device_time: self.card.take_time(true),
        })
    }

    /// Collects the nodes at the tickets of the host.
    fn collect(&mut self, given: &mut Vec<Subtree>) -> Result<(), CardError> {
        let words = self.layout.node_words();
        while let Some(&ticket) = self.tickets.front() {
            // Places are filled in the order of the tickets.
            if self.state.tail.wrapping_sub(ticket).cast_signed() <= 0 {
                break;
            }
            self.tickets.pop_front();
            let place = ticket as usize % self.layout.places;
            let node = self.stages.returning.at_least(&*self.card, words)?;
            let ring = &self.memory.ring;
            Pass::record(&*self.card, |pass| pass.fetch(ring, place * words, node, words))?;
            given.push(Subtree(node[..words].to_vec()));
            let free = (ticket - as_u32(place)).wrapping_add(as_u32(self.layout.places));
            self.write(&[free], |memory| &memory.ready, place)?;
            self.state.pending -= 1;
        }
        Ok(())
    }

    /// Starts to copy the records of the last finished slice.
    fn fetch_records(&mut self) -> Result<(), CardError> {
        self.fetched = 1 - self.writing;
        let buffer = &mut self.buffers[self.fetched];
        if buffer.used == 0 {
            return Ok(());
        }
        let (used, words) = (buffer.used, buffer.used * CHUNK * self.layout.record_words);
        let mut staged = std::mem::take(&mut buffer.staged);
        staged.counts.at_least(&*self.card, used)?;
        staged.records.at_least(&*self.card, words)?;
        let fetch = Fetch { memory: Arc::clone(&buffer.memory), staged };
        self.fetching = Some(Background::start(&self.card, fetch, |fetch, pass| {
            let Fetch { memory, staged } = fetch;
            let StagedRecords { records, counts } = staged;
            pass.download_beside(&memory.filled, 0, counts.staging()?, used)?;
            pass.download_beside(&memory.records, 0, records.staging()?, words)
        })?);
        Ok(())
    }

    fn arrive_records(&mut self) -> Result<(), CardError> {
        self.arrived = self.fetched;
        if let Some(fetching) = self.fetching.take() {
            self.buffers[self.fetched].staged = fetching.finish()?.staged;
        }
        Ok(())
    }
}

impl<C: Card> Frontier for GpuFrontier<C> {
    fn start(&mut self, wanted: usize) -> Result<(), DeviceError> {
        self.launch(wanted).map_err(|error| self.device_error(&error))
    }

    fn finish(&mut self, given: &mut Vec<Subtree>) -> Result<Slice, DeviceError> {
        self.wait(given).map_err(|error| self.device_error(&error))
    }

    fn records(&self) -> Vec<&[u32]> {
        let RecordBuffer { staged: StagedRecords { records, counts }, used, .. } =
            &self.buffers[self.arrived];
        let (Some(staged), Some(counts)) = (records.words(), counts.words()) else {
            return Vec::new();
        };
        let chunks = staged.chunks_exact(CHUNK * self.layout.record_words).zip(counts);
        let used = chunks.take(*used);
        used.map(|(chunk, &count)| &chunk[..count as usize * self.layout.record_words]).collect()
    }

    fn record_words(&self) -> usize {
        self.layout.record_words
    }

    fn take(&mut self, subtree: Subtree) -> Result<(), DeviceError> {
        self.put(&subtree.0).map_err(|error| self.device_error(&error))
    }

    fn fetch(&mut self) -> Result<(), DeviceError> {
        self.fetch_records().map_err(|error| self.device_error(&error))
    }

    fn arrive(&mut self) -> Result<(), DeviceError> {
        self.arrive_records().map_err(|error| self.device_error(&error))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half")]
fn low(number: u64) -> u32 {
    number as u32
}
