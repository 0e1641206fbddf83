//! The context that a part of the search goes back to: its rows, as bits over all of its columns.

use super::prepare::Prepared;
use super::slots::{Slots, Weights};
use crate::bits::{BLOCK_BITS, Block};
use crate::cpu::Simd;

/// Rows of a context.
#[derive(Debug)]
pub(super) struct Base {
    rows: Vec<Block>,
    /// Blocks of a row.
    pub(super) blocks: usize,
    weights: Vec<u32>,
}

impl Base {
    pub(super) fn new(prepared: &Prepared) -> Base {
        let blocks = prepared.columns.len().div_ceil(BLOCK_BITS);
        let mut rows = vec![Block::ZERO; blocks * prepared.rows.len()];
        for row in 0..prepared.rows.len() {
            for &column in prepared.rows.of(row) {
                let column = column as usize;
                rows[row * blocks + column / BLOCK_BITS].set(column % BLOCK_BITS);
            }
        }
        let weighted = prepared.weights.iter().any(|&weight| weight != 1);
        Base { rows, blocks, weights: if weighted { prepared.weights.clone() } else { Vec::new() } }
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
