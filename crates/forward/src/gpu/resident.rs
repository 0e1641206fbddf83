//! A call's way to the card and back.

use super::argument::{
    BRACKET, COUNT_WORDS, ForwardWork, ITEM_WORDS, Layer, PAIRS, RANK, RESULT_WORDS, SCORE, SETTLE,
    THREAD_ROWS, found,
};
use super::rows::CardRows;
use super::trip::{Bracket, Leg, Spread, Trip, Way};
use crate::inputs::TILE;
use crate::{Batch, Bred, Breeding, Inputs, Networks, Ranks, Resident, Shape, spec};
use pellucid_bits::as_u32;
use pellucid_device::DeviceError;
use pellucid_device::gpu::{Buffer, Card, CardError, Grid, Limits, OpenGpu, Pass, Stage};
use std::sync::Arc;
use std::time::Duration;

/// Threads of a block that brackets, and of one that looks for thresholds.
pub(super) const BRACKET_THREADS: usize = 256;
pub(super) const SEARCH_THREADS: usize = 1024;
/// Positives that are sorted together at most.
const MOST_SORTED: usize = 4096;
/// Stretches that negatives are cut into at most.
const MOST_STRETCHES: usize = 16;
/// The share of the card's memory for what is kept between two kernels.
const SHARE: usize = 4;

/// Inputs on a card, and memory for what passes by.
#[derive(Debug)]
pub(super) struct GpuRows<C: Card> {
    pub(super) gpu: OpenGpu<C>,
    pub(super) rows: Vec<CardRows<C>>,
    /// Words for scores, or for bands.
    pub(super) room: usize,
    pub(super) outgoing: Stage<C>,
    pub(super) arrived: Buffer<C>,
    pub(super) returning: Stage<C>,
    /// Scores, or bands and behind them brackets.
    pub(super) between: Buffer<C>,
    hidden: Buffer<C>,
    prepared: Vec<f32>,
}

/// Some networks of a leg whose scores or bands are in memory together.
#[derive(Clone, Copy, Debug)]
struct Wave {
    first: usize,
    count: usize,
}

/// What kernels need to know to score so many networks of a leg.
pub(super) fn work_of<'a, C: Card>(
    pass: &mut Pass<'a, C>,
    leg: &Leg<'_>,
    rows: &'a CardRows<C>,
    networks: usize,
    spread: Spread,
) -> ForwardWork<'a> {
    let mut layers = [Layer::default(); 2];
    layers.iter_mut().zip(&leg.plan.layers).for_each(|(layer, plan)| *layer = plan.into());
    ForwardWork {
        tiles: pass.all(&rows.tiles),
        members: pass.all(&rows.members),
        rows: as_u32(rows.inputs.rows()),
        positives: as_u32(rows.inputs.positives()),
        features: as_u32(rows.inputs.features()),
        padded: as_u32(rows.padded()),
        network_count: as_u32(networks),
        words: as_u32(leg.plan.words),
        outputs: as_u32(leg.plan.outputs),
        layer_count: as_u32(leg.plan.layers.len()),
        layers,
        group: as_u32(spread.group),
        groups: as_u32(spread.groups),
        ..ForwardWork::default()
    }
}

/// Adds how thresholds are bracketed; bands come first in some memory, brackets behind them.
pub(super) fn bracketed<'a, C: Card>(
    pass: &mut Pass<'a, C>,
    work: &mut ForwardWork<'a>,
    bracket: Bracket,
    rows: &'a CardRows<C>,
    between: &'a C::Memory,
) -> Result<(), CardError> {
    let Some(sample) = &rows.sample else {
        return Err(CardError::Refused("there is no sample of so few rows".into()));
    };
    let networks = work.network_count as usize;
    let words = networks * bracket.band_words();
    work.sample = pass.all(sample);
    work.band = pass.part(between, 0..words)?;
    // Pairs of words begin at even places.
    let brackets = words.next_multiple_of(2);
    work.brackets = pass.part(between, brackets..brackets + 2 * networks)?;
    (work.room, work.positive_room) = (as_u32(bracket.room), as_u32(bracket.positive_room));
    (work.sample_rows, work.wanted) = (as_u32(bracket.sample_rows), as_u32(bracket.wanted));
    (work.upper_rank, work.lower_rank) = (as_u32(bracket.upper_rank), as_u32(bracket.lower_rank));
    Ok(())
}

/// What the waves of a call need on the card.
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
    limits: &Limits,
    places: &Places<'a, C>,
    leg: &Leg<'_>,
    wave: Wave,
    spread: Spread,
) -> Result<(), CardError> {
    let &Places { rows, arrived, between, hidden } = places;
    if rows.inputs.rows() == 0 {
        return Ok(());
    }
    let network_bytes = if leg.is_near() { leg.plan.words * 4 } else { 0 };
    let grid = |blocks: usize, threads: usize, shared_bytes: usize| Grid {
        blocks,
        threads: threads.min(limits.threads),
        shared_bytes,
    };
    let stretch = |start: usize, count: usize, each: usize| {
        let first = start + wave.first * count * each;
        first..first + wave.count * count * each
    };
    let mut work = work_of(pass, leg, rows, wave.count, spread);
    work.networks = pass.part(arrived, stretch(leg.networks, 1, leg.plan.words))?;
    work.hidden = pass.all(hidden);
    let score = SCORE[leg.near];
    let scoring = grid(spread.blocks(), spread.threads, spread.group * network_bytes);
    match leg.way {
        Way::Bracket(bracket) => {
            bracketed(pass, &mut work, bracket, rows, between)?;
            work.counts = pass.part(arrived, stretch(leg.counts, 1, COUNT_WORDS))?;
            work.results = pass.part(arrived, stretch(leg.results, 1, RESULT_WORDS))?;
            let bracketing = grid(wave.count, BRACKET_THREADS, network_bytes);
            pass.launch(BRACKET[leg.near], bracketing, &work)?;
            pass.launch(score, scoring, &work)?;
            pass.launch(SETTLE, grid(wave.count, SEARCH_THREADS, 0), &work)
        }
        Way::Stored => {
            let asks = leg.batch.asks.len();
            work.scores = pass.all(between);
            work.items = pass.part(arrived, stretch(leg.items, asks, ITEM_WORDS))?;
            work.results = pass.part(arrived, stretch(leg.results, asks, RESULT_WORDS))?;
            let items = wave.count * asks;
            work.first_network = as_u32(wave.first);
            pass.launch(score, scoring, &work)?;
            if leg.batch.asks.iter().any(|ask| ask.top.is_some()) {
                pass.launch(RANK, grid(items, SEARCH_THREADS, 0), &work)?;
            }
            let positives = rows.inputs.positives();
            if leg.batch.asks.iter().any(|ask| ask.pairs) && positives > 0 {
                // Twice as many keys find room.
                let chunk = (limits.shared_bytes / 16).next_power_of_two().min(MOST_SORTED);
                let chunks = positives.div_ceil(chunk);
                let blocks = items * chunks;
                let stretches = (2 * limits.multiprocessors / blocks).clamp(1, MOST_STRETCHES);
                (work.chunk, work.chunks) = (as_u32(chunk), as_u32(chunks));
                work.stretches = as_u32(stretches);
                pass.launch(PAIRS, grid(blocks * stretches, SEARCH_THREADS, 8 * chunk), &work)?;
            }
            Ok(())
        }
    }
}

impl<C: Card> GpuRows<C> {
    /// Sends inputs.
    pub(super) fn load(gpu: OpenGpu<C>, inputs: &[Arc<Inputs>]) -> Result<GpuRows<C>, CardError> {
        let rows: Result<Vec<_>, _> =
            inputs.iter().map(|inputs| CardRows::send(&gpu.card, inputs)).collect();
        let rows = rows?;
        let room = gpu.allowed_bytes(0)? / 4 / SHARE;
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

    /// Words of one network between two kernels.
    fn between_words(&self, leg: &Leg<'_>) -> usize {
        match leg.way {
            Way::Bracket(bracket) => bracket.band_words() + 2,
            Way::Stored => self.rows[leg.batch.inputs].padded(),
        }
    }

    fn waves(&self, leg: &Leg<'_>) -> impl Iterator<Item = Wave> + use<C> {
        let networks = leg.batch.networks.len();
        let most = (self.room / self.between_words(leg).max(1)).clamp(1, networks.max(1));
        let count = move |first: usize| most.min(networks - first);
        (0..networks).step_by(most).map(move |first| Wave { first, count: count(first) })
    }

    /// How the scoring of a wave is spread.
    fn spread(&self, leg: &Leg<'_>, wave: Wave) -> Spread {
        let rows = self.rows[leg.batch.inputs].inputs.rows();
        Spread::new(self.gpu.card.limits(), leg, rows, wave.count)
    }

    /// Words for what the first of two layers gives.
    fn hidden_words(&self, leg: &Leg<'_>, spread: &Spread) -> usize {
        match leg.plan.layers.as_slice() {
            [first, _] => {
                let tiles = (spread.threads * THREAD_ROWS).div_ceil(TILE);
                spread.blocks() * tiles * TILE * first.nodes
            }
            _ => 0,
        }
    }

    /// Sends, runs and fetches a trip; the results are in `returning`. Without a stage to return to, what is in `between` stays there.
    fn travel(&mut self, trip: &Trip<'_>) -> Result<(), CardError> {
        let (mut between, mut hidden) = (0, 0);
        for leg in &trip.legs {
            for wave in self.waves(leg) {
                between = between.max(wave.count * self.between_words(leg) + 1);
                hidden = hidden.max(self.hidden_words(leg, &self.spread(leg, wave)));
            }
        }
        let with_spread = |leg: &Leg<'_>| -> Vec<(Wave, Spread)> {
            self.waves(leg).map(|wave| (wave, self.spread(leg, wave))).collect()
        };
        let waves: Vec<Vec<(Wave, Spread)>> = trip.legs.iter().map(with_spread).collect();
        // All memory before anything is queued: memory that grows is another one.
        let card = &self.gpu.card;
        let between = self.between.at_least(card, between)?;
        let hidden = self.hidden.at_least(card, hidden.max(1))?;
        let arrived = self.arrived.at_least(card, trip.words)?;
        let returning = self.returning.at_least(card, trip.result_words)?;
        let stage = self.outgoing.at_least(card, trip.words)?;
        trip.write(&mut stage[..trip.words], &mut self.prepared);
        let (stage, all_rows) = (&*stage, &self.rows);
        Pass::record(card, |pass| {
            pass.upload(stage, 0..trip.words, arrived, 0)?;
            for (leg, waves) in trip.legs.iter().zip(waves) {
                let rows = &all_rows[leg.batch.inputs];
                let places = Places { rows, arrived, between, hidden };
                for (wave, spread) in waves {
                    queue_wave(pass, card.limits(), &places, leg, wave, spread)?;
                }
            }
            pass.download(arrived, 0, returning, trip.result_words)
        })
    }

    /// Ranks batches; those networks whose bracket missed come back, by batch and network.
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
        let trip = Trip::new(paired, brackets, self.gpu.card.limits());
        self.travel(&trip)?;
        let results = self.returning.words().unwrap_or_default();
        let (mut missed, mut first) = (Vec::new(), 0);
        for (number, leg) in trip.legs.iter().enumerate() {
            let asks = leg.batch.asks;
            for network in 0..leg.batch.networks.len() {
                for (place, ask) in asks.iter().enumerate() {
                    let index = leg.results + (network * asks.len() + place) * RESULT_WORDS;
                    let known = spec::nothing_known(inputs[leg.batch.inputs].part(ask.part));
                    match found(&results[index..][..RESULT_WORDS], ask.top.unwrap_or(0)) {
                        Some((top, pairs)) => {
                            out[(first + network) * width + place] = Ranks { top, pairs, ..known };
                        }
                        None => missed.push((number, network)),
                    }
                }
            }
            first += leg.batch.networks.len();
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
        // A batch that brackets has one ask, so a network is missed at most once.
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
        let trip = Trip::new([(*batch, &*inputs)].into_iter(), false, self.gpu.card.limits());
        self.travel(&trip)?;
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
        let none = |error: crate::RankError| DeviceError::new(&*self.gpu.id, error.to_string());
        let networks = Networks::all(shape, genes).map_err(none)?;
        self.scores_of(&Batch { inputs, networks, asks: &[] }).map_err(|error| self.failed(error))
    }

    fn breed(&mut self, breeding: &Breeding<'_>) -> Result<Option<Vec<Bred>>, DeviceError> {
        self.breed_all(breeding).map_err(|error| self.failed(error))
    }

    fn take_time(&mut self, go_on: bool) -> Option<Duration> {
        self.gpu.card.take_time(go_on)
    }
}
