//! Many columns side by side, so that eight of them are looked at in one step.
//!
//! Word *w* of all columns makes a *plane*: the words of columns 0, 1, 2, … in a row, eight to a block. With
//! 64 objects or fewer a column is one word and there is one plane, so that a whole small context is a
//! handful of registers.

use pellucid_bits::Block;
use pellucid_bits::Simd;

/// Columns over the same objects, as planes.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    blocks: Vec<Block>,
    /// Blocks from one plane to the next.
    stride: usize,
    len: usize,
}

impl Columns {
    /// Makes place for some planes of columns, and forgets what there was.
    #[inline(always)]
    pub(super) fn reset(&mut self, planes: usize, columns: usize) {
        // One block more, because eight words are written even where one is meant.
        self.stride = columns.div_ceil(8) + 1;
        self.len = 0;
        if self.blocks.len() < planes * self.stride {
            self.blocks.resize(planes * self.stride, Block::ZERO);
        }
    }

    /// No columns and no planes; the memory stays for the next ones.
    #[inline(always)]
    pub(super) fn forget(&mut self) {
        self.stride = 0;
        self.len = 0;
    }

    /// So many columns without any object.
    pub(super) fn clear(&mut self, planes: usize, columns: usize) {
        self.reset(planes, columns);
        self.blocks[..planes * self.stride].fill(Block::ZERO);
        self.len = columns;
    }

    /// How many bytes they take.
    pub(super) fn bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<Block>()
    }

    /// Gives all room back.
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

    /// Appends, to one plane, the words of a mask; [`Columns::grow`] once all planes have them.
    #[inline(always)]
    pub(super) fn append<S: Simd>(&mut self, simd: S, plane: usize, words: S::Bits, mask: u8) {
        let at = plane * self.stride * 8 + self.len;
        simd.compress_words(words, mask, &mut self.blocks, at);
    }

    #[inline(always)]
    pub(super) fn grow(&mut self, columns: usize) {
        self.len += columns;
    }

    /// Zeros after the last column, up to the end of its group: a column without objects never matters.
    #[inline(always)]
    pub(super) fn close(&mut self, planes: usize) {
        for plane in 0..planes {
            for at in self.len..self.len.next_multiple_of(8) {
                *self.word_mut(plane, at) = 0;
            }
        }
    }

    /// Packs the objects of an extent side by side, in fewer planes.
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

    /// A copy without spare room: for another worker.
    pub(super) fn copied(&self, planes: usize) -> Columns {
        let mut copy = Columns::default();
        copy.reset(planes, self.len);
        copy.len = self.len;
        for plane in 0..planes {
            let groups = self.groups();
            copy.blocks[plane * copy.stride..][..groups]
                .copy_from_slice(&self.blocks[plane * self.stride..][..groups]);
        }
        copy
    }
}
