//! A table on a GPU, and how it evaluates a batch.

use super::argument::{
    ADDRESSABLE_SLOTS, COVER_ROWS, CoverWork, SLOT_BYTES, SLOT_WORDS, SPECIAL_SLOTS,
};
use super::build::{BuildOptions, Builder};
use super::division::{Division, Part, divide, is_parallel, one_trip};
use super::grid::{Tally, covered_together, spread};
use super::planes::Planes;
use super::tally::{BagMemory, Counting, ReadyTrip};
use super::tiling::Tiling;
use super::trip::Trip;
use crate::plan::{Decision, Hypothesis};
use crate::table::{Labels, Table, in_row_order};
use crate::{Batch, Resident};
use pellucid_bits::{BLOCK_BITS, BitRows, Block, as_u32};
use pellucid_device::gpu::{Buffer, Card, CardError, OpenGpu, Pass, Stage, sent};
use pellucid_device::{Device, DeviceError, Threads};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// The maximum number of roots per trip to the GPU. It limits memory on both sides.
pub(super) const MAX_ROOTS: usize = 1 << 16;
/// The minimum number of tiles for which the GPU gains more from shared conjunctions than the CPU
/// loses by finding them.
const MANY_TILES: usize = 512;
/// A table on a GPU.
#[derive(Debug)]
pub(super) struct GpuTable<C: Card> {
    gpu: Arc<OpenGpu<C>>,
    table: Arc<Table>,
    tiling: Arc<Tiling>,
    planes: PlaneTransfer<C>,
    bags: Option<BagMemory<C>>,
    labels: Option<(u64, C::Memory)>,
    threads: Arc<Threads>,
    builders: Vec<Builder>,
    /// The memory of concurrent trips.
    trips: Vec<Trip<C>>,
    /// GPU memory for coverage.
    results: Buffer<C>,
    /// The staging memory for counts or coverage.
    returning: Stage<C>,
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
            threads,
            builders: Vec::new(),
            trips: Vec::new(),
            results: Buffer::default(),
            returning: Stage::default(),
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

    /// Returns the options for building programs.
    fn build_options(&self, hypothesis: Hypothesis) -> BuildOptions {
        let units = match hypothesis {
            Hypothesis::Rows => self.tiling.len(),
            _ => self.tiling.stacks(),
        };
        BuildOptions { slots: self.slot_limit(), share: units >= MANY_TILES }
    }

    /// Provides a builder for each part of a batch, and memory for its trips.
    fn provide(&mut self, parts: &[Part]) {
        let trips = parts.iter().filter(|part| part.ends_trip).count();
        let (builders, trips) = (parts.len().max(self.builders.len()), trips.max(self.trips.len()));
        self.builders.resize_with(builders, Builder::default);
        self.trips.resize_with(trips, Trip::default);
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

    /// Counts roots. Returns the roots that were too large.
    fn tally_trips(
        &mut self,
        batch: &Batch<'_>,
        counts: &mut [u64],
    ) -> Result<Vec<usize>, CardError> {
        self.finish_loading()?;
        self.send_labels(batch.labels)?;
        let (hypothesis, masks) = (batch.hypothesis, batch.width());
        let limits = self.gpu.card.limits();
        let (variety, threads) = (|| batch.variety(), self.threads.count());
        let Division { parts, helpers } =
            divide(batch.len(), variety, hypothesis, &self.tiling, limits, threads);
        let threads = match is_parallel(limits, batch.len()) {
            true => Arc::clone(&self.threads),
            false => Arc::new(Threads::callers()),
        };
        let options = self.build_options(hypothesis);
        self.provide(&parts);
        // Two masks share a 64-bit word.
        let width = masks.next_multiple_of(2);
        let words = batch.len() * width;
        let GpuTable {
            gpu, table, tiling, planes, bags, labels, builders, trips, returning, ..
        } = self;
        let (PlaneTransfer::Done(planes), Some(bags), Some((_, labels))) = (planes, bags, labels)
        else {
            return Err(lost());
        };
        let card = &gpu.card;
        let counting = Counting { card, tiling, hypothesis, masks, labels, bags };
        let stage = returning.at_least(card, words)?;
        let mut waiting: Vec<(&mut Builder, Part)> = builders.iter_mut().zip(parts).collect();
        let mut too_large = Vec::new();
        Pass::record(card, |pass| {
            let mut memory = trips.iter_mut();
            let mut ready: Vec<ReadyTrip<'_, C>> = Vec::new();
            // The counts of all trips are before the program of the first.
            let mut all_counts = None;
            planes.each(pass, |pass, here| {
                ready.iter().try_for_each(|trip| counting.launch(pass, &here, trip))?;
                let mut programs = Vec::new();
                threads.map_in_order(
                    std::mem::take(&mut waiting),
                    helpers,
                    |(builder, part)| {
                        builder.build(table, batch, part.roots, options);
                        (&*builder, part.ends_trip)
                    },
                    |(builder, ends_trip)| {
                        too_large.extend_from_slice(builder.too_large());
                        programs.push(builder.program());
                        if !ends_trip {
                            return Ok(());
                        }
                        let Trip { program, counters } = memory.next().ok_or_else(lost)?;
                        let zeros = if all_counts.is_none() { words } else { 0 };
                        let sent = program.send(card, pass, programs.drain(..), zeros)?;
                        let counts = *all_counts.get_or_insert(sent.memory);
                        let trip = counting.ready(pass, sent, counters, counts)?;
                        counting.launch(pass, &here, &trip)?;
                        ready.push(trip);
                        Ok(())
                    },
                )
            })?;
            match all_counts {
                Some(counts) => pass.download(counts, 0, stage, words),
                None => Ok(()),
            }
        })?;
        let returned = &self.returning.words().unwrap_or_default()[..words];
        add_returned(counts, masks, returned, width);
        Ok(too_large)
    }

    /// Computes the coverage of a few roots and writes it as blocks in layout order.
    fn cover_trip(
        &mut self,
        batch: &Batch<'_>,
        blocks: &mut [Block],
    ) -> Result<Vec<usize>, CardError> {
        self.finish_loading()?;
        let options = self.build_options(Hypothesis::Rows);
        let limits = self.gpu.card.limits();
        let parts = one_trip(batch.len(), Hypothesis::Rows, &self.tiling, limits, 1);
        self.provide(&parts);
        let mut too_large = Vec::new();
        for (builder, part) in self.builders.iter_mut().zip(&parts) {
            builder.build(&self.table, batch, part.roots.clone(), options);
            too_large.extend_from_slice(builder.too_large());
        }
        let stride = self.table.layout().blocks();
        let GpuTable { gpu, tiling, planes, builders, trips, results, returning, .. } = self;
        let card = &gpu.card;
        let PlaneTransfer::Done(planes) = planes else { return Err(lost()) };
        let most_words = batch.len() * planes.largest() * SLOT_WORDS;
        let results = results.at_least(card, most_words)?;
        let returning = returning.at_least(card, most_words)?;
        let program = &mut trips[0].program;
        Pass::record(card, |pass| {
            let programs = builders[..parts.len()].iter().map(Builder::program);
            let sent = program.send(card, pass, programs, 0)?;
            planes.each(pass, |pass, here| {
                let tiles = here.range.tiles.clone();
                let each = tiles.len() * SLOT_WORDS;
                let words = batch.len() * each;
                let work = CoverWork {
                    planes: here.tile(pass, tiles.start)?,
                    plane_count: here.plane_count(),
                    tiles: as_u32(tiles.len()),
                    bits: pass.part(results, 0..words)?,
                    ..sent.work
                };
                let grid = spread(card.limits(), sent.extent, Tally::Rows, tiles.len());
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
            let too_large = self.tally_trips(&part, counts);
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
        Ok(in_row_order(&self.threads, self.table.layout(), blocks, batch.len()))
    }

    fn take_time(&mut self, go_on: bool) -> Option<Duration> {
        self.gpu.card.take_time(go_on)
    }
}

/// Adds the returned counts of all roots, `width` for each, of which the first `masks` are used.
fn add_returned(counts: &mut [u64], masks: usize, returned: &[u32], width: usize) {
    let add = |counts: &mut [u64], returned: &[u32]| {
        counts.iter_mut().zip(returned).for_each(|(count, &more)| *count += u64::from(more));
    };
    if masks == width {
        // One long loop is much faster than a short one for each root.
        return add(counts, returned);
    }
    let returned = returned.chunks_exact(width);
    counts.chunks_exact_mut(masks).zip(returned).for_each(|(counts, more)| add(counts, more));
}

fn lost() -> CardError {
    CardError::Refused("the table was not sent to the GPU".into())
}
