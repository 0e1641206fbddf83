//! AVX-512: sixteen numbers are one register.
//!
//! **Benefit.** Twice the width of AVX2 and twice the registers; compare the `avx512` rows with the `avx2`
//! rows of `bench networks`.
//!
//! **Soundness.** As for the operations on bits, an [`Avx512`] is only created by its `detect`, which checks
//! that the CPU supports AVX-512F; nothing below needs more.

use super::Floats;
use super::block::{FLOATS, FloatBlock};
use crate::avx512::{Avx512, one_intrinsic};
use std::arch::x86_64::*;

/// `a` where it is finite, otherwise `b`.
#[inline]
#[target_feature(enable = "avx512f")]
fn finite_or(a: __m512, b: __m512) -> __m512 {
    // x - x is 0 only for finite x.
    let finite = _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(_mm512_sub_ps(a, a), _mm512_setzero_ps());
    _mm512_mask_blend_ps(finite, b, a)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn add_exponent(a: __m512, b: __m512) -> __m512 {
    let exponent = _mm512_slli_epi32::<23>(_mm512_castps_si512(b));
    _mm512_castsi512_ps(_mm512_add_epi32(_mm512_castps_si512(a), exponent))
}

impl Floats for Avx512 {
    type Floats = __m512;
    const ROOM: usize = 16;

    #[inline(always)]
    fn load_floats(self, block: &FloatBlock) -> __m512 {
        // SAFETY: a block is 64 readable, aligned bytes; `self` proves the instruction.
        unsafe { _mm512_load_ps(block.0.as_ptr()) }
    }

    #[inline(always)]
    fn load_sixteen(self, sixteen: &[f32; FLOATS]) -> __m512 {
        // SAFETY: sixteen numbers are 64 readable bytes; the load needs no alignment, and `self` proves the
        // instruction.
        unsafe { _mm512_loadu_ps(sixteen.as_ptr()) }
    }

    #[inline(always)]
    fn store_floats(self, floats: __m512, block: &mut FloatBlock) {
        // SAFETY: a block is 64 writable, aligned bytes; `self` proves the instruction.
        unsafe { _mm512_store_ps(block.0.as_mut_ptr(), floats) }
    }

    one_intrinsic! {
        fn splat_float(number: f32) -> __m512 = _mm512_set1_ps(number);
        fn fused(a: __m512, b: __m512, c: __m512) -> __m512 = _mm512_fmadd_ps(a, b, c);
        fn times(a: __m512, b: __m512) -> __m512 = _mm512_mul_ps(a, b);
        fn plus(a: __m512, b: __m512) -> __m512 = _mm512_add_ps(a, b);
        fn minus(a: __m512, b: __m512) -> __m512 = _mm512_sub_ps(a, b);
        fn over(a: __m512, b: __m512) -> __m512 = _mm512_div_ps(a, b);
        fn larger(a: __m512, b: __m512) -> __m512 = _mm512_max_ps(a, b);
        fn smaller(a: __m512, b: __m512) -> __m512 = _mm512_min_ps(a, b);
        fn finite_or(a: __m512, b: __m512) -> __m512 = finite_or(a, b);
        fn add_exponent(a: __m512, b: __m512) -> __m512 = add_exponent(a, b);
        fn above(a: __m512, b: __m512) -> u16 = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(a, b);
        fn equal(a: __m512, b: __m512) -> u16 = _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(a, b);
    }

    #[inline(always)]
    fn compress_floats(self, a: __m512, mask: u16, out: &mut [f32], at: usize) {
        let out = &mut out[at..at + FLOATS];
        // All sixteen numbers are written, as for words.
        // SAFETY: `self` proves that the CPU has the instruction.
        let packed = unsafe { _mm512_maskz_compress_ps(mask, a) };
        // SAFETY: there is space for sixteen numbers; the store needs no alignment.
        unsafe { _mm512_storeu_ps(out.as_mut_ptr(), packed) };
    }
}
