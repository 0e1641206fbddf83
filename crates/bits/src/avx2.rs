//! AVX2 (Haswell, Zen and later): a block is two registers.
//!
//! **Benefit.** Twice the width of the portable kernel and a vector popcount by table lookup; see the `avx2`
//! rows of `bench interpreter`.
//!
//! **Soundness.** An [`Avx2`] is only created by [`Avx2::detect`], which checks that the CPU supports AVX2,
//! FMA and the scalar extensions that came with them; nothing below needs more. Loads and stores go through
//! references to [`Block`], which is 64 bytes long and 64-byte aligned.

use super::portable::{Portable, compress_one_by_one};
use super::simd::{Kernel, Simd};
use crate::Block;
use std::arch::x86_64::*;
use std::ops::Range;

/// The proof that the CPU has AVX2 and FMA.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

/// 512 bits in two registers.
type Pair = (__m256i, __m256i);

impl Avx2 {
    pub(super) fn detect() -> Option<Avx2> {
        let has = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        has.then_some(Avx2(()))
    }
}

/// Compiles a kernel with the instructions enabled, so that everything inlined into it can use them.
#[target_feature(enable = "avx2,fma,bmi1,bmi2,popcnt")]
fn compiled<K: Kernel>(simd: Avx2, kernel: K) -> K::Output {
    kernel.run(simd)
}

/// Counts the set bits of each byte by two lookups of a nibble each.
#[inline]
#[target_feature(enable = "avx2")]
fn bytes_set(bits: __m256i) -> __m256i {
    let table = _mm256_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3,
        3, 4,
    );
    let nibble = _mm256_set1_epi8(15);
    let low = _mm256_shuffle_epi8(table, _mm256_and_si256(bits, nibble));
    let high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16::<4>(bits), nibble));
    _mm256_add_epi8(low, high)
}

/// Returns which of eight numbers are within a range.
#[inline]
#[target_feature(enable = "avx2")]
fn eight_within(numbers: &[u32; 8], range: &Range<u32>) -> u8 {
    let Some(last) = range.end.saturating_sub(range.start).checked_sub(1) else { return 0 };
    // SAFETY: eight numbers of four bytes are 32 readable bytes; the load needs no alignment.
    let numbers = unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) };
    // Numbers below the range wrap around and become large.
    let place = _mm256_sub_epi32(numbers, _mm256_set1_epi32(range.start.cast_signed()));
    let least = _mm256_min_epu32(place, _mm256_set1_epi32(last.cast_signed()));
    let within = _mm256_castsi256_ps(_mm256_cmpeq_epi32(place, least));
    // The mask has eight bits, one for each number.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let bits = _mm256_movemask_ps(within) as u8;
    bits
}

/// Returns which of 64 bytes equal a given byte.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn bytes_equal(bytes: &[u8; 64], byte: u8) -> u64 {
    let wanted = _mm256_set1_epi8(byte.cast_signed());
    let mut equal = 0;
    for (place, half) in bytes.as_chunks::<32>().0.iter().enumerate() {
        // SAFETY: 32 readable bytes; the load needs no alignment.
        let half = unsafe { _mm256_loadu_si256(half.as_ptr().cast()) };
        let bits = _mm256_movemask_epi8(_mm256_cmpeq_epi8(half, wanted)).cast_unsigned();
        equal |= u64::from(bits) << (32 * place);
    }
    equal
}

#[inline]
#[target_feature(enable = "avx2")]
fn count_pair(count: __m256i, bits: Pair) -> __m256i {
    // A byte is at most 16 here, so the two halves are added before they are widened.
    let bytes = _mm256_add_epi8(bytes_set(bits.0), bytes_set(bits.1));
    _mm256_add_epi64(count, _mm256_sad_epu8(bytes, _mm256_setzero_si256()))
}

#[inline]
#[target_feature(enable = "avx2")]
fn count_each(count: __m256i, bits: __m256i) -> __m256i {
    _mm256_add_epi64(count, _mm256_sad_epu8(bytes_set(bits), _mm256_setzero_si256()))
}

#[inline]
#[target_feature(enable = "avx2")]
fn total_of(count: __m256i) -> u64 {
    let halves = _mm_add_epi64(_mm256_castsi256_si128(count), _mm256_extracti128_si256::<1>(count));
    let sum = _mm_add_epi64(halves, _mm_unpackhi_epi64(halves, halves));
    _mm_cvtsi128_si64(sum).cast_unsigned()
}

#[inline]
#[target_feature(enable = "avx2")]
fn majority(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
    _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(c, _mm256_or_si256(a, b)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn parity(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
    _mm256_xor_si256(a, _mm256_xor_si256(b, c))
}

#[inline]
#[target_feature(enable = "avx2")]
fn and_same(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
    _mm256_andnot_si256(_mm256_xor_si256(b, c), a)
}

#[inline]
#[target_feature(enable = "avx2")]
fn shift(a: __m256i, by: u32) -> __m256i {
    _mm256_sllv_epi64(a, _mm256_set1_epi64x(i64::from(by)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn shift_down(a: __m256i, by: u32) -> __m256i {
    _mm256_srlv_epi64(a, _mm256_set1_epi64x(i64::from(by)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn and3(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
    _mm256_and_si256(a, _mm256_and_si256(b, c))
}

#[inline]
#[target_feature(enable = "avx2")]
fn and_not(a: __m256i, b: __m256i) -> __m256i {
    _mm256_andnot_si256(b, a)
}

/// Returns which of four words are zero.
#[inline]
#[target_feature(enable = "avx2")]
fn zeros_of_half(half: __m256i) -> u8 {
    let equal = _mm256_cmpeq_epi64(half, _mm256_setzero_si256());
    _mm256_movemask_pd(_mm256_castsi256_pd(equal)).to_le_bytes()[0]
}

#[inline]
#[target_feature(enable = "avx2")]
fn zero_words(a: Pair) -> u8 {
    zeros_of_half(a.0) | zeros_of_half(a.1) << 4
}

#[inline]
#[target_feature(enable = "avx2")]
fn keep_words(a: Pair, mask: u8) -> Pair {
    let mask = _mm256_set1_epi64x(i64::from(mask));
    let low = _mm256_setr_epi64x(1, 2, 4, 8);
    let high = _mm256_setr_epi64x(16, 32, 64, 128);
    (
        _mm256_and_si256(a.0, _mm256_cmpeq_epi64(_mm256_and_si256(mask, low), low)),
        _mm256_and_si256(a.1, _mm256_cmpeq_epi64(_mm256_and_si256(mask, high), high)),
    )
}

/// Defines methods that apply one operation to both halves.
macro_rules! on_halves {
    ($(fn $name:ident($($arg:ident),+) = $one:path;)*) => {$(
        #[inline(always)]
        fn $name(self, $($arg: Pair),+) -> Pair {
            // SAFETY: `self` proves that the CPU has AVX2.
            let low = unsafe { $one($($arg.0),+) };
            // SAFETY: as above.
            let high = unsafe { $one($($arg.1),+) };
            (low, high)
        }
    )*};
}

/// Defines methods that are one call each.
macro_rules! one_call {
    ($(fn $name:ident($($arg:ident: $type:ty),*) -> $out:ty = $body:expr;)*) => {$(
        #[inline(always)]
        fn $name(self, $($arg: $type),*) -> $out {
            // SAFETY: `self` proves that the CPU has AVX2.
            unsafe { $body }
        }
    )*};
}

impl Simd for Avx2 {
    type Bits = Pair;
    type Count = __m256i;
    const TERNARY: bool = false;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        // SAFETY: `self` proves that the CPU has the features `compiled` is compiled for.
        unsafe { compiled(self, kernel) }
    }

    #[inline(always)]
    fn prefetch(self, block: &Block) {
        // SAFETY: prefetching affects only the cache; every x86-64 CPU has the instruction.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(block).cast()) }
    }

    #[inline(always)]
    fn load(self, block: &Block) -> Pair {
        let halves: *const __m256i = std::ptr::from_ref(block).cast();
        // SAFETY: a block is 64 readable, aligned bytes: two halves.
        let low = unsafe { _mm256_load_si256(halves) };
        // SAFETY: as above; the second half starts at byte 32.
        let high = unsafe { _mm256_load_si256(halves.wrapping_add(1)) };
        (low, high)
    }

    #[inline(always)]
    fn store(self, bits: Pair, block: &mut Block) {
        let halves: *mut __m256i = std::ptr::from_mut(block).cast();
        // SAFETY: a block is 64 writable, aligned bytes: two halves.
        unsafe { _mm256_store_si256(halves, bits.0) };
        // SAFETY: as above; the second half starts at byte 32.
        unsafe { _mm256_store_si256(halves.wrapping_add(1), bits.1) };
    }

    on_halves! {
        fn and(a, b) = _mm256_and_si256;
        fn or(a, b) = _mm256_or_si256;
        fn xor(a, b) = _mm256_xor_si256;
        fn majority(a, b, c) = majority;
        fn parity(a, b, c) = parity;
        fn and_same(a, b, c) = and_same;
        fn add_words(a, b) = _mm256_add_epi64;
        fn and3(a, b, c) = and3;
    }

    #[inline(always)]
    fn splat(self, bit: bool) -> Pair {
        // SAFETY: `self` proves that the CPU has AVX2.
        let half = unsafe { _mm256_set1_epi64x(-i64::from(bit)) };
        (half, half)
    }

    #[inline(always)]
    fn not(self, a: Pair) -> Pair {
        self.xor(a, self.splat(true))
    }

    #[inline(always)]
    fn shift_words(self, a: Pair, by: u32) -> Pair {
        // SAFETY: `self` proves that the CPU has AVX2.
        let low = unsafe { shift(a.0, by) };
        // SAFETY: as above.
        let high = unsafe { shift(a.1, by) };
        (low, high)
    }

    #[inline(always)]
    fn shift_words_down(self, a: Pair, by: u32) -> Pair {
        // SAFETY: `self` proves that the CPU has AVX2.
        let low = unsafe { shift_down(a.0, by) };
        // SAFETY: as above.
        let high = unsafe { shift_down(a.1, by) };
        (low, high)
    }

    one_call! {
        fn no_count() -> __m256i = _mm256_setzero_si256();
        fn count(count: __m256i, bits: Pair) -> __m256i = count_pair(count, bits);
        fn total(count: __m256i) -> u64 = total_of(count);
    }

    on_halves! {
        fn and_not(a, b) = and_not;
        fn count_words(count, bits) = count_each;
    }

    one_call! {
        fn splat_word(word: u64) -> Pair = {
            let half = _mm256_set1_epi64x(word.cast_signed());
            (half, half)
        };
        fn zero_words(a: Pair) -> u8 = zero_words(a);
        fn keep_words(a: Pair, mask: u8) -> Pair = keep_words(a, mask);
        fn sum_words(a: Pair) -> u64 = total_of(_mm256_add_epi64(a.0, a.1));
        fn pack_bits(word: u64, mask: u64) -> u64 = _pext_u64(word, mask);
        fn spread_bits(word: u64, mask: u64) -> u64 = _pdep_u64(word, mask);
    }

    #[inline(always)]
    fn members(self, set: &[Block], objects: &[u32; 64]) -> u64 {
        // The gathers of AVX2 load word by word, as this code does.
        Portable.members(set, objects)
    }

    #[inline(always)]
    fn within(self, numbers: &[u32; 64], range: Range<u32>) -> u64 {
        let mut within = 0;
        for (place, eight) in numbers.as_chunks::<8>().0.iter().enumerate() {
            // SAFETY: `self` proves that the CPU has the instructions.
            within |= u64::from(unsafe { eight_within(eight, &range) }) << (8 * place);
        }
        within
    }

    #[inline(always)]
    fn equal_bytes(self, bytes: &[u8; 64], byte: u8) -> u64 {
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { bytes_equal(bytes, byte) }
    }

    #[inline(always)]
    fn compress_words(self, a: Pair, mask: u8, out: &mut [Block], at: usize) {
        let mut words = Block::ZERO;
        self.store(a, &mut words);
        compress_one_by_one(words.0, mask, out, at);
    }
}
