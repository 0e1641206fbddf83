//! Breeds whole generations on a GPU: children, scores and thresholds, in consecutive kernels without waiting
//! for the host.
//!
//! ```text
//! words on the GPU:  prepared networks | counts | parents | generation 1 | generation 2 | …
//! ```
//!
//! The parents and each generation have a slot: results, then genes. All slots except the first are
//! downloaded together.

use super::argument::{
    BREED, BredWork, COUNT_WORDS, Children, ForwardWork, RESULT_WORDS, SCORE, SETTLE, found,
};
use super::resident::{BRACKET_THREADS, GpuRows, SEARCH_THREADS, bracketed, work_of};
use super::upload::{BatchLayout, Bracket, RankMethod, Spread, Upload};
use crate::{Activation, Batch, Bred, BreedingPlan, Networks, RankRequest, Ranks, Width, spec};
use pellucid_bits::as_u32;
use pellucid_device::gpu::{Card, CardError, Grid, Pass};
use std::sync::Arc;

/// The maximum number of networks of a population and of random words per child that the kernels support.
const MAX_NETWORKS: usize = 1024;
const MAX_DRAWS: usize = 256;
/// The maximum size of all generations in words.
const MAX_WORDS: usize = 1 << 23;

/// The offsets of all sections, in words.
#[derive(Clone, Copy, Debug)]
struct Slots {
    counts: usize,
    first: usize,
    each: usize,
    /// The offset from the start of a slot.
    genes: usize,
    generations: usize,
}

impl Slots {
    fn new(networks: usize, network_words: usize, genes: usize, generations: usize) -> Slots {
        let counts = (networks * network_words).next_multiple_of(4);
        let first = counts + networks * COUNT_WORDS;
        let results = (networks * RESULT_WORDS).next_multiple_of(4);
        let each = (results + networks * genes).next_multiple_of(4);
        let most = (MAX_WORDS / each).max(1);
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
    /// Breeds a population, possibly for fewer generations than requested. Returns `None` if the kernels do
    /// not support it.
    pub(super) fn breed_all(
        &mut self,
        breeding: &BreedingPlan<'_>,
    ) -> Result<Option<Vec<Bred>>, CardError> {
        let inputs = Arc::clone(&self.rows[breeding.inputs].inputs);
        let networks = Networks::all(breeding.shape, breeding.parents)
            .map_err(|error| CardError::Refused(error.to_string()))?;
        let asks = [RankRequest::top(0, breeding.wanted)];
        let batch = Batch { inputs: breeding.inputs, networks, asks: &asks };
        let upload = Upload::new([(batch, &*inputs)].into_iter(), true, self.gpu.card.limits());
        let (shape, count) = (breeding.shape, networks.len());
        let batch_layout = match upload.batch_layouts.first() {
            Some(batch_layout) if batch_layout.is_near() => batch_layout,
            _ => return Ok(None),
        };
        let RankMethod::Bracket(bracket) = batch_layout.rank_method else { return Ok(None) };
        let is_soft = shape.layers()[0].activation == Activation::Rbf(Width::Softplus);
        let drawn = (2 * shape.incoming(0, 0).count() + 2).max(shape.genes().div_ceil(64));
        let rows = &self.rows[breeding.inputs];
        // Bands and brackets, and scores of networks whose bracket missed the threshold.
        let bands = (count * (bracket.band_words() + 2) + 1).next_multiple_of(4);
        let between_words = bands + count * rows.padded();
        if is_soft
            || count > MAX_NETWORKS
            || drawn > MAX_DRAWS
            || between_words > self.room
            || breeding.generations.is_empty()
        {
            return Ok(None);
        }
        let slots =
            Slots::new(count, batch_layout.plan.words, shape.genes(), breeding.generations.len());
        self.queue_generations(breeding, batch_layout, bracket, slots, [bands, between_words])?;
        let back = slots.generations * slots.each;
        let returned = &self.returning.words().unwrap_or_default()[..back];
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
        Ok(Some(returned.chunks_exact(slots.each).map(bred).collect()))
    }

    /// Queues the kernels that create and rank all generations, the upload of the parents, and the download
    /// of results and genes. The last parameter has the sizes of bands and brackets in words, without
    /// and with scores after them.
    fn queue_generations(
        &mut self,
        breeding: &BreedingPlan<'_>,
        batch_layout: &BatchLayout<'_>,
        bracket: Bracket,
        slots: Slots,
        [bands, between_words]: [usize; 2],
    ) -> Result<(), CardError> {
        let card = &self.gpu.card;
        let (shape, count) = (breeding.shape, batch_layout.batch.networks.len());
        let back = slots.generations * slots.each;
        let sent = slots.slot(1);
        let between = self.between.at_least(card, between_words)?;
        let arrived = self.arrived.at_least(card, slots.words())?;
        let returning = self.returning.at_least(card, back)?;
        let stage = self.outgoing.at_least(card, sent)?;
        // Equal results keep the order of the parents.
        stage[..sent].fill(0);
        let genes = &mut stage[slots.slot(0) + slots.genes..][..breeding.parents.len()];
        genes.iter_mut().zip(breeding.parents).for_each(|(word, gene)| *word = gene.to_bits());
        let (stage, rows) = (&*stage, &self.rows[breeding.inputs]);
        let limits = card.limits();
        let spread = Spread::new(limits, batch_layout, rows.inputs.rows(), count);
        let network_bytes = batch_layout.plan.words * 4;
        let grid = |blocks: usize, threads: usize, networks: usize| Grid {
            blocks,
            threads: threads.min(limits.threads),
            shared_bytes: networks * network_bytes,
        };
        Pass::record(card, |pass| {
            pass.upload(stage, 0..sent, arrived, 0)?;
            let mut work = work_of(pass, batch_layout, rows, count, spread);
            work.networks = pass.part(arrived, 0..slots.counts)?;
            bracketed(pass, &mut work, bracket, rows, between)?;
            work.counts = pass.part(arrived, slots.counts..slots.first)?;
            for (place, generation) in
                breeding.generations.iter().take(slots.generations).enumerate()
            {
                let (before, now) = (slots.slot(place), slots.slot(place + 1));
                work.results = pass.part(arrived, now..now + slots.genes)?;
                let children = Children {
                    parents: pass.part(arrived, before + slots.genes..now)?,
                    judged: pass.part(arrived, before..before + slots.genes)?,
                    children: pass.part(arrived, now + slots.genes..now + slots.each)?,
                    networks: pass.part(arrived, 0..slots.counts)?,
                    key: breeding.key,
                    generation: generation.number,
                    mutated: generation.mutated,
                    mean: generation.mean,
                    rate: breeding.rank_rate,
                    genes: as_u32(shape.genes()),
                    unused: 0,
                };
                let settled =
                    ForwardWork { scores: pass.part(between, bands..between_words)?, ..work };
                let scoring = grid(spread.blocks(), spread.threads, spread.group);
                let bred = BredWork { work, children };
                pass.launch(BREED[batch_layout.near], grid(count, BRACKET_THREADS, 1), &bred)?;
                pass.launch(SCORE[batch_layout.near], scoring, &work)?;
                pass.launch(SETTLE, grid(count, SEARCH_THREADS, 0), &settled)?;
            }
            pass.download(arrived, slots.slot(1), returning, back)
        })
    }
}
