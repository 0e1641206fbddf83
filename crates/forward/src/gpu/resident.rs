//! Executes calls: upload, kernels, download.

use super::argument::{
    BRACKET, COUNT_WORDS, ForwardWork, ITEM_WORDS, Layer, PAIRS, RANK, RESULT_WORDS, SETTLE,
    THREAD_ROWS, found,
};
use super::rows::CardRows;
use super::upload::{BatchLayout, Bracket, RankMethod, Spread, Upload};
use crate::inputs::TILE;
use crate::{Batch, Bred, BreedingPlan, Inputs, Networks, Ranks, Resident, Shape, spec};
use pellucid_bits::as_u32;
use pellucid_device::DeviceError;
use pellucid_device::gpu::{Buffer, Card, CardError, GpuLimits, Grid, OpenGpu, Pass, Stage};
use std::sync::Arc;
use std::time::Duration;

/// The number of threads per block of the kernels that compute brackets and that search thresholds.
pub(super) const BRACKET_THREADS: usize = 512;
pub(super) const SEARCH_THREADS: usize = 1024;
/// The maximum number of positives that are sorted together.
const MAX_SORTED: usize = 4096;
/// The maximum number of sections of the negatives.
const MAX_SECTIONS: usize = 16;
/// The fraction of the GPU memory for data between two kernels: one in this number.
const MEMORY_SHARE: usize = 4;

/// Inputs on a GPU, and buffers for calls.
#[derive(Debug)]
pub(super) struct GpuRows<C: Card> {
    pub(super) gpu: OpenGpu<C>,
    pub(super) rows: Vec<CardRows<C>>,
    /// The maximum number of words for scores or bands.
    pub(super) room: usize,
    pub(super) outgoing: Stage<C>,
    pub(super) arrived: Buffer<C>,
    pub(super) returning: Stage<C>,
    /// Scores, or bands followed by brackets.
    pub(super) between: Buffer<C>,
    hidden: Buffer<C>,
    prepared: Vec<f32>,
}

/// Networks of a batch whose scores or bands are in memory at the same time.
#[derive(Clone, Copy, Debug)]
struct Wave {
    first: usize,
    count: usize,
}

/// Returns the kernel argument for scoring a number of networks of a batch.
pub(super) fn work_of<'a, C: Card>(
    pass: &mut Pass<'a, C>,
    batch_layout: &BatchLayout<'_>,
    rows: &'a CardRows<C>,
    networks: usize,
    spread: Spread,
) -> ForwardWork<'a> {
    let mut layers = [Layer::default(); 2];
    layers.iter_mut().zip(&batch_layout.plan.layers).for_each(|(layer, plan)| *layer = plan.into());
    ForwardWork {
        tiles: pass.all(&rows.tiles),
        members: pass.all(&rows.members),
        rows: as_u32(rows.inputs.rows()),
        positives: as_u32(rows.inputs.positives()),
        features: as_u32(rows.inputs.features()),
        padded: as_u32(rows.padded()),
        network_count: as_u32(networks),
        words: as_u32(batch_layout.plan.words),
        outputs: as_u32(batch_layout.plan.outputs),
        layer_count: as_u32(batch_layout.plan.layers.len()),
        layers,
        group: as_u32(spread.group),
        groups: as_u32(spread.groups),
        ..ForwardWork::default()
    }
}

/// Adds the bracket of thresholds to the kernel argument. Memory contains the bands, followed by the
/// brackets.
pub(super) fn bracketed<'a, C: Card>(
    pass: &mut Pass<'a, C>,
    work: &mut ForwardWork<'a>,
    bracket: Bracket,
    rows: &'a CardRows<C>,
    between: &'a C::Memory,
) -> Result<(), CardError> {
    let Some(sample) = &rows.sample else {
        return Err(CardError::Refused(
            "cannot bracket thresholds: too few rows for a sample".into(),
        ));
    };
    let networks = work.network_count as usize;
    let words = networks * bracket.band_words();
    work.sample = pass.all(sample);
    work.band = pass.part(between, 0..words)?;
    // Pairs of words start at even offsets.
    let brackets = words.next_multiple_of(2);
    work.brackets = pass.part(between, brackets..brackets + 2 * networks)?;
    (work.room, work.positive_room) = (as_u32(bracket.room), as_u32(bracket.positive_room));
    (work.sample_rows, work.wanted) = (as_u32(bracket.sample_rows), as_u32(bracket.wanted));
    (work.upper_rank, work.lower_rank) = (as_u32(bracket.upper_rank), as_u32(bracket.lower_rank));
    Ok(())
}

/// The GPU memory that the waves of a call use.
#[derive(Clone, Copy, Debug)]
struct Places<'a, C: Card> {
    rows: &'a CardRows<C>,
    arrived: &'a C::Memory,
    between: &'a C::Memory,
    hidden: &'a C::Memory,
}

/// Queues the kernels of a wave.
fn queue_wave<'a, C: Card>(
    pass: &mut Pass<'a, C>,
    limits: &GpuLimits,
    places: &Places<'a, C>,
    batch_layout: &BatchLayout<'_>,
    wave: Wave,
    spread: Spread,
) -> Result<(), CardError> {
    let &Places { rows, arrived, between, hidden } = places;
    if rows.inputs.rows() == 0 {
        return Ok(());
    }
    let network_bytes = if batch_layout.is_near() { batch_layout.plan.words * 4 } else { 0 };
    let grid = |blocks: usize, threads: usize, shared_bytes: usize| Grid {
        blocks,
        threads: threads.min(limits.threads),
        shared_bytes,
    };
    let stretch = |start: usize, count: usize, each: usize| {
        let first = start + wave.first * count * each;
        first..first + wave.count * count * each
    };
    let mut work = work_of(pass, batch_layout, rows, wave.count, spread);
    work.networks =
        pass.part(arrived, stretch(batch_layout.networks, 1, batch_layout.plan.words))?;
    work.hidden = pass.all(hidden);
    let (score, scored_bytes) = batch_layout.scoring();
    let scoring = grid(spread.blocks(), spread.threads, spread.group * scored_bytes);
    match batch_layout.rank_method {
        RankMethod::Bracket(bracket) => {
            bracketed(pass, &mut work, bracket, rows, between)?;
            work.counts = pass.part(arrived, stretch(batch_layout.counts, 1, COUNT_WORDS))?;
            work.results = pass.part(arrived, stretch(batch_layout.results, 1, RESULT_WORDS))?;
            let bracketing = grid(wave.count, BRACKET_THREADS, network_bytes);
            pass.launch(BRACKET[batch_layout.near], bracketing, &work)?;
            pass.launch(score, scoring, &work)?;
            pass.launch(SETTLE, grid(wave.count, SEARCH_THREADS, 0), &work)
        }
        RankMethod::Stored => {
            let asks = batch_layout.batch.asks.len();
            work.scores = pass.all(between);
            work.items = pass.part(arrived, stretch(batch_layout.items, asks, ITEM_WORDS))?;
            work.results = pass.part(arrived, stretch(batch_layout.results, asks, RESULT_WORDS))?;
            let items = wave.count * asks;
            work.first_network = as_u32(wave.first);
            pass.launch(score, scoring, &work)?;
            if batch_layout.batch.asks.iter().any(|ask| ask.top.is_some()) {
                pass.launch(RANK, grid(items, SEARCH_THREADS, 0), &work)?;
            }
            let positives = rows.inputs.positives();
            if batch_layout.batch.asks.iter().any(|ask| ask.pairs) && positives > 0 {
                // The space is sufficient for twice as many keys.
                let chunk = (limits.shared_bytes / 16).next_power_of_two().min(MAX_SORTED);
                let chunks = positives.div_ceil(chunk);
                let blocks = items * chunks;
                let stretches = (2 * limits.multiprocessors / blocks).clamp(1, MAX_SECTIONS);
                (work.chunk, work.chunks) = (as_u32(chunk), as_u32(chunks));
                work.stretches = as_u32(stretches);
                pass.launch(PAIRS, grid(blocks * stretches, SEARCH_THREADS, 8 * chunk), &work)?;
            }
            Ok(())
        }
    }
}

impl<C: Card> GpuRows<C> {
    /// Copies inputs to the GPU.
    pub(super) fn load(gpu: OpenGpu<C>, inputs: &[Arc<Inputs>]) -> Result<GpuRows<C>, CardError> {
        let rows: Result<Vec<_>, _> =
            inputs.iter().map(|inputs| CardRows::send(&gpu.card, inputs)).collect();
        let rows = rows?;
        let room = gpu.allowed_bytes(0)? / 4 / MEMORY_SHARE;
        Ok(GpuRows {
            gpu,
            rows,
            room,
            outgoing: Stage::default(),
            arrived: Buffer::default(),
            returning: Stage::default(),
            between: Buffer::default(),
            hidden: Buffer::default(),
            prepared: Vec::new(),
        })
    }

    pub(super) fn failed(&self, error: CardError) -> DeviceError {
        self.gpu.failed(error)
    }

    /// Returns the number of words per network between two kernels.
    fn between_words(&self, batch_layout: &BatchLayout<'_>) -> usize {
        match batch_layout.rank_method {
            RankMethod::Bracket(bracket) => bracket.band_words() + 2,
            RankMethod::Stored => self.rows[batch_layout.batch.inputs].padded(),
        }
    }

    fn waves(&self, batch_layout: &BatchLayout<'_>) -> impl Iterator<Item = Wave> + use<C> {
        let networks = batch_layout.batch.networks.len();
        let most = (self.room / self.between_words(batch_layout).max(1)).clamp(1, networks.max(1));
        let count = move |first: usize| most.min(networks - first);
        (0..networks).step_by(most).map(move |first| Wave { first, count: count(first) })
    }

    /// Returns the distribution of the scoring of a wave over blocks.
    fn spread(&self, batch_layout: &BatchLayout<'_>, wave: Wave) -> Spread {
        let rows = self.rows[batch_layout.batch.inputs].inputs.rows();
        Spread::new(self.gpu.card.limits(), batch_layout, rows, wave.count)
    }

    /// Returns the number of words for the outputs of the first of two layers.
    fn hidden_words(&self, batch_layout: &BatchLayout<'_>, spread: &Spread) -> usize {
        match batch_layout.plan.layers.as_slice() {
            [first, _] => {
                let tiles = (spread.threads * THREAD_ROWS).div_ceil(TILE);
                spread.blocks() * tiles * TILE * first.nodes
            }
            _ => 0,
        }
    }

    /// Uploads the data of a call, runs its kernels and downloads the results to `returning`.
    fn execute(&mut self, upload: &Upload<'_>) -> Result<(), CardError> {
        let (mut between, mut hidden) = (0, 0);
        for batch_layout in &upload.batch_layouts {
            for wave in self.waves(batch_layout) {
                between = between.max(wave.count * self.between_words(batch_layout) + 1);
                hidden =
                    hidden.max(self.hidden_words(batch_layout, &self.spread(batch_layout, wave)));
            }
        }
        let with_spread = |batch_layout: &BatchLayout<'_>| -> Vec<(Wave, Spread)> {
            self.waves(batch_layout).map(|wave| (wave, self.spread(batch_layout, wave))).collect()
        };
        let waves: Vec<Vec<(Wave, Spread)>> =
            upload.batch_layouts.iter().map(with_spread).collect();
        // All memory is allocated before anything is queued, because growing a buffer moves it.
        let card = &self.gpu.card;
        let between = self.between.at_least(card, between)?;
        let hidden = self.hidden.at_least(card, hidden.max(1))?;
        let arrived = self.arrived.at_least(card, upload.words)?;
        let returning = self.returning.at_least(card, upload.result_words)?;
        let stage = self.outgoing.at_least(card, upload.words)?;
        upload.write(&mut stage[..upload.words], &mut self.prepared);
        let (stage, all_rows) = (&*stage, &self.rows);
        Pass::record(card, |pass| {
            pass.upload(stage, 0..upload.words, arrived, 0)?;
            for (batch_layout, waves) in upload.batch_layouts.iter().zip(waves) {
                let rows = &all_rows[batch_layout.batch.inputs];
                let places = Places { rows, arrived, between, hidden };
                for (wave, spread) in waves {
                    queue_wave(pass, card.limits(), &places, batch_layout, wave, spread)?;
                }
            }
            pass.download(arrived, 0, returning, upload.result_words)
        })
    }

    /// Ranks batches. Returns the batch and network of each bracket that missed its threshold.
    fn rank_once(
        &mut self,
        batches: &[Batch<'_>],
        brackets: bool,
        width: usize,
        out: &mut [Ranks],
    ) -> Result<Vec<(usize, usize)>, CardError> {
        let inputs: Vec<Arc<Inputs>> =
            self.rows.iter().map(|rows| Arc::clone(&rows.inputs)).collect();
        let paired = batches.iter().map(|batch| (*batch, &*inputs[batch.inputs]));
        let upload = Upload::new(paired, brackets, self.gpu.card.limits());
        self.execute(&upload)?;
        let results = self.returning.words().unwrap_or_default();
        let (mut missed, mut first) = (Vec::new(), 0);
        for (number, batch_layout) in upload.batch_layouts.iter().enumerate() {
            let asks = batch_layout.batch.asks;
            for network in 0..batch_layout.batch.networks.len() {
                for (place, ask) in asks.iter().enumerate() {
                    let index =
                        batch_layout.results + (network * asks.len() + place) * RESULT_WORDS;
                    let known =
                        spec::nothing_known(inputs[batch_layout.batch.inputs].part(ask.part));
                    match found(&results[index..][..RESULT_WORDS], ask.top.unwrap_or(0)) {
                        Some((top, pairs)) => {
                            out[(first + network) * width + place] = Ranks { top, pairs, ..known };
                        }
                        None => missed.push((number, network)),
                    }
                }
            }
            first += batch_layout.batch.networks.len();
        }
        Ok(missed)
    }

    fn rank_all(
        &mut self,
        batches: &[Batch<'_>],
        width: usize,
        out: &mut [Ranks],
    ) -> Result<(), CardError> {
        let missed = self.rank_once(batches, true, width, out)?;
        // A batch with a bracket has one request, so a network is returned at most once.
        let mut first = 0;
        for (number, batch) in batches.iter().enumerate() {
            let again: Vec<usize> = missed
                .iter()
                .filter(|(of, _)| *of == number)
                .map(|&(_, network)| network)
                .collect();
            if !again.is_empty() {
                let genes: Vec<f32> = again
                    .iter()
                    .flat_map(|&network| batch.networks.genes(network))
                    .copied()
                    .collect();
                let networks = Networks::all(batch.networks.shape(), &genes)
                    .map_err(|error| CardError::Refused(error.to_string()))?;
                let mut ranks = vec![Ranks::default(); again.len()];
                self.rank_once(&[Batch { networks, ..*batch }], false, 1, &mut ranks)?;
                for (network, ranks) in again.into_iter().zip(ranks) {
                    out[(first + network) * width] = ranks;
                }
            }
            first += batch.networks.len();
        }
        Ok(())
    }

    fn scores_of(&mut self, batch: &Batch<'_>) -> Result<Vec<f32>, CardError> {
        let inputs = Arc::clone(&self.rows[batch.inputs].inputs);
        let upload = Upload::new([(*batch, &*inputs)].into_iter(), false, self.gpu.card.limits());
        self.execute(&upload)?;
        let words = self.rows[batch.inputs].padded();
        let between = self.between.at_least(&self.gpu.card, words)?;
        let returning = self.returning.at_least(&self.gpu.card, words)?;
        Pass::record(&self.gpu.card, |pass| pass.fetch(between, 0, returning, words))?;
        Ok(returning[..inputs.rows()].iter().copied().map(f32::from_bits).collect())
    }
}

impl<C: Card> Resident for GpuRows<C> {
    fn rank(
        &mut self,
        batches: &[Batch<'_>],
        width: usize,
        out: &mut [Ranks],
    ) -> Result<(), DeviceError> {
        self.rank_all(batches, width, out).map_err(|error| self.failed(error))
    }

    fn scores(
        &mut self,
        inputs: usize,
        shape: &Shape,
        genes: &[f32],
    ) -> Result<Vec<f32>, DeviceError> {
        let none = |error: crate::ForwardError| DeviceError::new(&*self.gpu.id, error.to_string());
        let networks = Networks::all(shape, genes).map_err(none)?;
        self.scores_of(&Batch { inputs, networks, asks: &[] }).map_err(|error| self.failed(error))
    }

    fn breed(&mut self, breeding: &BreedingPlan<'_>) -> Result<Option<Vec<Bred>>, DeviceError> {
        self.breed_all(breeding).map_err(|error| self.failed(error))
    }

    fn take_time(&mut self, go_on: bool) -> Option<Duration> {
        self.gpu.card.take_time(go_on)
    }
}
