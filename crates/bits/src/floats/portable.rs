//! Plain loops over sixteen numbers. A fused operation is a call of the system's library where the target has no instruction
//! for it: slow, and right.

use super::Floats;
use super::block::{FLOATS, FloatBlock};
use crate::portable::Portable;
use std::array::from_fn;

type Sixteen = [f32; FLOATS];

impl Floats for Portable {
    type Floats = Sixteen;
    const ROOM: usize = 4;

    #[inline(always)]
    fn load_floats(self, block: &FloatBlock) -> Sixteen {
        block.0
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
        from_fn(|lane| a[lane].mul_add(b[lane], c[lane]))
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
