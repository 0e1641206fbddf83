//! Many comparisons of the same numbers. Four planes make a digit, and all comparisons with a digit are
//! computed once, so that a comparison with a number takes a few operations whatever its bits are.

use crate::{Block, Simd, load};

/// The number of planes of a digit.
const PLANES: usize = 4;
/// The number of rows of a digit: row `d` has the numbers whose digit is at least `d`.
const ROWS: usize = (1 << PLANES) + 1;

/// Writes the rows of every digit. The planes are given from the lowest, `N` blocks of each.
#[inline(always)]
pub fn write<'a, S: Simd, const N: usize>(
    simd: S,
    planes: impl ExactSizeIterator<Item = &'a [Block; N]>,
    rows: &mut Vec<Block>,
) {
    rows.resize(planes.len().div_ceil(PLANES) * ROWS * N, Block::ZERO);
    let digits = rows.as_chunks_mut::<N>().0.as_chunks_mut::<ROWS>().0;
    for (number, plane) in planes.enumerate() {
        let digit = &mut digits[number / PLANES];
        let height = 1 << (number % PLANES);
        if height == 1 {
            digit[0] = [Block::ONES; N];
            digit[1..].fill([Block::ZERO; N]);
        }
        let plane = load::<S, N>(simd, plane);
        // Numbers with the new bit reach the upper half of the rows if their lower bits reach the lower
        // half, and they reach all of the lower half.
        for row in 1..=height {
            for block in 0..N {
                let lower = simd.load(&digit[row][block]);
                simd.store(simd.and(plane[block], lower), &mut digit[height + row][block]);
                simd.store(simd.or(plane[block], lower), &mut digit[row][block]);
            }
        }
    }
}

/// Returns which numbers are greater than a cut, from the rows that [`write()`] has written.
///
/// A cut must not have bits beyond the planes.
#[inline(always)]
pub fn above<S: Simd, const N: usize>(simd: S, rows: &[Block], mut cut: u32) -> [S::Bits; N] {
    let digits = rows.as_chunks::<N>().0.as_chunks::<ROWS>().0;
    let Some((lowest, higher)) = digits.split_first() else { return [simd.splat(false); N] };
    let mut greater = load(simd, &lowest[digit_of(cut) + 1]);
    for rows in higher {
        cut >>= PLANES;
        let digit = digit_of(cut);
        for (block, greater) in greater.iter_mut().enumerate() {
            let (same, more) = (simd.load(&rows[digit][block]), simd.load(&rows[digit + 1][block]));
            *greater = simd.or(more, simd.and(same, *greater));
        }
    }
    greater
}

/// Returns the lowest digit of a number.
#[inline(always)]
fn digit_of(number: u32) -> usize {
    number as usize % (1 << PLANES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kernel, Level, planes_of_64};
    use pellucid_testdata::cases;
    use proptest::prelude::*;

    struct Compare<'a>(&'a [Block], u32);

    impl Kernel for Compare<'_> {
        type Output = Block;

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> Block {
            let Compare(planes, cut) = self;
            // What another column has left behind must not matter.
            let mut rows = vec![Block([0x5555; 8]); 3];
            write(simd, planes.as_chunks::<1>().0.iter(), &mut rows);
            let [bits] = above::<S, 1>(simd, &rows, cut);
            let mut greater = Block::ZERO;
            simd.store(bits, &mut greater);
            greater
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(cases(256)))]

        #[test]
        fn digits_compare_like_numbers(
            planes in 0usize..20,
            numbers in prop::collection::vec(any::<u32>(), 512),
            cut: u32,
            equal in 0usize..512,
        ) {
            let below = 1u32 << planes;
            let numbers: Vec<u32> = numbers.iter().map(|number| number % below).collect();
            let mut blocks = vec![Block::ZERO; planes];
            for (word, numbers) in numbers.as_chunks::<64>().0.iter().enumerate() {
                for (block, bits) in blocks.iter_mut().zip(planes_of_64(numbers)) {
                    block.0[word] = bits;
                }
            }
            for cut in [cut % below, 0, below - 1, numbers[equal]] {
                for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
                    let greater = level.run(Compare(&blocks, cut));
                    for (place, &number) in numbers.iter().enumerate() {
                        prop_assert_eq!(greater.get(place), number > cut, "{} {}", level, cut);
                    }
                }
            }
        }
    }
}
