//! Queues the kernels that count the roots of a trip.

use super::argument::{
    CoverWork, SLOT_BYTES, SLOT_WORDS, TALLY_BAGS, TALLY_ROWS, TALLY_TALL, TileStack,
};
use super::grid::{TALL, Tally, most_units, spread};
use super::planes::TilesOnGpu;
use super::tiling::Tiling;
use super::trip::{Counters, SentProgram};
use crate::plan::Hypothesis;
use pellucid_bits::as_u32;
use pellucid_device::gpu::{Card, CardError, Grid, Pass, record_words};

/// The number of words of a stack.
const STACK_WORDS: usize = record_words::<TileStack>();

/// GPU memory for the description of the bags.
#[derive(Debug)]
pub(super) struct BagMemory<C: Card> {
    pub(super) occupied: C::Memory,
    pub(super) stacks: C::Memory,
    pub(super) joins: C::Memory,
}

/// What all trips of a batch have in common.
#[derive(Debug)]
pub(super) struct Counting<'a, C: Card> {
    pub(super) card: &'a C,
    pub(super) tiling: &'a Tiling,
    pub(super) hypothesis: Hypothesis,
    /// The number of label masks.
    pub(super) masks: usize,
    pub(super) labels: &'a C::Memory,
    pub(super) bags: &'a BagMemory<C>,
}

/// A trip whose kernels can be launched.
#[derive(Debug)]
pub(super) struct ReadyTrip<'a, C: Card> {
    work: CoverWork<'a>,
    sent: SentProgram<'a, C>,
    shape: Tally,
    /// The maximum number of blocks of threads.
    most_blocks: usize,
}

impl<'a, C: Card> Counting<'a, C> {
    /// Prepares the launches for a program that counts at the beginning of `counts`.
    pub(super) fn ready(
        &self,
        pass: &mut Pass<'a, C>,
        sent: SentProgram<'a, C>,
        counters: &'a mut Counters<C>,
        counts: &'a C::Memory,
    ) -> Result<ReadyTrip<'a, C>, CardError> {
        let limits = self.card.limits();
        let is_bags = self.hypothesis != Hypothesis::Rows;
        let shape = match (is_bags, TALL * sent.extent.slots * SLOT_BYTES <= limits.shared_bytes) {
            (true, _) => Tally::Bags,
            (false, true) if self.masks <= 2 => Tally::Tall,
            (false, _) => Tally::Rows,
        };
        let mut work = sent.work;
        work.counts = pass.all(counts);
        work.classes = as_u32(self.masks);
        let mut most_blocks = usize::MAX;
        if is_bags {
            let blocks = spread(limits, sent.extent, Tally::Bags, self.tiling.stacks()).blocks;
            let (memory, blocks) =
                counters.for_blocks(self.card, self.hypothesis, sent.extent, blocks)?;
            most_blocks = blocks;
            work.decide(self.hypothesis);
            work.state_roots = as_u32(sent.extent.places);
            work.state = pass.all(memory);
            work.occupied = pass.all(&self.bags.occupied);
            work.joins = pass.all(&self.bags.joins);
        }
        Ok(ReadyTrip { work, sent, shape, most_blocks })
    }

    /// Launches the kernels of a trip for a range of tiles.
    pub(super) fn launch(
        &self,
        pass: &mut Pass<'a, C>,
        here: &TilesOnGpu<'a, C>,
        trip: &ReadyTrip<'a, C>,
    ) -> Result<(), CardError> {
        let limits = self.card.limits();
        let extent = trip.sent.extent;
        let most = most_units(limits, extent.plans);
        for part in self.tiling.cut(here.range, most) {
            let units = trip.shape.units(&part);
            let mut work = trip.work;
            let mask_words = self.masks * SLOT_WORDS;
            work.plane_count = here.plane_count();
            work.labels =
                pass.part(self.labels, units.start * mask_words..units.end * mask_words)?;
            if trip.shape == Tally::Bags {
                // Stacks refer to tiles by their index in the whole table.
                work.planes = here.first_tile(pass);
                let stacks = units.start * STACK_WORDS..units.end * STACK_WORDS;
                work.stacks = pass.part(&self.bags.stacks, stacks)?;
                work.stack_count = as_u32(units.len());
            } else {
                work.planes = here.tile(pass, units.start)?;
                work.tiles = as_u32(units.len());
            }
            let kernel = match trip.shape {
                Tally::Rows => TALLY_ROWS,
                Tally::Tall => TALLY_TALL,
                Tally::Bags => TALLY_BAGS,
            };
            let grid = spread(limits, extent, trip.shape, units.len());
            let blocks = grid.blocks.min(trip.most_blocks);
            pass.launch(kernel, Grid { blocks, ..grid }, &work)?;
        }
        Ok(())
    }
}
