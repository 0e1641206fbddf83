//! Plain loops over sixteen numbers. If the target has no fused instruction, the operation is composed of
//! others; the system library would do the same for one number at a time.

use super::Floats;
use super::block::{FLOATS, FloatBlock};
use crate::portable::Portable;
use std::array::from_fn;

type Sixteen = [f32; FLOATS];

/// `a * b + c`, rounded once.
///
/// The product is exact in double precision. An inexact sum is rounded to odd in double precision.
/// The odd bit is far below the last bit of single precision, so the sum is never halfway between two
/// single-precision numbers, and the second rounding gives the same result as a single rounding (S. Boldo, G.
/// Melquiond, "Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd",
/// 2008).
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "rounded")]
fn fused(a: f32, b: f32, c: f32) -> f32 {
    if cfg!(any(target_arch = "aarch64", target_feature = "fma")) {
        return a.mul_add(b, c);
    }
    let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + c;
    // The exact rounding error of the sum; NaN if the sum is not finite.
    let other = sum - product;
    let lost = (product - (sum - other)) + (c - other);
    // An inexact even sum moves by one unit toward the exact sum.
    let bits = sum.to_bits();
    let moves = u64::from((lost > 0.0) | (lost < 0.0)) & !bits & 1;
    let back = (bits ^ lost.to_bits()) >> 63;
    f64::from_bits(bits.wrapping_add(moves).wrapping_sub((moves & back) << 1)) as f32
}

/// Computes sixteen fused operations. Without a fused instruction the code is long, so it is not inlined
/// into every caller.
#[cfg_attr(any(target_arch = "aarch64", target_feature = "fma"), inline(always))]
#[cfg_attr(not(any(target_arch = "aarch64", target_feature = "fma")), inline(never))]
fn fused_sixteen(a: &Sixteen, b: &Sixteen, c: &Sixteen) -> Sixteen {
    from_fn(|lane| fused(a[lane], b[lane], c[lane]))
}

impl Floats for Portable {
    type Floats = Sixteen;
    const ROOM: usize = 4;

    #[inline(always)]
    fn load_floats(self, block: &FloatBlock) -> Sixteen {
        block.0
    }

    #[inline(always)]
    fn load_sixteen(self, sixteen: &Sixteen) -> Sixteen {
        *sixteen
    }

    #[inline(always)]
    fn store_floats(self, floats: Sixteen, block: &mut FloatBlock) {
        block.0 = floats;
    }

    #[inline(always)]
    fn splat_float(self, number: f32) -> Sixteen {
        [number; FLOATS]
    }

    #[inline(always)]
    fn fused(self, a: Sixteen, b: Sixteen, c: Sixteen) -> Sixteen {
        fused_sixteen(&a, &b, &c)
    }

    #[inline(always)]
    fn times(self, a: Sixteen, b: Sixteen) -> Sixteen {
        from_fn(|lane| a[lane] * b[lane])
    }

    #[inline(always)]
    fn plus(self, a: Sixteen, b: Sixteen) -> Sixteen {
        from_fn(|lane| a[lane] + b[lane])
    }

    #[inline(always)]
    fn minus(self, a: Sixteen, b: Sixteen) -> Sixteen {
        from_fn(|lane| a[lane] - b[lane])
    }

    #[inline(always)]
    fn over(self, a: Sixteen, b: Sixteen) -> Sixteen {
        from_fn(|lane| a[lane] / b[lane])
    }

    #[inline(always)]
    fn larger(self, a: Sixteen, b: Sixteen) -> Sixteen {
        from_fn(|lane| if a[lane] > b[lane] { a[lane] } else { b[lane] })
    }

    #[inline(always)]
    fn smaller(self, a: Sixteen, b: Sixteen) -> Sixteen {
        from_fn(|lane| if a[lane] < b[lane] { a[lane] } else { b[lane] })
    }

    #[inline(always)]
    fn finite_or(self, a: Sixteen, b: Sixteen) -> Sixteen {
        from_fn(|lane| if a[lane].is_finite() { a[lane] } else { b[lane] })
    }

    #[inline(always)]
    fn add_exponent(self, a: Sixteen, b: Sixteen) -> Sixteen {
        from_fn(|lane| f32::from_bits(a[lane].to_bits().wrapping_add(b[lane].to_bits() << 23)))
    }

    #[inline(always)]
    fn above(self, a: Sixteen, b: Sixteen) -> u16 {
        let mut above = 0;
        for lane in 0..FLOATS {
            above |= u16::from(a[lane] > b[lane]) << lane;
        }
        above
    }

    #[inline(always)]
    fn equal(self, a: Sixteen, b: Sixteen) -> u16 {
        let mut equal = 0;
        for lane in 0..FLOATS {
            equal |= u16::from(a[lane] == b[lane]) << lane;
        }
        equal
    }

    #[inline(always)]
    fn compress_floats(self, a: Sixteen, mask: u16, out: &mut [f32], at: usize) {
        let out = &mut out[at..at + FLOATS];
        let (mut left, mut place) = (mask, 0);
        while left != 0 {
            out[place] = a[left.trailing_zeros() as usize];
            left &= left - 1;
            place += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fused;
    use pellucid_testdata::cases;
    use proptest::prelude::*;

    fn bits_of(number: f32) -> u32 {
        if number.is_nan() { f32::NAN.to_bits() } else { number.to_bits() }
    }

    /// Generates numbers with few bits, whose products and sums are often halfway between two numbers.
    fn with_few_bits() -> impl Strategy<Value = f32> {
        (any::<bool>(), 0_u32..255, 0_u32..8, 0_u32..4).prop_map(
            |(negative, exponent, high, low)| {
                f32::from_bits(u32::from(negative) << 31 | exponent << 23 | high << 20 | low)
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: cases(2000), ..ProptestConfig::default() })]

        #[test]
        fn a_fused_operation_is_rounded_once(
            a in with_few_bits(),
            b in with_few_bits(),
            c in with_few_bits(),
            any: [u32; 3],
        ) {
            prop_assert_eq!(bits_of(fused(a, b, c)), bits_of(a.mul_add(b, c)), "{} * {} + {}", a, b, c);
            let [a, b, c] = any.map(f32::from_bits);
            prop_assert_eq!(bits_of(fused(a, b, c)), bits_of(a.mul_add(b, c)), "{} * {} + {}", a, b, c);
        }

        #[test]
        fn a_fused_operation_is_rounded_once_near_halfway(
            bits in 0_u32..1 << 23,
            below in 1_u32..100,
            exponent in 1_u32..200,
            negative: bool,
        ) {
            // Half a unit in the last place of c, and slightly more or less.
            let c = f32::from_bits((exponent + 27) << 23 | bits);
            let half = f32::from_bits((exponent + 3) << 23);
            for near in [half.to_bits() - below, half.to_bits(), half.to_bits() + below] {
                let a = f32::from_bits(near) * if negative { -1.0 } else { 1.0 };
                for b in [1.0, 1.0 + f32::EPSILON, 1.0 - f32::EPSILON] {
                    let exact = bits_of(a.mul_add(b, c));
                    prop_assert_eq!(bits_of(fused(a, b, c)), exact, "{} * {} + {}", a, b, c);
                }
            }
        }
    }
}
