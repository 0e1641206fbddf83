//! A call's way to the card and back.

use super::course::{self, Addresses, Course, Known, Wave};
use super::rows::CardRows;
use super::trip::{Leg, Slots, Spread, Trip, Way};
use super::work::{RESULT_WORDS, THREAD_ROWS, found};
use crate::inputs::TILE;
use crate::{Batch, Inputs, Networks, Ranks, Resident, Shape, spec};
use pellucid_device::DeviceError;
use pellucid_device::gpu::{Buffer, Card, CardError, OpenGpu, Queue, Stage, Used};
use std::sync::Arc;
use std::time::Duration;

/// The share of the card's memory for what is kept between two kernels.
const SHARE: usize = 4;

/// Inputs on a card, and memory for what passes by.
#[derive(Debug)]
pub(super) struct GpuRows<C: Card> {
    id: String,
    card: C,
    rows: Vec<CardRows<C>>,
    /// Words for scores, or for bands.
    room: usize,
    outgoing: Stage<C>,
    arrived: Buffer<C>,
    returning: Stage<C>,
    /// Scores, or bands and behind them brackets.
    between: Buffer<C>,
    hidden: Buffer<C>,
    known: Known<C>,
    prepared: Vec<f32>,
}

impl<C: Card> GpuRows<C> {
    /// Sends inputs.
    pub(super) fn load(gpu: OpenGpu<C>, inputs: &[Arc<Inputs>]) -> Result<GpuRows<C>, CardError> {
        let OpenGpu { id, card, memory_limit, .. } = gpu;
        let rows: Result<Vec<_>, _> =
            inputs.iter().map(|inputs| CardRows::send(&card, inputs)).collect();
        let rows = rows?;
        let room = memory_limit.unwrap_or(card.free_bytes()?) / 4 / SHARE;
        Ok(GpuRows {
            id,
            card,
            rows,
            room,
            outgoing: Stage::default(),
            arrived: Buffer::default(),
            returning: Stage::default(),
            between: Buffer::default(),
            hidden: Buffer::default(),
            known: Known::default(),
            prepared: Vec::new(),
        })
    }

    fn failed(&self, error: CardError) -> DeviceError {
        DeviceError::new(&*self.id, error.0)
    }

    /// Words of one network between two kernels.
    fn between_words(&self, leg: &Leg<'_>) -> usize {
        match leg.way {
            Way::Bracket(_) => self.slots(leg).words(),
            Way::Stored => self.rows[leg.batch.inputs].padded(),
        }
    }

    fn slots(&self, leg: &Leg<'_>) -> Slots {
        Slots::new(self.card.limits(), self.rows[leg.batch.inputs].inputs.rows())
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
        Spread::new(self.card.limits(), leg, rows, wave.count)
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

    /// Takes the memory that a trip needs, and says which kernels it takes and what is copied.
    fn course(&mut self, trip: &Trip<'_>) -> Result<Course, CardError> {
        let (mut between, mut hidden) = (1, 1);
        for leg in &trip.legs {
            for wave in self.waves(leg) {
                between = between.max(wave.count * self.between_words(leg) + 1);
                hidden = hidden.max(self.hidden_words(leg, &self.spread(leg, wave)));
            }
        }
        let (words, result_words) = (trip.words, trip.result_words);
        let stays = self.between.has(between)
            && self.hidden.has(hidden)
            && self.arrived.has(words)
            && self.outgoing.has(words)
            && self.returning.has(result_words);
        if !stays {
            self.known.clear();
        }
        // All memory before anything is queued: memory that grows is another one.
        let at = Addresses {
            between: C::address(self.between.at_least(&self.card, between)?),
            hidden: C::address(self.hidden.at_least(&self.card, hidden)?),
            arrived: C::address(self.arrived.at_least(&self.card, words)?),
        };
        self.outgoing.at_least(&self.card, words)?;
        self.returning.at_least(&self.card, result_words)?;
        let (mut stops, limits) = (Vec::new(), self.card.limits());
        for leg in &trip.legs {
            for wave in self.waves(leg) {
                let (spread, rows) = (self.spread(leg, wave), &self.rows[leg.batch.inputs]);
                stops.extend(course::stops(leg, wave, spread, rows, at, limits)?);
            }
        }
        Ok(Course { stops, words, result_words, between, hidden })
    }

    /// Sends, runs and fetches a trip; the results are in `returning`, and what is in `between` stays there.
    fn travel(&mut self, trip: &Trip<'_>) -> Result<(), CardError> {
        let course = self.course(trip)?;
        let GpuRows { card, rows, outgoing, arrived, returning, between, hidden, known, .. } = self;
        let stage = outgoing.at_least(card, course.words)?;
        trip.write(&mut stage[..course.words], &mut self.prepared);
        let arrived = arrived.at_least(card, course.words)?;
        let returning = returning.at_least(card, course.result_words)?;
        let mut uses = vec![
            Used::new(arrived, course.words),
            Used::new(between.at_least(card, course.between)?, course.between),
            Used::new(hidden.at_least(card, course.hidden)?, course.hidden),
        ];
        for rows in rows {
            let all = [Some(&rows.tiles), Some(&rows.members), rows.sample.as_ref()];
            uses.extend(all.into_iter().flatten().map(|all| Used::new(all, C::words(all))));
        }
        let queued = known.take(card, course, |course| {
            // SAFETY: both are kept in `self` and not touched before the work is finished, here or after an error.
            unsafe { card.copy_in(Queue::Work, stage, 0..course.words, arrived, 0) }?;
            for stop in &course.stops {
                // SAFETY: `Work` is laid out as the kernels declare it, all that it points to is among `uses`, and is kept in
                // `self` untouched until the work is finished.
                unsafe { card.launch(stop.launch(), &stop.work, &uses) }?;
            }
            // SAFETY: as for the first copy.
            unsafe { card.copy_out(Queue::Work, arrived, 0, returning, course.result_words) }
        });
        // Whatever happened, nothing may be under way when this returns.
        let finished = card.finish(Queue::Work);
        queued.and(finished)
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
        let trip = Trip::new(paired, brackets, self.card.limits());
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
                    .map_err(|error| CardError(error.to_string()))?;
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
        let trip = Trip::new([(*batch, &*inputs)].into_iter(), false, self.card.limits());
        self.travel(&trip)?;
        let words = self.rows[batch.inputs].padded();
        let between = self.between.at_least(&self.card, words)?;
        let returning = self.returning.at_least(&self.card, words)?;
        // SAFETY: both are kept in `self` and not touched before the work is finished, below.
        let queued = unsafe { self.card.copy_out(Queue::Work, between, 0, returning, words) };
        queued.and(self.card.finish(Queue::Work))?;
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
        let none = |error: crate::RankError| DeviceError::new(&*self.id, error.to_string());
        let networks = Networks::all(shape, genes).map_err(none)?;
        self.scores_of(&Batch { inputs, networks, asks: &[] }).map_err(|error| self.failed(error))
    }

    fn take_time(&mut self, go_on: bool) -> Option<Duration> {
        self.card.take_time(go_on)
    }
}
