use super::{BLOCK_BITS, Block, blocks_for};

/// A vector of bits; those past [`Bits::len`] are zero.
///
/// ```
/// use pellucid_bits::Bits;
/// let even: Bits = (0..100).map(|row| row % 2 == 0).collect();
/// assert_eq!(even.len(), 100);
/// assert_eq!(even.count(), 50);
/// assert_eq!(even.ones().take(3).collect::<Vec<_>>(), [0, 2, 4]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bits {
    blocks: Vec<Block>,
    len: usize,
}

impl Bits {
    /// Returns `len` zero bits.
    #[must_use]
    pub fn zeros(len: usize) -> Bits {
        Bits { blocks: vec![Block::ZERO; blocks_for(len)], len }
    }

    /// Returns `len` set bits.
    #[must_use]
    pub fn ones_of(len: usize) -> Bits {
        Bits::from_blocks(vec![Block::ONES; blocks_for(len)], len)
    }

    /// Creates a vector from blocks that a kernel wrote, and clears the bits past `len`.
    ///
    /// # Panics
    /// When the number of blocks does not fit `len`.
    #[must_use]
    pub fn from_blocks(mut blocks: Vec<Block>, len: usize) -> Bits {
        assert_eq!(blocks.len(), blocks_for(len), "{len} bits need {} blocks", blocks_for(len));
        clear_tail(&mut blocks, len);
        Bits { blocks, len }
    }

    /// Returns the number of bits.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the length is 0.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the blocks. Bits past the length are zero.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Returns whether bit `index` is set.
    ///
    /// # Panics
    /// When `index` is not below the length.
    #[must_use]
    pub fn get(&self, index: usize) -> bool {
        assert!(index < self.len, "found bit {index}; expected a bit below {}", self.len);
        self.blocks[index / BLOCK_BITS].get(index % BLOCK_BITS)
    }

    /// Sets bit `index`.
    ///
    /// # Panics
    /// When `index` is not below the length.
    pub fn set(&mut self, index: usize) {
        assert!(index < self.len, "found bit {index}; expected a bit below {}", self.len);
        self.blocks[index / BLOCK_BITS].set(index % BLOCK_BITS);
    }

    /// Sets every bit that is set in the other vector. Returns whether any bit changed.
    ///
    /// # Panics
    /// When the lengths differ.
    pub fn or_with(&mut self, other: &Bits) -> bool {
        assert_eq!(self.len, other.len, "expected vectors of the same length");
        let mut new = 0;
        for (to, from) in self.words_mut().zip(other.words()) {
            new |= from & !*to;
            *to |= from;
        }
        new != 0
    }

    /// Clears every bit that is clear in the other vector.
    ///
    /// # Panics
    /// When the lengths differ.
    pub fn and_with(&mut self, other: &Bits) {
        assert_eq!(self.len, other.len, "expected vectors of the same length");
        for (to, from) in self.words_mut().zip(other.words()) {
            *to &= from;
        }
    }

    /// Inverts every bit.
    pub fn flip(&mut self) {
        self.words_mut().for_each(|word| *word = !*word);
        clear_tail(&mut self.blocks, self.len);
    }

    fn words(&self) -> impl Iterator<Item = u64> + '_ {
        self.blocks.iter().flat_map(|block| block.0)
    }

    fn words_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        self.blocks.iter_mut().flat_map(|block| &mut block.0)
    }

    /// Returns the number of set bits.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.blocks.iter().map(Block::count).sum()
    }

    /// Returns the indices of the set bits, ascending.
    pub fn ones(&self) -> impl Iterator<Item = usize> + '_ {
        ones_in(&self.blocks)
    }
}

impl FromIterator<bool> for Bits {
    fn from_iter<I: IntoIterator<Item = bool>>(bits: I) -> Bits {
        let mut blocks = Vec::new();
        let mut len = 0;
        for bit in bits {
            if len % BLOCK_BITS == 0 {
                blocks.push(Block::ZERO);
            }
            if bit {
                blocks[len / BLOCK_BITS].set(len % BLOCK_BITS);
            }
            len += 1;
        }
        Bits { blocks, len }
    }
}

/// Clears the bits from `len` on, as the tail invariant requires.
pub(super) fn clear_tail(blocks: &mut [Block], len: usize) {
    if let Some(last) = blocks.last_mut() {
        let mask = Block::first((len - 1) % BLOCK_BITS + 1);
        for (word, keep) in last.0.iter_mut().zip(mask.0) {
            *word &= keep;
        }
    }
}

/// Returns the indices of the set bits of blocks, ascending.
pub(super) fn ones_in(blocks: &[Block]) -> impl Iterator<Item = usize> + '_ {
    blocks.iter().flat_map(|block| block.0).enumerate().flat_map(|(word, mut bits)| {
        std::iter::from_fn(move || {
            (bits != 0).then(|| {
                let bit = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                word * 64 + bit
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_a_vector_of_booleans(model in prop::collection::vec(any::<bool>(), 0..1500)) {
            let bits: Bits = model.iter().copied().collect();
            prop_assert_eq!(bits.len(), model.len());
            prop_assert_eq!(bits.count(), model.iter().filter(|&&bit| bit).count() as u64);
            prop_assert!(model.iter().enumerate().all(|(index, &bit)| bits.get(index) == bit));
            let ones: Vec<usize> = (0..model.len()).filter(|&index| model[index]).collect();
            prop_assert_eq!(bits.ones().collect::<Vec<_>>(), ones);
        }

        #[test]
        fn vector_operations_agree_with_bit_operations(
            pairs in prop::collection::vec(any::<[bool; 2]>(), 0..1500),
        ) {
            let bits = |of: fn(&[bool; 2]) -> bool| pairs.iter().map(of).collect::<Bits>();
            let (left, right) = (bits(|p| p[0]), bits(|p| p[1]));
            let mut or = left.clone();
            prop_assert_eq!(or.or_with(&right), pairs.iter().any(|p| p[1] && !p[0]));
            prop_assert_eq!(or, bits(|p| p[0] | p[1]));
            let mut and = left.clone();
            and.and_with(&right);
            prop_assert_eq!(and, bits(|p| p[0] & p[1]));
            let mut not = left;
            not.flip();
            prop_assert_eq!(not, bits(|p| !p[0]));
        }

        #[test]
        fn the_tail_is_clear(len in 0usize..1500) {
            let bits = Bits::ones_of(len);
            prop_assert_eq!(bits.count(), len as u64);
            prop_assert_eq!(bits, Bits::from_iter(std::iter::repeat_n(true, len)));
        }
    }
}
