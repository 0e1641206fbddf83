/// The number of bits in one [`Block`].
pub const BLOCK_BITS: usize = 512;

/// 512 bits in one cache line: the unit every kernel loads and stores.
///
/// Bit `i` of the block is bit `i % 64` of word `i / 64`.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Block(pub [u64; 8]);

impl Block {
    /// No bit set.
    pub const ZERO: Block = Block([0; 8]);
    /// Every bit set.
    pub const ONES: Block = Block([u64::MAX; 8]);

    /// Returns a block with the first `bits` bits set. With 512 or more, all bits are set.
    #[must_use]
    pub fn first(bits: usize) -> Block {
        Block(std::array::from_fn(|word| match bits.saturating_sub(word * 64) {
            0 => 0,
            left if left < 64 => (1 << left) - 1,
            _ => u64::MAX,
        }))
    }

    /// Returns whether bit `index` is set.
    #[must_use]
    pub fn get(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    /// Sets bit `index`.
    pub fn set(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    /// Returns the number of set bits.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}

/// Returns the number of blocks for `bits` bits.
#[must_use]
pub fn blocks_for(bits: usize) -> usize {
    bits.div_ceil(BLOCK_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_sets_the_given_number_of_bits() {
        for bits in [0, 1, 63, 64, 65, 127, 128, 511, 512, 600] {
            let block = Block::first(bits);
            for index in 0..BLOCK_BITS {
                assert_eq!(block.get(index), index < bits, "bit {index} of first({bits})");
            }
        }
    }

    #[test]
    fn a_vector_of_blocks_is_aligned() {
        let blocks: Vec<Block> = std::iter::repeat_n(Block::ONES, 3).collect();
        assert_eq!(blocks.as_ptr().align_offset(64), 0);
        assert_eq!(size_of::<Block>(), 64);
    }
}
