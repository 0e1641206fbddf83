use super::vector::{clear_tail, ones_in};
use super::{BLOCK_BITS, Block, blocks_for};

/// Many bit vectors of one length, one after the other: the coverage of a batch of hypotheses, for example.
///
/// Bits past [`BitRows::len`] are zero in every row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitRows {
    blocks: Vec<Block>,
    rows: usize,
    len: usize,
}

impl BitRows {
    /// `rows` vectors of `len` bits, all clear.
    #[must_use]
    pub fn zeros(rows: usize, len: usize) -> BitRows {
        BitRows { blocks: vec![Block::ZERO; rows * blocks_for(len)], rows, len }
    }

    /// Takes over blocks that a kernel wrote, row after row, and clears each row's tail.
    ///
    /// # Panics
    /// When the number of blocks is not the one that `rows` rows of `len` bits need.
    #[must_use]
    pub fn from_blocks(mut blocks: Vec<Block>, rows: usize, len: usize) -> BitRows {
        let stride = blocks_for(len);
        assert_eq!(
            blocks.len(),
            rows * stride,
            "{rows} rows of {len} bits need {} blocks",
            rows * stride
        );
        if stride > 0 {
            blocks.chunks_exact_mut(stride).for_each(|row| clear_tail(row, len));
        }
        BitRows { blocks, rows, len }
    }

    /// How many vectors there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many bits each has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no bit at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows == 0 || self.len == 0
    }

    /// The blocks of one vector.
    #[must_use]
    pub fn row(&self, row: usize) -> &[Block] {
        let stride = blocks_for(self.len);
        &self.blocks[row * stride..(row + 1) * stride]
    }

    /// Whether bit `index` of vector `row` is set.
    ///
    /// # Panics
    /// When there is no such bit.
    #[must_use]
    pub fn get(&self, row: usize, index: usize) -> bool {
        assert!(index < self.len, "bit {index} of {}", self.len);
        self.row(row)[index / BLOCK_BITS].get(index % BLOCK_BITS)
    }

    /// Sets bit `index` of vector `row`.
    ///
    /// # Panics
    /// When there is no such bit.
    pub fn set(&mut self, row: usize, index: usize) {
        assert!(index < self.len, "bit {index} of {}", self.len);
        let stride = blocks_for(self.len);
        self.blocks[row * stride + index / BLOCK_BITS].set(index % BLOCK_BITS);
    }

    /// How many bits of vector `row` are set.
    #[must_use]
    pub fn count(&self, row: usize) -> u64 {
        self.row(row).iter().map(Block::count).sum()
    }

    /// The indices of the set bits of vector `row`, ascending.
    pub fn ones(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        ones_in(self.row(row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_keeps_its_own_tail_clear() {
        for len in [1, 64, 511, 512, 513, 1025] {
            let rows = BitRows::from_blocks(vec![Block::ONES; 3 * blocks_for(len)], 3, len);
            for row in 0..3 {
                assert_eq!(rows.count(row), len as u64);
                assert_eq!(rows.ones(row).last(), Some(len - 1));
            }
        }
        assert!(BitRows::zeros(3, 0).is_empty());
    }
}
