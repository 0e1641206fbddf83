/// Turns 64 numbers into bit planes: bit `row` of word `plane` is bit `plane` of `numbers[row]`.
///
/// Six rounds whatever the number of planes, where setting bits one by one takes a round per plane and row.
pub fn planes_of_64(numbers: &[u32; 64]) -> [u64; 64] {
    let mut square: [u64; 64] = std::array::from_fn(|row| u64::from(numbers[row]));
    transpose_64(&mut square);
    square
}

/// Turns a square of 64 by 64 bits: bit `column` of word `row` becomes bit `row` of word `column`.
///
/// Ever smaller off-diagonal squares are swapped (Hacker's Delight, 7-3).
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_bit_lands_in_its_plane(numbers in prop::array::uniform32(any::<u32>())) {
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
