//! Generations that a card makes by itself: children, scores, thresholds, one kernel behind the other, and nobody waits in between.
//!
//! ```text
//! words on the card:  prepared networks | counts | parents | generation 1 | generation 2 | …
//! ```
//!
//! The parents and each generation are a slot: results, then genes. All slots but the first come back together.

use super::Kernel;
use super::resident::{BRACKET_THREADS, GpuRows, SEARCH_THREADS, bracketed, work_of};
use super::trip::{Spread, Trip, Way};
use super::work::{BredWork, COUNT_WORDS, Children, RESULT_WORDS, Work, found};
use crate::{Activation, Ask, Batch, Bred, Breeding, Networks, Ranks, Width, spec};
use pellucid_bits::as_u32;
use pellucid_device::gpu::{Card, CardError, Launch, Queue, Used};
use std::sync::Arc;

/// The most networks of a population, and the most words that a child is drawn by, as the kernels have room for.
const MOST_NETWORKS: usize = 1024;
const MOST_DRAWN: usize = 256;
/// Words that are kept for generations at most.
const MOST_WORDS: usize = 1 << 23;

/// Where everything is, in words.
#[derive(Clone, Copy, Debug)]
struct Slots {
    counts: usize,
    first: usize,
    each: usize,
    /// From the start of a slot.
    genes: usize,
    generations: usize,
}

impl Slots {
    fn new(networks: usize, network_words: usize, genes: usize, generations: usize) -> Slots {
        let counts = (networks * network_words).next_multiple_of(4);
        let first = counts + networks * COUNT_WORDS;
        let results = (networks * RESULT_WORDS).next_multiple_of(4);
        let each = (results + networks * genes).next_multiple_of(4);
        let most = (MOST_WORDS / each).max(1);
        Slots { counts, first, each, genes: results, generations: generations.min(most) }
    }

    fn slot(&self, generation: usize) -> usize {
        self.first + generation * self.each
    }

    fn words(&self) -> usize {
        self.slot(self.generations + 1)
    }
}

impl<C: Card> GpuRows<C> {
    /// Breeds a population, maybe for fewer generations than asked; nothing where the kernels do not know how.
    pub(super) fn breed_all(
        &mut self,
        breeding: &Breeding<'_>,
    ) -> Result<Option<Vec<Bred>>, CardError> {
        let inputs = Arc::clone(&self.rows[breeding.inputs].inputs);
        let networks = Networks::all(breeding.shape, breeding.parents)
            .map_err(|error| CardError::Refused(error.to_string()))?;
        let asks = [Ask::top(0, breeding.wanted)];
        let batch = Batch { inputs: breeding.inputs, networks, asks: &asks };
        let trip = Trip::new([(batch, &*inputs)].into_iter(), true, self.card.limits());
        let (shape, count) = (breeding.shape, networks.len());
        let leg = match trip.legs.first() {
            Some(leg) if leg.is_near() => leg,
            _ => return Ok(None),
        };
        let Way::Bracket(bracket) = leg.way else { return Ok(None) };
        let is_soft = shape.layers()[0].activation == Activation::Rbf(Width::Softplus);
        let drawn = (2 * shape.incoming(0, 0).count() + 2).max(shape.genes().div_ceil(64));
        let rows = &self.rows[breeding.inputs];
        // Bands and brackets, and scores of networks whose bracket missed.
        let bands = (count * (bracket.band_words() + 2) + 1).next_multiple_of(4);
        let between_words = bands + count * rows.padded();
        if is_soft
            || count > MOST_NETWORKS
            || drawn > MOST_DRAWN
            || between_words > self.room
            || breeding.generations.is_empty()
        {
            return Ok(None);
        }
        let slots = Slots::new(count, leg.plan.words, shape.genes(), breeding.generations.len());
        self.between.at_least(&self.card, between_words)?;
        self.arrived.at_least(&self.card, slots.words())?;
        let back = slots.generations * slots.each;
        self.returning.at_least(&self.card, back)?;
        let sent = slots.slot(1);
        let stage = self.outgoing.at_least(&self.card, sent)?;
        // Results that are all the same leave the parents in their order.
        stage[..sent].fill(0);
        let genes = &mut stage[slots.slot(0) + slots.genes..][..breeding.parents.len()];
        genes.iter_mut().zip(breeding.parents).for_each(|(word, gene)| *word = gene.to_bits());
        let arrived = self.arrived.at_least(&self.card, slots.words())?;
        let between = self.between.at_least(&self.card, between_words)?;
        let limits = self.card.limits();
        let spread = Spread::new(limits, leg, inputs.rows(), count);
        let of = |word: usize| C::address(arrived) + 4 * word as u64;
        let mut work = Work { networks: of(0), ..work_of(leg, rows, count, spread) };
        bracketed(&mut work, bracket, rows, C::address(between))?;
        work.counts = of(slots.counts);
        let mut uses = vec![
            Used::new(arrived, slots.words()),
            Used::new(between, between_words),
            Used::new(&rows.tiles, C::words(&rows.tiles)),
        ];
        uses.extend(rows.sample.iter().map(|sample| Used::new(sample, C::words(sample))));
        let network_bytes = leg.plan.words * 4;
        // SAFETY: both are kept in `self` and not touched before the work is finished, here or after an error.
        let mut queued = unsafe { self.card.copy_in(Queue::Work, stage, 0..sent, arrived, 0) };
        for (place, generation) in breeding.generations.iter().take(slots.generations).enumerate() {
            let (before, now) = (slots.slot(place), slots.slot(place + 1));
            work.results = of(now);
            let children = Children {
                parents: of(before + slots.genes),
                judged: of(before),
                children: of(now + slots.genes),
                networks: work.networks,
                key: breeding.key,
                generation: generation.number,
                mutated: generation.mutated,
                mean: generation.mean,
                rate: breeding.rank_rate,
                genes: as_u32(shape.genes()),
                unused: 0,
            };
            let settled = Work { scores: C::address(between) + 4 * bands as u64, ..work };
            let launch = |kernel: Kernel, blocks: usize, threads: usize, networks: usize| Launch {
                kernel: kernel.into(),
                blocks,
                threads: threads.min(limits.threads),
                shared_bytes: networks * network_bytes,
            };
            let bred = launch(Kernel::Bred(leg.near), count, BRACKET_THREADS, 1);
            let forward =
                launch(Kernel::Forward(leg.near), spread.blocks(), spread.threads, spread.group);
            let settle = launch(Kernel::Settle, count, SEARCH_THREADS, 0);
            // SAFETY: here and below, the argument is laid out as the kernel declares it, all that it points to is among `uses`, and is kept
            // in `self` untouched until the work is finished.
            queued = queued.and_then(|()| unsafe {
                self.card.launch(bred, &BredWork { work, children }, &uses)
            });
            // SAFETY: as above.
            queued = queued.and_then(|()| unsafe { self.card.launch(forward, &work, &uses) });
            // SAFETY: as above.
            queued = queued.and_then(|()| unsafe { self.card.launch(settle, &settled, &uses) });
        }
        let returning = self.returning.at_least(&self.card, back)?;
        let queued = queued.and_then(|()| {
            // SAFETY: as above.
            unsafe { self.card.copy_out(Queue::Work, arrived, slots.slot(1), returning, back) }
        });
        // Whatever happened, nothing may be under way when this returns.
        let finished = self.card.finish(Queue::Work);
        queued.and(finished)?;
        let known = spec::nothing_known(inputs.part(0));
        let bred = |slot: &[u32]| {
            let ranks = slot.chunks_exact(RESULT_WORDS).take(count).map(|words| {
                let top = found(words, breeding.wanted).map(|(top, _)| top);
                Ranks { top: top.unwrap_or_default(), ..known }
            });
            let genes = &slot[slots.genes..][..count * shape.genes()];
            Bred {
                ranks: ranks.collect(),
                genes: genes.iter().copied().map(f32::from_bits).collect(),
            }
        };
        Ok(Some(returning[..back].chunks_exact(slots.each).map(bred).collect()))
    }
}
