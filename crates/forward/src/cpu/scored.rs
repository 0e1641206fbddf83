//! The scores of one network, and which of them count.

use super::forward::TileColumn;
use crate::inputs::{TILE, TILE_BLOCKS};
use crate::{Inputs, RowPart};
use pellucid_bits::{Bits, FLOATS};

/// All scores of one network by position, in ranges of tiles.
#[derive(Clone, Debug)]
pub(super) struct Scored<'a> {
    pub(super) stretches: Vec<&'a [TileColumn]>,
    pub(super) stretch_tiles: usize,
}

impl<'a> Scored<'a> {
    /// Returns the scores of the tiles, in order.
    #[inline(always)]
    pub(super) fn tiles(&self) -> impl Iterator<Item = &'a TileColumn> {
        self.stretches.iter().copied().flatten()
    }

    /// Returns one score.
    pub(super) fn at(&self, place: usize) -> f32 {
        let tile = place / TILE;
        let column = &self.stretches[tile / self.stretch_tiles][tile % self.stretch_tiles];
        column[place / FLOATS % TILE_BLOCKS].0[place % FLOATS]
    }
}

/// The positions that count: those of a part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Members<'a> {
    pub(super) rows: usize,
    pub(super) positives: usize,
    pub(super) part: &'a RowPart,
    bits: Option<&'a Bits>,
}

impl<'a> Members<'a> {
    pub(super) fn new(inputs: &Inputs, part: &'a RowPart) -> Members<'a> {
        Members { rows: inputs.rows(), positives: inputs.positives(), part, bits: part.members() }
    }

    /// Returns a mask of the rows of a block that count.
    #[inline(always)]
    pub(super) fn of_block(&self, block: usize) -> u16 {
        match self.bits {
            // Bits past the last row are clear.
            Some(bits) => {
                let place = block * FLOATS;
                let word = bits.blocks()[place / 512].0[place / 64 % 8];
                (word >> (place % 64) & 0xffff) as u16
            }
            None => below(block, self.rows),
        }
    }

    /// Returns a mask of the positive rows of a block that count.
    #[inline(always)]
    pub(super) fn positives_of_block(&self, block: usize) -> u16 {
        self.of_block(block) & below(block, self.positives)
    }
}

/// Returns a mask of the positions of a block that come before `end`.
#[inline(always)]
fn below(block: usize, end: usize) -> u16 {
    match end.saturating_sub(block * FLOATS) {
        count @ 0..FLOATS => (1u16 << count) - 1,
        _ => u16::MAX,
    }
}
