//! A table on a card, and how it answers a batch.

use super::argument::{
    COVER_ROWS, CoverWork, NAMED_SLOTS, SLOT_BYTES, SLOT_WORDS, SPECIAL_SLOTS, TALLY_BAGS,
    TALLY_ROWS, TALLY_TALL, TileStack, counter_planes,
};
use super::build::{Builders, Cutting};
use super::encode::{self, Extent, Sections};
use super::planes::Planes;
use super::tiling::{Stretch, Tiling};
use crate::plan::{Decision, Hypothesis};
use crate::table::{Labels, Table, in_row_order};
use crate::{Batch, Resident};
use pellucid_bits::{BLOCK_BITS, BitRows, Block, as_u32};
use pellucid_device::gpu::{
    Buffer, Card, CardError, Grid, Limits, OpenGpu, Pass, Stage, record_words, sent,
};
use pellucid_device::{Device, DeviceError};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// Roots that travel together at most, so that memory on both sides stays bounded.
const MOST_ROOTS: usize = 1 << 16;
/// Roots of one plan at most where bags are counted: every root of a plan has a counter on the card.
const MOST_COUNTED: usize = 1024;
/// Tiles from which on the card gains more from shared conjunctions than the processor loses by finding them.
const MANY_TILES: usize = 512;
/// How much longer it takes to build a root than to fill the slots of one more part for a tile, shared among the threads.
const BUILDING: usize = 3;
/// Fewer roots are not worth a block of their own.
const FEWEST_ROOTS: usize = 32;
/// Words of a stack.
const STACK_WORDS: usize = record_words::<TileStack>();
/// Tiles that a block holds at a time where plans are small, as the kernel has it.
const TALL: usize = 4;
/// Blocks of threads that a multiprocessor has beside each other at most.
const MOST_BESIDE: usize = 4;
/// Words of coverage that are fetched at a time.
const MOST_COVER_WORDS: usize = 16 << 20;

/// A table on a card.
#[derive(Debug)]
pub(super) struct GpuTable<C: Card> {
    gpu: Arc<OpenGpu<C>>,
    table: Arc<Table>,
    tiling: Arc<Tiling>,
    planes: Arriving<C>,
    fixed: Option<Fixed<C>>,
    labels: Option<(u64, C::Memory)>,
    builders: Builders,
    /// The program's way to the card.
    outgoing: Stage<C>,
    /// Counts, and behind them the program.
    arrived: Buffer<C>,
    /// Coverage.
    results: Buffer<C>,
    /// The way of counts or coverage back.
    returning: Stage<C>,
    counters: Buffer<C>,
    /// Words of the counters.
    counter_words: usize,
    /// For the odd formula that no block has room for.
    processor: Option<Box<dyn Resident>>,
}

/// The planes, which travel while the caller does something else.
#[derive(Debug)]
enum Arriving<C: Card> {
    UnderWay(JoinHandle<Result<Planes<C>, CardError>>),
    There(Planes<C>),
    Lost,
}

impl<C: Card> Drop for GpuTable<C> {
    /// Whoever never asked for the planes still waits for them: nobody may use the card once the process ends.
    fn drop(&mut self) {
        if let Arriving::UnderWay(thread) = std::mem::replace(&mut self.planes, Arriving::Lost) {
            // How it ended is of no interest any more.
            let _ = thread.join();
        }
    }
}

/// What the kernels need to know of the bags.
#[derive(Debug)]
struct Fixed<C: Card> {
    occupied: C::Memory,
    stacks: C::Memory,
    joins: C::Memory,
}

impl<C: Card> GpuTable<C> {
    /// Begins to send a table. Its planes take at most the memory that the GPU's limit allows.
    pub(super) fn load(gpu: OpenGpu<C>, table: &Arc<Table>) -> Result<GpuTable<C>, CardError> {
        let tiling = Arc::new(Tiling::new(table.layout()));
        // The rest is for programs, counters and whoever else uses the card.
        let room = gpu.data_bytes()?;
        let bytes = room.min(4 * Planes::<C>::words(table, &tiling));
        // Now, so that another session cannot take the memory while the table is on its way.
        let reserved = gpu.card.budget().reserve("the table", bytes)?;
        let (threads, gpu) = (Arc::clone(&gpu.threads), Arc::new(gpu));
        let sender = {
            let (gpu, table, tiling) = (Arc::clone(&gpu), Arc::clone(table), Arc::clone(&tiling));
            let threads = Arc::clone(&threads);
            move || Planes::send(&gpu.card, threads, table, tiling, room / 4, reserved)
        };
        let planes = if threads.count() == 1 {
            // Who asks for one thread gets no other, and waits.
            Arriving::There(sender()?)
        } else {
            let thread = std::thread::Builder::new().name("planes".into()).spawn(sender);
            let failed =
                |error| CardError::Refused(format!("no thread to send the table: {error}"));
            Arriving::UnderWay(thread.map_err(failed)?)
        };
        Ok(GpuTable {
            gpu,
            table: Arc::clone(table),
            tiling,
            planes,
            fixed: None,
            labels: None,
            builders: Builders::new(threads),
            outgoing: Stage::default(),
            arrived: Buffer::default(),
            results: Buffer::default(),
            returning: Stage::default(),
            counters: Buffer::default(),
            counter_words: 0,
            processor: None,
        })
    }

    fn failed(&self, error: CardError) -> DeviceError {
        self.gpu.failed(error)
    }

    /// Slots that a plan may have, beside the special ones.
    fn room(&self) -> usize {
        (self.gpu.card.limits().shared_bytes / SLOT_BYTES).min(NAMED_SLOTS) - SPECIAL_SLOTS
    }

    /// How a batch is built that has so many tiles or stacks to go over, with at most so many roots in a plan.
    fn cutting(&self, roots: usize, units: usize, most: usize) -> Cutting {
        let units = units.max(1);
        // Enough for all multiprocessors, even where there are few tiles.
        let idle = (self.gpu.card.limits().multiprocessors / units).min(roots / FEWEST_ROOTS);
        // Every part fills slots of its own on the card, but parts are built side by side here.
        let beside = (BUILDING * roots / units).isqrt().min(self.builders.beside(roots));
        let parts = idle.max(beside).max(roots.div_ceil(most)).max(1);
        Cutting { parts, slots: self.room(), share: units >= MANY_TILES }
    }

    /// Writes so many zeros, on which the kernels may count, and behind them the program. One copy for both: a call of the
    /// driver takes as long as thousands of zeros.
    fn write_program(&mut self, zeros: usize, extent: Extent) -> Result<Program, CardError> {
        let first = program_start(zeros);
        let words = first + extent.words;
        let stage = self.outgoing.at_least(&self.gpu.card, words)?;
        stage[..first].fill(0);
        let sections = self.builders.write(&mut stage[first..]);
        let plan_count = as_u32(extent.plans);
        Ok(Program { words, first, sections, plan_count, plane_count: self.table.planes() })
    }

    /// Waits for the planes, and sends what little else of the table the kernels need.
    fn arrive(&mut self) -> Result<(), CardError> {
        if let Arriving::UnderWay(_) = self.planes
            && let Arriving::UnderWay(thread) = std::mem::replace(&mut self.planes, Arriving::Lost)
        {
            let sent = thread.join();
            self.planes = Arriving::There(
                sent.map_err(|_| CardError::Refused("sending the table panicked".into()))??,
            );
        }
        if self.fixed.is_none() {
            let layout = self.table.layout();
            let (stacks, joins) = self.tiling.stacks_and_joins(layout);
            self.fixed = Some(Fixed {
                occupied: sent(&self.gpu.card, &self.tiling.occupied(layout))?,
                stacks: sent(&self.gpu.card, &stacks)?,
                joins: sent(&self.gpu.card, &joins)?,
            });
        }
        Ok(())
    }

    fn send_labels(&mut self, labels: &Labels) -> Result<(), CardError> {
        if self.labels.as_ref().is_none_or(|(id, _)| *id != labels.id()) {
            self.labels = None;
            self.labels = Some((labels.id(), sent(&self.gpu.card, &self.tiling.labels(labels))?));
        }
        Ok(())
    }

    /// Counts what one trip holds, and gives back the roots that were too large.
    fn tally_trip(
        &mut self,
        batch: &Batch<'_>,
        counts: &mut [u64],
    ) -> Result<Vec<usize>, CardError> {
        self.arrive()?;
        self.send_labels(batch.labels)?;
        let (units, most) = match batch.hypothesis {
            Hypothesis::Rows => (self.tiling.len(), MOST_ROOTS),
            _ => (self.tiling.stacks(), MOST_COUNTED),
        };
        let cutting = self.cutting(batch.len(), units, most);
        let too_large = self.builders.build(&self.table, batch, cutting);
        let extent = self.builders.extent();
        let masks = batch.width();
        // Two masks share a word of 64 bits.
        let width = masks.next_multiple_of(2);
        let words = batch.len() * width;
        let program = self.write_program(words, extent)?;
        self.queue_tally(batch.hypothesis, extent, masks, &program, words)?;
        let returned = &self.returning.words().unwrap_or_default()[..words];
        for (counts, returned) in counts.chunks_exact_mut(masks).zip(returned.chunks_exact(width)) {
            counts.iter_mut().zip(returned).for_each(|(count, &more)| *count += u64::from(more));
        }
        Ok(too_large)
    }

    /// Has the card count by a program; so many words of counts return.
    fn queue_tally(
        &mut self,
        hypothesis: Hypothesis,
        extent: Extent,
        masks: usize,
        program: &Program,
        words: usize,
    ) -> Result<(), CardError> {
        let (card, tiling) = (&self.gpu.card, &self.tiling);
        let limits = card.limits();
        let is_bags = hypothesis != Hypothesis::Rows;
        let shape = match (is_bags, TALL * extent.slots * SLOT_BYTES <= limits.shared_bytes) {
            (true, _) => Tally::Bags,
            (false, true) if masks <= 2 => Tally::Tall,
            (false, _) => Tally::Rows,
        };
        let mut most_blocks = usize::MAX;
        if is_bags {
            // Every block has counters of its own. Where little memory is left, there are fewer blocks.
            let each = extent.places * (counter_planes(hypothesis) as usize + 1) * SLOT_WORDS;
            let left = (card.budget().left() / 8).max(self.counter_words);
            let blocks = spread(limits, extent, Tally::Bags, tiling.stacks()).blocks;
            most_blocks = (left / each.max(1)).clamp(1, blocks);
            self.counter_words = most_blocks * each;
        }
        let state_words = if is_bags { self.counter_words } else { 0 };
        // All memory is taken before anything is queued: memory that grows is another one.
        let stage = &*self.outgoing.at_least(card, program.words)?;
        let arrived = self.arrived.at_least(card, program.words)?;
        let returning = self.returning.at_least(card, words)?;
        let counters = self.counters.at_least(card, state_words)?;
        let (Arriving::There(planes), Some(fixed), Some((_, labels))) =
            (&mut self.planes, &self.fixed, &self.labels)
        else {
            return Err(lost());
        };
        let most = most_units(limits, extent.plans);
        Pass::record(card, |pass| {
            pass.upload(stage, 0..program.words, arrived, 0)?;
            let mut base = program.bind(pass, arrived)?;
            base.classes = as_u32(masks);
            if is_bags {
                base.decide(hypothesis);
                base.state_roots = as_u32(extent.places);
                base.state = pass.all(counters);
                base.occupied = pass.all(&fixed.occupied);
                base.joins = pass.all(&fixed.joins);
            }
            planes.each(pass, |pass, here| {
                for part in tiling.cut(here.stretch, most) {
                    let units = shape.units(&part);
                    let mut work = base;
                    let mask_words = masks * SLOT_WORDS;
                    work.labels =
                        pass.part(labels, units.start * mask_words..units.end * mask_words)?;
                    if is_bags {
                        // Stacks say which tiles they are made of, counted over all of the table.
                        work.planes = here.first_tile(pass);
                        let stacks = units.start * STACK_WORDS..units.end * STACK_WORDS;
                        work.stacks = pass.part(&fixed.stacks, stacks)?;
                        work.stack_count = as_u32(units.len());
                    } else {
                        work.planes = here.tile(pass, units.start)?;
                        work.tiles = as_u32(units.len());
                    }
                    let kernel = match shape {
                        Tally::Rows => TALLY_ROWS,
                        Tally::Tall => TALLY_TALL,
                        Tally::Bags => TALLY_BAGS,
                    };
                    let grid = spread(limits, extent, shape, units.len());
                    let blocks = grid.blocks.min(most_blocks);
                    pass.launch(kernel, Grid { blocks, ..grid }, &work)?;
                }
                Ok(())
            })?;
            pass.download(arrived, 0, returning, words)
        })
    }

    /// Fetches the coverage of a few roots into blocks in the order of the layout.
    fn cover_trip(
        &mut self,
        batch: &Batch<'_>,
        blocks: &mut [Block],
    ) -> Result<Vec<usize>, CardError> {
        self.arrive()?;
        let cutting = self.cutting(batch.len(), self.tiling.len(), MOST_ROOTS);
        let too_large = self.builders.build(&self.table, batch, cutting);
        let extent = self.builders.extent();
        let program = self.write_program(0, extent)?;
        let stride = self.table.layout().blocks();
        let (card, tiling) = (&self.gpu.card, &self.tiling);
        let Arriving::There(planes) = &mut self.planes else { return Err(lost()) };
        let most_words = batch.len() * planes.largest() * SLOT_WORDS;
        let stage = &*self.outgoing.at_least(card, program.words)?;
        let arrived = self.arrived.at_least(card, program.words)?;
        let results = self.results.at_least(card, most_words)?;
        let returning = self.returning.at_least(card, most_words)?;
        Pass::record(card, |pass| {
            pass.upload(stage, 0..program.words, arrived, 0)?;
            let base = program.bind(pass, arrived)?;
            planes.each(pass, |pass, here| {
                let tiles = here.stretch.tiles.clone();
                let each = tiles.len() * SLOT_WORDS;
                let words = batch.len() * each;
                let work = CoverWork {
                    planes: here.tile(pass, tiles.start)?,
                    tiles: as_u32(tiles.len()),
                    bits: pass.part(results, 0..words)?,
                    ..base
                };
                let grid = spread(card.limits(), extent, Tally::Rows, tiles.len());
                pass.launch(COVER_ROWS, grid, &work)?;
                pass.fetch(results, 0, returning, words)?;
                for (root, words) in returning[..words].chunks_exact(each.max(1)).enumerate() {
                    let blocks = &mut blocks[root * stride..(root + 1) * stride];
                    tiling.unpack(tiles.clone(), words, blocks);
                }
                Ok(())
            })
        })?;
        Ok(too_large)
    }

    /// The processor, for formulas that are too large for a block.
    fn processor(&mut self) -> Result<&mut Box<dyn Resident>, DeviceError> {
        if self.processor.is_none() {
            let processor = Device::processor(NonZeroUsize::new(1))?;
            self.processor = Some(processor.open(|cpu| crate::open(cpu, &self.table))?);
        }
        let lost = || DeviceError::new("cpu", "was not loaded");
        self.processor.as_mut().ok_or_else(lost)
    }
}

impl<C: Card> Resident for GpuTable<C> {
    fn tally(&mut self, batch: &Batch<'_>, counts: &mut [u64]) -> Result<(), DeviceError> {
        let width = batch.width();
        if batch.is_empty() || width == 0 || self.tiling.len() == 0 {
            return Ok(());
        }
        match (batch.hypothesis, batch.hypothesis.decision()) {
            (Hypothesis::Rows, _) | (_, Decision::Presence | Decision::Count { .. }) => {}
            (_, Decision::Never) => return Ok(()),
            (_, Decision::Always) => {
                let totals = batch.labels.mask_totals();
                for counts in counts.chunks_exact_mut(width) {
                    counts.iter_mut().zip(&totals).for_each(|(count, all)| *count += all);
                }
                return Ok(());
            }
        }
        for first in (0..batch.len()).step_by(MOST_ROOTS) {
            let range = first..(first + MOST_ROOTS).min(batch.len());
            let (part, counts) =
                (batch.part(range.clone()), &mut counts[range.start * width..range.end * width]);
            let too_large = self.tally_trip(&part, counts);
            for root in too_large.map_err(|error| self.failed(error))? {
                let counts = &mut counts[root * width..(root + 1) * width];
                self.processor()?.tally(&part.part(root..root + 1), counts)?;
            }
        }
        Ok(())
    }

    fn cover(&mut self, batch: &Batch<'_>) -> Result<BitRows, DeviceError> {
        let layout = self.table.layout();
        let stride = layout.blocks();
        let mut blocks = vec![Block::ZERO; batch.len() * stride];
        let most = covered_together(self.tiling.len());
        for first in (0..batch.len()).step_by(most) {
            if stride == 0 {
                break;
            }
            let range = first..(first + most).min(batch.len());
            let (part, blocks) =
                (batch.part(range.clone()), &mut blocks[range.start * stride..range.end * stride]);
            let too_large = self.cover_trip(&part, blocks).map_err(|error| self.failed(error))?;
            for root in too_large {
                let table = Arc::clone(&self.table);
                let rows = self.processor()?.cover(&part.part(root..root + 1))?;
                let blocks = &mut blocks[root * stride..(root + 1) * stride];
                blocks.fill(Block::ZERO);
                for row in rows.ones(0) {
                    let position = table.layout().position(row);
                    blocks[position / BLOCK_BITS].set(position % BLOCK_BITS);
                }
            }
        }
        Ok(in_row_order(self.builders.threads(), self.table.layout(), blocks, batch.len()))
    }

    fn take_time(&mut self, go_on: bool) -> Option<Duration> {
        self.gpu.card.take_time(go_on)
    }
}

/// A program that is written: words in all, where it starts behind the counts, and where its lists are from there.
#[derive(Debug)]
struct Program {
    words: usize,
    first: usize,
    sections: Sections,
    plan_count: u32,
    plane_count: u32,
}

impl Program {
    /// What the kernels need to know of it, and where they count.
    fn bind<'a, C: Card>(
        &self,
        pass: &mut Pass<'a, C>,
        arrived: &'a C::Memory,
    ) -> Result<CoverWork<'a>, CardError> {
        let Sections { plans, jobs, leaves, levels, starts, targets, steps } = self.sections;
        let at = |word: usize| self.first + word..self.words;
        Ok(CoverWork {
            plans: pass.part(arrived, at(plans))?,
            jobs: pass.part(arrived, at(jobs))?,
            leaves: pass.part(arrived, at(leaves))?,
            levels: pass.part(arrived, at(levels))?,
            starts: pass.part(arrived, at(starts))?,
            targets: pass.part(arrived, at(targets))?,
            steps: pass.part(arrived, at(steps))?,
            counts: pass.all(arrived),
            plan_count: self.plan_count,
            plane_count: self.plane_count,
            ..CoverWork::default()
        })
    }
}

/// How a kernel goes over a table: tile by tile, several tiles at a time, or stack by stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tally {
    Rows,
    Tall,
    Bags,
}

impl Tally {
    /// The tiles or stacks of a stretch.
    fn units(self, stretch: &Stretch) -> Range<usize> {
        match self {
            Tally::Rows | Tally::Tall => stretch.tiles.clone(),
            Tally::Bags => stretch.stacks.clone(),
        }
    }
}

/// How a kernel with so many tiles or stacks is spread over the card.
fn spread(limits: &Limits, extent: Extent, shape: Tally, units: usize) -> Grid {
    let (tall, units) = match shape {
        Tally::Tall => (TALL, units.div_ceil(TALL)),
        Tally::Rows | Tally::Bags => (1, units),
    };
    let shared_bytes = tall * extent.slots * SLOT_BYTES;
    // Where several blocks fit beside each other, one fills its slots while another counts. The system takes a kilobyte
    // for each.
    let beside = match (limits.shared_bytes + 1024) / (shared_bytes + 1024) {
        0 | 1 => 1,
        2 | 3 => 2,
        _ => MOST_BESIDE,
    };
    let blocks = (units * extent.plans).min(limits.multiprocessors * beside).max(1);
    // Whole warps.
    let threads = (limits.threads / beside / 32).max(1) * 32;
    Grid { blocks, threads, shared_bytes }
}

/// Where a program starts behind so many words of counts.
fn program_start(counts: usize) -> usize {
    counts.next_multiple_of(encode::ALIGNED)
}

/// Tiles or stacks that one launch may go over. The kernels number the pairs of a unit and a plan in 32 bits, and the last
/// step of a block goes past them by as many as there are blocks.
fn most_units(limits: &Limits, plans: usize) -> usize {
    let most = u32::MAX as usize - MOST_BESIDE * limits.multiprocessors;
    (most / plans.max(1)).max(1)
}

/// Roots whose coverage is fetched at a time from so many tiles.
fn covered_together(tiles: usize) -> usize {
    (MOST_COVER_WORDS / (tiles * SLOT_WORDS).max(1)).max(1)
}

fn lost() -> CardError {
    CardError::Refused("the table did not reach the card".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::argument::BUNDLE;

    /// Units and plans are multiplied in 32 bits on the card, and the last step of every block goes past the product.
    #[test]
    fn no_launch_has_more_pairs_of_units_and_plans_than_32_bits_number() {
        let limits = Limits {
            name: String::new(),
            multiprocessors: 1000,
            shared_bytes: 48 << 10,
            threads: 1024,
            total_bytes: 0,
            is_emulated: true,
        };
        // As many tiles as rows can be numbered make, and a plan for every root of a trip.
        let most_tiles = (1usize << 31) / (SLOT_WORDS * 32);
        for plans in [1, 7, BUNDLE, 1000, MOST_ROOTS] {
            let units = most_units(&limits, plans).min(most_tiles);
            let extent = Extent { plans, slots: 3, places: 0, words: 0 };
            for shape in [Tally::Rows, Tally::Tall, Tally::Bags] {
                let blocks = spread(&limits, extent, shape, units).blocks;
                assert!(
                    u32::try_from(units * plans + blocks).is_ok(),
                    "{units} units, {plans} plans"
                );
            }
            assert!(units > 0);
        }
        for tiles in [0, 1, 1000, most_tiles] {
            let pairs = tiles * covered_together(tiles) + MOST_BESIDE * limits.multiprocessors;
            assert!(u32::try_from(pairs).is_ok(), "{tiles} tiles");
        }
        assert!(
            most_units(&limits, MOST_ROOTS) < most_tiles,
            "a bound that never binds tests nothing"
        );
    }
}
