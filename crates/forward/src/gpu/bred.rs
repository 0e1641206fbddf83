//! Breeds whole generations on a GPU: children, scores and thresholds, in consecutive kernels without waiting
//! for the host.
//!
//! ```text
//! words on the GPU:  prepared networks | counts | parents | generation 1 | generation 2 | … | births
//! ```
//!
//! The parents and each generation have a slot: results, then genes. Some generations are downloaded
//! together, while the next ones are bred. How children are made is drawn before their parents are known.

use super::argument::{
    BIRTH_WORDS, BREED, BredWork, COUNT_WORDS, Children, DRAW_FIRST, ForwardWork, MAX_DRAWS,
    RESULT_WORDS, SETTLE, SETTLE_AND_DRAW, found,
};
use super::resident::{BRACKET_THREADS, GpuRows, SEARCH_THREADS, bracketed, work_of};
use super::upload::{BatchLayout, Bracket, RankMethod, Spread, Upload};
use crate::{Activation, Batch, Bred, BreedingPlan, Networks, RankRequest, Ranks, Width, spec};
use pellucid_bits::as_u32;
use pellucid_device::gpu::{Card, CardError, Grid, Pass};
use std::ops::Range;
use std::sync::Arc;

/// The maximum number of networks of a population that the kernels support.
const MAX_NETWORKS: usize = 1024;
/// The maximum size of all generations in words.
const MAX_WORDS: usize = 1 << 23;
/// The number of generations that are downloaded together.
const TOGETHER: usize = 8;
/// The number of threads per block that draw the first births.
const DRAW_THREADS: usize = 32;

/// The offsets of all sections, in words.
#[derive(Clone, Copy, Debug)]
struct Slots {
    counts: usize,
    first: usize,
    each: usize,
    /// The offset from the start of a slot.
    genes: usize,
    generations: usize,
    networks: usize,
}

impl Slots {
    fn new(networks: usize, network_words: usize, genes: usize, generations: usize) -> Slots {
        let counts = (networks * network_words).next_multiple_of(4);
        let first = counts + networks * COUNT_WORDS;
        let results = (networks * RESULT_WORDS).next_multiple_of(4);
        let each = (results + networks * genes).next_multiple_of(4);
        let most = (MAX_WORDS / each).max(1);
        let generations = generations.min(most);
        Slots { counts, first, each, genes: results, generations, networks }
    }

    fn slot(&self, generation: usize) -> usize {
        self.first + generation * self.each
    }

    /// Returns the offset of the births. The random words for them follow.
    fn births(&self) -> usize {
        self.slot(self.generations + 1)
    }

    fn words(&self) -> usize {
        self.births() + self.networks * (BIRTH_WORDS + 2 * MAX_DRAWS)
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
        let mut all = Vec::with_capacity(slots.generations);
        let sizes = [bands, between_words];
        self.run_generations(breeding, batch_layout, bracket, slots, sizes, |returned| {
            all.extend(returned.chunks_exact(slots.each).map(bred));
        })?;
        Ok(Some(all))
    }

    /// Breeds all generations, and passes their slots on as they come. `sizes` has the sizes of bands and
    /// brackets in words, without and with scores after them.
    fn run_generations(
        &mut self,
        breeding: &BreedingPlan<'_>,
        batch_layout: &BatchLayout<'_>,
        bracket: Bracket,
        slots: Slots,
        sizes: [usize; 2],
        mut then: impl FnMut(&[u32]),
    ) -> Result<(), CardError> {
        let card = &self.gpu.card;
        let count = batch_layout.batch.networks.len();
        let sent = slots.slot(1);
        let between = self.between.at_least(card, sizes[1])?;
        let arrived = self.arrived.at_least(card, slots.words())?;
        let returning =
            self.returning.at_least(card, TOGETHER.min(slots.generations) * slots.each)?;
        let stage = self.outgoing.at_least(card, sent)?;
        // Equal results keep the order of the parents.
        stage[..sent].fill(0);
        let genes = &mut stage[slots.slot(0) + slots.genes..][..breeding.parents.len()];
        genes.iter_mut().zip(breeding.parents).for_each(|(word, gene)| *word = gene.to_bits());
        let (stage, rows) = (&*stage, &self.rows[breeding.inputs]);
        let spread = Spread::new(card.limits(), batch_layout, rows.inputs.rows(), count);
        let grid = |blocks: usize, threads: usize, shared_bytes: usize| Grid {
            blocks,
            threads: threads.min(card.limits().threads),
            shared_bytes,
        };
        let (score, scored_bytes) = batch_layout.scoring();
        let scoring = grid(spread.blocks(), spread.threads, spread.group * scored_bytes);
        let breeds = grid(count, BRACKET_THREADS, batch_layout.plan.words * 4);
        let generations = &breeding.generations[..slots.generations];
        Pass::record(card, |pass| {
            pass.upload(stage, 0..sent, arrived, 0)?;
            let mut work = work_of(pass, batch_layout, rows, count, spread);
            work.networks = pass.part(arrived, 0..slots.counts)?;
            bracketed(pass, &mut work, bracket, rows, between)?;
            work.counts = pass.part(arrived, slots.counts..slots.first)?;
            let mut bred =
                BredWork { work, children: children(pass, breeding, slots, arrived, 0)? };
            pass.launch(DRAW_FIRST, grid(count, DRAW_THREADS, 0), &bred)?;
            let mut fetched = 0;
            for place in 0..generations.len() {
                let now = slots.slot(place + 1);
                bred.work.results = pass.part(arrived, now..now + slots.genes)?;
                pass.launch(BREED[batch_layout.near], breeds, &bred)?;
                pass.launch(score, scoring, &bred.work)?;
                let scores = pass.part(between, sizes[0]..sizes[1])?;
                let settled = ForwardWork { scores, ..bred.work };
                if place + 1 < generations.len() {
                    bred.children = children(pass, breeding, slots, arrived, place + 1)?;
                    let both = BredWork { work: settled, children: bred.children };
                    pass.launch(SETTLE_AND_DRAW, grid(2 * count, SEARCH_THREADS, 0), &both)?;
                } else {
                    pass.launch(SETTLE, grid(count, SEARCH_THREADS, 0), &settled)?;
                }
                // The generations before these are fetched while these are bred.
                if (place + 1) % TOGETHER == 0 {
                    if fetched + TOGETHER <= place {
                        let places = fetched..fetched + TOGETHER;
                        fetch(pass, arrived, slots, places, returning, &mut then)?;
                        fetched += TOGETHER;
                    }
                    pass.order_copies()?;
                }
            }
            if generations.len() - fetched > TOGETHER {
                let places = fetched..fetched + TOGETHER;
                fetch(pass, arrived, slots, places, returning, &mut then)?;
                fetched += TOGETHER;
            }
            pass.order_copies()?;
            fetch(pass, arrived, slots, fetched..generations.len(), returning, &mut then)
        })
    }
}

/// Returns the parents of a generation, the memory for its children, and how they are made.
fn children<'a, C: Card>(
    pass: &mut Pass<'a, C>,
    breeding: &BreedingPlan<'_>,
    slots: Slots,
    arrived: &'a C::Memory,
    place: usize,
) -> Result<Children<'a>, CardError> {
    let (before, now) = (slots.slot(place), slots.slot(place + 1));
    let (births, drawn) = (slots.births(), slots.births() + slots.networks * BIRTH_WORDS);
    let generation = breeding.generations[place];
    Ok(Children {
        parents: pass.part(arrived, before + slots.genes..now)?,
        judged: pass.part(arrived, before..before + slots.genes)?,
        children: pass.part(arrived, now + slots.genes..now + slots.each)?,
        networks: pass.part(arrived, 0..slots.counts)?,
        births: pass.part(arrived, births..drawn)?,
        drawn: pass.part(arrived, drawn..slots.words())?,
        key: breeding.key,
        generation: generation.number,
        mutated: generation.mutated,
        mean: generation.mean,
        rate: breeding.rank_rate,
        genes: as_u32(breeding.shape.genes()),
        unused: 0,
    })
}

/// Fetches the slots of some generations, and passes them on.
fn fetch<'a, C: Card>(
    pass: &mut Pass<'a, C>,
    arrived: &'a C::Memory,
    slots: Slots,
    places: Range<usize>,
    to: &mut C::Staging,
    then: &mut impl FnMut(&[u32]),
) -> Result<(), CardError> {
    let words = places.len() * slots.each;
    pass.fetch_beside(arrived, slots.slot(places.start + 1), to, words)?;
    then(&to[..words]);
    Ok(())
}
