//! Numbers as bit planes: plane *p* has bit *p* of 512 numbers, and all of them are compared with a number
//! at once.

use crate::{Block, Simd, load};

/// Returns, for each of `K` cuts, which numbers are greater or, with `or_equal`, greater or equal. The planes
/// are given from the lowest, `N` blocks of each.
///
/// Several cuts are processed together, and every plane is read once for all of them.
///
/// A cut must not have bits beyond the planes.
#[inline(always)]
pub fn above<'a, S: Simd, const N: usize, const K: usize>(
    simd: S,
    planes: impl Iterator<Item = &'a [Block; N]>,
    mut cuts: [u32; K],
    or_equal: [bool; K],
) -> [[S::Bits; N]; K] {
    let mut greater = [[simd.splat(false); N]; K];
    for (greater, or_equal) in greater.iter_mut().zip(or_equal) {
        *greater = [simd.splat(or_equal); N];
    }
    for plane in planes {
        let blocks = load::<S, N>(simd, plane);
        for (greater, cut) in greater.iter_mut().zip(&mut cuts) {
            let clear = simd.splat(*cut & 1 == 0);
            *cut >>= 1;
            for (greater, block) in greater.iter_mut().zip(blocks) {
                *greater = next_plane(simd, *greater, block, clear);
            }
        }
    }
    greater
}

/// Returns which numbers are greater than or equal to a number of their own with at most as many planes.
/// The planes of both are given from the lowest.
#[inline(always)]
pub fn at_least<S: Simd, const P: usize>(
    simd: S,
    numbers: [S::Bits; P],
    least: &[Block],
) -> S::Bits {
    let mut enough = simd.splat(true);
    for (plane, number) in numbers.into_iter().enumerate() {
        let clear = match least.get(plane) {
            Some(block) => simd.not(simd.load(block)),
            None => simd.splat(true),
        };
        enough = next_plane(simd, enough, number, clear);
    }
    enough
}

/// Compares one more plane, given the result of the lower ones and the inverted plane of the cuts.
///
/// A higher bit overrides the result of the lower ones unless it equals that of the cut. With the cut's bit
/// inverted that is a majority of three, without a branch, which would be unpredictable.
#[inline(always)]
fn next_plane<S: Simd>(simd: S, lower: S::Bits, plane: S::Bits, clear: S::Bits) -> S::Bits {
    simd.majority(lower, plane, clear)
}

/// Returns which numbers equal a given number. The planes are given from the lowest, `N` blocks of each.
#[inline(always)]
pub fn equal<'a, S: Simd, const N: usize>(
    simd: S,
    planes: impl Iterator<Item = &'a [Block; N]>,
    mut number: u32,
) -> [S::Bits; N] {
    let mut same = [simd.splat(true); N];
    for plane in planes {
        let set = simd.splat(number & 1 == 1);
        number >>= 1;
        for (same, block) in same.iter_mut().zip(plane) {
            *same = simd.and_same(*same, simd.load(block), set);
        }
    }
    same
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kernel, Level, planes_of_64};
    use pellucid_testdata::cases;
    use proptest::prelude::*;

    struct Compare<'a>(&'a [Block], [u32; 2], &'a [Block]);

    impl Kernel for Compare<'_> {
        type Output = [Block; 4];

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> [Block; 4] {
            let Compare(planes, cuts, others) = self;
            let [[above_first], [from_second]] =
                above(simd, planes.as_chunks::<1>().0.iter(), cuts, [false, true]);
            let [equal] = equal(simd, planes.as_chunks::<1>().0.iter(), cuts[0]);
            let mut numbers = [simd.splat(false); 12];
            for (number, plane) in numbers.iter_mut().zip(planes) {
                *number = simd.load(plane);
            }
            let enough = at_least(simd, numbers, others);
            let mut out = [Block::ONES; 4];
            for (out, bits) in out.iter_mut().zip([above_first, from_second, equal, enough]) {
                simd.store(bits, out);
            }
            out
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(cases(128)))]

        #[test]
        fn planes_compare_like_numbers(
            planes in 0usize..12,
            numbers in prop::collection::vec(any::<u32>(), 512),
            others in prop::collection::vec(any::<u32>(), 512),
            cuts in any::<[u32; 2]>(),
        ) {
            let below = 1u32 << planes;
            let [numbers, others] = [numbers, others]
                .map(|all| all.iter().map(|number| number % below).collect::<Vec<u32>>());
            let cuts = cuts.map(|cut| cut % below);
            let [blocks, other_blocks] = [&numbers, &others].map(|numbers| {
                let mut blocks = vec![Block::ZERO; planes];
                for (word, numbers) in numbers.as_chunks::<64>().0.iter().enumerate() {
                    for (block, bits) in blocks.iter_mut().zip(planes_of_64(numbers)) {
                        block.0[word] = bits;
                    }
                }
                blocks
            });
            for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
                let [greater, from, equal, enough] =
                    level.run(Compare(&blocks, cuts, &other_blocks));
                for (place, &number) in numbers.iter().enumerate() {
                    prop_assert_eq!(greater.get(place), number > cuts[0], "{}", level);
                    prop_assert_eq!(from.get(place), number >= cuts[1], "{}", level);
                    prop_assert_eq!(equal.get(place), number == cuts[0], "{}", level);
                    prop_assert_eq!(enough.get(place), number >= others[place], "{}", level);
                }
            }
        }
    }
}
