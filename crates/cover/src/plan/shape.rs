//! The shape of a formula as a small number, and sorting by shape.

/// The number of bits for the number of groups and for each group length.
const FIELD: u32 = 3;
/// The number of groups whose lengths are stored.
const GROUPS: u32 = 7;

/// The number of groups and the lengths of the first seven groups, in 24 bits. Numbers above seven
/// are stored as seven. Equal shapes may therefore belong to different formulas, which only makes
/// sorting less precise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Shape(u32);

impl Shape {
    /// Returns the shape of a formula whose groups have these lengths.
    #[inline]
    pub(crate) fn of(lengths: impl ExactSizeIterator<Item = usize>) -> Shape {
        #[expect(clippy::cast_possible_truncation, reason = "a few bits")]
        let field = |number: usize| number.min((1 << FIELD) - 1) as u32;
        let mut shift = FIELD * GROUPS;
        let mut shape = field(lengths.len()) << shift;
        for length in lengths.take(GROUPS as usize) {
            shift -= FIELD;
            shape |= field(length) << shift;
        }
        Shape(shape)
    }
}

/// Sorts items by their shapes with a stable radix sort.
pub(crate) fn sort_by_shape<T: Copy>(shapes: &[Shape], items: &mut Vec<T>) {
    const DIGIT: u32 = 8;
    const PASSES: usize = (FIELD * (1 + GROUPS)).div_ceil(DIGIT) as usize;
    #[expect(clippy::cast_possible_truncation, reason = "the lower half")]
    let place = |key: u64| (key & u64::from(u32::MAX)) as usize;
    let shape = |key: u64| (key >> 32) as u32;
    let digit = |shape: u32, pass: usize| (shape >> (DIGIT as usize * pass)) as usize & 0xFF;
    let mut counts = [[0u32; 1 << DIGIT]; PASSES];
    for shape in shapes {
        for (pass, counts) in counts.iter_mut().enumerate() {
            counts[digit(shape.0, pass)] += 1;
        }
    }
    // A digit that all shapes share does not change the order.
    let Some(first) = shapes.first() else { return };
    let differs = |pass: usize| counts[pass][digit(first.0, pass)] as usize != shapes.len();
    let passes: Vec<usize> = (0..PASSES).filter(|&pass| differs(pass)).collect();
    if passes.is_empty() {
        return;
    }
    let mut keys: Vec<u64> =
        (0u64..).zip(shapes).map(|(place, shape)| u64::from(shape.0) << 32 | place).collect();
    let mut spare = vec![0; keys.len()];
    // From the lowest digit to the highest, one pass over the items for each.
    for pass in passes {
        let next = &mut counts[pass];
        let mut before = 0;
        for count in next.iter_mut() {
            before += std::mem::replace(count, before);
        }
        for &key in &keys {
            let place = &mut next[digit(shape(key), pass)];
            spare[*place as usize] = key;
            *place += 1;
        }
        std::mem::swap(&mut keys, &mut spare);
    }
    let unsorted = std::mem::replace(items, Vec::with_capacity(keys.len()));
    items.extend(keys.iter().map(|&key| unsorted[place(key)]));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts_as_a_stable_sort_does(
            lengths in prop::collection::vec(prop::collection::vec(0usize..20, 0..12), 0..300),
        ) {
            let shapes: Vec<Shape> =
                lengths.iter().map(|lengths| Shape::of(lengths.iter().copied())).collect();
            let mut expected: Vec<usize> = (0..shapes.len()).collect();
            let mut places = expected.clone();
            expected.sort_by_key(|&place| shapes[place]);
            sort_by_shape(&shapes, &mut places);
            prop_assert_eq!(places, expected);
        }
    }
}
