//! Plain word operations, for CPUs without the other instruction sets. The compiler vectorizes them for
//! the target (SSE2, NEON).

use super::simd::{Kernel, Simd};
use crate::{BLOCK_BITS, Block};
use std::ops::Range;

/// Repeats an expression for every word. Kernels have hundreds of these, and unrolling loops would take the
/// compiler longer.
macro_rules! words {
    ($word:ident => $value:expr) => {
        words!($word => $value; 0, 1, 2, 3, 4, 5, 6, 7)
    };
    ($word:ident => $value:expr; $($place:literal),+) => {
        [$({ let $word = $place; $value }),+]
    };
}

/// The portable implementation, which every CPU supports.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

/// Compiles a kernel as a separate function, as on every other level.
#[inline(never)]
fn compiled<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Portable)
}

impl Simd for Portable {
    type Bits = [u64; 8];
    type Count = u64;
    const TERNARY: bool = false;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        compiled(kernel)
    }

    #[inline(always)]
    fn prefetch(self, _: &Block) {}

    #[inline(always)]
    fn load(self, block: &Block) -> [u64; 8] {
        block.0
    }

    #[inline(always)]
    fn store(self, bits: [u64; 8], block: &mut Block) {
        block.0 = bits;
    }

    #[inline(always)]
    fn splat(self, bit: bool) -> [u64; 8] {
        [if bit { u64::MAX } else { 0 }; 8]
    }

    #[inline(always)]
    fn and(self, a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
        words!(word => a[word] & b[word])
    }

    #[inline(always)]
    fn or(self, a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
        words!(word => a[word] | b[word])
    }

    #[inline(always)]
    fn xor(self, a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
        words!(word => a[word] ^ b[word])
    }

    #[inline(always)]
    fn not(self, a: [u64; 8]) -> [u64; 8] {
        words!(word => !a[word])
    }

    #[inline(always)]
    fn majority(self, a: [u64; 8], b: [u64; 8], c: [u64; 8]) -> [u64; 8] {
        words!(word => (a[word] & b[word]) | (c[word] & (a[word] | b[word])))
    }

    #[inline(always)]
    fn parity(self, a: [u64; 8], b: [u64; 8], c: [u64; 8]) -> [u64; 8] {
        words!(word => a[word] ^ b[word] ^ c[word])
    }

    #[inline(always)]
    fn and_same(self, a: [u64; 8], b: [u64; 8], c: [u64; 8]) -> [u64; 8] {
        words!(word => a[word] & !(b[word] ^ c[word]))
    }

    #[inline(always)]
    fn add_words(self, a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
        words!(word => a[word].wrapping_add(b[word]))
    }

    #[inline(always)]
    fn shift_words(self, a: [u64; 8], by: u32) -> [u64; 8] {
        words!(word => a[word] << by)
    }

    #[inline(always)]
    fn shift_words_down(self, a: [u64; 8], by: u32) -> [u64; 8] {
        words!(word => a[word] >> by)
    }

    #[inline(always)]
    fn and3(self, a: [u64; 8], b: [u64; 8], c: [u64; 8]) -> [u64; 8] {
        words!(word => a[word] & b[word] & c[word])
    }

    #[inline(always)]
    fn no_count(self) -> u64 {
        0
    }

    #[inline(always)]
    fn count(self, count: u64, bits: [u64; 8]) -> u64 {
        count + bits.iter().map(|word| u64::from(word.count_ones())).sum::<u64>()
    }

    #[inline(always)]
    fn total(self, count: u64) -> u64 {
        count
    }

    #[inline(always)]
    fn splat_word(self, word: u64) -> [u64; 8] {
        [word; 8]
    }

    #[inline(always)]
    fn and_not(self, a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
        words!(word => a[word] & !b[word])
    }

    #[inline(always)]
    fn zero_words(self, a: [u64; 8]) -> u8 {
        let mut zeros = 0;
        for (word, &bits) in a.iter().enumerate() {
            zeros |= u8::from(bits == 0) << word;
        }
        zeros
    }

    #[inline(always)]
    fn keep_words(self, a: [u64; 8], mask: u8) -> [u64; 8] {
        words!(word => if mask >> word & 1 == 1 { a[word] } else { 0 })
    }

    #[inline(always)]
    fn sum_words(self, a: [u64; 8]) -> u64 {
        a.iter().fold(0, |sum, &word| sum.wrapping_add(word))
    }

    #[inline(always)]
    fn count_words(self, count: [u64; 8], bits: [u64; 8]) -> [u64; 8] {
        words!(word => count[word].wrapping_add(u64::from(bits[word].count_ones())))
    }

    #[inline(always)]
    fn compress_words(self, a: [u64; 8], mask: u8, out: &mut [Block], at: usize) {
        compress_one_by_one(a, mask, out, at);
    }

    #[inline(always)]
    fn pack_bits(self, word: u64, mask: u64) -> u64 {
        let (mut packed, mut left, mut place) = (0, mask, 0);
        while left != 0 {
            packed |= (word >> left.trailing_zeros() & 1) << place;
            left &= left - 1;
            place += 1;
        }
        packed
    }

    #[inline(always)]
    fn spread_bits(self, mut word: u64, mask: u64) -> u64 {
        let (mut spread, mut left) = (0, mask);
        while left != 0 && word != 0 {
            spread |= (left & left.wrapping_neg()) & (word & 1).wrapping_neg();
            left &= left - 1;
            word >>= 1;
        }
        spread
    }

    #[inline(always)]
    fn members(self, set: &[Block], objects: &[u32; 64]) -> u64 {
        let mut members = 0;
        for (place, &object) in objects.iter().enumerate() {
            let object = object as usize;
            let word = set.get(object / BLOCK_BITS).map_or(0, |block| block.0[object / 64 % 8]);
            members |= (word >> (object % 64) & 1) << place;
        }
        members
    }

    #[inline(always)]
    fn within(self, numbers: &[u32; 64], range: Range<u32>) -> u64 {
        let mut within = 0;
        for (place, &number) in numbers.iter().enumerate() {
            within |= u64::from(range.start <= number && number < range.end) << place;
        }
        within
    }

    #[inline(always)]
    fn equal_bytes(self, bytes: &[u8; 64], byte: u8) -> u64 {
        let mut equal = 0;
        for (place, &other) in bytes.iter().enumerate() {
            equal |= u64::from(other == byte) << place;
        }
        equal
    }
}

/// Writes the words of a mask consecutively, without a special instruction.
#[inline(always)]
pub(super) fn compress_one_by_one(words: [u64; 8], mask: u8, out: &mut [Block], mut at: usize) {
    let mut left = mask;
    while left != 0 {
        out[at / 8].0[at % 8] = words[left.trailing_zeros() as usize];
        left &= left - 1;
        at += 1;
    }
}
