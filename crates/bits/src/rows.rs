use super::vector::{clear_tail, ones_in};
use super::{BLOCK_BITS, Block, blocks_for};

/// Many bit vectors of the same length, for example the coverage of a batch of hypotheses.
///
/// Bits past [`BitRows::len`] are zero in every row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitRows {
    blocks: Vec<Block>,
    rows: usize,
    len: usize,
}

impl BitRows {
    /// Returns `rows` vectors of `len` zero bits.
    #[must_use]
    pub fn zeros(rows: usize, len: usize) -> BitRows {
        BitRows { blocks: vec![Block::ZERO; rows * blocks_for(len)], rows, len }
    }

    /// Creates vectors from blocks that a kernel wrote, row after row, and clears the tail of each row.
    ///
    /// # Panics
    /// When the number of blocks does not fit `rows` rows of `len` bits.
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

    /// Returns the number of vectors.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of bits of each vector.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no bits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows == 0 || self.len == 0
    }

    /// Returns the blocks of one vector.
    #[must_use]
    pub fn row(&self, row: usize) -> &[Block] {
        let stride = blocks_for(self.len);
        &self.blocks[row * stride..(row + 1) * stride]
    }

    /// Returns whether bit `index` of vector `row` is set.
    ///
    /// # Panics
    /// When the bit does not exist.
    #[must_use]
    pub fn get(&self, row: usize, index: usize) -> bool {
        assert!(index < self.len, "found bit {index}; expected a bit below {}", self.len);
        self.row(row)[index / BLOCK_BITS].get(index % BLOCK_BITS)
    }

    /// Sets bit `index` of vector `row`.
    ///
    /// # Panics
    /// When the bit does not exist.
    pub fn set(&mut self, row: usize, index: usize) {
        assert!(index < self.len, "found bit {index}; expected a bit below {}", self.len);
        let stride = blocks_for(self.len);
        self.blocks[row * stride + index / BLOCK_BITS].set(index % BLOCK_BITS);
    }

    /// Returns the number of set bits of vector `row`.
    #[must_use]
    pub fn count(&self, row: usize) -> u64 {
        self.row(row).iter().map(Block::count).sum()
    }

    /// Returns the indices of the set bits of vector `row`, ascending.
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
