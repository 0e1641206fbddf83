//! A table on a GPU, and how it evaluates a batch.

use super::argument::{
    ADDRESSABLE_SLOTS, COVER_ROWS, CoverWork, SLOT_BYTES, SLOT_WORDS, SPECIAL_SLOTS, TALLY_BAGS,
    TALLY_ROWS, TALLY_TALL, TileStack, counter_planes,
};
use super::build::{BuildOptions, Builders};
use super::encode::{self, Extent, Sections};
use super::planes::Planes;
use super::tiling::{TileRange, Tiling};
use crate::plan::{Decision, Hypothesis};
use crate::table::{Labels, Table, in_row_order};
use crate::{Batch, Resident};
use pellucid_bits::{BLOCK_BITS, BitRows, Block, as_u32};
use pellucid_device::gpu::{
    Buffer, Card, CardError, GpuLimits, Grid, OpenGpu, Pass, Stage, record_words, sent,
};
use pellucid_device::{Device, DeviceError};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// The maximum number of roots per trip to the GPU. It limits memory on both sides.
const MAX_ROOTS: usize = 1 << 16;
/// The maximum number of roots of a plan that counts bags. Every root of a plan has a counter on
/// the GPU.
const MAX_BAG_ROOTS: usize = 1024;
/// The minimum number of tiles for which the GPU gains more from shared conjunctions than the CPU
/// loses by finding them.
const MANY_TILES: usize = 512;
/// The time to build a root on the CPU relative to the time to fill the slots of one more part for
/// a tile on the GPU.
const BUILD_COST: usize = 3;
/// The minimum number of roots for a separate block.
const MIN_BLOCK_ROOTS: usize = 32;
/// The number of words of a stack.
const STACK_WORDS: usize = record_words::<TileStack>();
/// The number of tiles that a block holds at a time if plans are small. The kernel uses the same
/// number.
const TALL: usize = 4;
/// The maximum number of concurrent blocks of threads on a multiprocessor.
const MAX_CONCURRENT_BLOCKS: usize = 4;
/// The maximum number of words of coverage fetched at a time.
const MAX_COVER_WORDS: usize = 16 << 20;

/// A table on a GPU.
#[derive(Debug)]
pub(super) struct GpuTable<C: Card> {
    gpu: Arc<OpenGpu<C>>,
    table: Arc<Table>,
    tiling: Arc<Tiling>,
    planes: PlaneTransfer<C>,
    bags: Option<BagMemory<C>>,
    labels: Option<(u64, C::Memory)>,
    builders: Builders,
    /// The staging memory for programs.
    outgoing: Stage<C>,
    /// GPU memory for counts, followed by the program.
    received: Buffer<C>,
    /// GPU memory for coverage.
    results: Buffer<C>,
    /// The staging memory for counts or coverage.
    returning: Stage<C>,
    counters: Buffer<C>,
    /// The number of words of the counters.
    counter_words: usize,
    /// The same table on the CPU, for the rare formula that does not fit into a block.
    processor: Option<Box<dyn Resident>>,
}

/// The transfer of the planes, which runs in the background.
#[derive(Debug)]
enum PlaneTransfer<C: Card> {
    Running(JoinHandle<Result<Planes<C>, CardError>>),
    Done(Planes<C>),
    Lost,
}

impl<C: Card> Drop for GpuTable<C> {
    /// Waits for the transfer, even if the planes were never used: no thread may use the GPU when
    /// the process ends.
    fn drop(&mut self) {
        if let PlaneTransfer::Running(thread) =
            std::mem::replace(&mut self.planes, PlaneTransfer::Lost)
        {
            // The result of the transfer no longer matters.
            let _ = thread.join();
        }
    }
}

/// GPU memory for the description of the bags.
#[derive(Debug)]
struct BagMemory<C: Card> {
    occupied: C::Memory,
    stacks: C::Memory,
    joins: C::Memory,
}

impl<C: Card> GpuTable<C> {
    /// Starts sending a table. Its planes take at most the memory that the limit of the GPU allows.
    pub(super) fn load(gpu: OpenGpu<C>, table: &Arc<Table>) -> Result<GpuTable<C>, CardError> {
        let tiling = Arc::new(Tiling::new(table.layout()));
        // The rest is for programs, counters and other users of the GPU.
        let room = gpu.data_bytes()?;
        let bytes = room.min(4 * Planes::<C>::words(table, &tiling));
        // Reserved now, so that another session cannot take the memory during the transfer.
        let reserved = gpu.card.budget().reserve("the table", bytes)?;
        let (threads, gpu) = (Arc::clone(&gpu.threads), Arc::new(gpu));
        let sender = {
            let (gpu, table, tiling) = (Arc::clone(&gpu), Arc::clone(table), Arc::clone(&tiling));
            let threads = Arc::clone(&threads);
            move || Planes::send(&gpu.card, threads, table, tiling, room / 4, reserved)
        };
        let planes = if threads.count() == 1 {
            // With one thread there is no background transfer.
            PlaneTransfer::Done(sender()?)
        } else {
            let thread = std::thread::Builder::new().name("planes".into()).spawn(sender);
            let failed = |error| {
                CardError::Refused(format!("cannot start a thread to send the table: {error}"))
            };
            PlaneTransfer::Running(thread.map_err(failed)?)
        };
        Ok(GpuTable {
            gpu,
            table: Arc::clone(table),
            tiling,
            planes,
            bags: None,
            labels: None,
            builders: Builders::new(threads),
            outgoing: Stage::default(),
            received: Buffer::default(),
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

    /// Returns the maximum number of slots of a plan, without the special ones.
    fn slot_limit(&self) -> usize {
        (self.gpu.card.limits().shared_bytes / SLOT_BYTES).min(ADDRESSABLE_SLOTS) - SPECIAL_SLOTS
    }

    /// Returns the options for building a batch that is evaluated on `units` tiles or stacks, with
    /// at most `most` roots in a plan.
    fn build_options(&self, roots: usize, units: usize, most: usize) -> BuildOptions {
        let units = units.max(1);
        // Enough parts for all multiprocessors, even if there are few tiles.
        let idle = (self.gpu.card.limits().multiprocessors / units).min(roots / MIN_BLOCK_ROOTS);
        // Every part fills its own slots on the GPU, but parts are built in parallel on the CPU.
        let parallel =
            (BUILD_COST * roots / units).isqrt().min(self.builders.parallel_parts(roots));
        let parts = idle.max(parallel).max(roots.div_ceil(most)).max(1);
        BuildOptions { parts, slots: self.slot_limit(), share: units >= MANY_TILES }
    }

    /// Writes `zeros` zeros, in which the kernels count, followed by the program. Both are sent in
    /// one copy, because a driver call takes as long as thousands of zeros.
    fn write_program(&mut self, zeros: usize, extent: Extent) -> Result<Program, CardError> {
        let first = program_start(zeros);
        let words = first + extent.words;
        let stage = self.outgoing.at_least(&self.gpu.card, words)?;
        stage[..first].fill(0);
        let sections = self.builders.write(&mut stage[first..]);
        let plan_count = as_u32(extent.plans);
        Ok(Program { words, first, sections, plan_count, plane_count: self.table.planes() })
    }

    /// Waits for the planes, and sends the description of the bags.
    fn finish_loading(&mut self) -> Result<(), CardError> {
        if let PlaneTransfer::Running(_) = self.planes
            && let PlaneTransfer::Running(thread) =
                std::mem::replace(&mut self.planes, PlaneTransfer::Lost)
        {
            let sent = thread.join();
            self.planes = PlaneTransfer::Done(sent.map_err(|_| {
                CardError::Refused("the thread that sends the table panicked".into())
            })??);
        }
        if self.bags.is_none() {
            let layout = self.table.layout();
            let (stacks, joins) = self.tiling.stacks_and_joins(layout);
            self.bags = Some(BagMemory {
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

    /// Counts the roots of one trip. Returns the roots that were too large.
    fn tally_trip(
        &mut self,
        batch: &Batch<'_>,
        counts: &mut [u64],
    ) -> Result<Vec<usize>, CardError> {
        self.finish_loading()?;
        self.send_labels(batch.labels)?;
        let (units, most) = match batch.hypothesis {
            Hypothesis::Rows => (self.tiling.len(), MAX_ROOTS),
            _ => (self.tiling.stacks(), MAX_BAG_ROOTS),
        };
        let options = self.build_options(batch.len(), units, most);
        let too_large = self.builders.build(&self.table, batch, options);
        let extent = self.builders.extent();
        let masks = batch.width();
        // Two masks share a 64-bit word.
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

    /// Runs a counting program on the GPU and fetches `words` words of counts.
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
            // Every block has its own counters. If little memory is left, fewer blocks run.
            let each = extent.places * (counter_planes(hypothesis) as usize + 1) * SLOT_WORDS;
            let left = (card.budget().left() / 8).max(self.counter_words);
            let blocks = spread(limits, extent, Tally::Bags, tiling.stacks()).blocks;
            most_blocks = (left / each.max(1)).clamp(1, blocks);
            self.counter_words = most_blocks * each;
        }
        let state_words = if is_bags { self.counter_words } else { 0 };
        // All memory is allocated before anything is queued, because growing a buffer replaces its
        // memory.
        let stage = &*self.outgoing.at_least(card, program.words)?;
        let received = self.received.at_least(card, program.words)?;
        let returning = self.returning.at_least(card, words)?;
        let counters = self.counters.at_least(card, state_words)?;
        let (PlaneTransfer::Done(planes), Some(bags), Some((_, labels))) =
            (&mut self.planes, &self.bags, &self.labels)
        else {
            return Err(lost());
        };
        let most = most_units(limits, extent.plans);
        Pass::record(card, |pass| {
            pass.upload(stage, 0..program.words, received, 0)?;
            let mut base = program.bind(pass, received)?;
            base.classes = as_u32(masks);
            if is_bags {
                base.decide(hypothesis);
                base.state_roots = as_u32(extent.places);
                base.state = pass.all(counters);
                base.occupied = pass.all(&bags.occupied);
                base.joins = pass.all(&bags.joins);
            }
            planes.each(pass, |pass, here| {
                for part in tiling.cut(here.range, most) {
                    let units = shape.units(&part);
                    let mut work = base;
                    let mask_words = masks * SLOT_WORDS;
                    work.labels =
                        pass.part(labels, units.start * mask_words..units.end * mask_words)?;
                    if is_bags {
                        // Stacks refer to tiles by their index in the whole table.
                        work.planes = here.first_tile(pass);
                        let stacks = units.start * STACK_WORDS..units.end * STACK_WORDS;
                        work.stacks = pass.part(&bags.stacks, stacks)?;
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
            pass.download(received, 0, returning, words)
        })
    }

    /// Computes the coverage of a few roots and writes it as blocks in layout order.
    fn cover_trip(
        &mut self,
        batch: &Batch<'_>,
        blocks: &mut [Block],
    ) -> Result<Vec<usize>, CardError> {
        self.finish_loading()?;
        let options = self.build_options(batch.len(), self.tiling.len(), MAX_ROOTS);
        let too_large = self.builders.build(&self.table, batch, options);
        let extent = self.builders.extent();
        let program = self.write_program(0, extent)?;
        let stride = self.table.layout().blocks();
        let (card, tiling) = (&self.gpu.card, &self.tiling);
        let PlaneTransfer::Done(planes) = &mut self.planes else { return Err(lost()) };
        let most_words = batch.len() * planes.largest() * SLOT_WORDS;
        let stage = &*self.outgoing.at_least(card, program.words)?;
        let received = self.received.at_least(card, program.words)?;
        let results = self.results.at_least(card, most_words)?;
        let returning = self.returning.at_least(card, most_words)?;
        Pass::record(card, |pass| {
            pass.upload(stage, 0..program.words, received, 0)?;
            let base = program.bind(pass, received)?;
            planes.each(pass, |pass, here| {
                let tiles = here.range.tiles.clone();
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

    /// Returns the table on the CPU, for formulas that are too large for a block.
    fn processor(&mut self) -> Result<&mut Box<dyn Resident>, DeviceError> {
        if self.processor.is_none() {
            let processor = Device::processor(NonZeroUsize::new(1))?;
            self.processor = Some(processor.open(|cpu| crate::open(cpu, &self.table))?);
        }
        let lost = || DeviceError::new("cpu", "the table was not loaded");
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
        for first in (0..batch.len()).step_by(MAX_ROOTS) {
            let range = first..(first + MAX_ROOTS).min(batch.len());
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

/// A written program: the number of words in total, its start after the counts, and the sections of
/// its lists.
#[derive(Debug)]
struct Program {
    words: usize,
    first: usize,
    sections: Sections,
    plan_count: u32,
    plane_count: u32,
}

impl Program {
    /// Returns the kernel argument for this program, with the memory for counts.
    fn bind<'a, C: Card>(
        &self,
        pass: &mut Pass<'a, C>,
        received: &'a C::Memory,
    ) -> Result<CoverWork<'a>, CardError> {
        let Sections { plans, jobs, leaves, levels, starts, targets, steps } = self.sections;
        let at = |word: usize| self.first + word..self.words;
        Ok(CoverWork {
            plans: pass.part(received, at(plans))?,
            jobs: pass.part(received, at(jobs))?,
            leaves: pass.part(received, at(leaves))?,
            levels: pass.part(received, at(levels))?,
            starts: pass.part(received, at(starts))?,
            targets: pass.part(received, at(targets))?,
            steps: pass.part(received, at(steps))?,
            counts: pass.all(received),
            plan_count: self.plan_count,
            plane_count: self.plane_count,
            ..CoverWork::default()
        })
    }
}

/// How a kernel iterates over a table: tile by tile, several tiles at a time, or stack by stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tally {
    Rows,
    Tall,
    Bags,
}

impl Tally {
    /// Returns the tiles or stacks of a range.
    fn units(self, range: &TileRange) -> Range<usize> {
        match self {
            Tally::Rows | Tally::Tall => range.tiles.clone(),
            Tally::Bags => range.stacks.clone(),
        }
    }
}

/// Returns the grid of a kernel that processes `units` tiles or stacks.
fn spread(limits: &GpuLimits, extent: Extent, shape: Tally, units: usize) -> Grid {
    let (tall, units) = match shape {
        Tally::Tall => (TALL, units.div_ceil(TALL)),
        Tally::Rows | Tally::Bags => (1, units),
    };
    let shared_bytes = tall * extent.slots * SLOT_BYTES;
    // If several blocks run concurrently, one fills its slots while another counts. The system
    // takes one kilobyte per block.
    let concurrent = match (limits.shared_bytes + 1024) / (shared_bytes + 1024) {
        0 | 1 => 1,
        2 | 3 => 2,
        _ => MAX_CONCURRENT_BLOCKS,
    };
    let blocks = (units * extent.plans).min(limits.multiprocessors * concurrent).max(1);
    // A multiple of the warp size.
    let threads = (limits.threads / concurrent / 32).max(1) * 32;
    Grid { blocks, threads, shared_bytes }
}

/// Returns the start of a program after `counts` words of counts.
fn program_start(counts: usize) -> usize {
    counts.next_multiple_of(encode::ALIGNMENT)
}

/// Returns the maximum number of tiles or stacks of one launch. The kernels number the pairs of a
/// unit and a plan with 32 bits, and the last step of a block exceeds them by up to the number of
/// blocks.
fn most_units(limits: &GpuLimits, plans: usize) -> usize {
    let most = u32::MAX as usize - MAX_CONCURRENT_BLOCKS * limits.multiprocessors;
    (most / plans.max(1)).max(1)
}

/// Returns the number of roots whose coverage is fetched at a time for `tiles` tiles.
fn covered_together(tiles: usize) -> usize {
    (MAX_COVER_WORDS / (tiles * SLOT_WORDS).max(1)).max(1)
}

fn lost() -> CardError {
    CardError::Refused("the table was not sent to the GPU".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::argument::BUNDLE;

    /// The GPU multiplies units and plans in 32 bits, and the last step of every block exceeds the
    /// product.
    #[test]
    fn no_launch_exceeds_32_bits_of_pairs_of_units_and_plans() {
        let limits = GpuLimits {
            name: String::new(),
            multiprocessors: 1000,
            shared_bytes: 48 << 10,
            threads: 1024,
            total_bytes: 0,
            is_emulated: true,
        };
        // The maximum number of tiles, and one plan for every root of a trip.
        let most_tiles = (1usize << 31) / (SLOT_WORDS * 32);
        for plans in [1, 7, BUNDLE, 1000, MAX_ROOTS] {
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
            let pairs =
                tiles * covered_together(tiles) + MAX_CONCURRENT_BLOCKS * limits.multiprocessors;
            assert!(u32::try_from(pairs).is_ok(), "{tiles} tiles");
        }
        assert!(
            most_units(&limits, MAX_ROOTS) < most_tiles,
            "the limit must be effective in this test"
        );
    }
}
