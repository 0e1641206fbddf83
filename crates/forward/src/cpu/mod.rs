//! The CPU backend. Networks are processed in waves: all rows are scored, then each network is
//! ranked.
//!
//! - `forward`: scores of networks on tiles of rows.
//! - `scored`: the scores of one network, and which of them count.
//! - `top`, `pairs`: rank statistics; `nth`: the score of a rank; `near`: scores around a
//!   threshold.
//!
//! Only the scores of one wave are kept, so that they stay in the caches. Threads first share
//! ranges of rows and then networks. All statistics are integers, so the result does not depend on
//! the threads.

mod forward;
mod near;
mod nth;
mod pairs;
mod scored;
mod top;

pub use forward::activate;

use crate::inputs::{TILE, TILE_BLOCKS};
use crate::plan::Plan;
use crate::{
    Batch, BracketQuery, Inputs, Near, Networks, Pairs, RankRequest, Ranks, Resident, Shape,
    TopCounts, spec,
};
use forward::{Forward, TileColumn};
use near::{FindNear, NearScratch};
use pairs::{CountPairs, PairsScratch};
use pellucid_bits::{FloatBlock, Level};
use pellucid_device::{DeviceError, Processor, Workers};
use scored::{Members, Scored};
use std::sync::Arc;
use top::{FindTop, TopScratch};

/// The number of networks in a wave per thread.
const EACH: usize = 4;
/// The maximum size of the scores of a wave in bytes, unless a single network needs more.
const MAX_BYTES: usize = 256 << 20;
/// The number of row ranges per thread; several, so that a delayed thread leaves work to others.
const STRETCHES: usize = 4;

/// The buffers of a thread.
#[derive(Debug, Default)]
struct Scratch {
    hidden: Vec<TileColumn>,
    top: TopScratch,
    pairs: PairsScratch,
    near: NearScratch,
}

/// Rows in main memory.
#[derive(Debug)]
pub(crate) struct CpuRows {
    level: Level,
    workers: Arc<Workers<Scratch>>,
    inputs: Vec<Arc<Inputs>>,
    /// The scores of a wave: `[network][tile]` for each range of rows.
    scores: Vec<Vec<TileColumn>>,
}

impl CpuRows {
    pub(crate) fn new(processor: &Processor, inputs: &[Arc<Inputs>]) -> CpuRows {
        CpuRows {
            level: processor.level(),
            workers: processor.workers(),
            inputs: inputs.to_vec(),
            scores: Vec::new(),
        }
    }

    /// Scores all rows with prepared networks, and returns the number of tiles per range.
    fn score(&mut self, inputs: &Inputs, plan: &Plan, networks: &[f32]) -> usize {
        let (count, tiles) = (networks.len() / plan.words, inputs.tile_count());
        let threads = self.workers.threads().count();
        let wanted = if threads == 1 { 1 } else { threads * STRETCHES };
        let stretch_tiles = tiles.div_ceil(wanted).max(1);
        let features = inputs.features();
        let columns: &[TileColumn] = inputs.tiles().as_chunks::<TILE_BLOCKS>().0;
        let stretches: Vec<&[TileColumn]> = columns.chunks(stretch_tiles * features).collect();
        self.scores.resize_with(stretches.len(), Vec::new);
        let (level, workers) = (self.level, &self.workers);
        workers.threads().each(&mut self.scores, |stretch, scores| {
            let tiles = stretches[stretch];
            scores.resize(count * tiles.len() / features, [FloatBlock::ZERO; TILE_BLOCKS]);
            workers.lend(|scratch| {
                level.run(Forward { plan, networks, tiles, scores, hidden: &mut scratch.hidden });
            });
        });
        stretch_tiles
    }

    /// Returns the scores of one network of the last wave.
    fn scored(&self, inputs: &Inputs, network: usize, stretch_tiles: usize) -> Scored<'_> {
        let tiles = inputs.tile_count();
        let stretches = self.scores.iter().enumerate().map(|(number, scores)| {
            let len = stretch_tiles.min(tiles - number * stretch_tiles);
            &scores[network * len..][..len]
        });
        Scored { stretches: stretches.collect(), stretch_tiles }
    }

    /// Returns the statistics of one network on a part.
    fn ranks(&self, inputs: &Inputs, scores: &Scored<'_>, ask: &RankRequest) -> Ranks {
        let part = inputs.part(ask.part);
        let members = Members::new(inputs, part);
        self.workers.lend(|scratch| {
            let Scratch { top, pairs, .. } = scratch;
            let find = |wanted| self.level.run(FindTop { scores, members, wanted, scratch: top });
            Ranks {
                top: ask.top.map_or_else(TopCounts::default, find),
                pairs: match ask.pairs {
                    true => self.level.run(CountPairs { scores, members, scratch: pairs }),
                    false => Pairs::default(),
                },
                ..spec::nothing_known(part)
            }
        })
    }

    /// Returns the number of networks in a wave.
    fn wave(&self, inputs: &Inputs) -> usize {
        let room = MAX_BYTES / (inputs.tile_count() * TILE * size_of::<f32>()).max(1);
        (EACH * self.workers.threads().count()).min(room).max(1)
    }

    /// Scores all rows with some networks, and returns the number of tiles per range.
    fn score_wave<'a>(
        &mut self,
        inputs: &Inputs,
        shape: &Shape,
        genes: impl ExactSizeIterator<Item = &'a [f32]>,
    ) -> usize {
        let plan = Plan::new(shape);
        let mut networks = vec![0.0; genes.len() * plan.words];
        for (prepared, genes) in networks.chunks_exact_mut(plan.words).zip(genes) {
            plan.prepare(shape, genes, prepared);
        }
        self.score(inputs, &plan, &networks)
    }

    /// Ranks a batch wave by wave.
    fn rank_batch(&mut self, batch: &Batch<'_>, width: usize, out: &mut [Ranks]) {
        let inputs = Arc::clone(&self.inputs[batch.inputs]);
        let (networks, wave) = (&batch.networks, self.wave(&inputs));
        for (number, out) in out.chunks_mut(wave * width).enumerate() {
            let (first, count) = (number * wave, out.len() / width);
            let genes = (0..count).map(|place| networks.genes(first + place));
            let stretch_tiles = self.score_wave(&inputs, networks.shape(), genes);
            let this = &*self;
            let scored: Vec<Scored<'_>> =
                (0..count).map(|network| this.scored(&inputs, network, stretch_tiles)).collect();
            let mut items: Vec<(usize, &mut Ranks)> = Vec::new();
            for (network, ranks) in out.chunks_mut(width).enumerate() {
                let asked = ranks.iter_mut().take(batch.asks.len());
                items.extend(asked.map(|ranks| (network, ranks)));
            }
            let asks = batch.asks.len();
            this.workers.threads().each(&mut items, |item, (network, ranks)| {
                **ranks = this.ranks(&inputs, &scored[*network], &batch.asks[item % asks]);
            });
        }
    }
}

impl Resident for CpuRows {
    fn rank(
        &mut self,
        batches: &[Batch<'_>],
        width: usize,
        mut out: &mut [Ranks],
    ) -> Result<(), DeviceError> {
        for batch in batches {
            let (own, rest) = out.split_at_mut(batch.networks.len() * width);
            out = rest;
            if batch.asks.is_empty() {
                continue;
            }
            match self.level {
                Level::Scalar => plain_rank(
                    self.workers.threads(),
                    &self.inputs[batch.inputs],
                    batch,
                    width,
                    own,
                ),
                _ => self.rank_batch(batch, width, own),
            }
        }
        Ok(())
    }

    fn scores(
        &mut self,
        inputs: usize,
        shape: &Shape,
        genes: &[f32],
    ) -> Result<Vec<f32>, DeviceError> {
        let inputs = Arc::clone(&self.inputs[inputs]);
        if self.level == Level::Scalar {
            return Ok(plain_scores(&inputs, shape, genes));
        }
        let stretch_tiles = self.score_wave(&inputs, shape, [genes].into_iter());
        let scored = self.scored(&inputs, 0, stretch_tiles);
        let mut scores: Vec<f32> = scored.tiles().flatten().flat_map(|block| block.0).collect();
        scores.truncate(inputs.rows());
        Ok(scores)
    }

    fn near(
        &mut self,
        inputs: usize,
        rows: &Inputs,
        networks: &Networks<'_>,
        cells: &[BracketQuery],
    ) -> Result<Vec<Near>, DeviceError> {
        if self.level == Level::Scalar {
            return crate::near_by_scores(self, inputs, rows, networks, cells);
        }
        let by_network: Vec<&[BracketQuery]> =
            cells.chunk_by(|one, other| one.network == other.network).collect();
        let mut found = vec![Near::default(); cells.len()];
        let mut left = &mut found[..];
        for wave in by_network.chunks(self.wave(rows)) {
            let genes = wave.iter().map(|cells| networks.genes(cells[0].network));
            let stretch_tiles = self.score_wave(rows, networks.shape(), genes);
            let this = &*self;
            let scored: Vec<Scored<'_>> =
                (0..wave.len()).map(|network| this.scored(rows, network, stretch_tiles)).collect();
            let of_network = wave.iter().zip(&scored);
            let mut items: Vec<(&BracketQuery, &Scored<'_>, &mut Near)> = Vec::new();
            for (cells, scored) in of_network {
                let (own, rest) = std::mem::take(&mut left).split_at_mut(cells.len());
                left = rest;
                items.extend(cells.iter().zip(own).map(|(cell, near)| (cell, scored, near)));
            }
            this.workers.threads().each(&mut items, |_, (cell, scores, near)| {
                let members = Members::new(rows, rows.part(cell.part));
                let (bracket, scores) = (cell.bracket, *scores);
                **near = this.workers.lend(|scratch| {
                    this.level.run(FindNear {
                        scores,
                        members,
                        bracket,
                        scratch: &mut scratch.near,
                    })
                });
            });
        }
        Ok(found)
    }
}

/// Ranks a batch by the specification, one network per thread.
fn plain_rank(
    threads: &pellucid_device::Threads,
    inputs: &Inputs,
    batch: &Batch<'_>,
    width: usize,
    out: &mut [Ranks],
) {
    let mut networks: Vec<&mut [Ranks]> = out.chunks_mut(width).collect();
    threads.each(&mut networks, |network, ranks| {
        let scores = plain_scores(inputs, batch.networks.shape(), batch.networks.genes(network));
        for (ranks, ask) in ranks.iter_mut().zip(batch.asks) {
            *ranks = spec::ranks(inputs, &scores, ask);
        }
    });
}

/// Returns the scores by the specification, by position.
fn plain_scores(inputs: &Inputs, shape: &Shape, genes: &[f32]) -> Vec<f32> {
    let row = |place| {
        (0..inputs.features()).map(|feature| inputs.at(place, feature)).collect::<Vec<f32>>()
    };
    (0..inputs.rows()).map(|place| spec::score(shape, genes, &row(place))).collect()
}
