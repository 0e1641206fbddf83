//! The planes of a table on a GPU. If they do not all fit, some tiles stay on the GPU and the
//! others are streamed.

use super::argument::SLOT_WORDS;
use super::tiling::{TileRange, Tiling};
use crate::table::Table;
use pellucid_bits::as_u32;
use pellucid_device::Threads;
use pellucid_device::gpu::{Card, CardError, Parcels, Pass, Pointer, Reservation};
use std::sync::Arc;

/// The number of words packed and sent at a time.
const PARCEL_WORDS: usize = 4 << 20;

/// The planes of all tiles.
#[derive(Debug)]
pub(super) struct Planes<C: Card> {
    /// The threads for packing.
    threads: Arc<Threads>,
    table: Arc<Table>,
    tiling: Arc<Tiling>,
    /// The number of words of a tile.
    stride: usize,
    /// The tiles that stay on the GPU, and their memory.
    kept: Option<(TileRange, C::Memory)>,
    /// The tiles that are streamed, and the buffers they alternate between.
    streamed: Vec<TileRange>,
    buffers: Option<StreamBuffers<C>>,
}

/// Two buffers on the GPU, and two staging buffers that fill them.
#[derive(Debug)]
struct StreamBuffers<C: Card> {
    memory: [C::Memory; 2],
    stages: [C::Staging; 2],
}

/// The name of the planes in error messages about memory.
const MEMORY_NAME: &str = "the table";

impl<C: Card> Planes<C> {
    /// Returns the maximum number of words of the planes.
    pub(super) fn words(table: &Table, tiling: &Tiling) -> usize {
        tiling.len() * table.planes() as usize * SLOT_WORDS
    }

    /// Sends the planes. They take at most `room` words of GPU memory, which are already reserved.
    pub(super) fn send(
        card: &C,
        threads: Arc<Threads>,
        table: Arc<Table>,
        tiling: Arc<Tiling>,
        room: usize,
        mut reserved: Reservation,
    ) -> Result<Planes<C>, CardError> {
        let stride = table.planes() as usize * SLOT_WORDS;
        let whole = tiling.whole();
        let mut planes = Planes {
            threads,
            table,
            tiling,
            stride,
            kept: None,
            streamed: Vec::new(),
            buffers: None,
        };
        if stride == 0 || planes.tiling.len() * stride <= room {
            planes.keep(card, whole, &mut reserved)?;
            return Ok(planes);
        }
        // Streamed tiles alternate between two buffers of one eighth each. The tiles that stay get
        // the rest.
        let most = room / stride / 8;
        let mut ranges = planes.tiling.cut(&whole, most);
        let largest = ranges.iter().map(|range| range.tiles.len()).max().unwrap_or(1);
        let left = (room / stride).saturating_sub(2 * largest);
        let mut kept: Option<TileRange> = None;
        let mut next = 0;
        while let Some(range) = ranges.get(next).filter(|range| range.tiles.end <= left) {
            let (tiles, stacks) = kept.map_or((0, 0), |kept| (kept.tiles.start, kept.stacks.start));
            kept =
                Some(TileRange { tiles: tiles..range.tiles.end, stacks: stacks..range.stacks.end });
            next += 1;
        }
        if let Some(kept) = kept {
            planes.keep(card, kept, &mut reserved)?;
        }
        planes.streamed = ranges.split_off(next);
        let words = largest * stride;
        let mut allocate =
            || card.allocate_reserved(words, reserved.split(MEMORY_NAME, 4 * words)?);
        let memory = [allocate()?, allocate()?];
        let stages = [card.stage(words)?, card.stage(words)?];
        planes.buffers = Some(StreamBuffers { memory, stages });
        Ok(planes)
    }

    /// Sends the tiles that stay. One parcel is packed while the other is in transfer.
    fn keep(
        &mut self,
        card: &C,
        range: TileRange,
        reserved: &mut Reservation,
    ) -> Result<(), CardError> {
        let all = (range.tiles.len() * self.stride).max(1);
        let memory = card.allocate_reserved(all, reserved.split(MEMORY_NAME, 4 * all)?)?;
        if self.stride > 0 && !range.tiles.is_empty() {
            let most = (PARCEL_WORDS / self.stride).max(1).min(range.tiles.len());
            let mut stages = [card.stage(most * self.stride)?, card.stage(most * self.stride)?];
            Pass::record(card, |pass| {
                let mut parcels = Parcels::new(&mut stages);
                for first in range.tiles.clone().step_by(most) {
                    let tiles = first..(first + most).min(range.tiles.end);
                    let words = tiles.len() * self.stride;
                    let at = (first - range.tiles.start) * self.stride;
                    parcels.send(pass, words, &memory, at, |words| {
                        self.tiling.pack(&self.threads, &self.table, tiles, words);
                    })?;
                }
                Ok(())
            })?;
        }
        self.kept = Some((range, memory));
        Ok(())
    }

    /// Returns the maximum number of tiles evaluated at a time.
    pub(super) fn largest(&self) -> usize {
        let kept = self.kept.iter().map(|(range, _)| range);
        kept.chain(&self.streamed).map(|range| range.tiles.len()).max().unwrap_or(0)
    }

    /// Evaluates every tile once: `work` queues the kernels for a range of tiles.
    pub(super) fn each<'a>(
        &'a mut self,
        pass: &mut Pass<'a, C>,
        mut work: impl FnMut(&mut Pass<'a, C>, TilesOnGpu<'a, C>) -> Result<(), CardError>,
    ) -> Result<(), CardError> {
        let Planes { threads, table, tiling, kept, streamed, buffers, .. } = self;
        let stride = self.stride;
        if let Some((range, memory)) = kept {
            work(pass, TilesOnGpu { range, memory, stride })?;
        }
        let Some(StreamBuffers { memory, stages }) = buffers else { return Ok(()) };
        let mut parcels = Parcels::new(stages);
        for (turn, range) in streamed.iter().enumerate() {
            let memory = &memory[turn % 2];
            parcels.send_between(pass, range.tiles.len() * stride, memory, |words| {
                tiling.pack(threads, table, range.tiles.clone(), words);
            })?;
            work(pass, TilesOnGpu { range, memory, stride })?;
        }
        Ok(())
    }
}

/// A range of tiles whose planes are on the GPU when their kernels run.
pub(super) struct TilesOnGpu<'a, C: Card> {
    pub(super) range: &'a TileRange,
    memory: &'a C::Memory,
    /// The number of words of a tile.
    stride: usize,
}

impl<'a, C: Card> TilesOnGpu<'a, C> {
    /// Returns the number of planes of a tile.
    pub(super) fn plane_count(&self) -> u32 {
        as_u32(self.stride / SLOT_WORDS)
    }

    /// Returns a pointer to the first tile of the table. That tile may not be in memory, but
    /// kernels use only tiles that are.
    pub(super) fn first_tile<P: Pointer<'a>>(&self, pass: &mut Pass<'a, C>) -> P {
        pass.before(self.memory, self.range.tiles.start * self.stride)
    }

    /// Returns a pointer to a tile that is in memory, given by its index in the whole table.
    pub(super) fn tile<P: Pointer<'a>>(
        &self,
        pass: &mut Pass<'a, C>,
        tile: usize,
    ) -> Result<P, CardError> {
        let first = (tile - self.range.tiles.start) * self.stride;
        pass.part(self.memory, first..self.range.tiles.len() * self.stride)
    }
}
