//! The rows that a part of the search goes back to, as bits over all of its columns.

use super::slots::{Slots, Weights};
use crate::bits::{BLOCK_BITS, Block};
use crate::cpu::Simd;

/// Rows of a context.
#[derive(Clone, Debug, Default)]
pub(super) struct Base {
    rows: Vec<Block>,
    /// Blocks of a row.
    pub(super) blocks: usize,
    /// How many objects have each row, if not one each.
    weights: Vec<u32>,
    /// The row of the whole context each row is, where extents are wanted.
    pub(super) origins: Vec<u32>,
}

impl Base {
    /// Forgets everything, and makes place for rows over some columns.
    pub(super) fn reset(&mut self, columns: usize) {
        self.blocks = columns.div_ceil(BLOCK_BITS);
        self.rows.clear();
        self.weights.clear();
        self.origins.clear();
    }

    /// Adds a row of columns.
    #[inline(always)]
    pub(super) fn push_row(&mut self) {
        self.rows.resize(self.rows.len() + self.blocks, Block::ZERO);
    }

    /// Sets a column of the last row.
    #[inline(always)]
    pub(super) fn set(&mut self, column: usize) {
        let start = self.rows.len() - self.blocks;
        self.rows[start + column / BLOCK_BITS].set(column % BLOCK_BITS);
    }

    pub(super) fn weigh(&mut self, weights: impl Iterator<Item = u32> + Clone) {
        if weights.clone().any(|weight| weight != 1) {
            self.weights.extend(weights);
        }
    }

    #[inline(always)]
    pub(super) fn weights(&self) -> Weights<'_> {
        Weights(&self.weights)
    }

    /// Whether some column of a mask is shared by all rows of an extent, given as some words of a column.
    #[inline(always)]
    pub(super) fn share_any<S: Simd>(
        &self,
        simd: S,
        mask: &[Block],
        extent: &[u64],
        planes: &[u32],
        slots: &Slots,
    ) -> bool {
        for (block, mask) in mask.iter().enumerate() {
            let mut shared = simd.load(mask);
            let mut is_empty = false;
            'rows: for (&plane, &word) in planes.iter().zip(extent) {
                let mut left = word;
                while left != 0 {
                    let slot = plane as usize * 64 + left.trailing_zeros() as usize;
                    left &= left - 1;
                    let row = slots.rows[slot] as usize * self.blocks + block;
                    shared = simd.and(shared, simd.load(&self.rows[row]));
                    if simd.zero_words(shared) == u8::MAX {
                        is_empty = true;
                        break 'rows;
                    }
                }
            }
            if !is_empty {
                return true;
            }
        }
        false
    }
}
