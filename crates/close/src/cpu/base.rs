//! The rows of the whole context, used to test whether a set of rows shares a column.

use super::distinct::DistinctRows;
use super::prepare::PreparedRelation;
use super::rows::Lists;
use super::slots::Slots;
use pellucid_bits::{BLOCK_BITS, Block, Simd, transpose_64};
use pellucid_device::Threads;
use std::sync::Arc;

/// The number of words of a block.
const BLOCK_WORDS: usize = BLOCK_BITS / 64;

/// All rows, as bits over all columns, or as lists if the bits would take too much memory.
#[derive(Debug)]
pub(super) struct Base {
    bits: Vec<Block>,
    lists: Arc<Lists>,
    /// The number of blocks of a set of columns.
    pub(super) blocks: usize,
    /// The number of objects that have each row; empty if every row has one object.
    weights: Vec<u32>,
    /// The rows of the whole context that each row stands for; only if rows were merged.
    members: Option<Lists>,
}

impl Base {
    /// Stores the rows as bits if they take at most `most_bytes`.
    pub(super) fn new(prepared: &PreparedRelation, most_bytes: usize, threads: &Threads) -> Base {
        let blocks = prepared.columns.len().div_ceil(BLOCK_BITS);
        let bytes = blocks.saturating_mul(prepared.rows.len()).saturating_mul(size_of::<Block>());
        let (bits, lists) = if bytes <= most_bytes {
            (bits_of(&prepared.rows, blocks, threads), Arc::default())
        } else {
            (Vec::new(), Arc::clone(prepared.rows.lists(threads)))
        };
        let is_weighted = prepared.weights.iter().any(|&weight| weight != 1);
        let weights = if is_weighted { prepared.weights.clone() } else { Vec::new() };
        Base { bits, lists, blocks, weights, members: None }
    }

    /// Returns 64 columns within up to 64 rows: word `number` of the columns, as a word for each
    /// column.
    pub(super) fn columns_of(&self, number: usize, rows: &[u32]) -> [u64; 64] {
        let (block, word) = (number / BLOCK_WORDS, number % BLOCK_WORDS);
        let mut square = [0; 64];
        for (to, &row) in square.iter_mut().zip(rows) {
            *to = self.bits[row as usize * self.blocks + block].0[word];
        }
        transpose_64(&mut square);
        square
    }

    /// Returns the weights of the rows, or nothing if every row has one object.
    #[inline(always)]
    pub(super) fn weights(&self) -> &[u32] {
        &self.weights
    }

    /// Returns the columns of a row, or nothing if rows are lists.
    #[inline(always)]
    pub(super) fn bits_of(&self, row: u32) -> &[Block] {
        let start = row as usize * self.blocks;
        self.bits.get(start..start + self.blocks).unwrap_or_default()
    }

    /// Returns rows that stand for several rows each.
    pub(super) fn of_merged_rows(
        bits: Vec<Block>,
        blocks: usize,
        weights: Vec<u32>,
        members: Option<Lists>,
    ) -> Base {
        Base { bits, lists: Arc::default(), blocks, weights, members }
    }

    /// Returns whether the rows are bits.
    pub(super) fn has_bits(&self) -> bool {
        !self.bits.is_empty()
    }

    /// Calls `with` for each row of the whole context that a row stands for.
    pub(super) fn each_original(&self, row: u32, mut with: impl FnMut(u32)) {
        match &self.members {
            Some(members) => members.of(row as usize).iter().copied().for_each(with),
            None => with(row),
        }
    }

    /// Returns the number of objects that have a row.
    pub(super) fn weight(&self, row: u32) -> u32 {
        self.weights.get(row as usize).copied().unwrap_or(1)
    }

    /// Returns whether a row has a column.
    pub(super) fn has(&self, row: u32, column: u64) -> bool {
        let column = usize::try_from(column).unwrap_or(usize::MAX);
        if self.bits.is_empty() {
            // Rows are descending.
            let find = |other: &u32| column.cmp(&(*other as usize));
            return self.lists.of(row as usize).binary_search_by(find).is_ok();
        }
        let block = row as usize * self.blocks + column / BLOCK_BITS;
        self.bits[block].get(column % BLOCK_BITS)
    }

    /// Returns whether all rows of an extent, given as words of a column, share a column of a mask.
    #[inline(always)]
    pub(super) fn share_any<S: Simd>(
        &self,
        simd: S,
        mask: &[Block],
        extent: &[u64],
        planes: &[u32],
        slots: &Slots,
    ) -> bool {
        if self.bits.is_empty() {
            return self.lists_share_any(mask, slots.of(extent, planes));
        }
        for (block, mask) in mask.iter().enumerate() {
            let mut shared = simd.load(mask);
            let mut is_empty = simd.zero_words(shared) == u8::MAX;
            'rows: for (&plane, &word) in planes.iter().zip(extent) {
                let mut left = if is_empty { 0 } else { word };
                while left != 0 {
                    let slot = plane as usize * 64 + left.trailing_zeros() as usize;
                    left &= left - 1;
                    let row = slots.rows[slot] as usize * self.blocks + block;
                    shared = simd.and(shared, simd.load(&self.bits[row]));
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

    /// [`Base::share_any`] for a list of rows.
    #[inline(always)]
    pub(super) fn all_share_any<S: Simd>(&self, simd: S, mask: &[Block], rows: &[u32]) -> bool {
        if self.bits.is_empty() {
            return self.lists_share_any(mask, rows.iter().copied());
        }
        for (block, mask) in mask.iter().enumerate() {
            let mut shared = simd.load(mask);
            let mut is_empty = simd.zero_words(shared) == u8::MAX;
            for &row in rows {
                if is_empty {
                    break;
                }
                let row = row as usize * self.blocks + block;
                shared = simd.and(shared, simd.load(&self.bits[row]));
                is_empty = simd.zero_words(shared) == u8::MAX;
            }
            if !is_empty {
                return true;
            }
        }
        false
    }

    /// [`Base::share_any`] without bits: keeps the columns of the first row that are in the mask
    /// and in all other rows.
    #[cold]
    fn lists_share_any(&self, mask: &[Block], mut rows: impl Iterator<Item = u32>) -> bool {
        let Some(first) = rows.next() else {
            return !mask.iter().all(|block| *block == Block::ZERO);
        };
        let is_in_mask =
            |column: u32| mask[column as usize / BLOCK_BITS].get(column as usize % BLOCK_BITS);
        let row = |row: u32| self.lists.of(row as usize);
        let mut shared: Vec<u32> =
            row(first).iter().copied().filter(|&column| is_in_mask(column)).collect();
        for next in rows {
            if shared.is_empty() {
                break;
            }
            // Rows are descending.
            shared.retain(|column| row(next).binary_search_by(|other| column.cmp(other)).is_ok());
        }
        !shared.is_empty()
    }
}

/// Returns the rows as bits.
fn bits_of(rows: &DistinctRows, blocks: usize, threads: &Threads) -> Vec<Block> {
    if !rows.numbers.is_empty() && blocks == 1 {
        return rows.numbers.iter().map(|&number| block_of(number)).collect();
    }
    let mut bits = vec![Block::ZERO; rows.len() * blocks];
    if blocks == 0 {
        return bits;
    }
    let lists = rows.lists(threads);
    let size = rows.len().div_ceil(threads.count()).max(1);
    let mut parts: Vec<&mut [Block]> = bits.chunks_mut(size * blocks).collect();
    threads.each(&mut parts, |part, bits| {
        for (row, bits) in (part * size..).zip(bits.chunks_exact_mut(blocks)) {
            for &column in lists.of(row) {
                bits[column as usize / BLOCK_BITS].set(column as usize % BLOCK_BITS);
            }
        }
    });
    bits
}

/// Returns a block with the bits of a number.
fn block_of(number: u128) -> Block {
    let mut block = Block::ZERO;
    for (word, half) in block.0.iter_mut().zip([number, number >> 64]) {
        *word = u64::try_from(half & u128::from(u64::MAX)).unwrap_or_default();
    }
    block
}
