//! AVX2 with fused operations: sixteen numbers are two registers.
//!
//! **Benefit.** Twice the width of the portable kernel, and fused operations as instructions; see the `avx2`
//! rows of `bench networks`.
//!
//! **Soundness.** As for the operations on bits, an [`Avx2`] is only created by its `detect`, which checks
//! that the CPU supports AVX2 and FMA; nothing below needs more.

use super::Floats;
use super::block::{FLOATS, FloatBlock};
use crate::avx2::Avx2;
use std::arch::x86_64::*;

/// Sixteen numbers in two registers.
type Pair = (__m256, __m256);

/// For every mask of eight lanes, the lane that moves to each position.
static PACKING: [[u32; 8]; 256] = packing();

const fn packing() -> [[u32; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut lane, mut place) = (0, 0);
        while lane < 8 {
            if mask >> lane & 1 == 1 {
                table[mask][place] = lane;
                place += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
}

#[inline]
#[target_feature(enable = "avx2")]
fn finite_or(a: __m256, b: __m256) -> __m256 {
    // x - x is 0 only for finite x.
    let finite = _mm256_cmp_ps::<_CMP_EQ_OQ>(_mm256_sub_ps(a, a), _mm256_setzero_ps());
    _mm256_blendv_ps(b, a, finite)
}

#[inline]
#[target_feature(enable = "avx2")]
fn add_exponent(a: __m256, b: __m256) -> __m256 {
    let exponent = _mm256_slli_epi32::<23>(_mm256_castps_si256(b));
    _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(a), exponent))
}

#[inline]
#[target_feature(enable = "avx2")]
fn above(a: __m256, b: __m256) -> u8 {
    _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(a, b)).to_le_bytes()[0]
}

#[inline]
#[target_feature(enable = "avx2")]
fn equal(a: __m256, b: __m256) -> u8 {
    _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_EQ_OQ>(a, b)).to_le_bytes()[0]
}

/// Moves the numbers of a mask to the front.
#[inline]
#[target_feature(enable = "avx2")]
fn packed(a: __m256, mask: u8) -> __m256 {
    // SAFETY: a row of the table is 32 readable bytes; the load needs no alignment.
    let lanes = unsafe { _mm256_loadu_si256(PACKING[usize::from(mask)].as_ptr().cast()) };
    _mm256_permutevar8x32_ps(a, lanes)
}

/// Defines methods that apply one operation to both halves.
macro_rules! on_halves {
    ($(fn $name:ident($($arg:ident),+) = $one:path;)*) => {$(
        #[inline(always)]
        fn $name(self, $($arg: Pair),+) -> Pair {
            // SAFETY: `self` proves that the CPU has the instructions.
            let low = unsafe { $one($($arg.0),+) };
            // SAFETY: as above.
            let high = unsafe { $one($($arg.1),+) };
            (low, high)
        }
    )*};
}

/// Defines methods that compare both halves.
macro_rules! compare_halves {
    ($(fn $name:ident = $one:path;)*) => {$(
        #[inline(always)]
        fn $name(self, a: Pair, b: Pair) -> u16 {
            // SAFETY: `self` proves that the CPU has the instructions.
            let low = unsafe { $one(a.0, b.0) };
            // SAFETY: as above.
            let high = unsafe { $one(a.1, b.1) };
            u16::from_le_bytes([low, high])
        }
    )*};
}

impl Floats for Avx2 {
    type Floats = Pair;
    const ROOM: usize = 4;

    #[inline(always)]
    fn load_floats(self, block: &FloatBlock) -> Pair {
        let start = block.0.as_ptr();
        // SAFETY: a block is 64 readable, aligned bytes: two halves.
        let low = unsafe { _mm256_load_ps(start) };
        // SAFETY: as above; the second half starts at the ninth number.
        let high = unsafe { _mm256_load_ps(start.wrapping_add(8)) };
        (low, high)
    }

    #[inline(always)]
    fn load_sixteen(self, sixteen: &[f32; FLOATS]) -> Pair {
        let start = sixteen.as_ptr();
        // SAFETY: sixteen numbers are 64 readable bytes; the load needs no alignment.
        let low = unsafe { _mm256_loadu_ps(start) };
        // SAFETY: as above; the second half starts at the ninth number.
        let high = unsafe { _mm256_loadu_ps(start.wrapping_add(8)) };
        (low, high)
    }

    #[inline(always)]
    fn store_floats(self, floats: Pair, block: &mut FloatBlock) {
        let start = block.0.as_mut_ptr();
        // SAFETY: a block is 64 writable, aligned bytes: two halves.
        unsafe { _mm256_store_ps(start, floats.0) };
        // SAFETY: as above; the second half starts at the ninth number.
        unsafe { _mm256_store_ps(start.wrapping_add(8), floats.1) };
    }

    #[inline(always)]
    fn splat_float(self, number: f32) -> Pair {
        // SAFETY: `self` proves that the CPU has the instruction.
        let half = unsafe { _mm256_set1_ps(number) };
        (half, half)
    }

    on_halves! {
        fn fused(a, b, c) = _mm256_fmadd_ps;
        fn times(a, b) = _mm256_mul_ps;
        fn plus(a, b) = _mm256_add_ps;
        fn minus(a, b) = _mm256_sub_ps;
        fn over(a, b) = _mm256_div_ps;
        fn larger(a, b) = _mm256_max_ps;
        fn smaller(a, b) = _mm256_min_ps;
        fn finite_or(a, b) = finite_or;
        fn add_exponent(a, b) = add_exponent;
    }

    compare_halves! {
        fn above = above;
        fn equal = equal;
    }

    #[inline(always)]
    fn compress_floats(self, a: Pair, mask: u16, out: &mut [f32], at: usize) {
        let out = &mut out[at..at + FLOATS];
        let [low, high] = mask.to_le_bytes();
        // SAFETY: `self` proves that the CPU has the instructions.
        let first = unsafe { packed(a.0, low) };
        // SAFETY: as above.
        let second = unsafe { packed(a.1, high) };
        let start = out.as_mut_ptr();
        // SAFETY: there is space for sixteen numbers; the store needs no alignment.
        unsafe { _mm256_storeu_ps(start, first) };
        // At most eight positions further.
        let behind = start.wrapping_add(low.count_ones() as usize);
        // SAFETY: as above, there is space for eight more numbers.
        unsafe { _mm256_storeu_ps(behind, second) };
    }
}
