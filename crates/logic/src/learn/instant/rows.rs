use pellucid_bits::{BitRows, Block};

/// The layout of examples in words: positive examples start at the first word, negative ones at a
/// word of their own, so that both are counted without masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ExampleLayout {
    pub(super) positives: usize,
    pub(super) negatives: usize,
}

impl ExampleLayout {
    /// The number of words of the positive examples.
    pub(super) fn split(self) -> usize {
        self.positives.div_ceil(64)
    }

    /// The number of words of all examples.
    pub(super) fn words(self) -> usize {
        self.split() + self.negatives.div_ceil(64)
    }

    /// The set of all examples.
    pub(super) fn all(self) -> Vec<u64> {
        let mut words = vec![u64::MAX; self.words()];
        for (count, last) in [(self.positives, self.split()), (self.negatives, self.words())] {
            if !count.is_multiple_of(64) {
                words[last - 1] = (1 << (count % 64)) - 1;
            }
        }
        words
    }

    /// Returns the word and the bit of an example; positive examples come first.
    pub(super) fn position(self, example: usize) -> (usize, u64) {
        match example.checked_sub(self.positives) {
            None => (example / 64, 1 << (example % 64)),
            Some(negative) => (self.split() + negative / 64, 1 << (negative % 64)),
        }
    }

    /// Returns the numbers of positive and negative examples in a set.
    pub(super) fn counts(self, words: &[u64]) -> [u32; 2] {
        let (positive, negative) = words.split_at(self.split());
        [ones(positive), ones(negative)]
    }

    /// Returns the numbers of the examples in a set, ascending; positive examples come first.
    pub(super) fn examples(self, words: &[u64]) -> Vec<u32> {
        let all = (0u32..).take(self.positives + self.negatives);
        let is_in = |&example: &u32| {
            let (word, bit) = self.position(example as usize);
            words[word] & bit != 0
        };
        all.filter(is_in).collect()
    }

    /// Converts a row of the reasoner to this layout.
    pub(super) fn row(self, covered: &BitRows, row: usize) -> Vec<u64> {
        let source: Vec<u64> = covered.row(row).iter().flat_map(|block: &Block| block.0).collect();
        let mut words = self.all();
        let (whole, shift) = (self.positives / 64, self.positives % 64);
        for (at, word) in words.iter_mut().enumerate() {
            *word &= match at.checked_sub(self.split()) {
                None => source[at],
                Some(at) => {
                    let low = source.get(whole + at).map_or(0, |word| word >> shift);
                    let next = source.get(whole + at + 1).copied().unwrap_or(0);
                    let high = if shift == 0 { 0 } else { next << (64 - shift) };
                    low | high
                }
            };
        }
        words
    }
}

fn ones(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

/// The intersection of two sets.
pub(super) fn and(one: &[u64], other: &[u64]) -> Vec<u64> {
    one.iter().zip(other).map(|(one, other)| one & other).collect()
}

/// The difference of two sets.
pub(super) fn and_not(one: &[u64], other: &[u64]) -> Vec<u64> {
    one.iter().zip(other).map(|(one, other)| one & !other).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_keep_their_bits(
            bits in prop::collection::vec(any::<bool>(), 0..400),
            cut: prop::sample::Index,
        ) {
            let positives = cut.index(bits.len() + 1);
            let layout = ExampleLayout { positives, negatives: bits.len() - positives };
            let mut covered = BitRows::zeros(1, bits.len());
            (0..bits.len()).filter(|&at| bits[at]).for_each(|at| covered.set(0, at));
            let row = layout.row(&covered, 0);
            for (at, &bit) in bits.iter().enumerate() {
                let (word, mask) = layout.position(at);
                prop_assert_eq!(row[word] & mask != 0, bit);
                prop_assert!(layout.all()[word] & mask != 0);
            }
            let count = |bits: &[bool]| bits.iter().map(|&bit| u32::from(bit)).sum::<u32>();
            prop_assert_eq!(layout.counts(&row), [count(&bits[..positives]), count(&bits[positives..])]);
        }
    }
}
