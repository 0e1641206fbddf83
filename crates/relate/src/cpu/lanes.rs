//! Sets side by side: one row per object, with one bit for each of up to 512 sets.
//!
//! Testing an object against 512 sets then reads one cache line.

use pellucid_bits::{BLOCK_BITS, Block, HugeBlocks, Kernel, Simd, transpose_512};

/// Transposes sets to rows. Bit `lane` of row `object` is set if the object is in set `lane`.
pub(crate) struct IntoRows<'a> {
    /// The blocks of each set; at most 512 sets.
    pub(crate) sets: &'a [&'a [Block]],
    /// One row per bit of a set.
    pub(crate) rows: &'a mut [Block],
}

impl Kernel for IntoRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut square = [Block::ZERO; 64];
        for (block, rows) in self.rows.as_chunks_mut::<BLOCK_BITS>().0.iter_mut().enumerate() {
            for (word, sets) in self.sets.chunks(64).enumerate() {
                for (slot, set) in square.iter_mut().zip(sets) {
                    *slot = set[block];
                }
                square[sets.len()..].fill(Block::ZERO);
                transpose_512(simd, &mut square);
                for (bit, eight) in square.iter().enumerate() {
                    for (part, &bits) in eight.0.iter().enumerate() {
                        rows[part * 64 + bit].0[word] = bits;
                    }
                }
            }
        }
    }
}

/// Transposes the rows of 512 subjects back to one block per lane. The number of lanes is rounded
/// up to a multiple of 64.
#[inline(always)]
pub(super) fn from_rows<S: Simd>(simd: S, rows: &[Block; BLOCK_BITS], lanes: &mut [Block]) {
    for (word, square) in lanes.as_chunks_mut::<64>().0.iter_mut().enumerate() {
        for (bit, eight) in square.iter_mut().enumerate() {
            for (part, bits) in eight.0.iter_mut().enumerate() {
                *bits = rows[part * 64 + bit].0[word];
            }
        }
        transpose_512(simd, square);
    }
}

/// Rows of sets, in large pages because they are read in random order.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    blocks: HugeBlocks,
    len: usize,
}

impl Rows {
    /// Returns uninitialized memory for the rows of `blocks` blocks of objects.
    pub(crate) fn reserve(&mut self, blocks: usize) -> &mut [Block] {
        self.len = blocks * BLOCK_BITS;
        self.blocks.at_least(self.len)
    }

    /// Returns the rows.
    pub(crate) fn get(&self) -> &[Block] {
        self.blocks.first(self.len)
    }
}
