//! A table's planes on a card: all of them, or, where they do not fit, some for good and the others in turns.

use super::tiling::{Stretch, Tiling};
use super::work::SLOT_WORDS;
use crate::table::Table;
use pellucid_device::Threads;
use pellucid_device::gpu::{Card, CardError, Queue, Used};
use std::sync::Arc;

/// Words that are packed and sent at a time.
const PARCEL: usize = 4 << 20;

/// The planes of all tiles.
#[derive(Debug)]
pub(super) struct Planes<C: Card> {
    /// For packing.
    threads: Arc<Threads>,
    table: Arc<Table>,
    tiling: Arc<Tiling>,
    /// Words of one tile.
    stride: usize,
    /// The tiles that stay, and where.
    kept: Option<(Stretch, C::Memory)>,
    /// The others, and two places that they take in turns.
    passing: Vec<Stretch>,
    places: Vec<(C::Memory, C::Staging)>,
    sent: usize,
}

impl<C: Card> Planes<C> {
    /// Sends the planes, with at most so many words of the card's memory for them.
    pub(super) fn send(
        card: &C,
        threads: Arc<Threads>,
        table: Arc<Table>,
        tiling: Arc<Tiling>,
        room: usize,
    ) -> Result<Planes<C>, CardError> {
        let stride = table.planes() as usize * SLOT_WORDS;
        let whole = tiling.whole();
        let mut planes = Planes {
            threads,
            table,
            tiling,
            stride,
            kept: None,
            passing: Vec::new(),
            places: Vec::new(),
            sent: 0,
        };
        if stride == 0 || planes.tiling.len() * stride <= room {
            planes.keep(card, whole)?;
            return Ok(planes);
        }
        // What passes through takes turns in two places of an eighth each; what stays has the rest.
        let most = room / stride / 8;
        let mut stretches = planes.tiling.cut(&whole, most);
        let largest = stretches.iter().map(|stretch| stretch.tiles.len()).max().unwrap_or(1);
        let left = (room / stride).saturating_sub(2 * largest);
        let mut kept: Option<Stretch> = None;
        let mut next = 0;
        while let Some(stretch) = stretches.get(next).filter(|stretch| stretch.tiles.end <= left) {
            let (tiles, stacks) = kept.map_or((0, 0), |kept| (kept.tiles.start, kept.stacks.start));
            kept = Some(Stretch {
                tiles: tiles..stretch.tiles.end,
                stacks: stacks..stretch.stacks.end,
            });
            next += 1;
        }
        if let Some(kept) = kept {
            planes.keep(card, kept)?;
        }
        planes.passing = stretches.split_off(next);
        for _ in 0..2 {
            let words = largest * stride;
            planes.places.push((card.allocate(words)?, card.stage(words)?));
        }
        Ok(planes)
    }

    /// Sends tiles that stay. One parcel is packed while the other travels.
    fn keep(&mut self, card: &C, stretch: Stretch) -> Result<(), CardError> {
        let memory = card.allocate((stretch.tiles.len() * self.stride).max(1))?;
        if self.stride > 0 && !stretch.tiles.is_empty() {
            let most = (PARCEL / self.stride).max(1).min(stretch.tiles.len());
            let mut stages = [card.stage(most * self.stride)?, card.stage(most * self.stride)?];
            let mut sent = Ok(());
            for (turn, first) in stretch.tiles.clone().step_by(most).enumerate() {
                let tiles = first..(first + most).min(stretch.tiles.end);
                let words = tiles.len() * self.stride;
                let stage = &mut stages[turn % 2];
                self.tiling.pack(&self.threads, &self.table, tiles, &mut stage[..words]);
                let at = (first - stretch.tiles.start) * self.stride;
                // The other parcel must have arrived, so that at most one travels.
                // SAFETY: the stage is not written before the next `finish`, and neither it nor the memory is dropped
                // before the last one.
                sent = card.finish(Queue::Copy).and_then(|()| unsafe {
                    card.copy_in(Queue::Copy, stage, 0..words, &memory, at)
                });
                if sent.is_err() {
                    break;
                }
            }
            sent.and(card.finish(Queue::Copy))?;
        }
        self.kept = Some((stretch, memory));
        Ok(())
    }

    /// The most tiles that are evaluated at a time.
    pub(super) fn largest(&self) -> usize {
        let kept = self.kept.iter().map(|(stretch, _)| stretch);
        kept.chain(&self.passing).map(|stretch| stretch.tiles.len()).max().unwrap_or(0)
    }

    /// Has every tile evaluated once: `work` queues kernels for a stretch of them.
    pub(super) fn each(
        &mut self,
        card: &C,
        mut work: impl FnMut(OnCard<'_, C>) -> Result<(), CardError>,
    ) -> Result<(), CardError> {
        let stride = self.stride;
        if let Some((stretch, memory)) = &self.kept {
            work(OnCard { stretch, memory, stride })?;
        }
        for stretch in &self.passing {
            let (memory, stage) = &mut self.places[self.sent % 2];
            let words = stretch.tiles.len() * stride;
            // What was sent from this stage has arrived: there was a `finish` since.
            self.tiling.pack(
                &self.threads,
                &self.table,
                stretch.tiles.clone(),
                &mut stage[..words],
            );
            card.finish(Queue::Copy)?;
            card.order(Queue::Work, Queue::Copy)?;
            // SAFETY: the stage is written again two turns later, after another `finish`; the kernels that read the
            // place are waited for by the line above; both outlive the queues' work, which the caller finishes.
            unsafe { card.copy_in(Queue::Copy, stage, 0..words, memory, 0) }?;
            card.order(Queue::Copy, Queue::Work)?;
            work(OnCard { stretch, memory, stride })?;
            self.sent += 1;
        }
        Ok(())
    }
}

/// A stretch of tiles whose planes are on the card when their turn comes.
pub(super) struct OnCard<'a, C: Card> {
    pub(super) stretch: &'a Stretch,
    memory: &'a C::Memory,
    /// Words of one tile.
    stride: usize,
}

impl<'a, C: Card> OnCard<'a, C> {
    /// The address of a tile, counted over all of the table: also of one that is not here, which no kernel may read.
    pub(super) fn address(&self, tile: usize) -> u64 {
        let bytes = |tile: usize| (4 * tile * self.stride) as u64;
        let here = C::address(self.memory).wrapping_sub(bytes(self.stretch.tiles.start));
        here.wrapping_add(bytes(tile))
    }

    /// The memory of all its tiles.
    pub(super) fn used(&self) -> Used<'a, C::Memory> {
        Used::new(self.memory, self.stretch.tiles.len() * self.stride)
    }
}
