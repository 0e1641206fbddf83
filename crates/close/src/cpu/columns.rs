//! Many columns side by side, so that eight of them are processed in one step.
//!
//! Word *w* of all columns forms a *plane*: the words of columns 0, 1, 2, … in a row, eight per
//! block. With at most 64 objects a column is one word and there is one plane, so a whole small
//! context fits into a few registers.

use pellucid_bits::Block;
use pellucid_bits::Simd;

/// Columns over the same objects, stored as planes.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    blocks: Vec<Block>,
    /// The number of blocks from one plane to the next.
    stride: usize,
    len: usize,
}

impl Columns {
    /// Removes all columns and reserves space for planes of columns.
    #[inline(always)]
    pub(super) fn reset(&mut self, planes: usize, columns: usize) {
        // One extra block, because an append always writes eight words.
        self.stride = columns.div_ceil(8) + 1;
        self.len = 0;
        if self.blocks.len() < planes * self.stride {
            self.blocks.resize(planes * self.stride, Block::ZERO);
        }
    }

    /// Removes all columns and planes, and keeps the memory.
    #[inline(always)]
    pub(super) fn forget(&mut self) {
        self.stride = 0;
        self.len = 0;
    }

    /// Resets to `columns` columns without objects.
    pub(super) fn clear(&mut self, planes: usize, columns: usize) {
        self.reset(planes, columns);
        self.blocks[..planes * self.stride].fill(Block::ZERO);
        self.len = columns;
    }

    /// Returns the number of bytes allocated.
    pub(super) fn bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<Block>()
    }

    /// Frees all memory.
    pub(super) fn release(&mut self) {
        *self = Columns::default();
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub(super) fn groups(&self) -> usize {
        self.len.div_ceil(8)
    }

    #[inline(always)]
    pub(super) fn block(&self, plane: usize, group: usize) -> &Block {
        &self.blocks[plane * self.stride + group]
    }

    #[inline(always)]
    pub(super) fn word(&self, plane: usize, column: usize) -> u64 {
        self.blocks[plane * self.stride + column / 8].0[column % 8]
    }

    #[inline(always)]
    pub(super) fn word_mut(&mut self, plane: usize, column: usize) -> &mut u64 {
        &mut self.blocks[plane * self.stride + column / 8].0[column % 8]
    }

    /// Appends the words selected by a mask to one plane. Call [`Columns::grow`] once all planes
    /// have them.
    #[inline(always)]
    pub(super) fn append<S: Simd>(&mut self, simd: S, plane: usize, words: S::Bits, mask: u8) {
        let at = plane * self.stride * 8 + self.len;
        simd.compress_words(words, mask, &mut self.blocks, at);
    }

    #[inline(always)]
    pub(super) fn grow(&mut self, columns: usize) {
        self.len += columns;
    }

    /// Keeps only the first `len` columns.
    pub(super) fn shorten(&mut self, len: usize) {
        self.len = len;
    }

    /// Writes zeros after the last column, up to the end of its group. Columns without objects have
    /// no effect.
    #[inline(always)]
    pub(super) fn close(&mut self, planes: usize) {
        for plane in 0..planes {
            for at in self.len..self.len.next_multiple_of(8) {
                *self.word_mut(plane, at) = 0;
            }
        }
    }

    /// Packs the objects of an extent side by side, into fewer planes.
    #[inline(always)]
    pub(super) fn pack<S: Simd>(&mut self, simd: S, extent: &[u64]) {
        let mut bits = 0;
        for (plane, &mask) in extent.iter().enumerate() {
            let (to, shift) = (bits / 64, bits % 64);
            let count = mask.count_ones() as usize;
            for column in 0..self.len {
                let word = simd.pack_bits(self.word(plane, column), mask);
                if shift == 0 {
                    *self.word_mut(to, column) = word;
                } else {
                    *self.word_mut(to, column) |= word << shift;
                    if shift + count > 64 {
                        *self.word_mut(to + 1, column) = word >> (64 - shift);
                    }
                }
            }
            bits += count;
        }
    }

    /// Returns a copy without spare memory, for another worker.
    pub(super) fn copied(&self, planes: usize) -> Columns {
        let (groups, stride) = (self.groups(), self.groups() + 1);
        let mut blocks = Vec::with_capacity(planes * stride);
        for plane in 0..planes {
            blocks.extend_from_slice(&self.blocks[plane * self.stride..][..groups]);
            blocks.push(Block::ZERO);
        }
        Columns { blocks, stride, len: self.len }
    }
}
