//! A table's planes on a card: all of them, or, where they do not fit, some for good and the others in turns.

use super::argument::SLOT_WORDS;
use super::tiling::{Stretch, Tiling};
use crate::table::Table;
use pellucid_device::Threads;
use pellucid_device::gpu::{Card, CardError, Parcels, Pass, Pointer, Reservation};
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
    places: Option<Places<C>>,
}

/// Two places on the card, and two from which they are filled.
#[derive(Debug)]
struct Places<C: Card> {
    memory: [C::Memory; 2],
    stages: [C::Staging; 2],
}

/// What the planes are called where there is no room for them.
const WHAT: &str = "the table";

impl<C: Card> Planes<C> {
    /// The most words that planes take.
    pub(super) fn words(table: &Table, tiling: &Tiling) -> usize {
        tiling.len() * table.planes() as usize * SLOT_WORDS
    }

    /// Sends the planes, with at most so many words of the card's memory for them, which are reserved.
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
            passing: Vec::new(),
            places: None,
        };
        if stride == 0 || planes.tiling.len() * stride <= room {
            planes.keep(card, whole, &mut reserved)?;
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
            planes.keep(card, kept, &mut reserved)?;
        }
        planes.passing = stretches.split_off(next);
        let words = largest * stride;
        let mut place = || card.allocate_reserved(words, reserved.split(WHAT, 4 * words)?);
        let memory = [place()?, place()?];
        let stages = [card.stage(words)?, card.stage(words)?];
        planes.places = Some(Places { memory, stages });
        Ok(planes)
    }

    /// Sends tiles that stay. One parcel is packed while the other travels.
    fn keep(
        &mut self,
        card: &C,
        stretch: Stretch,
        reserved: &mut Reservation,
    ) -> Result<(), CardError> {
        let all = (stretch.tiles.len() * self.stride).max(1);
        let memory = card.allocate_reserved(all, reserved.split(WHAT, 4 * all)?)?;
        if self.stride > 0 && !stretch.tiles.is_empty() {
            let most = (PARCEL / self.stride).max(1).min(stretch.tiles.len());
            let mut stages = [card.stage(most * self.stride)?, card.stage(most * self.stride)?];
            Pass::record(card, |pass| {
                let mut parcels = Parcels::new(&mut stages);
                for first in stretch.tiles.clone().step_by(most) {
                    let tiles = first..(first + most).min(stretch.tiles.end);
                    let words = tiles.len() * self.stride;
                    let at = (first - stretch.tiles.start) * self.stride;
                    parcels.send(pass, words, &memory, at, |words| {
                        self.tiling.pack(&self.threads, &self.table, tiles, words);
                    })?;
                }
                Ok(())
            })?;
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
    pub(super) fn each<'a>(
        &'a mut self,
        pass: &mut Pass<'a, C>,
        mut work: impl FnMut(&mut Pass<'a, C>, TilesOnCard<'a, C>) -> Result<(), CardError>,
    ) -> Result<(), CardError> {
        let Planes { threads, table, tiling, kept, passing, places, .. } = self;
        let stride = self.stride;
        if let Some((stretch, memory)) = kept {
            work(pass, TilesOnCard { stretch, memory, stride })?;
        }
        let Some(Places { memory, stages }) = places else { return Ok(()) };
        let mut parcels = Parcels::new(stages);
        for (turn, stretch) in passing.iter().enumerate() {
            let memory = &memory[turn % 2];
            parcels.send_between(pass, stretch.tiles.len() * stride, memory, |words| {
                tiling.pack(threads, table, stretch.tiles.clone(), words);
            })?;
            work(pass, TilesOnCard { stretch, memory, stride })?;
        }
        Ok(())
    }
}

/// A stretch of tiles whose planes are on the card when their turn comes.
pub(super) struct TilesOnCard<'a, C: Card> {
    pub(super) stretch: &'a Stretch,
    memory: &'a C::Memory,
    /// Words of one tile.
    stride: usize,
}

impl<'a, C: Card> TilesOnCard<'a, C> {
    /// A pointer to the first tile of the table, which may not be here: no kernel uses those that are not.
    pub(super) fn first_tile<P: Pointer<'a>>(&self, pass: &mut Pass<'a, C>) -> P {
        pass.before(self.memory, self.stretch.tiles.start * self.stride)
    }

    /// A pointer to a tile that is here, counted over all of the table.
    pub(super) fn tile<P: Pointer<'a>>(
        &self,
        pass: &mut Pass<'a, C>,
        tile: usize,
    ) -> Result<P, CardError> {
        let first = (tile - self.stretch.tiles.start) * self.stride;
        pass.part(self.memory, first..self.stretch.tiles.len() * self.stride)
    }
}
