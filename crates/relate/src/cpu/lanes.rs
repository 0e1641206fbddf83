//! Sets side by side: one row for each object, with a bit for each of up to 512 sets.
//!
//! To ask 512 sets about one object is then to read one cache line.

use pellucid_bits::{BLOCK_BITS, Block, HugeBlocks, Kernel, Simd, transpose_512};

/// Turns sets into rows. Bit `lane` of row `object` says whether the object is in set `lane`.
pub(crate) struct IntoRows<'a> {
    /// The sets, block after block each; at most 512.
    pub(crate) sets: &'a [&'a [Block]],
    /// As many rows as the sets' blocks have bits.
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

/// The rows of 512 subjects back to a block for each lane; there are as many of these as lanes, and then up
/// to a multiple of 64.
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

/// Rows of sets, in large pages: they are read in no order.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    blocks: HugeBlocks,
    len: usize,
}

impl Rows {
    /// Room for the rows of so many blocks of objects, whatever is in them.
    pub(crate) fn room(&mut self, blocks: usize) -> &mut [Block] {
        self.len = blocks * BLOCK_BITS;
        self.blocks.at_least(self.len)
    }

    /// The rows.
    pub(crate) fn get(&self) -> &[Block] {
        self.blocks.first(self.len)
    }
}
