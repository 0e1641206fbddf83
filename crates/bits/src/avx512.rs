//! AVX-512 with vector popcounts (Ice Lake, Zen 4 and later): a block is one register.
//!
//! **Benefit.** `vpternlogq` compares a plane in one instruction and `vpopcntq` counts a block in
//! one; compare the `avx512` rows of `bench interpreter` with the `avx2` and `portable` rows.
//!
//! **Soundness.** An [`Avx512`] is only created by [`Avx512::detect`], which checks that the CPU supports
//! AVX-512F, VPOPCNTDQ and the requirements of the AVX2 kernel; nothing below needs more. Loads and stores go
//! through references to [`Block`], which is 64 bytes long and 64-byte aligned.

use super::avx2::{Avx2, bytes_equal};
use super::simd::{Kernel, Simd};
use crate::Block;
use std::arch::x86_64::*;
use std::ops::Range;

/// The proof that the CPU has AVX-512F and VPOPCNTDQ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

impl Avx512 {
    pub(super) fn detect() -> Option<Avx512> {
        (Avx2::detect().is_some()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vpopcntdq"))
        .then_some(Avx512(()))
    }
}

/// No bits and all bits, read from memory because broadcasting a word from a general register needs one of
/// the two ports that the logic instructions need.
static MASKS: [i64; 2] = [0, -1];

/// Compiles a kernel with the instructions enabled, so that everything inlined into it can use them.
#[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,fma,bmi1,bmi2,popcnt")]
fn compiled<K: Kernel>(simd: Avx512, kernel: K) -> K::Output {
    kernel.run(simd)
}

/// Returns which of sixteen numbers are within a range.
#[inline]
#[target_feature(enable = "avx512f")]
fn sixteen_within(numbers: &[u32; 16], range: &Range<u32>) -> u16 {
    // SAFETY: sixteen numbers of four bytes are 64 readable bytes; the load needs no alignment.
    let numbers = unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) };
    let first = _mm512_set1_epi32(range.start.cast_signed());
    let len = _mm512_set1_epi32(range.end.saturating_sub(range.start).cast_signed());
    // Numbers below the range wrap around and become large.
    _mm512_cmplt_epu32_mask(_mm512_sub_epi32(numbers, first), len)
}

/// Returns which of sixteen objects are in a set.
#[inline]
#[target_feature(enable = "avx512f")]
fn sixteen_members(set: &[Block], objects: &[u32; 16]) -> u16 {
    // Counted in 32-bit words. A set has fewer than 2^31 members, so the number fits.
    #[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap)]
    let words = _mm512_set1_epi32((set.len() * 16) as i32);
    // SAFETY: sixteen numbers of four bytes are 64 readable bytes; the load needs no alignment.
    let objects = unsafe { _mm512_loadu_si512(objects.as_ptr().cast()) };
    let word = _mm512_srli_epi32::<5>(objects);
    let there = _mm512_cmplt_epu32_mask(word, words);
    let bit =
        _mm512_sllv_epi32(_mm512_set1_epi32(1), _mm512_and_si512(objects, _mm512_set1_epi32(31)));
    let (none, base) = (_mm512_setzero_si512(), set.as_ptr().cast());
    // SAFETY: only words below the set's number of words are read, the mask excludes all others.
    let found = unsafe { _mm512_mask_i32gather_epi32::<4>(none, there, word, base) };
    _mm512_test_epi32_mask(found, bit)
}

/// Defines methods that are one intrinsic each.
macro_rules! one_intrinsic {
    ($(fn $name:ident($($arg:ident: $type:ty),*) -> $out:ty = $body:expr;)*) => {$(
        #[inline(always)]
        fn $name(self, $($arg: $type),*) -> $out {
            // SAFETY: `self` proves that the CPU has the instruction.
            unsafe { $body }
        }
    )*};
}

pub(crate) use one_intrinsic;

impl Simd for Avx512 {
    type Bits = __m512i;
    type Count = __m512i;
    const TERNARY: bool = true;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        // SAFETY: `self` proves that the CPU has the features `compiled` is compiled for.
        unsafe { compiled(self, kernel) }
    }

    #[inline(always)]
    fn prefetch(self, block: &Block) {
        // SAFETY: prefetching affects only the cache; every x86-64 CPU has the instruction.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(std::ptr::from_ref(block).cast()) }
    }

    #[inline(always)]
    fn load(self, block: &Block) -> __m512i {
        // SAFETY: a block is 64 readable, aligned bytes; `self` proves the instruction.
        unsafe { _mm512_load_si512(std::ptr::from_ref(block).cast()) }
    }

    #[inline(always)]
    fn store(self, bits: __m512i, block: &mut Block) {
        // SAFETY: a block is 64 writable, aligned bytes; `self` proves the instruction.
        unsafe { _mm512_store_si512(std::ptr::from_mut(block).cast(), bits) }
    }

    one_intrinsic! {
        fn splat(bit: bool) -> __m512i = _mm512_set1_epi64(MASKS[usize::from(bit)]);
        fn and(a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512(a, b);
        fn or(a: __m512i, b: __m512i) -> __m512i = _mm512_or_si512(a, b);
        fn xor(a: __m512i, b: __m512i) -> __m512i = _mm512_xor_si512(a, b);
        fn not(a: __m512i) -> __m512i = _mm512_ternarylogic_epi64::<0x0F>(a, a, a);
        fn majority(a: __m512i, b: __m512i, c: __m512i) -> __m512i =
            _mm512_ternarylogic_epi64::<0xE8>(a, b, c);
        fn parity(a: __m512i, b: __m512i, c: __m512i) -> __m512i = _mm512_ternarylogic_epi64::<0x96>(a, b, c);
        fn and_same(a: __m512i, b: __m512i, c: __m512i) -> __m512i =
            _mm512_ternarylogic_epi64::<0x90>(a, b, c);
        fn add_words(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi64(a, b);
        fn shift_words(a: __m512i, by: u32) -> __m512i =
            _mm512_sllv_epi64(a, _mm512_set1_epi64(i64::from(by)));
        fn shift_words_down(a: __m512i, by: u32) -> __m512i =
            _mm512_srlv_epi64(a, _mm512_set1_epi64(i64::from(by)));
        fn and3(a: __m512i, b: __m512i, c: __m512i) -> __m512i = _mm512_ternarylogic_epi64::<0x80>(a, b, c);
        fn no_count() -> __m512i = _mm512_setzero_si512();
        fn count(count: __m512i, bits: __m512i) -> __m512i =
            _mm512_add_epi64(count, _mm512_popcnt_epi64(bits));
        fn total(count: __m512i) -> u64 = _mm512_reduce_add_epi64(count).cast_unsigned();
        fn splat_word(word: u64) -> __m512i = _mm512_set1_epi64(word.cast_signed());
        fn and_not(a: __m512i, b: __m512i) -> __m512i = _mm512_andnot_si512(b, a);
        fn zero_words(a: __m512i) -> u8 = _mm512_testn_epi64_mask(a, a);
        fn keep_words(a: __m512i, mask: u8) -> __m512i = _mm512_maskz_mov_epi64(mask, a);
        fn sum_words(a: __m512i) -> u64 = _mm512_reduce_add_epi64(a).cast_unsigned();
        fn count_words(count: __m512i, bits: __m512i) -> __m512i =
            _mm512_add_epi64(count, _mm512_popcnt_epi64(bits));
        fn pack_bits(word: u64, mask: u64) -> u64 = _pext_u64(word, mask);
        fn spread_bits(word: u64, mask: u64) -> u64 = _pdep_u64(word, mask);
    }

    #[inline(always)]
    fn totals(self, one: __m512i, other: __m512i) -> (u64, u64) {
        // Summing a register takes as long as counting eight blocks, so two counts share one sum.
        let both = self.total(self.add_words(one, self.shift_words(other, 32)));
        (both & u64::from(u32::MAX), both >> 32)
    }

    #[inline(always)]
    fn members(self, set: &[Block], objects: &[u32; 64]) -> u64 {
        let mut members = 0;
        for (place, sixteen) in objects.as_chunks::<16>().0.iter().enumerate() {
            // SAFETY: `self` proves that the CPU has the instructions.
            members |= u64::from(unsafe { sixteen_members(set, sixteen) }) << (16 * place);
        }
        members
    }

    #[inline(always)]
    fn within(self, numbers: &[u32; 64], range: Range<u32>) -> u64 {
        let mut within = 0;
        for (place, sixteen) in numbers.as_chunks::<16>().0.iter().enumerate() {
            // SAFETY: `self` proves that the CPU has the instructions.
            within |= u64::from(unsafe { sixteen_within(sixteen, &range) }) << (16 * place);
        }
        within
    }

    #[inline(always)]
    fn equal_bytes(self, bytes: &[u8; 64], byte: u8) -> u64 {
        // SAFETY: `self` proves that the CPU has AVX2, too; whole registers of bytes would require more
        // than it proves.
        unsafe { bytes_equal(bytes, byte) }
    }

    #[inline(always)]
    fn compress_words(self, a: __m512i, mask: u8, out: &mut [Block], at: usize) {
        // All eight words are written, not only those of the mask: a store with a mask computed at run time
        // is slow on some CPUs (Zen 4).
        assert!(at + 8 <= out.len() * 8, "expected space for eight words");
        let place: *mut u64 = out.as_mut_ptr().cast();
        let place = place.wrapping_add(at);
        // SAFETY: `self` proves that the CPU has the instruction.
        let packed = unsafe { _mm512_maskz_compress_epi64(mask, a) };
        // SAFETY: blocks are eight words each without padding, so `at + 8` words from the start are within
        // `out`, as asserted; the store needs no alignment.
        unsafe { _mm512_storeu_si512(place.cast(), packed) };
    }
}
