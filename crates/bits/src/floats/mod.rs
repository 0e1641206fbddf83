//! Operations on sixteen floats at a time, which differ between instruction sets.
//!
//! Every operation is correctly rounded, lane by lane, so all instruction sets give the same bits. Nothing
//! here sums over lanes.

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "intrinsics")]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "intrinsics")]
mod avx512;
pub(crate) mod block;
mod portable;

use block::{FLOATS, FloatBlock};

/// The operations on sixteen numbers that differ between instruction sets.
///
/// As for [`Simd`](crate::Simd), a value of an implementing type is the proof that the CPU has its
/// instructions.
pub trait Floats: Copy {
    /// Sixteen numbers in registers.
    type Floats: Copy;

    /// The number of such values that fit in registers, with some registers left for intermediate results.
    const ROOM: usize;

    /// Loads a block.
    fn load_floats(self, block: &FloatBlock) -> Self::Floats;
    /// Loads sixteen numbers from unaligned memory.
    fn load_sixteen(self, sixteen: &[f32; FLOATS]) -> Self::Floats;
    /// Stores a block.
    fn store_floats(self, floats: Self::Floats, block: &mut FloatBlock);
    /// The same number sixteen times.
    fn splat_float(self, number: f32) -> Self::Floats;
    /// `a · b + c`, rounded once.
    fn fused(self, a: Self::Floats, b: Self::Floats, c: Self::Floats) -> Self::Floats;
    /// `a · b`.
    fn times(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// `a + b`.
    fn plus(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// `a - b`.
    fn minus(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// `a / b`.
    fn over(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// `a` where `a > b`, otherwise `b`, also where one of them is NaN.
    fn larger(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// `a` where `a < b`, otherwise `b`, also where one of them is NaN.
    fn smaller(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// `a` where it is finite, otherwise `b`.
    fn finite_or(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// The bits of `a` plus those of `b` shifted to the exponent, as integers, wrapping.
    fn add_exponent(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// Returns where `a > b`, one bit for each.
    fn above(self, a: Self::Floats, b: Self::Floats) -> u16;
    /// Returns where `a = b`, one bit for each.
    fn equal(self, a: Self::Floats, b: Self::Floats) -> u16;
    /// Writes the numbers of a mask consecutively, starting at index `at` of `out`. Up to sixteen numbers
    /// there are overwritten.
    ///
    /// # Panics
    /// When there is no space for sixteen numbers.
    fn compress_floats(self, a: Self::Floats, mask: u16, out: &mut [f32], at: usize);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kernel, Level, Simd};
    use proptest::prelude::*;

    /// Applies all operations to three blocks and returns the results as bits.
    struct All<'a>(&'a [FloatBlock; 3], u16);

    impl Kernel for All<'_> {
        type Output = (Vec<[u32; FLOATS]>, u16, u16, Vec<u32>);

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> Self::Output {
            let [a, b, c] = self.0;
            let (a, b, c) = (simd.load_floats(a), simd.load_floats(b), simd.load_floats(c));
            let results = [
                simd.fused(a, b, c),
                simd.times(a, b),
                simd.plus(a, b),
                simd.minus(a, b),
                simd.over(a, b),
                simd.larger(a, b),
                simd.smaller(a, b),
                simd.finite_or(a, b),
                simd.add_exponent(a, b),
                simd.splat_float(self.0[0].0[3]),
                simd.load_sixteen(&self.0[2].0),
            ];
            let mut bits = Vec::new();
            for result in results {
                let mut block = FloatBlock::ZERO;
                simd.store_floats(result, &mut block);
                bits.push(block.0.map(bits_of));
            }
            let mut packed = vec![0.0; 20];
            simd.compress_floats(a, self.1, &mut packed, 3);
            packed.truncate(3 + self.1.count_ones() as usize);
            (bits, simd.above(a, b), simd.equal(a, b), packed.into_iter().map(bits_of).collect())
        }
    }

    /// Returns the bits of a number, with one pattern for all NaNs, because the pattern depends on the
    /// instruction set.
    fn bits_of(number: f32) -> u32 {
        if number.is_nan() { f32::NAN.to_bits() } else { number.to_bits() }
    }

    fn number() -> impl Strategy<Value = f32> {
        prop_oneof![
            4 => -4.0f32..4.0,
            2 => any::<u32>().prop_map(f32::from_bits),
            1 => prop::sample::select(vec![
                0.0, -0.0, 1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e-45, f32::MAX
            ]),
        ]
    }

    proptest! {
        #[test]
        fn every_instruction_set_gives_the_same_bits(
            numbers in prop::collection::vec(number(), 3 * FLOATS),
            mask: u16,
        ) {
            let block = |place: usize| FloatBlock(std::array::from_fn(|lane| numbers[place * FLOATS + lane]));
            let blocks = [block(0), block(1), block(2)];
            let [FloatBlock(a), FloatBlock(b), FloatBlock(c)] = blocks;
            let plainly = |which: fn(f32, f32, f32) -> f32| -> [u32; FLOATS] {
                std::array::from_fn(|lane| bits_of(which(a[lane], b[lane], c[lane])))
            };
            let expected = [
                plainly(f32::mul_add),
                plainly(|a, b, _| a * b),
                plainly(|a, b, _| a + b),
                plainly(|a, b, _| a - b),
                plainly(|a, b, _| a / b),
                plainly(|a, b, _| if a > b { a } else { b }),
                plainly(|a, b, _| if a < b { a } else { b }),
                plainly(|a, b, _| if a.is_finite() { a } else { b }),
                plainly(|a, b, _| f32::from_bits(a.to_bits().wrapping_add(b.to_bits() << 23))),
                [bits_of(a[3]); FLOATS],
                c.map(bits_of),
            ];
            let mut packed = vec![0; 3];
            packed.extend((0..FLOATS).filter(|lane| mask >> lane & 1 == 1).map(|lane| bits_of(a[lane])));
            for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
                let (found, above, equal, compressed) = level.run(All(&blocks, mask));
                prop_assert_eq!(&found[..], &expected[..], "{}", level);
                prop_assert_eq!(&compressed, &packed, "{}", level);
                for lane in 0..FLOATS {
                    prop_assert_eq!(above >> lane & 1 == 1, a[lane] > b[lane], "{}", level);
                    prop_assert_eq!(equal >> lane & 1 == 1, a[lane] == b[lane], "{}", level);
                }
            }
        }
    }
}
