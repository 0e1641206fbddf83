use crate::{Block, Simd};

/// Transposes 64 numbers into bit planes: bit `row` of word `plane` is bit `plane` of `numbers[row]`.
///
/// It takes six rounds for any number of planes; setting bits one by one takes one round per plane and row.
pub fn planes_of_64(numbers: &[u32; 64]) -> [u64; 64] {
    let mut square: [u64; 64] = std::array::from_fn(|row| u64::from(numbers[row]));
    transpose_64(&mut square);
    square
}

/// Transposes a square of 64 by 64 bits: bit `column` of word `row` becomes bit `row` of word `column`.
///
/// It swaps off-diagonal squares of decreasing size (Hacker's Delight, 7-3).
pub fn transpose_64(square: &mut [u64; 64]) {
    let mut width = 32;
    let mut mask = u64::MAX >> 32;
    while width > 0 {
        let mut row = 0;
        while row < 64 {
            let swap = ((square[row] >> width) ^ square[row + width]) & mask;
            square[row] ^= swap << width;
            square[row + width] ^= swap;
            row = (row + width + 1) & !width;
        }
        width /= 2;
        mask ^= mask << width;
    }
}

/// Transposes eight adjacent squares of 64 by 64 bits, as [`transpose_64`] does for one: bit `i` of
/// word `w` of block `j` is swapped with bit `j` of word `w` of block `i`.
#[inline(always)]
pub fn transpose_512<S: Simd>(simd: S, square: &mut [Block; 64]) {
    let mut width = 32usize;
    let mut mask = u64::MAX >> 32;
    while width > 0 {
        let keep = simd.splat_word(mask);
        // Widths are at most 32.
        #[expect(clippy::cast_possible_truncation)]
        let shift = width as u32;
        let mut row = 0;
        while row < 64 {
            let (upper, lower) = (simd.load(&square[row]), simd.load(&square[row + width]));
            let swap = simd.and(simd.xor(simd.shift_words_down(upper, shift), lower), keep);
            simd.store(simd.xor(upper, simd.shift_words(swap, shift)), &mut square[row]);
            simd.store(simd.xor(lower, swap), &mut square[row + width]);
            row = (row + width + 1) & !width;
        }
        width /= 2;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kernel, Level};
    use proptest::prelude::*;

    struct Transpose<'a>(&'a mut [Block; 64]);

    impl Kernel for Transpose<'_> {
        type Output = ();

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) {
            transpose_512(simd, self.0);
        }
    }

    proptest! {
        #[test]
        fn eight_squares_are_transposed_like_one(words in prop::collection::vec(any::<u64>(), 512)) {
            let square: [Block; 64] = std::array::from_fn(|row| {
                Block(std::array::from_fn(|word| words[row * 8 + word]))
            });
            for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
                let mut transposed = square;
                level.run(Transpose(&mut transposed));
                for word in 0..8 {
                    let mut one: [u64; 64] = std::array::from_fn(|row| square[row].0[word]);
                    transpose_64(&mut one);
                    let found: [u64; 64] = std::array::from_fn(|row| transposed[row].0[word]);
                    prop_assert_eq!(found, one, "{}", level);
                }
            }
        }

        #[test]
        fn every_bit_is_in_its_plane(numbers in prop::array::uniform32(any::<u32>())) {
            let doubled: [u32; 64] =
                std::array::from_fn(|row| numbers[row / 2] ^ numbers[row % 32].rotate_left(7));
            let planes = planes_of_64(&doubled);
            for (row, number) in doubled.iter().enumerate() {
                for (plane, word) in planes.iter().enumerate() {
                    let expected = plane < 32 && number >> plane & 1 == 1;
                    prop_assert_eq!(word >> row & 1 == 1, expected);
                }
            }
        }
    }
}
