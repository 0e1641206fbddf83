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
    #[expect(clippy::cast_possible_truncation, reason = "the lower half")]
    let place = |key: u64| (key & u64::from(u32::MAX)) as usize;
    let mut keys: Vec<u64> =
        (0u64..).zip(shapes).map(|(place, shape)| u64::from(shape.0) << 32 | place).collect();
    let mut spare = vec![0; keys.len()];
    // From the lowest digit to the highest, one pass over the items for each.
    for shift in (32..32 + FIELD * (1 + GROUPS)).step_by(DIGIT as usize) {
        let digit = |key: u64| (key >> shift & ((1 << DIGIT) - 1)) as usize;
        let mut next = [0u32; 1 << DIGIT];
        keys.iter().for_each(|&key| next[digit(key)] += 1);
        let mut before = 0;
        for count in &mut next {
            before += std::mem::replace(count, before);
        }
        for &key in &keys {
            let place = &mut next[digit(key)];
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
