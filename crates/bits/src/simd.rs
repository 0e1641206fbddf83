use crate::{Block, Floats};
use std::ops::Range;

/// The operations on a block that differ between instruction sets.
///
/// A value of an implementing type is the proof that the CPU has its instructions, so every method is
/// safe. All methods are inlined into [`Simd::run`], whose body is compiled for the instruction
/// set.
pub trait Simd: Floats {
    /// 512 bits in registers.
    type Bits: Copy;
    /// A running count of bits.
    type Count: Copy;

    /// Whether every function of three operands is one instruction and there are 32 registers.
    const TERNARY: bool;

    /// Runs a kernel compiled for this instruction set.
    fn run<K: Kernel>(self, kernel: K) -> K::Output;

    /// Prefetches a block that will be loaded soon.
    fn prefetch(self, block: &Block);
    /// Loads a block.
    fn load(self, block: &Block) -> Self::Bits;
    /// Stores a block.
    fn store(self, bits: Self::Bits, block: &mut Block);
    /// All bits set, or none.
    fn splat(self, bit: bool) -> Self::Bits;
    /// Bits set in both.
    fn and(self, a: Self::Bits, b: Self::Bits) -> Self::Bits;
    /// Bits set in either.
    fn or(self, a: Self::Bits, b: Self::Bits) -> Self::Bits;
    /// Bits set in exactly one of the two.
    fn xor(self, a: Self::Bits, b: Self::Bits) -> Self::Bits;
    /// Bits not set.
    fn not(self, a: Self::Bits) -> Self::Bits;
    /// Bits set in at least two of three.
    fn majority(self, a: Self::Bits, b: Self::Bits, c: Self::Bits) -> Self::Bits;
    /// Bits set in an odd number of three.
    fn parity(self, a: Self::Bits, b: Self::Bits, c: Self::Bits) -> Self::Bits;
    /// `a & !(b ^ c)`.
    fn and_same(self, a: Self::Bits, b: Self::Bits, c: Self::Bits) -> Self::Bits;
    /// Adds word by word, each 64 bits wide.
    fn add_words(self, a: Self::Bits, b: Self::Bits) -> Self::Bits;
    /// Shifts each 64-bit word left.
    fn shift_words(self, a: Self::Bits, by: u32) -> Self::Bits;
    /// Shifts each 64-bit word right.
    fn shift_words_down(self, a: Self::Bits, by: u32) -> Self::Bits;
    /// Bits set in all of three.
    fn and3(self, a: Self::Bits, b: Self::Bits, c: Self::Bits) -> Self::Bits;
    /// Returns a count of 0.
    fn no_count(self) -> Self::Count;
    /// Adds the set bits to a count.
    fn count(self, count: Self::Count, bits: Self::Bits) -> Self::Count;
    /// Returns the total of a count.
    fn total(self, count: Self::Count) -> u64;
    /// Returns two totals, both below 2^32.
    #[inline(always)]
    fn totals(self, one: Self::Count, other: Self::Count) -> (u64, u64) {
        (self.total(one), self.total(other))
    }

    /// The same word eight times.
    fn splat_word(self, word: u64) -> Self::Bits;
    /// `a & !b`.
    fn and_not(self, a: Self::Bits, b: Self::Bits) -> Self::Bits;
    /// Returns which words are zero, one bit for each.
    fn zero_words(self, a: Self::Bits) -> u8;
    /// Keeps the words of a mask and sets the others to zero.
    fn keep_words(self, a: Self::Bits, mask: u8) -> Self::Bits;
    /// The sum of all words, wrapping.
    fn sum_words(self, a: Self::Bits) -> u64;
    /// Adds to each word of `count` the number of set bits of the same word of `bits`.
    fn count_words(self, count: Self::Bits, bits: Self::Bits) -> Self::Bits;
    /// Writes the words of a mask consecutively, starting at word `at` of `out`. Up to eight words there are
    /// overwritten.
    fn compress_words(self, a: Self::Bits, mask: u8, out: &mut [Block], at: usize);
    /// Packs the bits of a word that are in a mask into the lowest bits.
    fn pack_bits(self, word: u64, mask: u64) -> u64;
    /// Spreads the lowest bits of a word to the positions of the bits of a mask.
    fn spread_bits(self, word: u64, mask: u64) -> u64;
    /// Returns which objects are in a set, one bit for each. Objects past the end of the set are not.
    fn members(self, set: &[Block], objects: &[u32; 64]) -> u64;
    /// Returns which numbers are within a range, one bit for each.
    fn within(self, numbers: &[u32; 64], range: Range<u32>) -> u64;
    /// Returns which bytes equal a given byte, one bit for each.
    fn equal_bytes(self, bytes: &[u8; 64], byte: u8) -> u64;
}

/// A computation that is compiled for every instruction set.
pub trait Kernel {
    /// The result.
    type Output;

    /// Runs the kernel with one instruction set.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

// Plain loops, here and in the kernels: a closure passed to the `map` of an array may be compiled separately
// from the kernel, without its instruction set, and then every intrinsic in it becomes a call.

/// Loads `N` blocks.
#[inline(always)]
pub fn load<S: Simd, const N: usize>(simd: S, blocks: &[Block; N]) -> [S::Bits; N] {
    let mut bits = [simd.splat(false); N];
    for (bits, block) in bits.iter_mut().zip(blocks) {
        *bits = simd.load(block);
    }
    bits
}

/// Inverts every bit.
#[inline(always)]
pub fn invert<S: Simd, const N: usize>(simd: S, mut bits: [S::Bits; N]) -> [S::Bits; N] {
    for bits in &mut bits {
        *bits = simd.not(*bits);
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Level;

    struct Within<'a>(&'a [u32; 64], Range<u32>);

    impl Kernel for Within<'_> {
        type Output = u64;

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> u64 {
            simd.within(self.0, self.1)
        }
    }

    struct Equal<'a>(&'a [u8; 64], u8);

    impl Kernel for Equal<'_> {
        type Output = u64;

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> u64 {
            simd.equal_bytes(self.0, self.1)
        }
    }

    #[test]
    fn all_levels_compare_ranges_and_bytes_alike() {
        let extremes = [0, 1, 7, u32::MAX / 2, u32::MAX / 2 + 1, u32::MAX - 1, u32::MAX];
        let numbers: [u32; 64] = std::array::from_fn(|place| extremes[place % 7]);
        let bytes: [u8; 64] = std::array::from_fn(|place| [0, 1, 127, 128, 255][place % 5]);
        for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
            for start in extremes {
                for end in extremes {
                    let found = level.run(Within(&numbers, start..end));
                    for (place, number) in numbers.iter().enumerate() {
                        let expected = (start..end).contains(number);
                        assert_eq!(found >> place & 1 == 1, expected, "{level} {start} {end}");
                    }
                }
            }
            for byte in [0, 1, 2, 127, 128, 255] {
                let found = level.run(Equal(&bytes, byte));
                for (place, &other) in bytes.iter().enumerate() {
                    assert_eq!(found >> place & 1 == 1, other == byte, "{level} {byte}");
                }
            }
        }
    }
}
